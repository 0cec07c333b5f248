use rstest::rstest;

use super::*;
use crate::event::EventType as E;
use crate::id::{LineId, StationId};
use crate::order::tests::{BY_MANAGER, NOW, bring, line_id, paid, unpaid};
use crate::order::{Happened, KitchenState as S, Order, Refused};
use crate::settings::Thresholds;
use crate::time::Time;

#[derive(Clone, Copy, Debug)]
enum Command {
    Cooking,
    Cooked,
    Serve,
    Recall,
}

fn give(
    order: &mut Order,
    command: Command,
    ids: Option<&[LineId]>,
    now: Time,
) -> Result<Happened, Refused> {
    match command {
        Command::Cooking => order.advance(ids, CookTo::Cooking, now),
        Command::Cooked => order.advance(ids, CookTo::Cooked, now),
        Command::Serve => order.serve(ids, true, now),
        Command::Recall => order.recall(ids, now),
    }
}

// Every state and every command; `Ok(None)`: it was so already.
#[rstest]
#[case(S::Waiting, Command::Cooking, Ok(Some((S::Cooking, vec![E::KitchenProgress]))))]
#[case(S::Waiting, Command::Cooked, Err(Refused::InvalidTransition))]
#[case(S::Waiting, Command::Serve, Err(Refused::InvalidTransition))]
#[case(S::Waiting, Command::Recall, Err(Refused::InvalidTransition))]
#[case(S::Cooking, Command::Cooking, Ok(None))]
#[case(S::Cooking, Command::Cooked, Ok(Some((S::Cooked, vec![E::KitchenProgress, E::HallServe]))))]
#[case(S::Cooking, Command::Serve, Err(Refused::InvalidTransition))]
#[case(S::Cooking, Command::Recall, Ok(Some((S::Waiting, vec![E::KitchenProgress]))))]
#[case(S::Cooked, Command::Cooking, Err(Refused::InvalidTransition))]
#[case(S::Cooked, Command::Cooked, Ok(None))]
#[case(S::Cooked, Command::Serve, Ok(Some((S::Served, vec![E::HallServe]))))]
#[case(S::Cooked, Command::Recall, Ok(Some((S::Cooking, vec![E::KitchenProgress]))))]
#[case(S::Served, Command::Cooking, Err(Refused::InvalidTransition))]
#[case(S::Served, Command::Cooked, Err(Refused::InvalidTransition))]
#[case(S::Served, Command::Serve, Ok(None))]
#[case(S::Served, Command::Recall, Ok(Some((S::Cooked, vec![E::HallServe]))))]
fn a_line_moves_one_step_at_a_time(
    #[case] state: S,
    #[case] command: Command,
    #[case] expected: Result<Option<(S, Happened)>, Refused>,
    #[values(true, false)] named: bool,
) {
    let mut order = paid(&[(1, 1)]);
    bring(&mut order, 1, state);
    let before = order.clone();
    let id = [line_id(1)];
    let ids = named.then_some(&id[..]);
    let happened = give(&mut order, command, ids, NOW.plus(100));
    match expected {
        Ok(Some((to, events))) => {
            assert_eq!(happened, Ok(events));
            assert_eq!(order.lines[0].kitchen_state, to);
            assert_eq!(order.version, before.version + 1);
        }
        Ok(None) => {
            assert_eq!(happened, Ok(vec![]));
            assert_eq!(order, before);
        }
        Err(refused) => {
            assert_eq!(happened, Err(refused));
            assert_eq!(order, before);
        }
    }
}

#[rstest]
fn lines_that_the_kitchen_does_not_have_do_not_move(
    #[values(Command::Cooking, Command::Cooked, Command::Serve, Command::Recall)] command: Command,
) {
    let id = [line_id(1)];
    let mut waits_for_payment = unpaid(&[(1, 1)]);
    let mut voided = paid(&[(1, 1), (2, 1)]);
    voided
        .void(id[0], None, BY_MANAGER, line_id(77), true, NOW)
        .unwrap();
    for order in [&mut waits_for_payment, &mut voided] {
        let before = order.clone();
        let refused = give(order, command, Some(&id), NOW);
        assert_eq!(refused, Err(Refused::InvalidTransition));
        let stranger = [line_id(99)];
        let refused = give(order, command, Some(&stranger), NOW);
        assert_eq!(refused, Err(Refused::UnknownLine(line_id(99))));
        let refused = give(order, command, Some(&[]), NOW);
        assert_eq!(refused, Err(Refused::InvalidTransition));
        assert_eq!(*order, before);
    }
}

