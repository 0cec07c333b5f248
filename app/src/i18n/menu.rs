//! The menu screen.

use super::Sentence;

/// The menu: what can be ordered.
pub struct Menu {
    /// Title of the page.
    pub title: &'static str,
    /// Cannot be ordered.
    pub sold_out: &'static str,
    /// Can be ordered.
    pub on_sale: &'static str,
    /// Spoken: the button of an item or option.
    pub mark: Sentence,
    /// The search field.
    pub search: &'static str,
    /// Empties the search field.
    pub clear: &'static str,
    /// Shows only what is sold out.
    pub only_sold_out: &'static str,
    /// Items.
    pub items: &'static str,
    /// Of a category: how many are sold out.
    pub sold_out_count: Sentence,
    /// Opens the options of an item: how many there are.
    pub options: Sentence,
    /// The same, with how many are sold out.
    pub options_out: Sentence,
    /// Sold out because options are.
    pub starved: &'static str,
    /// There is no menu.
    pub empty: &'static str,
    /// Nothing fits the search.
    pub nothing_found: &'static str,
    /// Nothing is sold out.
    pub nothing_out: &'static str,
    /// The undo bar: the item, and what it became.
    pub changed: Sentence,
}

pub(super) const KO: Menu = Menu {
    title: "메뉴",
    sold_out: "품절",
    on_sale: "판매 중",
    mark: Sentence("품절 · {}"),
    search: "메뉴 이름이나 번호",
    clear: "검색어 지우기",
    only_sold_out: "품절만",
    items: "전체",
    sold_out_count: Sentence("품절 {}"),
    options: Sentence("옵션 {}"),
    options_out: Sentence("옵션 {} · 품절 {}"),
    starved: "고를 수 있는 옵션이 모자라 주문할 수 없습니다",
    empty: "메뉴가 없습니다",
    nothing_found: "찾는 메뉴가 없습니다",
    nothing_out: "품절된 메뉴가 없습니다",
    changed: Sentence("{} → {}"),
};

pub(super) const EN: Menu = Menu {
    title: "Menu",
    sold_out: "Sold out",
    on_sale: "On sale",
    mark: Sentence("Sold out · {}"),
    search: "Name or number",
    clear: "Clear the search",
    only_sold_out: "Only sold out",
    items: "All",
    sold_out_count: Sentence("{} sold out"),
    options: Sentence("{} options"),
    options_out: Sentence("{} options · {} sold out"),
    starved: "Too few options are left, so it cannot be ordered",
    empty: "There is no menu",
    nothing_found: "Nothing fits",
    nothing_out: "Nothing is sold out",
    changed: Sentence("{} → {}"),
};
