//! Why something did not work.

use super::Sentence;

/// Why something did not work.
pub struct Problems {
    /// No answer came.
    pub unreachable: &'static str,
    /// The state forbids it.
    pub invalid_transition: &'static str,
    /// The role forbids it.
    pub forbidden: &'static str,
    /// It is gone.
    pub not_found: &'static str,
    /// The session ended.
    pub signed_out: &'static str,
    /// The server cannot answer.
    pub unavailable: &'static str,
    /// An input is not one that can be.
    pub validation: &'static str,
    /// The page and the server do not understand each other.
    pub outdated: &'static str,
    /// 품절
    pub sold_out: &'static str,
    /// An option is not the item's any more.
    pub option_gone: &'static str,
    /// Not enough is left.
    pub insufficient_stock: &'static str,
    /// The same: of what.
    pub insufficient_stock_of: Sentence,
    /// Somebody holds it.
    pub stock_held: &'static str,
    /// The party has left.
    pub party_cleared: &'static str,
    /// The table has a party.
    pub table_occupied: &'static str,
    /// Something is to be paid first.
    pub unpaid_orders: &'static str,
    /// The same: the orders' numbers.
    pub unpaid_orders_named: Sentence,
    /// The payment is confirmed already.
    pub already_confirmed: &'static str,
    /// Guests do not seat themselves here.
    pub guest_seating_off: &'static str,
    /// Too many open screens.
    pub too_many_streams: &'static str,
    /// The same call again, too soon.
    pub call_cooldown: &'static str,
    /// Too often: wait.
    pub too_many_attempts: &'static str,
    /// Too often: seconds to wait.
    pub too_many_attempts_wait: Sentence,
    /// The PIN is wrong.
    pub wrong_pin: &'static str,
    /// Anything else: its code.
    pub other: Sentence,
    /// A toast: the table, the reason.
    pub refused: Sentence,
}

pub(super) const KO: Problems = Problems {
    unreachable: "서버에 닿지 않습니다. 다시 눌러 주세요.",
    invalid_transition: "이미 다른 상태로 바뀌었습니다.",
    forbidden: "이 계정으로는 할 수 없습니다.",
    not_found: "없어졌거나 바뀌었습니다.",
    signed_out: "로그아웃되었습니다.",
    unavailable: "서버가 지금 처리하지 못합니다. 다시 눌러 주세요.",
    validation: "입력한 내용을 확인해 주세요.",
    outdated: "화면이 오래되었습니다. 새로고침해 주세요.",
    sold_out: "품절된 메뉴가 있습니다.",
    option_gone: "없어진 옵션이 있습니다. 다시 골라 주세요.",
    insufficient_stock: "재고가 부족합니다.",
    insufficient_stock_of: Sentence("재고가 부족합니다: {}"),
    stock_held: "다른 주문이 잡아 둔 재고입니다.",
    party_cleared: "이미 정리된 테이블입니다.",
    table_occupied: "손님이 있는 테이블입니다.",
    unpaid_orders: "결제하지 않은 주문이 있습니다.",
    unpaid_orders_named: Sentence("결제하지 않은 주문이 있습니다: {}"),
    already_confirmed: "이미 결제가 확인된 주문입니다.",
    guest_seating_off: "직원에게 자리를 안내받아 주세요.",
    too_many_streams: "열린 화면이 너무 많습니다. 쓰지 않는 화면을 닫아 주세요.",
    call_cooldown: "방금 호출했습니다. 잠시만 기다려 주세요.",
    too_many_attempts: "요청이 너무 많습니다. 잠시 뒤에 다시 눌러 주세요.",
    too_many_attempts_wait: Sentence("요청이 너무 많습니다. {}초 뒤에 다시 눌러 주세요."),
    wrong_pin: "PIN이 맞지 않습니다.",
    other: Sentence("처리하지 못했습니다 ({})."),
    refused: Sentence("{} · {}"),
};

pub(super) const EN: Problems = Problems {
    unreachable: "The server cannot be reached. Please press again.",
    invalid_transition: "It has already moved on.",
    forbidden: "This account may not do that.",
    not_found: "It is gone or has changed.",
    signed_out: "You are signed out.",
    unavailable: "The server cannot do that now. Please press again.",
    validation: "Please check what you entered.",
    outdated: "This screen is out of date. Please reload it.",
    sold_out: "Something is sold out.",
    option_gone: "An option is gone. Please choose again.",
    insufficient_stock: "Not enough is left.",
    insufficient_stock_of: Sentence("Not enough is left: {}"),
    stock_held: "Another order holds that stock.",
    party_cleared: "That table has been cleared.",
    table_occupied: "Guests sit at that table.",
    unpaid_orders: "There are unpaid orders.",
    unpaid_orders_named: Sentence("There are unpaid orders: {}"),
    already_confirmed: "That payment is already confirmed.",
    guest_seating_off: "Please ask the staff for a table.",
    too_many_streams: "Too many screens are open. Please close those not in use.",
    call_cooldown: "You have just called. Somebody is coming.",
    too_many_attempts: "Too many requests. Please press again in a moment.",
    too_many_attempts_wait: Sentence("Too many requests. Press again in {} s."),
    wrong_pin: "That PIN is not right.",
    other: Sentence("That did not work ({})."),
    refused: Sentence("{} · {}"),
};
