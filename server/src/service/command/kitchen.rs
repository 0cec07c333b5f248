//! The kitchen and the serving hatch: on, back, priority, voids seen, served.

use domain::id::{LineId, OrderId};
use domain::kitchen::CookTo;
use serde::Deserialize;

use super::Work;
use crate::service::refusal::ServiceError;

/// `POST /kitchen/orders/{id}/advance`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Advance {
    /// Which lines; without, every line one step before.
    pub line_ids: Option<Vec<LineId>>,
    /// Where to.
    pub to: CookTo,
}

/// `POST …/recall`, `POST …/serve`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SomeLines {
    /// Which lines; without, the whole ticket.
    pub line_ids: Option<Vec<LineId>>,
}

/// `POST …/voids/ack`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TheseLines {
    /// Which lines.
    pub line_ids: Vec<LineId>,
}

/// `POST …/priority`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Priority {
    /// 우선 on or off.
    pub priority: bool,
}

impl Work {
    pub(super) async fn advance(
        &mut self,
        id: OrderId,
        body: &Advance,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let was_open = order.is_open();
        let outcome = order.advance(body.line_ids.as_deref(), body.to, self.now);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn recall(
        &mut self,
        id: OrderId,
        body: &SomeLines,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let was_open = order.is_open();
        let outcome = order.recall(body.line_ids.as_deref(), self.now);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn set_priority(
        &mut self,
        id: OrderId,
        body: &Priority,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let was_open = order.is_open();
        let outcome = order.set_priority(body.priority);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn acknowledge_voids(
        &mut self,
        id: OrderId,
        body: &TheseLines,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let outcome = order.acknowledge_voids(&body.line_ids, sits, self.now);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn serve(
        &mut self,
        id: OrderId,
        body: &SomeLines,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let outcome = order.serve(body.line_ids.as_deref(), sits, self.now);
        self.conclude(&order, was_open, outcome).await
    }
}
