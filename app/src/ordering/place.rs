//! For whom an order is, and which request it becomes.

use std::sync::Arc;

use domain::id::{PartyId, TableId};
use domain::order::{Channel, Order, PlacedByKind};
use serde::Serialize;

use crate::entry::{Cart, WantedLine};

/// For whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The party at a table.
    Table(TableId),
    /// At the counter, eaten here.
    Counter,
    /// 포장
    Takeout,
}

impl Place {
    /// In addresses of drafts on the device.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Table(id) => id.to_string(),
            Self::Counter => "counter".to_owned(),
            Self::Takeout => "takeout".to_owned(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    table_id: Option<TableId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    party_id: Option<PartyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<Channel>,
    lines: Vec<WantedLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

/// Who sits where, at the moment of the press.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seated<'a> {
    /// The party that the cart is for. It is named to the server, so that nobody else gets what was
    /// put together for these guests, however late it arrives.
    pub party: Option<PartyId>,
    /// Whether it still sits at the table of the place.
    pub there: bool,
    /// The order that more lines join.
    pub joins: Option<&'a Order>,
}

/// The address, below the store's, and the JSON of the request. Lines alone join the party's
/// order that the staff took and nobody has paid; what carries a note is an order of its own.
#[must_use]
pub fn request(place: Place, cart: &Cart, note: &str, seated: Seated<'_>) -> (String, String) {
    let lines = cart.wanted();
    let note = note.trim();
    let (path, body) = match seated.joins.filter(|_| note.is_empty()) {
        Some(order) => {
            let path = ["/hall/orders/", &order.id.to_string(), "/lines"].concat();
            let body = Body {
                table_id: None,
                party_id: None,
                channel: None,
                lines,
                note: None,
            };
            (path, body)
        }
        None => {
            let (table_id, channel) = match place {
                // A party that has moved is found where it is.
                Place::Table(id) => {
                    let stays = seated.there || seated.party.is_none();
                    (Some(id).filter(|_| stays), Channel::Hall)
                }
                Place::Counter => (None, Channel::Counter),
                Place::Takeout => (None, Channel::Takeout),
            };
            let body = Body {
                table_id,
                party_id: seated.party,
                channel: Some(channel),
                lines,
                note: Some(note),
            };
            ("/hall/orders".to_owned(), body)
        }
    };
    // Plain data always serializes.
    (path, serde_json::to_string(&body).unwrap_or_default())
}

/// The order of a party that more lines join: the last that staff placed and nobody has paid.
#[must_use]
pub fn joined<'a>(
    party: PartyId,
    orders: impl Iterator<Item = &'a Arc<Order>>,
) -> Option<&'a Arc<Order>> {
    let takes = |order: &&Arc<Order>| {
        order.party_id == Some(party)
            && order.placed_by.kind == PlacedByKind::Staff
            && order.takes_more_lines()
    };
    orders.filter(takes).max_by_key(|order| order.placed_at)
}

mod tests {
    #![cfg(test)]

    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::kitchen::fixture;

    fn cart() -> Cart {
        serde_json::from_value(json!([{
            "menuId": Uuid::from_u128(7), "quantity": 2, "optionIds": [], "note": " 덜 맵게 ",
            "allergy": "", "name": {"ko": "김치찌개"},
        }]))
        .unwrap()
    }

    fn nobody() -> Seated<'static> {
        Seated::default()
    }

    #[test]
    fn the_party_is_named_and_its_table_only_while_it_sits_there() {
        let (table, party) = (TableId(Uuid::from_u128(4)), PartyId(Uuid::from_u128(5)));
        let body = |there| {
            let party = Some(party);
            let seated = Seated {
                party,
                there,
                joins: None,
            };
            read(request(Place::Table(table), &cart(), "", seated)).1
        };
        assert_eq!(body(true)["partyId"], json!(party));
        assert_eq!(body(true)["tableId"], json!(table));
        assert_eq!(body(false).get("tableId"), None, "it has moved");
    }

    fn read((path, body): (String, String)) -> (String, Value) {
        (path, serde_json::from_str(&body).unwrap())
    }

    #[test]
    fn a_new_order_says_where_it_goes() {
        let table = TableId(Uuid::from_u128(4));
        let (path, body) = read(request(Place::Table(table), &cart(), "생일", nobody()));
        assert_eq!(path, "/hall/orders");
        let line = json!({"menuId": Uuid::from_u128(7), "quantity": 2, "optionIds": [],
            "note": "덜 맵게", "allergy": ""});
        assert_eq!(
            body,
            json!({"tableId": table, "channel": "hall", "lines": [line], "note": "생일"})
        );
        let (_, body) = read(request(Place::Takeout, &cart(), "", nobody()));
        assert_eq!(
            (&body["channel"], body.get("tableId")),
            (&json!("takeout"), None)
        );
    }

    #[test]
    fn lines_without_a_note_join_what_is_not_paid() {
        let order = fixture::order(1, &[]);
        let place = Place::Table(TableId(Uuid::from_u128(4)));
        let seated = Seated {
            joins: Some(&order),
            ..nobody()
        };
        let (path, body) = read(request(place, &cart(), "", seated));
        assert_eq!(path, format!("/hall/orders/{}/lines", order.id));
        assert_eq!(
            body.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["lines"]
        );
        let (path, _) = read(request(place, &cart(), "초", seated));
        assert_eq!(
            path, "/hall/orders",
            "a note belongs to an order of its own"
        );
    }
}
