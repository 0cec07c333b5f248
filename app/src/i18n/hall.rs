//! The words of the floor.

use super::Sentence;

/// The floor.
pub struct Hall {
    /// Title of the page.
    pub title: &'static str,
    /// Calls of guests.
    pub calls: &'static str,
    /// Names of the states: free, seated, awaiting payment, cooking, ready, dining, dirty.
    pub states: [&'static str; 7],
    /// Several tables of one party.
    pub joined: &'static str,
    /// Red: the kitchen, or a dish that waits.
    pub late: &'static str,
    /// Amber.
    pub warn: &'static str,
    /// Staff, water, side plate, bill.
    pub reasons: [&'static str; 4],
    /// A call's badge: the reason.
    pub called: Sentence,
    /// Spoken: a call, its table and its reason.
    pub call_came: Sentence,
    /// So many lines can be served.
    pub ready: Sentence,
    /// Spoken: dishes are ready, for where.
    pub ready_for: Sentence,
    /// Who took a call.
    pub taken: Sentence,
    /// Takes a call.
    pub accept: &'static str,
    /// Finishes a call.
    pub done: &'static str,
    /// For how many a table is.
    pub seats: Sentence,
    /// How many guests.
    pub people: Sentence,
    /// Spoken: guests, seats.
    pub people_of: Sentence,
    /// Spoken: since when they sit, in minutes.
    pub minutes: Sentence,
    /// The floor, to those who listen and as a tab of a narrow screen.
    pub floor: &'static str,
    /// No table at all.
    pub no_tables: &'static str,
    /// Nothing is loaded yet.
    pub loading: &'static str,
    /// Dishes that wait to be carried out.
    pub serving: &'static str,
    /// There are none.
    pub nothing_to_serve: &'static str,
    /// They were carried out.
    pub served: &'static str,
    /// The undo bar: where to.
    pub served_to: Sentence,
    /// Serves one line: its name.
    pub serve_line: Sentence,
    /// Opens order entry.
    pub add_order: &'static str,
    /// The party moves.
    pub transfer: &'static str,
    /// Tables join.
    pub join: &'static str,
    /// Joined tables part.
    pub unjoin: &'static str,
    /// Lines go to another party.
    pub move_lines: &'static str,
    /// Lines that are chosen for that: how many.
    pub move_chosen: Sentence,
    /// What to do with the boxes at the lines.
    pub choose_lines: &'static str,
    /// The number of guests.
    pub covers: &'static str,
    /// One guest fewer.
    pub fewer: &'static str,
    /// One guest more.
    pub more: &'static str,
    /// Guests sit down.
    pub seat: &'static str,
    /// They ask for the bill.
    pub bill: &'static str,
    /// They have asked.
    pub bill_asked: &'static str,
    /// They have left.
    pub clear: &'static str,
    /// Ready for others.
    pub cleaned: &'static str,
    /// The bar while a table is chosen: who moves.
    pub pick_transfer: Sentence,
    /// The same when tables join.
    pub pick_join: Sentence,
    /// The same when lines move.
    pub pick_lines: Sentence,
    /// A move is on its way.
    pub moving: &'static str,
    /// Ends a choice without anything done.
    pub cancel: &'static str,
    /// An order of the party: its number.
    pub order: Sentence,
    /// The party has not ordered.
    pub no_orders: &'static str,
    /// The sum of its orders.
    pub total: &'static str,
    /// States of a line: waiting, cooking, cooked, served.
    pub line_states: [&'static str; 4],
    /// A line the kitchen does not have yet.
    pub unpaid: &'static str,
    /// An order that is paid: by which means.
    pub paid: Sentence,
    /// An order that was refused.
    pub rejected: &'static str,
    /// An order whose money went back.
    pub refunded: &'static str,
    /// Confirms a payment.
    pub confirm: &'static str,
    /// Cash, card, transfer.
    pub tenders: [&'static str; 3],
    /// A line that is not wanted.
    pub void: &'static str,
    /// Asks for one: the line.
    pub void_line: Sentence,
    /// Why it is not wanted.
    pub void_reasons: [&'static str; 3],
    /// A note for the kitchen.
    pub note: &'static str,
    /// Keeps what was written.
    pub save: &'static str,
}

pub(super) const KO: Hall = Hall {
    title: "홀",
    calls: "호출",
    states: [
        "빈 테이블",
        "착석",
        "결제 대기",
        "조리 중",
        "서빙 대기",
        "식사 중",
        "정리 필요",
    ],
    joined: "합석",
    late: "지연",
    warn: "주의",
    reasons: ["직원", "물", "앞접시", "계산서"],
    called: Sentence("호출 {}"),
    call_came: Sentence("호출 {} · {}"),
    ready: Sentence("서빙 {}"),
    ready_for: Sentence("서빙 대기 {}"),
    taken: Sentence("{} 확인함"),
    accept: "확인",
    done: "완료",
    seats: Sentence("{}석"),
    people: Sentence("{}명"),
    people_of: Sentence("{}명, {}석"),
    minutes: Sentence("착석 {}분"),
    floor: "홀",
    no_tables: "등록된 테이블이 없습니다",
    loading: "불러오는 중",
    serving: "서빙 대기",
    nothing_to_serve: "서빙할 음식이 없습니다",
    served: "서빙 완료",
    served_to: Sentence("{} 서빙 완료"),
    serve_line: Sentence("{} 서빙 완료"),
    add_order: "주문 추가",
    transfer: "자리이동",
    join: "합석",
    unjoin: "합석 해제",
    move_lines: "주문 옮기기",
    move_chosen: Sentence("{}개 옮길 테이블 고르기"),
    choose_lines: "옮길 품목을 고르세요",
    covers: "인원",
    fewer: "한 명 줄이기",
    more: "한 명 늘리기",
    seat: "착석",
    bill: "계산 요청",
    bill_asked: "계산 요청됨",
    clear: "테이블 완료",
    cleaned: "정리 완료",
    pick_transfer: Sentence("{} 자리이동 · 옮겨 갈 빈 테이블을 고르세요"),
    pick_join: Sentence("{} 합석 · 함께 앉을 테이블을 고르세요"),
    pick_lines: Sentence("{} 주문 옮기기 · 받을 테이블을 고르세요"),
    moving: "보내는 중",
    cancel: "그만두기",
    order: Sentence("주문 #{}"),
    no_orders: "아직 주문이 없습니다",
    total: "합계",
    line_states: ["조리 대기", "조리 중", "조리 완료", "서빙 완료"],
    unpaid: "결제 대기",
    paid: Sentence("결제 완료 · {}"),
    rejected: "거절됨",
    refunded: "환불됨",
    confirm: "결제 확인",
    tenders: ["현금", "카드", "계좌 이체"],
    void: "취소",
    void_line: Sentence("{} 취소"),
    void_reasons: ["잘못 입력", "손님 변심", "재료 없음"],
    note: "메모",
    save: "저장",
};

pub(super) const EN: Hall = Hall {
    title: "Hall",
    calls: "Calls",
    states: [
        "Free",
        "Seated",
        "Awaiting payment",
        "Cooking",
        "Ready to serve",
        "Dining",
        "To clean",
    ],
    joined: "Joined",
    late: "Late",
    warn: "Watch",
    reasons: ["Staff", "Water", "Plate", "Bill"],
    called: Sentence("Call: {}"),
    call_came: Sentence("Call from {}: {}"),
    ready: Sentence("Ready {}"),
    ready_for: Sentence("Ready to serve: {}"),
    taken: Sentence("{} is on it"),
    accept: "Take",
    done: "Done",
    seats: Sentence("Seats {}"),
    people: Sentence("Guests {}"),
    people_of: Sentence("guests {}, seats {}"),
    minutes: Sentence("seated {} min"),
    floor: "Floor",
    no_tables: "There are no tables",
    loading: "Loading",
    serving: "Ready to serve",
    nothing_to_serve: "Nothing to serve",
    served: "Served",
    served_to: Sentence("{} served"),
    serve_line: Sentence("{} served"),
    add_order: "Add order",
    transfer: "Move party",
    join: "Join",
    unjoin: "Part tables",
    move_lines: "Move lines",
    move_chosen: Sentence("Choose a table for {}"),
    choose_lines: "Choose the lines to move",
    covers: "Guests",
    fewer: "One fewer",
    more: "One more",
    seat: "Seat",
    bill: "Ask for bill",
    bill_asked: "Bill asked for",
    clear: "Clear table",
    cleaned: "Cleaned",
    pick_transfer: Sentence("Moving {} · choose a free table"),
    pick_join: Sentence("Joining {} · choose another table"),
    pick_lines: Sentence("Moving lines of {} · choose a table"),
    moving: "Sending",
    cancel: "Cancel",
    order: Sentence("Order #{}"),
    no_orders: "No orders yet",
    total: "Total",
    line_states: ["Waiting", "Cooking", "Ready", "Served"],
    unpaid: "Awaiting payment",
    paid: Sentence("Paid · {}"),
    rejected: "Rejected",
    refunded: "Refunded",
    confirm: "Confirm payment",
    tenders: ["Cash", "Card", "Transfer"],
    void: "Void",
    void_line: Sentence("Void {}"),
    void_reasons: ["Entered wrongly", "Guest changed mind", "Out of stock"],
    note: "Note",
    save: "Save",
};