#[test]
fn a_command_over_several_lines_is_all_or_nothing() {
    let mut order = paid(&[(1, 1), (2, 1)]);
    bring(&mut order, 2, S::Served);
    let before = order.clone();
    let both = [line_id(1), line_id(2)];
    let refused = order.advance(Some(&both), CookTo::Cooking, NOW);
    assert_eq!(refused, Err(Refused::InvalidTransition));
    assert_eq!(order, before);
}

#[test]
fn a_recall_puts_the_earlier_since_back() {
    let mut order = paid(&[(1, 1)]);
    order.advance(None, CookTo::Cooking, Time(1_000)).unwrap();
    order.advance(None, CookTo::Cooked, Time(2_000)).unwrap();
    order.serve(None, true, Time(3_000)).unwrap();
    let since = |order: &Order| order.lines[0].state_since;
    assert_eq!(since(&order), Time(3_000));
    for (state, at) in [
        (S::Cooked, Time(2_000)),
        (S::Cooking, Time(1_000)),
        (S::Waiting, NOW),
    ] {
        order.recall(None, Time(9_000)).unwrap();
        assert_eq!((order.lines[0].kitchen_state, since(&order)), (state, at));
        assert_eq!(order.lines[0].recalled_at, Some(Time(9_000)));
    }
    order.advance(None, CookTo::Cooking, Time(10_000)).unwrap();
    assert_eq!(
        order.lines[0].recalled_at, None,
        "forgotten when it moves on"
    );
}

#[test]
fn a_recall_without_names_takes_the_furthest_unserved_lines() {
    let mut order = paid(&[(1, 1), (2, 1), (3, 1)]);
    bring(&mut order, 1, S::Served);
    bring(&mut order, 2, S::Cooked);
    bring(&mut order, 3, S::Cooking);
    let states = |order: &Order| {
        order
            .lines
            .iter()
            .map(|l| l.kitchen_state)
            .collect::<Vec<_>>()
    };
    order.recall(None, NOW).unwrap();
    assert_eq!(states(&order), [S::Served, S::Cooking, S::Cooking]);
    order.recall(None, NOW).unwrap();
    assert_eq!(states(&order), [S::Served, S::Waiting, S::Waiting]);
    assert_eq!(order.recall(None, NOW), Err(Refused::InvalidTransition));
}

fn ticket(states: &[S]) -> (Order, Ticket) {
    let items = vec![(1, 1); states.len()];
    let mut order = paid(&items);
    for (n, state) in states.iter().enumerate() {
        bring(&mut order, n as u128 + 1, *state);
    }
    let ticket = Ticket::of(&order, None).unwrap();
    (order, ticket)
}

#[rstest]
#[case(&[S::Waiting, S::Waiting], Column::Waiting, 0)]
#[case(&[S::Waiting, S::Cooking], Column::Cooking, 10)]
#[case(&[S::Waiting, S::Cooked], Column::Cooking, 0)]
#[case(&[S::Cooking, S::Cooked], Column::Cooking, 10)]
#[case(&[S::Cooked, S::Cooked], Column::Cooked, 20)]
#[case(&[S::Served, S::Waiting], Column::Waiting, 0)]
#[case(&[S::Served, S::Cooking], Column::Cooking, 10)]
#[case(&[S::Served, S::Cooked], Column::Cooked, 20)]
fn a_ticket_stands_where_its_unserved_lines_hold_it(
    #[case] states: &[S],
    #[case] column: Column,
    #[case] since: i64,
) {
    let (_, ticket) = ticket(states);
    assert_eq!((ticket.column, ticket.since), (column, NOW.plus(since)));
}

