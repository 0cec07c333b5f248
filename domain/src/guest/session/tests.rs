//! A phone at a table: the test plays network, server and clock.

#[path = "random_tests.rs"]
mod random;

use super::super::fixture::{call, id, item, order, page};
use super::super::{GuestEntity, GuestHeartbeat, GuestReady, Heard};
use super::*;
use crate::stream::Epoch;

/// The client's wall clock when a test begins.
const START: Time = Time(1_770_000_000_000);
const BEAT: i64 = 2_000;
/// The store's head when a phone comes.
const HEAD: u64 = 10;

struct Phone {
    session: Session,
    now: Time,
    timer: Option<Time>,
    generation: u64,
    request: u64,
}

impl Phone {
    fn new() -> Self {
        Self {
            session: Session::new("b1".to_owned(), 7),
            now: START,
            timer: None,
            generation: 0,
            request: 0,
        }
    }

    /// A phone that has joined, loaded the page as of [`HEAD`], and follows from there.
    fn live() -> Self {
        let mut phone = Self::new();
        phone.step(Input::Start(Known::Token));
        phone.load(HEAD);
        phone.open(HEAD);
        phone
    }

    fn step(&mut self, input: Input) -> Vec<Effect> {
        let out = self.session.step(self.now, input);
        for effect in &out {
            match effect {
                Effect::SetTimer(at) => self.timer = Some(*at),
                Effect::FetchTicket { generation } => self.generation = *generation,
                Effect::Load { request } => self.request = *request,
                Effect::Join
                | Effect::Open { .. }
                | Effect::Close { .. }
                | Effect::Show(_)
                | Effect::Stage(_) => {}
            }
        }
        out
    }

    /// Time passes; timers fire when they are due.
    fn wait(&mut self, ms: i64) -> Vec<Effect> {
        let until = self.now.plus(ms);
        let mut out = Vec::new();
        while let Some(at) = self.timer.take_if(|at| *at <= until) {
            self.now = self.now.max(at);
            out.extend(self.step(Input::Timer));
        }
        self.now = until;
        out
    }

    fn ticket(&mut self) -> Vec<Effect> {
        let (generation, result) = (self.generation, Ok("t".to_owned()));
        self.step(Input::Ticket { generation, result })
    }

    fn frame(&mut self, frame: Heard) -> Vec<Effect> {
        let generation = self.generation;
        self.step(Input::Frame { generation, frame })
    }

    /// The stream opens at `head`.
    fn open(&mut self, head: u64) -> Vec<Effect> {
        self.ticket();
        self.ready(id(head))
    }

    fn ready(&mut self, head: EventId) -> Vec<Effect> {
        self.frame(Heard::Ready(GuestReady {
            head,
            heartbeat_ms: BEAT,
            server_time: self.now,
            build: "b1".to_owned(),
        }))
    }

    fn beat(&mut self, sent: EventId) -> Vec<Effect> {
        self.frame(Heard::Heartbeat(GuestHeartbeat {
            sent,
            server_time: self.now,
        }))
    }

    fn entity(&mut self, seq: u64, entity: GuestEntity) -> Vec<Effect> {
        self.frame(Heard::Entity(id(seq), entity))
    }

    /// The answer to the last request: a page without orders, as of `seq`.
    fn load(&mut self, seq: u64) -> Vec<Effect> {
        self.answer(Ok((id(seq), Box::new(page()))))
    }

    fn answer(&mut self, result: Result<(EventId, Box<GuestPage>), NoAnswer>) -> Vec<Effect> {
        let request = self.request;
        self.step(Input::Loaded { request, result })
    }

    fn orders(&self) -> Vec<u32> {
        let page = self.session.page();
        let orders = page.iter().flat_map(|page| &page.orders);
        orders.map(|order| order.number).collect()
    }
}

fn loads(effects: &[Effect]) -> usize {
    let load = |effect: &&Effect| matches!(effect, Effect::Load { .. });
    effects.iter().filter(load).count()
}

