#![cfg(test)]

use domain::kitchen::CookTo;
use domain::time::Time;

use super::*;
use crate::kitchen::fixture::{id, line, line_id, order};

#[test]
fn what_does_not_fit_changes_nothing_until_the_server_says_so() {
    let before = order(1, &[line(1, 1, "cooked", 0)]);
    let mut foreseen = before.clone();
    Intent::Advance(None, CookTo::Cooking).foresee_order(&mut foreseen, Time(5));
    assert_eq!(foreseen, before);
}

#[test]
fn a_request_says_where_and_what() {
    let intent = Intent::Advance(Some(vec![line_id(7)]), CookTo::Cooked);
    let path = intent.path(id(1).0);
    assert_eq!(
        path,
        "/kitchen/orders/00000000-0000-0000-0000-000000000001/advance"
    );
    let lines = r#"["00000000-0000-0000-0000-000000000007"]"#;
    assert_eq!(
        intent.body(),
        format!(r#"{{"lineIds":{lines},"to":"cooked"}}"#)
    );
    assert_eq!(Intent::Recall(None).body(), "{}");
    assert_eq!(Intent::Priority(true).body(), r#"{"priority":true}"#);
    assert_eq!(
        Intent::SeeVoids(vec![line_id(7)]).body(),
        format!(r#"{{"lineIds":{lines}}}"#)
    );
}

#[test]
fn a_void_names_the_line_in_its_address() {
    let intent = Intent::Void(line_id(7), "wrong".to_owned());
    assert_eq!(
        intent.path(id(1).0),
        "/hall/orders/00000000-0000-0000-0000-000000000001/lines/\
         00000000-0000-0000-0000-000000000007/void"
    );
    assert_eq!(intent.body(), r#"{"reason":"wrong"}"#);
}
