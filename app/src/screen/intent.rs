//! What a press asks for: a request to the server, and at once what the screen shows.

use domain::call::Call;
use domain::floor::{self, Table};
use domain::id::{LineId, OptionId, PartyId};
use domain::kitchen::CookTo;
use domain::menu::MenuItem;
use domain::order::{Order, Tender, VoidBy};
use domain::time::Time;
use serde::Serialize;
use uuid::Uuid;

/// A press on an order, a call, a table or a menu item. Without lines it means the whole order,
/// as it is when the server gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Lines of a ticket move on.
    Advance(Option<Vec<LineId>>, CookTo),
    /// Lines of a ticket go one step back.
    Recall(Option<Vec<LineId>>),
    /// 우선 on or off.
    Priority(bool),
    /// Voids were seen.
    SeeVoids(Vec<LineId>),
    /// Cooked lines were brought to the table.
    Serve(Option<Vec<LineId>>),
    /// The payment of an order is there.
    Confirm(Tender),
    /// An unpaid order is refused: why.
    Reject(String),
    /// A line is not wanted: why.
    Void(LineId, String),
    /// A call is taken, by that name.
    Accept(String),
    /// A call is finished.
    Done,
    /// A party sits down at a table.
    Seat(Option<u32>),
    /// So many guests.
    Covers(u32),
    /// The party of a table has left.
    Clear,
    /// A table is ready again.
    Cleaned,
    /// The party of a table asks for the bill.
    Bill,
    /// A menu item, or one of its options, is sold out or back.
    SoldOut(bool, Option<OptionId>),
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line_ids: Option<&'a [LineId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<CookTo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tender: Option<Tender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covers: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sold_out: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    option_id: Option<OptionId>,
}

impl Intent {
    /// The address, below the store's, when it is done to `id`.
    #[must_use]
    pub fn path(&self, id: Uuid) -> String {
        let (start, end) = match self {
            Self::Advance(..) => ("/kitchen/orders/", "/advance"),
            Self::Recall(_) => ("/kitchen/orders/", "/recall"),
            Self::Priority(_) => ("/kitchen/orders/", "/priority"),
            Self::SeeVoids(_) => ("/kitchen/orders/", "/voids/ack"),
            Self::Serve(_) => ("/servings/", "/serve"),
            Self::Confirm(_) => ("/hall/orders/", "/confirm"),
            Self::Reject(_) => ("/hall/orders/", "/reject"),
            Self::Void(..) => ("/hall/orders/", "/lines/"),
            Self::Accept(_) => ("/calls/", "/accept"),
            Self::Done => ("/calls/", "/done"),
            Self::Seat(_) => ("/tables/", "/seat"),
            Self::Covers(_) => ("/tables/", "/covers"),
            Self::Clear => ("/tables/", "/clear"),
            Self::Cleaned => ("/tables/", "/cleaned"),
            Self::Bill => ("/tables/", "/bill"),
            Self::SoldOut(..) => ("/menu/", "/sold-out"),
        };
        let path = [start, &id.to_string(), end].concat();
        if let Self::Void(line, _) = self {
            return [&path, line.to_string().as_str(), "/void"].concat();
        }
        path
    }

    /// The JSON of the request.
    #[must_use]
    pub fn body(&self) -> String {
        let mut body = Body::default();
        match self {
            Self::Advance(lines, to) => {
                body.line_ids = lines.as_deref();
                body.to = Some(*to);
            }
            Self::Recall(lines) | Self::Serve(lines) => body.line_ids = lines.as_deref(),
            Self::Priority(priority) => body.priority = Some(*priority),
            Self::SeeVoids(lines) => body.line_ids = Some(lines),
            Self::Confirm(tender) => body.tender = Some(*tender),
            Self::Reject(reason) | Self::Void(_, reason) => body.reason = Some(reason),
            Self::Seat(covers) => body.covers = *covers,
            Self::Covers(covers) => body.covers = Some(*covers),
            Self::SoldOut(sold_out, option) => {
                body.sold_out = Some(*sold_out);
                body.option_id = *option;
            }
            Self::Accept(_) | Self::Done | Self::Clear | Self::Cleaned | Self::Bill => {}
        }
        // Plain data always serializes.
        serde_json::to_string(&body).unwrap_or_default()
    }

    /// What the order looks like once it is done; one that does not fit changes nothing.
    pub fn foresee_order(&self, order: &mut Order, now: Time) {
        let sits = order.party_id.is_some();
        let foreseen = match self {
            Self::Advance(lines, to) => order.advance(lines.as_deref(), *to, now),
            Self::Recall(lines) => order.recall(lines.as_deref(), now),
            Self::Priority(priority) => order.set_priority(*priority),
            Self::SeeVoids(lines) => order.acknowledge_voids(lines, true, now),
            Self::Serve(lines) => order.serve(lines.as_deref(), sits, now),
            Self::Confirm(tender) => order.confirm(*tender, sits, now),
            Self::Reject(reason) => order.reject(reason, sits, now),
            Self::Void(line, reason) => {
                let by = VoidBy {
                    name: "",
                    manager: true,
                    reason,
                };
                order.void(*line, None, by, *line, sits, now)
            }
            Self::Accept(_)
            | Self::Done
            | Self::Seat(_)
            | Self::Covers(_)
            | Self::Clear
            | Self::Cleaned
            | Self::Bill
            | Self::SoldOut(..) => return,
        };
        // The server decides, and says why not.
        drop(foreseen);
    }

    /// The same of a call.
    pub fn foresee_call(&self, call: &mut Call, now: Time) {
        let foreseen = if let Self::Accept(name) = self {
            call.accept(name, now)
        } else if *self == Self::Done {
            call.finish(now)
        } else {
            return;
        };
        // The server decides, and says why not.
        foreseen.unwrap_or_default();
    }

    /// The same of a table; the tables it is joined with follow with the answer.
    pub fn foresee_table(&self, table: &mut Table, now: Time) {
        let id = table.id;
        let tables = std::slice::from_mut(table);
        let foreseen = match self {
            // The server names the party.
            Self::Seat(covers) => {
                floor::seat(tables, id, PartyId(Uuid::nil()), *covers, now).map(drop)
            }
            Self::Covers(covers) => floor::covers(tables, id, *covers),
            Self::Clear => floor::clear(tables, id).map(drop),
            Self::Cleaned => floor::cleaned(tables, id),
            Self::Bill => floor::bill(tables, id, now),
            Self::Advance(..)
            | Self::Recall(_)
            | Self::Priority(_)
            | Self::SeeVoids(_)
            | Self::Serve(_)
            | Self::Confirm(_)
            | Self::Reject(_)
            | Self::Void(..)
            | Self::Accept(_)
            | Self::Done
            | Self::SoldOut(..) => return,
        };
        drop(foreseen);
    }

    /// The same of a menu item.
    pub fn foresee_item(&self, item: &mut MenuItem) {
        if let Self::SoldOut(sold_out, option) = self {
            drop(item.set_sold_out(*option, *sold_out));
        }
    }
}

#[path = "intent_tests.rs"]
mod tests;