fn joins(effects: &[Effect]) -> usize {
    effects.iter().filter(|it| **it == Effect::Join).count()
}

fn tickets(effects: &[Effect]) -> usize {
    let ticket = |effect: &&Effect| matches!(effect, Effect::FetchTicket { .. });
    effects.iter().filter(ticket).count()
}

#[test]
fn a_new_phone_joins_loads_and_follows() {
    let mut phone = Phone::new();
    let out = phone.step(Input::Start(Known::Nothing));
    assert_eq!(out, [Effect::Join]);
    let out = phone.step(Input::Joined(Ok(())));
    assert_eq!((loads(&out), tickets(&out)), (1, 1));
    let out = phone.load(HEAD);
    assert!(out.contains(&Effect::Show(Part::Page)));
    assert!(out.contains(&Effect::Stage(Stage::Open)));
    assert!(matches!(phone.ticket()[0], Effect::Open { .. }));
    assert_eq!(loads(&phone.ready(id(HEAD))), 0, "nothing happened since");
    assert_eq!(phone.session.status(phone.now).link, Link::Live);
}

#[test]
fn a_phone_with_a_token_does_not_join_again() {
    let mut phone = Phone::new();
    let out = phone.step(Input::Start(Known::Token));
    assert_eq!((joins(&out), loads(&out), tickets(&out)), (0, 1, 1));
    assert_eq!(joins(&phone.step(Input::Start(Known::Nothing))), 0);
}

#[rstest::rstest]
#[case(NoToken::NoTable, Stage::NoTable)]
#[case(NoToken::AskStaff, Stage::AskStaff)]
fn what_only_people_can_change_is_not_asked_for_again(#[case] no: NoToken, #[case] stage: Stage) {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Nothing));
    assert_eq!(phone.step(Input::Joined(Err(no))), [Effect::Stage(stage)]);
    assert_eq!(phone.wait(600_000), []);
    assert_eq!(phone.step(Input::Resume), []);
    assert_eq!(joins(&phone.step(Input::Again)), 1);
}

#[test]
fn a_join_that_fails_is_tried_again_and_not_before_the_server_allows() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Nothing));
    let out = phone.step(Input::Joined(Err(NoToken::Failed(20_000))));
    assert!(out.contains(&Effect::Stage(Stage::Unreachable)));
    assert_eq!(joins(&phone.wait(19_000)), 0);
    assert_eq!(joins(&phone.wait(1_000)), 1);
    phone.step(Input::Joined(Err(NoToken::Failed(0))));
    assert_eq!(joins(&phone.step(Input::Again)), 1);
}

#[test]
fn ready_makes_the_page_load_again_when_something_happened() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Token));
    phone.load(HEAD);
    assert_eq!(loads(&phone.open(HEAD + 1)), 1);
    assert_eq!(phone.session.status(phone.now).link, Link::Delayed);
    assert_eq!(loads(&phone.load(HEAD + 1)), 0);
    assert_eq!(phone.session.status(phone.now).link, Link::Live);
}

#[test]
fn an_answer_under_way_at_ready_is_asked_for_again_only_if_it_lacks_something() {
    for (as_of, again) in [(HEAD, 1), (HEAD + 5, 0)] {
        let mut phone = Phone::new();
        phone.step(Input::Start(Known::Token));
        phone.wait(1);
        assert_eq!(loads(&phone.open(HEAD + 5)), 0, "one request at a time");
        assert_eq!(loads(&phone.load(as_of)), again);
    }
}

#[test]
fn a_frame_is_shown_and_a_stale_answer_does_not_take_it_back() {
    let mut phone = Phone::live();
    phone.frame(Heard::Bad(None));
    let out = phone.entity(HEAD + 2, order(1, 1));
    assert_eq!(out, [Effect::Show(Part::Orders)]);
    assert_eq!(loads(&phone.load(HEAD + 1)), 0);
    assert_eq!(phone.orders(), [1]);
    phone.entity(HEAD + 1, item(1, true));
    let sold_out = phone.session.page().unwrap().items[0].sold_out;
    assert!(!sold_out, "the answer was newer");
}