#[test]
fn a_served_ticket_is_gone_and_a_recalled_one_comes_back() {
    let mut order = paid(&[(1, 1)]);
    bring(&mut order, 1, S::Served);
    assert_eq!(Ticket::of(&order, None), None);
    assert_eq!(order.left_board_at(), Some(NOW.plus(30)));
    order.recall(None, NOW.plus(99)).unwrap();
    let back = Ticket::of(&order, None).unwrap();
    assert_eq!((back.column, back.recalled), (Column::Cooked, true));
    assert_eq!(order.left_board_at(), None);
}

#[test]
fn an_all_voided_ticket_stays_where_it_was_until_acknowledged() {
    let (mut order, before) = ticket(&[S::Cooking]);
    order
        .void(
            line_id(1),
            None,
            BY_MANAGER,
            line_id(77),
            true,
            NOW.plus(60),
        )
        .unwrap();
    let after = Ticket::of(&order, None).unwrap();
    assert_eq!((after.column, after.since), (before.column, before.since));
    order
        .acknowledge_voids(&[line_id(1)], true, NOW.plus(70))
        .unwrap();
    assert_eq!(Ticket::of(&order, None), None);
    assert_eq!(order.left_board_at(), Some(NOW.plus(70)));
}

#[test]
fn a_void_does_not_hold_a_ticket_back() {
    let (mut order, _) = ticket(&[S::Waiting, S::Cooked]);
    order
        .void(line_id(1), None, BY_MANAGER, line_id(77), true, NOW)
        .unwrap();
    assert_eq!(Ticket::of(&order, None).unwrap().column, Column::Cooked);
}

#[test]
fn a_station_sees_its_own_lines_only() {
    let (mut order, _) = ticket(&[S::Waiting, S::Cooked]);
    let bar = StationId(uuid::Uuid::from_u128(501));
    order.lines[1].station_id = bar;
    let kitchen = order.lines[0].station_id;
    let column = |station| Ticket::of(&order, station).map(|ticket| ticket.column);
    assert_eq!(column(Some(kitchen)), Some(Column::Waiting));
    assert_eq!(column(Some(bar)), Some(Column::Cooked));
    assert_eq!(column(None), Some(Column::Cooking));
    let other = StationId(uuid::Uuid::from_u128(502));
    assert_eq!(column(Some(other)), None);
}

#[test]
fn a_ticket_keeps_its_place_through_a_recall() {
    let mut first = paid(&[(1, 1)]);
    let place = |order: &Order| Ticket::of(order, None).unwrap();
    let before = place(&first);
    bring(&mut first, 1, S::Served);
    first.recall(None, NOW.plus(500)).unwrap();
    let after = place(&first);
    assert_eq!(before.precedes(&after), std::cmp::Ordering::Equal);
    let mut urgent = paid(&[(1, 1)]);
    urgent.number = 99;
    urgent.set_priority(true).unwrap();
    assert_eq!(place(&urgent).precedes(&after), std::cmp::Ordering::Less);
}

#[rstest]
#[case(0, AgeLevel::Fresh)]
#[case(3 * 60_000 - 1, AgeLevel::Fresh)]
#[case(3 * 60_000, AgeLevel::Warn)]
#[case(6 * 60_000, AgeLevel::Late)]
fn a_ticket_ages_by_the_thresholds_of_its_column(#[case] ms: i64, #[case] level: AgeLevel) {
    let (_, ticket) = ticket(&[S::Waiting]);
    let now = ticket.since.plus(ms);
    assert_eq!(ticket.age(&Thresholds::default(), now), level);
}

#[test]
fn all_day_counts_what_is_still_to_be_made() {
    let mut order = paid(&[(1, 3), (2, 2), (1, 1), (3, 9)]);
    bring(&mut order, 2, S::Cooking);
    bring(&mut order, 3, S::Cooked);
    order
        .void(line_id(4), None, BY_MANAGER, line_id(77), true, NOW)
        .unwrap();
    let waiting_for_money = unpaid(&[(1, 50)]);
    let rows = all_day([&order, &waiting_for_money], None);
    let counts: Vec<u32> = rows.iter().map(|row| row.count).collect();
    assert_eq!(counts, [3, 2], "김치찌개 and 콜라");
}
