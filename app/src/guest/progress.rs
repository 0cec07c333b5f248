//! How far an order is, as its guests see it.

use domain::guest::GuestOrder;
use domain::money::Amount;
use domain::order::{CheckoutStage, KitchenState};
use domain::settings::PaymentTiming;

/// A step of an order, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// 주문 접수
    Placed,
    /// 결제 확인
    Paid,
    /// 조리 중
    Cooking,
    /// 조리 완료
    Cooked,
    /// 서빙 완료
    Served,
}

/// How much of an order has taken a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Nothing.
    No,
    /// So many portions of so many.
    Part(u32, u32),
    /// All.
    Yes,
}

/// How an order stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// On its way.
    Steps(Vec<(Step, Done)>),
    /// Refused by the staff.
    Rejected,
    /// Every line was cancelled.
    Cancelled,
}

impl Step {
    /// Its place among the words of all steps.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Placed => 0,
            Self::Paid => 1,
            Self::Cooking => 2,
            Self::Cooked => 3,
            Self::Served => 4,
        }
    }

    fn of(state: KitchenState) -> Self {
        match state {
            KitchenState::Waiting => Self::Placed,
            KitchenState::Cooking => Self::Cooking,
            KitchenState::Cooked => Self::Cooked,
            KitchenState::Served => Self::Served,
        }
    }
}

/// How `order` stands.
#[must_use]
pub fn progress(order: &GuestOrder, timing: PaymentTiming) -> Progress {
    if order.checkout_stage == CheckoutStage::Rejected {
        return Progress::Rejected;
    }
    let live = || order.lines.iter().filter(|line| !line.voided);
    let all: u32 = live().map(|line| line.quantity).sum();
    if all == 0 {
        return Progress::Cancelled;
    }
    let kitchen = |step: Step| {
        let there = live().filter(|line| Step::of(line.kitchen_state) >= step);
        match there.map(|line| line.quantity).sum::<u32>() {
            0 => Done::No,
            some if some < all => Done::Part(some, all),
            _ => Done::Yes,
        }
    };
    let mut steps = vec![(Step::Placed, Done::Yes)];
    if timing == PaymentTiming::Prepaid {
        let paid = if is_unpaid(order) {
            Done::No
        } else {
            Done::Yes
        };
        steps.push((Step::Paid, paid));
    }
    let of_kitchen = [Step::Cooking, Step::Cooked, Step::Served];
    steps.extend(of_kitchen.map(|step| (step, kitchen(step))));
    Progress::Steps(steps)
}

/// Whether its payment is waited for.
#[must_use]
pub fn is_unpaid(order: &GuestOrder) -> bool {
    order.checkout_stage == CheckoutStage::AwaitingPayment
}

/// What `order` adds to the sum of its table: nothing when it was refused or its money given back.
/// A voided line costs nothing already.
#[must_use]
pub fn amount(order: &GuestOrder) -> Amount {
    match order.checkout_stage {
        CheckoutStage::AwaitingPayment | CheckoutStage::Confirmed => order.total,
        CheckoutStage::Refunded | CheckoutStage::Rejected => Amount(0),
    }
}

/// The last step that anything of it has taken.
#[must_use]
pub fn reached(progress: &Progress) -> Option<Step> {
    match progress {
        Progress::Steps(steps) => {
            let taken = steps.iter().filter(|(_, done)| *done != Done::No);
            taken.map(|(step, _)| *step).max()
        }
        Progress::Rejected | Progress::Cancelled => None,
    }
}

mod tests {
    #![cfg(test)]

    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn line(quantity: u32, state: &str, voided: bool) -> Value {
        json!({
            "id": Uuid::nil(), "menuId": Uuid::nil(), "name": {"ko": "김치찌개"},
            "unitPrice": 9900, "quantity": quantity, "options": [], "note": "",
            "amount": 9900, "kitchenState": state, "voided": voided,
        })
    }

    fn order(stage: &str, lines: &[Value]) -> GuestOrder {
        serde_json::from_value(json!({
            "id": Uuid::nil(), "version": 1, "number": 41, "placedAt": 0, "checkoutStage": stage,
            "note": "", "lines": lines, "total": 9900, "currency": "KRW",
        }))
        .unwrap()
    }

    fn steps(order: &GuestOrder, timing: PaymentTiming) -> Vec<(Step, Done)> {
        match progress(order, timing) {
            Progress::Steps(steps) => steps,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_prepaid_order_waits_for_its_payment() {
        let order = order("awaitingPayment", &[line(2, "waiting", false)]);
        let expected = [
            (Step::Placed, Done::Yes),
            (Step::Paid, Done::No),
            (Step::Cooking, Done::No),
            (Step::Cooked, Done::No),
            (Step::Served, Done::No),
        ];
        assert_eq!(steps(&order, PaymentTiming::Prepaid), expected);
        let progress = progress(&order, PaymentTiming::Prepaid);
        assert_eq!(reached(&progress), Some(Step::Placed));
    }

    #[test]
    fn a_postpaid_order_cooks_before_it_is_paid() {
        let order = order("awaitingPayment", &[line(1, "cooking", false)]);
        let expected = [
            (Step::Placed, Done::Yes),
            (Step::Cooking, Done::Yes),
            (Step::Cooked, Done::No),
            (Step::Served, Done::No),
        ];
        assert_eq!(steps(&order, PaymentTiming::Postpaid), expected);
    }

    #[test]
    fn what_is_cooked_in_part_is_shown_in_part_and_voids_do_not_count() {
        let lines = [
            line(1, "served", false),
            line(2, "cooked", false),
            line(1, "waiting", false),
            line(9, "cooking", true),
        ];
        let order = order("confirmed", &lines);
        let expected = [
            (Step::Placed, Done::Yes),
            (Step::Paid, Done::Yes),
            (Step::Cooking, Done::Part(3, 4)),
            (Step::Cooked, Done::Part(3, 4)),
            (Step::Served, Done::Part(1, 4)),
        ];
        assert_eq!(steps(&order, PaymentTiming::Prepaid), expected);
        let progress = progress(&order, PaymentTiming::Prepaid);
        assert_eq!(reached(&progress), Some(Step::Served));
    }

    #[test]
    fn what_was_refused_or_given_back_is_not_in_the_sum() {
        let of = |stage| amount(&order(stage, &[line(1, "waiting", false)])).0;
        let stages = ["awaitingPayment", "confirmed", "rejected", "refunded"];
        assert_eq!(stages.map(of), [9_900, 9_900, 0, 0]);
    }

    #[test]
    fn a_refusal_and_a_cancellation_have_no_steps() {
        let rejected = order("rejected", &[line(1, "waiting", false)]);
        assert_eq!(
            progress(&rejected, PaymentTiming::Prepaid),
            Progress::Rejected
        );
        let voided = order("confirmed", &[line(1, "cooking", true)]);
        let cancelled = progress(&voided, PaymentTiming::Prepaid);
        assert_eq!(cancelled, Progress::Cancelled);
        assert_eq!(reached(&cancelled), None);
    }
}
