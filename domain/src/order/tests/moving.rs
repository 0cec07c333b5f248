use super::*;
use crate::floor::Seating;

fn seating(n: u128, label: &str) -> Seating {
    Seating {
        party_id: PartyId(Uuid::from_u128(n)),
        table_ids: vec![TableId(Uuid::from_u128(n))],
        label: label.to_owned(),
        zone: None,
    }
}

fn part_id() -> OrderId {
    OrderId(Uuid::from_u128(900))
}

#[test]
fn moved_lines_keep_their_identity_and_their_kitchen_state() {
    let mut order = paid(&[(1, 1), (2, 3)]);
    bring(&mut order, 2, KitchenState::Cooking);
    let before = order.lines[1].clone();
    let to = seating(44, "B-4");
    let split = order
        .move_lines(&[line_id(2)], &to, part_id(), 12, true, Time(900))
        .unwrap();
    let SplitOff::Part(part) = split else {
        panic!("a part was moved");
    };
    assert_eq!(part.lines, [before]);
    assert_eq!((part.id, part.number, part.version), (part_id(), 12, 1));
    assert_eq!(
        (part.table_label.as_str(), part.party_id),
        ("B-4", Some(to.party_id))
    );
    assert_eq!((part.total, order.total), (Amount(6_000), Amount(9_900)));
    assert_eq!(part.checkout_stage, CheckoutStage::Confirmed);
    assert_eq!((order.lines.len(), order.version), (1, 4));
}

#[test]
fn when_every_line_moves_the_order_itself_goes() {
    let mut order = paid(&[(1, 1), (2, 3)]);
    let (id, number) = (order.id, order.number);
    let both = [line_id(1), line_id(2)];
    let to = seating(44, "B-4");
    let split = order.move_lines(&both, &to, part_id(), 12, true, Time(900));
    assert_eq!(split, Ok(SplitOff::Whole));
    assert_eq!((order.id, order.number, order.lines.len()), (id, number, 2));
    assert_eq!(order.table_label, "B-4");
}

#[test]
fn nothing_moves_that_is_unknown_voided_or_settled() {
    let to = seating(44, "B-4");
    let mut order = paid(&[(1, 1), (2, 1)]);
    let before = order.clone();
    let unknown = order.move_lines(&[line_id(99)], &to, part_id(), 12, true, Time(900));
    assert_eq!(unknown, Err(Refused::UnknownLine(line_id(99))));
    let none = order.move_lines(&[], &to, part_id(), 12, true, Time(900));
    assert_eq!(none, Err(Refused::InvalidTransition));
    assert_eq!(order, before);
    order
        .void(line_id(1), None, BY_MANAGER, line_id(77), true, NOW)
        .unwrap();
    let voided = order.move_lines(&[line_id(1)], &to, part_id(), 12, true, Time(900));
    assert_eq!(voided, Err(Refused::InvalidTransition));
    let mut rejected = unpaid(&[(1, 1)]);
    rejected.reject("품절", true, NOW).unwrap();
    let settled = rejected.move_lines(&[line_id(1)], &to, part_id(), 12, true, Time(900));
    assert_eq!(settled, Err(Refused::InvalidTransition));
}

#[test]
fn a_transfer_changes_labels_only() {
    let mut order = paid(&[(1, 1)]);
    let lines = order.lines.clone();
    let to = seating(44, "B-4");
    assert_eq!(order.relabel(&to), vec![EventType::OrderChanged]);
    assert_eq!(order.relabel(&to), vec![], "there already");
    assert_eq!(order.lines, lines, "the kitchen cooks nothing twice");
}

#[test]
fn what_stays_is_over_when_the_rest_was_served_and_no_party_sits() {
    let mut order = paid(&[(1, 1), (2, 3)]);
    bring(&mut order, 1, KitchenState::Served);
    let to = seating(44, "B-4");
    let moved = order.move_lines(&[line_id(2)], &to, part_id(), 12, false, Time(900_000));
    assert!(matches!(moved, Ok(SplitOff::Part(part)) if part.is_open()));
    assert_eq!(order.closed_at, Some(Time(900_000)));
}
