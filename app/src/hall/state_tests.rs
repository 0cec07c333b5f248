#![cfg(test)]

use super::*;
use crate::hall::fixture::{id, line, order, table, zone};
use crate::hall::picking::Move;
use crate::ui::watch::{told, watch};

/// Sixty parties, each with an order that is being made; one of them is ready.
fn house(ready: u128) -> House {
    let state = move |n| if n == ready { "cooked" } else { "cooking" };
    let placed = move |n| order(100 + n, Some(n), "confirmed", &[line(200 + n, state(n), 0)]);
    House {
        zones: vec![zone(0)],
        tables: (0..60).map(|n| table(n, Some(&[n]))).collect(),
        orders: (0..60).map(placed).collect(),
        ..House::default()
    }
}

#[test]
fn a_dish_that_is_ready_renders_one_tile_of_sixty() {
    let owner = Owner::new();
    owner.set();
    let hall = Hall::new();
    let in_one_zone = |ready| {
        let mut house = house(ready);
        for table in &mut house.tables {
            Arc::make_mut(table).zone_id = house.zones[0].id;
        }
        house
    };
    hall.show(&in_one_zone(99));
    assert_eq!(hall.tiles.ids.get_untracked().len(), 60);
    let list = watch(|| hall.tiles.ids.track());
    let tiles: Vec<_> = (0..60)
        .map(|n| watch(|| hall.tiles.row(id(n)).unwrap().track()))
        .collect();
    hall.show(&in_one_zone(7));
    let counts: Vec<u32> = tiles.iter().map(|tile| told(tile)).collect();
    assert_eq!(
        (counts.iter().sum::<u32>(), counts[7], told(&list)),
        (1, 1, 0)
    );
    assert_eq!(hall.groups.ids.get_untracked(), [id(7)]);
}

#[test]
fn what_was_there_when_the_page_opened_is_not_spoken_of() {
    let owner = Owner::new();
    owner.set();
    let hall = Hall::new();
    hall.show(&house(7));
    assert_eq!(hall.screen.spoken.get_untracked(), "");
    hall.screen.based.set(true);
    hall.show(&house(7));
    assert_eq!(hall.screen.spoken.get_untracked(), "");
    hall.show(&house(8));
    assert_eq!(hall.screen.spoken.get_untracked(), "서빙 대기 8");
}

/// The party of table 1 and its order 20, with lines in these states.
fn party(stage: &str, lines: &[(u128, &str)]) -> House {
    let lines: Vec<_> = lines
        .iter()
        .map(|(number, state)| line(*number, state, 0))
        .collect();
    House {
        tables: vec![table(1, Some(&[1])), table(2, None)],
        orders: vec![order(20, Some(1), stage, &lines)],
        ..House::default()
    }
}

/// The hall with the drawer of table 1 open.
fn with_drawer(house: &House) -> Hall {
    let hall = Hall::new();
    hall.open.set(Some(TableId(id(1))));
    hall.show(house);
    hall
}

const ORDER: fn() -> OrderId = || OrderId(id(20));
const LINE: fn(u128) -> LineId = |number| LineId(id(number));

#[test]
fn what_is_written_at_a_line_stays_while_its_order_changes() {
    let owner = Owner::new();
    owner.set();
    let hall = with_drawer(&party("confirmed", &[(1, "waiting"), (2, "waiting")]));
    hall.toggle(Asked::Line(ORDER(), LINE(1)));
    hall.draft.set("덜 맵".to_owned());
    let list = watch(|| hall.lines.ids.track());
    let [own, other] = [1, 2].map(|n| watch(|| hall.lines.row(id(n)).unwrap().track()));
    hall.show(&party("confirmed", &[(1, "waiting"), (2, "cooking")]));
    assert_eq!((told(&list), told(&own), told(&other)), (0, 0, 1));
    hall.show(&party(
        "confirmed",
        &[(1, "cooking"), (2, "cooking"), (3, "waiting")],
    ));
    assert_eq!(hall.draft.get_untracked(), "덜 맵");
    assert_eq!(
        hall.asked.get_untracked(),
        Some(Asked::Line(ORDER(), LINE(1)))
    );
}

#[test]
fn lines_that_are_gone_are_chosen_no_more() {
    let owner = Owner::new();
    owner.set();
    let hall = with_drawer(&party("confirmed", &[(1, "waiting"), (2, "waiting")]));
    hall.toggle(Asked::Lines);
    hall.chosen
        .set(BTreeSet::from([1, 2].map(|n| (ORDER(), LINE(n)))));
    let watched = watch(|| hall.chosen.track());
    hall.show(&party("confirmed", &[(1, "cooking"), (2, "waiting")]));
    assert_eq!(told(&watched), 0);
    hall.show(&party("confirmed", &[(2, "waiting")]));
    let chosen = hall.chosen.get_untracked();
    assert_eq!(chosen, BTreeSet::from([(ORDER(), LINE(2))]));
    assert_eq!(hall.asked.get_untracked(), Some(Asked::Lines));
    hall.show(&party("rejected", &[(2, "unfired")]));
    assert!(hall.chosen.get_untracked().is_empty());
}

#[test]
fn nothing_is_asked_of_what_is_gone() {
    let owner = Owner::new();
    owner.set();
    let unpaid = party("awaitingPayment", &[(1, "unfired")]);
    let paid = party("confirmed", &[(2, "waiting")]);
    let mut left = paid.clone();
    left.tables[0] = table(1, None);
    let kept = |asked: Asked, after: &House| {
        let hall = with_drawer(&unpaid);
        hall.toggle(asked);
        hall.show(&unpaid);
        assert_eq!(hall.asked.get_untracked(), Some(asked));
        hall.show(after);
        hall.asked.get_untracked().is_some()
    };
    assert!(kept(Asked::Covers, &paid));
    assert!(kept(Asked::Note(ORDER()), &paid));
    assert!(!kept(Asked::Tender(ORDER()), &paid), "it is paid");
    assert!(!kept(Asked::Line(ORDER(), LINE(1)), &paid), "it was moved");
    for asked in [Asked::Covers, Asked::Lines, Asked::Note(ORDER())] {
        assert!(!kept(asked, &left), "the party has left");
    }
}

#[test]
fn a_move_waits_no_more_for_guests_who_have_left() {
    let owner = Owner::new();
    owner.set();
    let sitting = party("confirmed", &[(1, "served")]);
    let hall = with_drawer(&sitting);
    hall.picking.set(Picking::of(
        &hall.detail.get_untracked().unwrap(),
        Move::Party,
    ));
    hall.show(&sitting);
    assert!(hall.picking.get_untracked().is_some());
    let mut left = sitting;
    left.tables[0] = table(1, None);
    hall.show(&left);
    assert_eq!(hall.picking.get_untracked(), None);
}
