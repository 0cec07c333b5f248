//! 품절 and back.

use domain::id::{MenuId, OptionId};
use serde::Deserialize;

use super::Work;
use crate::service::refusal::{Code, Refusal, ServiceError};
use crate::store::menu::item_find;

/// `POST /menu/{id}/sold-out`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SoldOut {
    /// Sold out, or back.
    pub sold_out: bool,
    /// Only this option of it.
    pub option_id: Option<OptionId>,
}

impl Work {
    pub(super) async fn set_sold_out(
        &mut self,
        id: MenuId,
        body: &SoldOut,
    ) -> Result<(), ServiceError> {
        let found = item_find(&mut self.tx, self.actor.store, id).await?;
        let mut item = found.ok_or_else(|| Refusal::not_found("menu item"))?;
        match item.set_sold_out(body.option_id, body.sold_out) {
            Ok(changed) => self.save_item(&item, changed).await,
            Err(bad) => Err(Refusal::new(Code::OptionNotInItem, bad.to_string()).into()),
        }
    }
}
