//! The home page of who runs the house.

use super::Sentence;

/// The home page.
pub struct Home {
    /// Title of the page.
    pub title: &'static str,
    /// Who is signed in: the name, the role.
    pub who: Sentence,
    /// What the hall, the counter, the kitchen and the menu are for.
    pub about: [&'static str; 4],
    /// Sales of the business day.
    pub sales: &'static str,
    /// How many orders were paid.
    pub orders: Sentence,
    /// How many orders await payment.
    pub awaiting: Sentence,
    /// No answer yet.
    pub loading: &'static str,
}

pub(super) const KO: Home = Home {
    title: "홈",
    who: Sentence("{} · {}"),
    about: [
        "테이블, 호출, 서빙",
        "결제 확인, 주문 입력",
        "주문서, 조리 상태",
        "품절 관리",
    ],
    sales: "오늘 매출",
    orders: Sentence("결제 {}건"),
    awaiting: Sentence("결제 대기 {}건"),
    loading: "불러오는 중",
};

pub(super) const EN: Home = Home {
    title: "Home",
    who: Sentence("{} · {}"),
    about: [
        "Tables, calls, serving",
        "Payments, order entry",
        "Tickets, cooking",
        "What is sold out",
    ],
    sales: "Sales today",
    orders: Sentence("{} paid"),
    awaiting: Sentence("{} awaiting payment"),
    loading: "Loading",
};
