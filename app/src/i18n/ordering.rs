//! Words of order entry by the staff.

use super::Sentence;

/// Order entry.
pub struct Ordering {
    /// Heading.
    pub title: &'static str,
    /// Back to the screen below.
    pub back: &'static str,
    /// From the cart to the menu, on a narrow screen.
    pub back_to_menu: &'static str,
    /// Finds items by name.
    pub search: &'static str,
    /// No item has that name.
    pub nothing: &'static str,
    /// The cart.
    pub cart: &'static str,
    /// Nothing is in it.
    pub empty: &'static str,
    /// How many portions are in it.
    pub pieces: Sentence,
    /// A note for the whole order.
    pub note: &'static str,
    /// The sum.
    pub total: &'static str,
    /// Sends it.
    pub send: &'static str,
    /// It is on its way.
    pub sending: &'static str,
    /// On its way, and the answer takes its time.
    pub sending_hint: &'static str,
    /// It is there.
    pub sent: &'static str,
    /// An earlier page could not learn whether its order is there.
    pub unsure: &'static str,
    /// For whom it is.
    pub choose_place: &'static str,
    /// At the counter, eaten here.
    pub counter: &'static str,
    /// Taken along.
    pub takeout: &'static str,
    /// A table and its guests.
    pub guests: Sentence,
    /// Something in the cart went away.
    pub gone: &'static str,
    /// Goes on without it, or with as many as there are.
    pub drop_gone: &'static str,
}

pub(super) const KO: Ordering = Ordering {
    title: "주문 입력",
    back: "돌아가기",
    back_to_menu: "메뉴로",
    search: "메뉴 찾기",
    nothing: "찾는 메뉴가 없습니다",
    cart: "담은 메뉴",
    empty: "메뉴를 눌러 담아 주세요",
    pieces: Sentence("{}개"),
    note: "주문 메모",
    total: "합계",
    send: "주문 넣기",
    sending: "보내는 중",
    sending_hint: "한 번만 접수됩니다. 잠시 기다려 주세요.",
    sent: "주문이 접수되었습니다",
    unsure: "앞서 보낸 주문이 접수되었는지 알 수 없습니다. 주문 내역을 확인해 주세요.",
    choose_place: "받을 곳 고르기",
    counter: "매장",
    takeout: "포장",
    guests: Sentence("{} · {}명"),
    gone: "모두 주문할 수는 없습니다",
    drop_gone: "되는 만큼만 담기",
};

pub(super) const EN: Ordering = Ordering {
    title: "Order entry",
    back: "Back",
    back_to_menu: "Back to the menu",
    search: "Find a dish",
    nothing: "No such dish",
    cart: "Cart",
    empty: "Tap dishes to add them",
    pieces: Sentence("{} items"),
    note: "Order note",
    total: "Total",
    send: "Place order",
    sending: "Sending",
    sending_hint: "It is placed once only. Please wait.",
    sent: "The order is placed",
    unsure: "It is not known whether an earlier order is in. Please look at the orders.",
    choose_place: "Choose where it goes",
    counter: "Eat in",
    takeout: "Takeout",
    guests: Sentence("{} · {} guests"),
    gone: "Not all of this can be ordered now",
    drop_gone: "Keep what can be ordered",
};
