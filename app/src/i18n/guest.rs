//! Words of the page of guests.

use super::Sentence;

/// The page of guests.
pub struct Guest {
    /// Title of the page.
    pub title: &'static str,
    /// The first load is running.
    pub loading: &'static str,
    /// The table: its name.
    pub table: Sentence,
    /// How many guests.
    pub covers: Sentence,
    /// The other language, in its own words.
    pub other_language: &'static str,
    /// The categories, for those who listen.
    pub categories: &'static str,
    /// Opens the sheet of a dish: its name.
    pub choose: Sentence,
    /// How many of it are in the cart.
    pub in_cart: Sentence,
    /// The bar below: how many portions.
    pub bar: Sentence,
    /// The cart.
    pub cart: &'static str,
    /// Nothing is in it.
    pub cart_empty: &'static str,
    /// A note for the whole order.
    pub note: &'static str,
    /// The sum.
    pub total: &'static str,
    /// Places the order.
    pub order: &'static str,
    /// It is on its way.
    pub ordering: &'static str,
    /// It is there.
    pub ordered: &'static str,
    /// No answer came, so that nobody knows.
    pub no_answer: &'static str,
    /// Sends the same again, or loads again.
    pub again: &'static str,
    /// Something in the cart went away: heading.
    pub gone: &'static str,
    /// What became of it.
    pub gone_lead: &'static str,
    /// It was seen.
    pub gone_seen: &'static str,
    /// The orders of the table.
    pub orders: &'static str,
    /// An order: its number.
    pub number: Sentence,
    /// Placed, paid, cooking, cooked, served.
    pub steps: [&'static str; 5],
    /// The payment is waited for.
    pub unpaid: &'static str,
    /// Rejected: why.
    pub rejected: Sentence,
    /// Every line of it was cancelled.
    pub cancelled: &'static str,
    /// Money back.
    pub refunded: &'static str,
    /// A line that is not wanted any more.
    pub voided: &'static str,
    /// The lines of an order.
    pub lines: Sentence,
    /// The sum of all orders of the table.
    pub sum: &'static str,
    /// Opens the sheet of calls.
    pub call: &'static str,
    /// Staff, water, side plates, the bill.
    pub reasons: [&'static str; 4],
    /// It was asked for.
    pub called: &'static str,
    /// Somebody has seen it.
    pub accepted: &'static str,
    /// Seconds until the same may be asked for again.
    pub cooldown: Sentence,
    /// The party is over: heading.
    pub farewell: &'static str,
    /// What that means.
    pub over: &'static str,
    /// Joins anew.
    pub join: &'static str,
    /// The staff seats guests: heading.
    pub ask_staff: &'static str,
    /// What that means.
    pub ask_staff_lead: &'static str,
    /// No table has this code: heading.
    pub no_table: &'static str,
    /// What to do.
    pub no_table_lead: &'static str,
    /// Nothing could be loaded: heading.
    pub unreachable: &'static str,
    /// It goes on by itself.
    pub unreachable_lead: &'static str,
    /// Bar of a page that is offline: the age.
    pub offline: Sentence,
}

pub(super) const KO: Guest = Guest {
    title: "주문",
    loading: "메뉴를 불러오는 중입니다",
    table: Sentence("{} 테이블"),
    covers: Sentence("{}명"),
    other_language: "English",
    categories: "메뉴 분류",
    choose: Sentence("{} 담기"),
    in_cart: Sentence("{}개 담음"),
    bar: Sentence("{}개 · 주문하기"),
    cart: "담은 메뉴",
    cart_empty: "담은 메뉴가 없습니다.",
    note: "주문 요청 사항",
    total: "합계",
    order: "주문하기",
    ordering: "주문을 보내는 중입니다",
    ordered: "주문했습니다.",
    no_answer: "연결이 끊겨 주문이 들어갔는지 확인하지 못했습니다. 다시 시도해도 두 번 주문되지 않습니다.",
    again: "다시 시도",
    gone: "모두 주문할 수는 없습니다",
    gone_lead: "아래 메뉴를 빼거나 남은 만큼으로 줄였습니다. 나머지는 그대로 있습니다.",
    gone_seen: "확인",
    orders: "주문 내역",
    number: Sentence("주문 #{}"),
    steps: [
        "주문 접수",
        "결제 확인",
        "조리 중",
        "조리 완료",
        "서빙 완료",
    ],
    unpaid: "카운터에서 결제해 주세요. 결제가 확인되면 조리를 시작합니다.",
    rejected: Sentence("주문이 거절되었습니다 · {}"),
    cancelled: "주문이 취소되었습니다",
    refunded: "환불되었습니다",
    voided: "취소",
    lines: Sentence("{}개 · {}"),
    sum: "테이블 합계",
    call: "호출",
    reasons: ["직원 호출", "물", "앞접시", "계산서"],
    called: "요청했어요",
    accepted: "직원이 확인했어요",
    cooldown: Sentence("{}초 뒤에 다시 누를 수 있어요"),
    farewell: "이용해 주셔서 감사합니다",
    over: "이 테이블의 이용이 끝났습니다.",
    join: "새로 주문하기",
    ask_staff: "직원에게 문의해 주세요",
    ask_staff_lead: "자리를 안내받은 뒤에 다시 눌러 주세요.",
    no_table: "테이블을 찾을 수 없습니다",
    no_table_lead: "QR 코드를 다시 찍거나 직원에게 문의해 주세요.",
    unreachable: "불러오지 못했습니다",
    unreachable_lead: "인터넷 연결을 확인해 주세요. 연결되면 저절로 이어집니다.",
    offline: Sentence("연결 끊김 · 마지막 확인 {}"),
};

pub(super) const EN: Guest = Guest {
    title: "Order",
    loading: "Loading the menu",
    table: Sentence("Table {}"),
    covers: Sentence("Guests: {}"),
    other_language: "한국어",
    categories: "Categories",
    choose: Sentence("Add {}"),
    in_cart: Sentence("{} in your cart"),
    bar: Sentence("Order ({})"),
    cart: "Your cart",
    cart_empty: "Your cart is empty.",
    note: "Request for the whole order",
    total: "Total",
    order: "Place order",
    ordering: "Sending your order",
    ordered: "Your order is in.",
    no_answer: "The connection was lost, so we cannot tell whether your order is in. Trying again never orders twice.",
    again: "Try again",
    gone: "Not all of it is available",
    gone_lead: "This was taken out, or cut to what is left. The rest is kept.",
    gone_seen: "OK",
    orders: "Your orders",
    number: Sentence("Order #{}"),
    steps: ["Received", "Paid", "Cooking", "Ready", "Served"],
    unpaid: "Please pay at the counter. Cooking starts once it is paid.",
    rejected: Sentence("The order was declined · {}"),
    cancelled: "The order was cancelled",
    refunded: "Refunded",
    voided: "cancelled",
    lines: Sentence("Items: {} · {}"),
    sum: "Table total",
    call: "Call",
    reasons: ["Call staff", "Water", "Side plates", "The bill"],
    called: "Asked for",
    accepted: "Staff has seen it",
    cooldown: Sentence("You can ask again in {} s"),
    farewell: "Thank you for your visit",
    over: "This table's visit has ended.",
    join: "Start a new order",
    ask_staff: "Please ask our staff",
    ask_staff_lead: "Once you have been seated, press again.",
    no_table: "There is no such table",
    no_table_lead: "Scan the QR code again, or ask our staff.",
    unreachable: "It could not be loaded",
    unreachable_lead: "Please check your connection. It goes on by itself.",
    offline: Sentence("Offline · last seen {}"),
};