#[test]
fn frames_before_the_first_answer_are_not_lost() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Token));
    phone.wait(1);
    phone.open(HEAD);
    phone.entity(HEAD + 1, order(1, 1));
    assert_eq!(loads(&phone.load(HEAD)), 1, "it lacks the order");
    assert_eq!(loads(&phone.load(HEAD + 1)), 0);
}

#[test]
fn a_lost_frame_is_noticed_by_the_beat_and_loaded_once() {
    let mut phone = Phone::live();
    assert_eq!(loads(&phone.beat(EventId::NONE)), 0);
    phone.entity(HEAD + 1, order(1, 1));
    assert_eq!(loads(&phone.beat(id(HEAD + 1))), 0, "nothing was lost");
    assert_eq!(loads(&phone.beat(id(HEAD + 3))), 1);
    assert_eq!(loads(&phone.beat(id(HEAD + 3))), 0);
    phone.load(HEAD + 3);
    for _ in 0..4 {
        phone.wait(BEAT);
        assert_eq!(loads(&phone.beat(id(HEAD + 3))), 0, "no loop");
    }
}

#[test]
fn an_answer_that_lacks_what_it_was_asked_for_makes_no_tight_loop() {
    let mut phone = Phone::live();
    assert_eq!(loads(&phone.beat(id(HEAD + 3))), 1);
    phone.now = phone.now.plus(50);
    assert_eq!(loads(&phone.load(HEAD + 1)), 0);
    assert_eq!(loads(&phone.wait(900)), 0);
    assert_eq!(loads(&phone.wait(200)), 1);
}

#[rstest::rstest]
#[case(Heard::Bad(None))]
#[case(Heard::Bad(Some(id(HEAD + 1))))]
fn a_frame_that_cannot_be_read_makes_the_page_load_again(#[case] frame: Heard) {
    let mut phone = Phone::live();
    assert_eq!(loads(&phone.frame(frame)), 1);
}

#[test]
fn a_reload_waits_as_long_as_the_server_spreads_it() {
    let mut phone = Phone::live();
    assert_eq!(loads(&phone.frame(Heard::Reload(1_500))), 0);
    phone.beat(EventId::NONE);
    assert_eq!(loads(&phone.wait(1_400)), 0);
    assert_eq!(loads(&phone.wait(200)), 1);
}

#[test]
fn another_history_is_loaded_and_the_answers_of_the_old_one_are_not_taken() {
    let mut phone = Phone::live();
    phone.entity(HEAD + 1, order(1, 1));
    let generation = phone.generation;
    phone.step(Input::Failed { generation });
    phone.wait(1_000);
    phone.ticket();
    let other = EventId::new(Epoch(2), 3);
    assert_eq!(loads(&phone.ready(other)), 1);
    phone.load(HEAD + 9);
    assert_eq!(phone.orders(), [1], "of the old history: not taken");
    assert_eq!(loads(&phone.wait(1_500)), 1);
    phone.answer(Ok((other, Box::new(page()))));
    assert_eq!((phone.orders(), loads(&phone.wait(1_500))), (vec![], 0));
}

#[test]
fn a_marker_of_another_history_on_one_stream_takes_any_answer() {
    let mut phone = Phone::live();
    phone.beat(id(HEAD + 1));
    phone.load(HEAD + 1);
    phone.frame(Heard::Reload(0));
    let out = phone.answer(Ok((EventId::new(Epoch(2), 1), Box::new(page()))));
    assert!(out.contains(&Effect::Show(Part::Page)));
    assert_eq!(phone.session.status(phone.now).link, Link::Live);
}

