//! Words of order entry, for guests and staff.

use super::Sentence;

/// The cart and the sheet of options.
pub struct Entry {
    /// Puts a line into the cart.
    pub add: &'static str,
    /// A note for the cook.
    pub note: &'static str,
    /// What must not be in it.
    pub allergy: &'static str,
    /// How many.
    pub quantity: &'static str,
    /// One less.
    pub less: &'static str,
    /// One more.
    pub more: &'static str,
    /// One of a group must be chosen.
    pub required: &'static str,
    /// One of a group may be chosen.
    pub optional: &'static str,
    /// At most so many may be chosen.
    pub up_to: Sentence,
    /// At least and at most so many.
    pub between: Sentence,
    /// No option of a group.
    pub none: &'static str,
    /// A choice is missing.
    pub lacking: &'static str,
    /// Cannot be ordered.
    pub sold_out: &'static str,
    /// An option cannot be: its name.
    pub option_sold_out: Sentence,
    /// So many portions are left.
    pub left: Sentence,
    /// Whatever is left is in the cart.
    pub no_more: &'static str,
    /// Off the menu, or with other options.
    pub changed: &'static str,
    /// Takes a line out of the cart: its name.
    pub remove: Sentence,
    /// The cart takes no more lines.
    pub full: &'static str,
}

pub(super) const KO: Entry = Entry {
    add: "담기",
    note: "요청 사항",
    allergy: "알레르기",
    quantity: "수량",
    less: "하나 빼기",
    more: "하나 더",
    required: "필수",
    optional: "선택",
    up_to: Sentence("선택 · 최대 {}개"),
    between: Sentence("필수 · {}개부터 {}개까지"),
    none: "선택 안 함",
    lacking: "골라 주세요.",
    sold_out: "품절",
    option_sold_out: Sentence("{} 품절"),
    left: Sentence("{}개 남음"),
    no_more: "남은 수량을 모두 담았습니다.",
    changed: "메뉴가 바뀌었습니다",
    remove: Sentence("{} 삭제"),
    full: "한 번에 100가지까지 담을 수 있습니다.",
};

pub(super) const EN: Entry = Entry {
    add: "Add",
    note: "Request",
    allergy: "Allergy",
    quantity: "Quantity",
    less: "One less",
    more: "One more",
    required: "Required",
    optional: "Optional",
    up_to: Sentence("Optional · up to {}"),
    between: Sentence("Required · {} to {}"),
    none: "None",
    lacking: "Please choose.",
    sold_out: "Sold out",
    option_sold_out: Sentence("{} is sold out"),
    left: Sentence("{} left"),
    no_more: "All that is left is in the cart.",
    changed: "The menu has changed",
    remove: Sentence("Remove {}"),
    full: "At most 100 different lines at once.",
};
