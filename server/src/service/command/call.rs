//! Guests' calls: taken, finished. Guests make them.

use domain::id::CallId;

use super::Work;
use crate::service::refusal::{Code, Refusal, ServiceError};
use crate::store::call::call_find;

/// What staff do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStep {
    /// 확인
    Accept,
    /// 완료
    Done,
}

impl Work {
    pub(super) async fn call_step(
        &mut self,
        id: CallId,
        step: CallStep,
    ) -> Result<(), ServiceError> {
        let found = call_find(&mut self.tx, self.actor.store, id).await?;
        let mut call = found.ok_or_else(|| Refusal::not_found("call"))?;
        let name = self.actor.name.clone();
        let outcome = match step {
            CallStep::Accept => call.accept(&name, self.now),
            CallStep::Done => call.finish(self.now),
        };
        match outcome {
            Ok(changed) => self.save_call(&call, changed).await,
            Err(wrong) => {
                let refusal = Refusal::new(Code::InvalidTransition, wrong.to_string());
                Err(self.refuse_with_call(&call, refusal))
            }
        }
    }
}