#[test]
fn a_silent_stream_is_replaced_after_three_beats_and_its_late_bytes_are_ignored() {
    let mut phone = Phone::live();
    let old = phone.generation;
    let out = phone.wait(3 * BEAT);
    assert!(out.contains(&Effect::Close { generation: old }));
    assert_eq!(tickets(&phone.wait(1_000)), 1);
    let (generation, frame) = (old, Heard::Entity(id(HEAD + 1), order(1, 1)));
    assert_eq!(phone.step(Input::Frame { generation, frame }), []);
    assert!(phone.orders().is_empty());
}

#[test]
fn a_server_that_goes_away_is_asked_again_when_it_said() {
    let mut phone = Phone::live();
    phone.frame(Heard::Drain(3_000));
    assert_eq!(tickets(&phone.wait(2_900)), 0);
    assert_eq!(tickets(&phone.wait(200)), 1);
}

#[test]
fn a_ticket_that_is_refused_closes_nothing_that_was_never_open() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Token));
    for answer in [NoAnswer::Failed, NoAnswer::Over] {
        let (generation, result) = (phone.generation, Err(answer));
        let out = phone.step(Input::Ticket { generation, result });
        let closes = |effect: &Effect| matches!(effect, Effect::Close { .. });
        assert!(!out.iter().any(closes), "{out:?}");
        phone.wait(1_000);
    }
}

#[test]
fn a_page_that_wakes_reconnects_at_once() {
    let mut phone = Phone::live();
    phone.timer = None;
    phone.now = phone.now.plus(60_000);
    let out = phone.step(Input::Resume);
    assert_eq!(tickets(&out), 1);
}

#[test]
fn without_a_stream_the_page_is_loaded_every_ten_seconds() {
    let mut phone = Phone::live();
    let generation = phone.generation;
    phone.step(Input::Failed { generation });
    let mut seen = 0;
    for _ in 0..30 {
        let out = phone.wait(1_000);
        for _ in 0..loads(&out) {
            seen += 1;
            phone.load(HEAD);
        }
        let generation = phone.generation;
        let result = Err(NoAnswer::Failed);
        phone.step(Input::Ticket { generation, result });
    }
    assert_eq!(seen, 3);
    assert_eq!(phone.session.status(phone.now).link, Link::Delayed);
}

#[test]
fn an_answer_that_never_comes_is_asked_for_again_and_ignored_when_late() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Token));
    let late = phone.request;
    let out = phone.wait(17_000);
    assert!(out.contains(&Effect::Stage(Stage::Unreachable)));
    assert_eq!(loads(&out), 1);
    let result = Ok((id(HEAD), Box::new(page())));
    let request = late;
    phone.step(Input::Loaded { request, result });
    assert_eq!(phone.session.page(), None);
    assert!(phone.load(HEAD).contains(&Effect::Stage(Stage::Open)));
}

#[test]
fn a_guest_who_tries_again_does_not_wait() {
    let mut phone = Phone::new();
    phone.step(Input::Start(Known::Token));
    for _ in 0..5 {
        phone.answer(Err(NoAnswer::Failed));
        assert_eq!(loads(&phone.step(Input::Again)), 1);
    }
}

#[test]
fn an_order_of_this_phone_is_there_at_once_and_stays() {
    let mut phone = Phone::live();
    phone.frame(Heard::Bad(None));
    let (watermark, entities) = (id(HEAD + 4), vec![order(1, 1), call(1, 1)]);
    let out = phone.step(Input::Commanded {
        watermark,
        entities,
    });
    assert_eq!(out, [Effect::Show(Part::Orders), Effect::Show(Part::Calls)]);
    phone.load(HEAD + 3);
    assert_eq!(phone.orders(), [1], "the answer was made before it");
}

