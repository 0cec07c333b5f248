//! What order entry is asked for, and its refusals in the words of fields.

use domain::id::{LineId, MenuId, OptionId, PartyId, ReservationId, TableId};
use domain::menu::BadChoice;
use domain::order::{BadLine, BadOrder, LineError, Tender};
use domain::text::{NAME_GRAPHEMES, fits};
use serde::Deserialize;

use super::super::refusal::{Code, FieldError, Refusal};

/// One line as asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WantedLine {
    /// Which item.
    pub menu_id: MenuId,
    /// 1..=999
    pub quantity: i64,
    /// The chosen options.
    #[serde(default)]
    pub option_ids: Vec<OptionId>,
    /// For the cook.
    #[serde(default)]
    pub note: String,
    /// For the cook, in red.
    #[serde(default)]
    pub allergy: String,
}

/// Where staff place orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StaffChannel {
    /// At a table.
    Hall,
    /// At the counter, eaten here.
    Counter,
    /// 포장
    Takeout,
}

/// `POST /hall/orders`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaceOrder {
    /// At which table; a free one is seated.
    pub table_id: Option<TableId>,
    /// For which party; one that left is refused.
    pub party_id: Option<PartyId>,
    /// Where it comes from.
    pub channel: StaffChannel,
    /// 1 to 100 lines.
    pub lines: Vec<WantedLine>,
    /// For the whole order.
    #[serde(default)]
    pub note: String,
    /// An open hold to adopt.
    pub rid: Option<ReservationId>,
}

/// `POST /hall/orders/{id}/lines`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddLines {
    /// 1 to 100 lines.
    pub lines: Vec<WantedLine>,
}

/// `POST /hall/orders/{id}/confirm`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Confirm {
    /// By which means.
    pub tender: Tender,
    /// The money is in the drawer already.
    #[serde(default)]
    pub money_taken: bool,
}

/// `POST /hall/orders/{id}/reject`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// Why, 1 to 120 characters.
    pub reason: String,
}

/// `POST …/note`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// At most 500 characters; empty takes it away.
    pub note: String,
}

/// `POST /hall/orders/{id}/lines/{lineId}/void`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoidLine {
    /// Why, 1 to 120 characters.
    pub reason: String,
    /// How many of it; all without.
    pub quantity: Option<u32>,
}

/// `POST /hall/orders/{id}/move-lines`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveLines {
    /// Which lines.
    pub line_ids: Vec<LineId>,
    /// A table where guests sit.
    pub to_table_id: TableId,
}

/// A reason has 1 to 120 characters.
pub(super) fn reason(text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() || !fits(text, NAME_GRAPHEMES) {
        return Err(Refusal::field("reason", "a reason has 1 to 120 characters"));
    }
    Ok(())
}

fn line_field(error: &LineError) -> FieldError {
    let (field, code) = match &error.error {
        BadLine::Quantity | BadLine::Amount => ("quantity", Code::Validation),
        BadLine::NoteTooLong => ("note", Code::Validation),
        BadLine::AllergyTooLong => ("allergy", Code::Validation),
        BadLine::UnknownItem => ("menuId", Code::Validation),
        BadLine::SoldOut => ("menuId", Code::SoldOut),
        BadLine::Choice(BadChoice::SoldOut(_)) => ("optionIds", Code::SoldOut),
        BadLine::Choice(BadChoice::NotInItem(_)) => ("optionIds", Code::OptionNotInItem),
        BadLine::Choice(BadChoice::Twice(_) | BadChoice::Count { .. }) => {
            ("optionIds", Code::Validation)
        }
    };
    let message = match &error.name {
        Some(name) => format!(
            "{}: {}",
            name.get(domain::text::Language::default()),
            error.error
        ),
        None => error.error.to_string(),
    };
    FieldError {
        field: format!("lines[{}].{field}", error.index),
        code,
        message,
    }
}

/// Input errors come before conflicts: 422 if any line is malformed, else 409 for sold out.
pub(super) fn bad_order(bad: &BadOrder) -> Refusal {
    match bad {
        BadOrder::LineCount => Refusal::field("lines", "an order has 1 to 100 lines"),
        BadOrder::NoteTooLong => Refusal::field("note", "a note has at most 500 characters"),
        BadOrder::Total => Refusal::field("lines", "the total is out of bounds"),
        BadOrder::Lines(lines) => {
            let errors: Vec<FieldError> = lines.iter().map(line_field).collect();
            let first = |code| {
                errors
                    .iter()
                    .any(|error| error.code == code)
                    .then_some(code)
            };
            let code = first(Code::Validation)
                .or_else(|| first(Code::OptionNotInItem))
                .unwrap_or(Code::SoldOut);
            let detail = errors
                .iter()
                .map(|error| error.message.as_str())
                .collect::<Vec<_>>();
            Refusal {
                errors: errors.clone(),
                ..Refusal::new(code, detail.join("; "))
            }
        }
    }
}
