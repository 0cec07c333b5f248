//! The counter.

use super::Sentence;

/// The counter: payments.
pub struct Counter {
    /// Title of the page.
    pub title: &'static str,
    /// Orders that await payment.
    pub waiting: &'static str,
    /// Sales of the business day.
    pub sales: &'static str,
    /// Leads to order entry.
    pub enter_order: &'static str,
    /// The list, for those who listen.
    pub queue: &'static str,
    /// Nobody waits.
    pub empty: &'static str,
    /// Opens the choice of tender.
    pub confirm: &'static str,
    /// Opens the reasons.
    pub reject: &'static str,
    /// Spoken: a button and whose it is.
    pub of: Sentence,
    /// How long ago.
    pub ago: Sentence,
    /// Cash, card, transfer.
    pub tenders: [&'static str; 3],
    /// Heading of the tenders: the order, the amount.
    pub choose_tender: Sentence,
    /// The order became another while its payment was asked for.
    pub amount_changed: &'static str,
    /// Heading of the reasons: the order.
    pub choose_reason: Sentence,
    /// Reasons that come up.
    pub reasons: [&'static str; 5],
    /// A reason in one's own words.
    pub other_reason: &'static str,
    /// Rejects with that reason.
    pub reject_so: &'static str,
    /// The confirmation is on its way.
    pub confirming: &'static str,
    /// Kitchen screens have it: one, or how many.
    pub received: [Sentence; 2],
    /// Kitchen screens do not have it yet: one there is, or how many.
    pub sending: [Sentence; 2],
    /// They should have it by then: one there is, or how many.
    pub not_received: [Sentence; 2],
    /// No kitchen screen is there.
    pub no_screen: &'static str,
    /// The kitchen has begun.
    pub begun: &'static str,
    /// Spoken: a new order in the queue, its amount.
    pub arrived: Sentence,
    /// Heading of the report.
    pub report: &'static str,
    /// Orders paid.
    pub paid: &'static str,
    /// Orders rejected.
    pub rejected: &'static str,
    /// One order, or how many.
    pub orders: [Sentence; 2],
    /// The report cannot be read.
    pub no_report: &'static str,
}

pub(super) const KO: Counter = Counter {
    title: "카운터",
    waiting: "결제 대기",
    sales: "오늘 매출",
    enter_order: "주문 입력",
    queue: "결제 대기 목록",
    empty: "결제를 기다리는 주문이 없습니다",
    confirm: "결제 확인",
    reject: "거절",
    of: Sentence("{} · {}"),
    ago: Sentence("{} 전"),
    tenders: ["현금", "카드", "계좌 이체"],
    choose_tender: Sentence("{} · {}"),
    amount_changed: "주문이 바뀌어 금액이 달라졌습니다. 다시 확인해 주세요.",
    choose_reason: Sentence("{} 거절 이유"),
    reasons: [
        "재료가 떨어졌습니다",
        "손님이 취소했습니다",
        "같은 주문이 두 번 들어왔습니다",
        "결제가 되지 않았습니다",
        "주문이 마감되었습니다",
    ],
    other_reason: "다른 이유",
    reject_so: "이 이유로 거절",
    confirming: "확인하는 중",
    received: [Sentence("주방 전달됨 ✓ 화면 {}대 수신"); 2],
    sending: [Sentence("주방 화면 {}대에 보내는 중"); 2],
    not_received: [Sentence("주방 화면 {}대가 아직 받지 못했습니다. 주방에 확인해 주세요."); 2],
    no_screen: "켜진 주방 화면이 없습니다. 주방에 직접 알려 주세요.",
    begun: "주방 전달됨 ✓ 조리 시작",
    arrived: Sentence("새 결제 대기 {} {}"),
    report: "오늘 매출",
    paid: "결제 완료",
    rejected: "거절",
    orders: [Sentence("{}건"); 2],
    no_report: "매출을 불러오지 못했습니다.",
};

pub(super) const EN: Counter = Counter {
    title: "Counter",
    waiting: "To pay",
    sales: "Sales today",
    enter_order: "New order",
    queue: "Orders awaiting payment",
    empty: "No order awaits payment",
    confirm: "Confirm payment",
    reject: "Reject",
    of: Sentence("{} · {}"),
    ago: Sentence("{} ago"),
    tenders: ["Cash", "Card", "Transfer"],
    choose_tender: Sentence("{} · {}"),
    amount_changed: "The order has changed, and so has its amount. Please check again.",
    choose_reason: Sentence("Why reject {}?"),
    reasons: [
        "We ran out of it",
        "The guests cancelled",
        "The order came in twice",
        "The payment did not go through",
        "We take no more orders",
    ],
    other_reason: "Another reason",
    reject_so: "Reject for this reason",
    confirming: "Confirming",
    received: [
        Sentence("In the kitchen ✓ on {} screen"),
        Sentence("In the kitchen ✓ on {} screens"),
    ],
    sending: [
        Sentence("Sending to {} kitchen screen"),
        Sentence("Sending to {} kitchen screens"),
    ],
    not_received: [
        Sentence("The kitchen screen has not got it yet. Please ask the kitchen."),
        Sentence("None of {} kitchen screens has it yet. Please ask the kitchen."),
    ],
    no_screen: "No kitchen screen is on. Please tell the kitchen.",
    begun: "In the kitchen ✓ cooking",
    arrived: Sentence("New payment {} {}"),
    report: "Sales today",
    paid: "Paid",
    rejected: "Rejected",
    orders: [Sentence("{} order"), Sentence("{} orders")],
    no_report: "The sales could not be loaded.",
};