#[test]
fn a_cleared_party_ends_everything() {
    let mut phone = Phone::live();
    phone.entity(HEAD + 1, order(1, 1));
    let out = phone.frame(Heard::PartyCleared);
    let generation = phone.generation;
    assert_eq!(
        out,
        [Effect::Close { generation }, Effect::Stage(Stage::Over)]
    );
    assert_eq!(phone.session.page(), None);
    assert_eq!(phone.session.status(phone.now).link, Link::SignedOut);
    assert_eq!(phone.wait(600_000), []);
    for input in [Input::Resume, Input::Cleared, Input::Failed { generation }] {
        assert_eq!(phone.step(input), []);
    }
    assert_eq!(phone.entity(HEAD + 2, order(1, 2)), []);
}

#[test]
fn a_party_that_was_cleared_while_the_phone_was_away_is_over() {
    let mut by_load = Phone::live();
    by_load.frame(Heard::Bad(None));
    let out = by_load.answer(Err(NoAnswer::Over));
    assert!(out.contains(&Effect::Stage(Stage::Over)));

    let mut by_ticket = Phone::live();
    let generation = by_ticket.generation;
    by_ticket.step(Input::Failed { generation });
    by_ticket.wait(1_000);
    let (generation, result) = (by_ticket.generation, Err(NoAnswer::Over));
    let out = by_ticket.step(Input::Ticket { generation, result });
    assert!(out.contains(&Effect::Stage(Stage::Over)));

    let mut by_command = Phone::live();
    let out = by_command.step(Input::Cleared);
    assert!(out.contains(&Effect::Stage(Stage::Over)));
}

#[test]
fn a_phone_whose_party_has_left_says_goodbye_again_and_joins_only_when_it_is_told_to() {
    let mut phone = Phone::new();
    let out = phone.step(Input::Start(Known::Left));
    assert_eq!(out, [Effect::Stage(Stage::Over)]);
    assert_eq!(phone.session.status(phone.now).link, Link::SignedOut);
    assert_eq!(phone.step(Input::Resume), []);
    assert_eq!(phone.wait(600_000), []);
    let out = phone.step(Input::Again);
    assert_eq!(out, [Effect::Join, Effect::Stage(Stage::Loading)]);
    phone.step(Input::Joined(Ok(())));
    assert!(phone.load(HEAD).contains(&Effect::Stage(Stage::Open)));
}

#[test]
fn joining_anew_shows_nothing_of_the_party_before() {
    let mut phone = Phone::live();
    phone.entity(HEAD + 1, order(1, 1));
    phone.frame(Heard::Bad(None));
    let (generation, request) = (phone.generation, phone.request);
    phone.step(Input::Cleared);
    let out = phone.step(Input::Again);
    assert!(out.contains(&Effect::Join) && out.contains(&Effect::Stage(Stage::Loading)));
    phone.step(Input::Joined(Ok(())));
    let result = Ok((id(HEAD + 1), Box::new(page())));
    assert_eq!(phone.step(Input::Loaded { request, result }), []);
    let frame = Heard::Entity(id(HEAD + 2), order(1, 2));
    assert_eq!(phone.step(Input::Frame { generation, frame }), []);
    assert_eq!(phone.session.page(), None);
    phone.load(HEAD + 4);
    phone.open(HEAD + 4);
    assert!(phone.orders().is_empty());
    assert_eq!(phone.session.status(phone.now).link, Link::Live);
}

#[test]
fn the_pill_turns_with_the_age_of_the_last_proof() {
    let mut phone = Phone::live();
    phone.timer = None;
    let at = |ms: i64| phone.session.status(phone.now.plus(ms));
    assert_eq!((at(3_000).link, at(3_000).age_ms), (Link::Live, 3_000));
    assert_eq!(at(3_001).link, Link::Delayed);
    assert_eq!(at(6_000).link, Link::Offline);
}

#[test]
fn another_build_is_told() {
    let mut phone = Phone::live();
    let server_time = phone.now;
    phone.frame(Heard::Ready(GuestReady {
        head: id(HEAD),
        heartbeat_ms: BEAT,
        server_time,
        build: "b2".to_owned(),
    }));
    assert!(phone.session.status(phone.now).new_version);
}
