//! Counted stock: holds, what is short, the stock screen.

use super::Sentence;

/// Counted stock.
pub struct Stock {
    /// What an order holds, and for how long.
    pub held_for: Sentence,
    /// Its time is over, or a manager broke it.
    pub lost: &'static str,
    /// What that means for who takes the payment.
    pub lost_lead: &'static str,
    /// Heading: an order that cannot be confirmed.
    pub short: Sentence,
    /// What it asks for, and what there is.
    pub short_of: Sentence,
    /// The question that decides.
    pub short_lead: &'static str,
    /// Nothing was paid: the order is refused.
    pub not_taken: &'static str,
    /// Why it is refused.
    pub run_out: &'static str,
    /// The money is in the drawer.
    pub taken: &'static str,
    /// It is noted that the money is to be given back: the order.
    pub refund_noted: Sentence,
    /// The tab of stock.
    pub title: &'static str,
    /// What can be sold.
    pub available: &'static str,
    /// What is there.
    pub on_hand: &'static str,
    /// What is promised.
    pub held: &'static str,
    /// In short: can be sold, is there, is promised.
    pub counts: Sentence,
    /// No stock row is there.
    pub none: &'static str,
    /// Opens the count of a row: its name.
    pub adjust_of: Sentence,
    /// Opens the count of a row.
    pub adjust: &'static str,
    /// So many are there.
    pub counted: &'static str,
    /// What that changes.
    pub difference: Sentence,
    /// Why a count changed.
    pub why: &'static str,
    /// Delivered, counted, thrown away, used by the house.
    pub reasons: [&'static str; 4],
    /// Another reason.
    pub other: &'static str,
    /// Saves the count.
    pub save: &'static str,
    /// It is saved: the row, how many there are.
    pub saved: Sentence,
    /// A count as of an older version.
    pub recounted: &'static str,
    /// Below what is held: how many.
    pub below_held: Sentence,
    /// Open holds.
    pub holds: &'static str,
    /// There are none.
    pub no_holds: &'static str,
    /// They cannot be read.
    pub no_answer: &'static str,
    /// Since when, and for how long yet.
    pub age: Sentence,
    /// Of an order.
    pub of_order: &'static str,
    /// Of a cart.
    pub of_cart: &'static str,
    /// Breaks a hold.
    pub release: &'static str,
    /// Breaks a hold: whose.
    pub release_of: Sentence,
    /// What breaking comes to for an order.
    pub release_order: &'static str,
    /// The same for a cart.
    pub release_cart: &'static str,
    /// Why it was broken, in the ledger.
    pub release_reason: &'static str,
    /// It is broken.
    pub released: Sentence,
    /// Money to give back.
    pub refunds: &'static str,
    /// An order, its amount.
    pub refund: Sentence,
    /// It was given back.
    pub settle: &'static str,
    /// The same: of which order.
    pub settle_of: Sentence,
}

pub(super) const KO: Stock = Stock {
    held_for: Sentence("재고 예약 {}"),
    lost: "재고 예약 만료",
    lost_lead: "재고 예약이 끝났습니다. 결제를 확인하면 남은 재고로 다시 잡고, 모자라면 알려 드립니다.",
    short: Sentence("{} · 재고 부족"),
    short_of: Sentence("{}개 필요 · {}개 남음"),
    short_lead: "결제가 확인되지 않았습니다. 돈을 이미 받았습니까?",
    not_taken: "받지 않음 · 주문 거절",
    run_out: "재료가 떨어졌습니다",
    taken: "이미 받음 · 환불로 남기기",
    refund_noted: Sentence("{} 환불할 주문으로 남겼습니다"),
    title: "재고",
    available: "가능",
    on_hand: "재고",
    held: "예약",
    counts: Sentence("가능 {} · 재고 {} · 예약 {}"),
    none: "수량을 세는 메뉴가 없습니다",
    adjust_of: Sentence("수량 조정 · {}"),
    adjust: "수량 조정",
    counted: "지금 있는 수량",
    difference: Sentence("{} → {} ({})"),
    why: "이유",
    reasons: ["입고", "재고 조사", "폐기", "자체 소비"],
    other: "다른 이유",
    save: "저장",
    saved: Sentence("{} {}개로 바꾸었습니다"),
    recounted: "그사이 수량이 바뀌었습니다. 다시 확인해 주세요.",
    below_held: Sentence(
        "{}개가 예약되어 있어 그보다 적게 바꿀 수 없습니다. 예약을 먼저 풀어 주세요.",
    ),
    holds: "열린 예약",
    no_holds: "열린 예약이 없습니다",
    no_answer: "예약을 불러오지 못했습니다.",
    age: Sentence("{} 전부터 · {} 남음"),
    of_order: "주문",
    of_cart: "담는 중",
    release: "예약 풀기",
    release_of: Sentence("예약 풀기 · {}"),
    release_order: "잡아 둔 수량을 다른 주문에 팔 수 있게 됩니다. 주문은 결제 대기에 그대로 남습니다.",
    release_cart: "잡아 둔 수량을 다른 주문에 팔 수 있게 됩니다.",
    release_reason: "관리자가 예약을 풀었습니다",
    released: Sentence("{} 예약을 풀었습니다"),
    refunds: "환불할 금액",
    refund: Sentence("{} · {}"),
    settle: "돌려줌",
    settle_of: Sentence("돌려줌 · {}"),
};

pub(super) const EN: Stock = Stock {
    held_for: Sentence("Stock held {}"),
    lost: "Stock no longer held",
    lost_lead: "Its stock is not held any more. Confirming takes what is left again, and says so if there is too little.",
    short: Sentence("{} · out of stock"),
    short_of: Sentence("needs {} · {} left"),
    short_lead: "The payment is not confirmed. Have you taken the money already?",
    not_taken: "Not taken · reject the order",
    run_out: "We ran out of it",
    taken: "Taken · note a refund",
    refund_noted: Sentence("{} is noted as a refund"),
    title: "Stock",
    available: "Available",
    on_hand: "On hand",
    held: "Held",
    counts: Sentence("{} available · {} on hand · {} held"),
    none: "Nothing on the menu is counted",
    adjust_of: Sentence("Count · {}"),
    adjust: "Count",
    counted: "How many are there",
    difference: Sentence("{} → {} ({})"),
    why: "Why",
    reasons: [
        "Delivery",
        "Stocktaking",
        "Thrown away",
        "Used by the house",
    ],
    other: "Another reason",
    save: "Save",
    saved: Sentence("{}: {} on hand"),
    recounted: "The count has changed meanwhile. Please check it again.",
    below_held: Sentence("{} are held, so it cannot be fewer. Break a hold first."),
    holds: "Open holds",
    no_holds: "Nothing is held",
    no_answer: "The holds could not be loaded.",
    age: Sentence("for {} · {} left"),
    of_order: "Order",
    of_cart: "Cart",
    release: "Break",
    release_of: Sentence("Break the hold of {}"),
    release_order: "What it holds can be sold to others. Its order keeps waiting for its payment.",
    release_cart: "What it holds can be sold to others.",
    release_reason: "Broken by a manager",
    released: Sentence("The hold of {} is broken"),
    refunds: "Refunds due",
    refund: Sentence("{} · {}"),
    settle: "Given back",
    settle_of: Sentence("Given back · {}"),
};
