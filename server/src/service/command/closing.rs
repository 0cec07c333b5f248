//! The end of a command's work: its answer, its events, and the commit.

use std::borrow::Cow;

use domain::event::EventType;
use domain::stream::EventId;

use super::super::emit::emit;
use super::super::refusal::{Refusal, ServiceError, joined};
use super::actor::stock_of_guests;
use super::work::List;
use super::{Answered, Done, Press, Who, Work, head};
use crate::db::DbError;
use crate::store::idempotency::answer_save;
use crate::store::stock::stock_settle;

impl Work {
    /// Writes the documents of the stock rows that changed, each once, with its event.
    async fn settle_stock(&mut self) -> Result<(), DbError> {
        for id in std::mem::take(&mut self.stock.touched) {
            let doc = stock_settle(&mut self.tx, self.store.id, id).await?;
            self.events.push((EventType::StockChanged, doc.clone()));
            self.note(List::Stock, id.0, doc);
        }
        Ok(())
    }

    /// The document as the actor may see it.
    fn shown<'a>(&self, list: List, doc: &'a str) -> Result<Option<Cow<'a, str>>, DbError> {
        match &self.actor.who {
            Who::Staff(_) | Who::House => Ok(Some(doc.into())),
            Who::Newcomer => Ok(None),
            Who::Guest(phone) => match list {
                List::Orders => Ok(phone.order(doc)?.map(Cow::Owned)),
                List::Calls => Ok(phone.call(doc)?.map(Cow::Owned)),
                List::Items => Ok(Some(doc.into())),
                List::Stock => Ok(Some(Cow::Owned(stock_of_guests(doc)?))),
                List::Tables => Ok(None),
            },
        }
    }

    /// The lists as one JSON object, empty ones left out.
    fn body(&self) -> Result<String, DbError> {
        let mut body = String::from("{");
        for (list, name) in List::ALL {
            let mut docs = Vec::new();
            for (_, _, doc) in self.saved.iter().filter(|(of, _, _)| *of == list) {
                docs.extend(self.shown(list, doc)?);
            }
            if docs.is_empty() {
                continue;
            }
            if body.len() > 1 {
                body.push(',');
            }
            body.push('"');
            body.push_str(name);
            body.push_str("\":[");
            body.push_str(&docs.join(","));
            body.push(']');
        }
        body.push('}');
        Ok(body)
    }

    /// Takes the event numbers last, writes the events and the answer, and commits.
    pub(in crate::service) async fn finish(
        mut self,
        born_published: bool,
        press: Option<&Press>,
    ) -> Result<Answered, ServiceError> {
        self.settle_stock().await?;
        let (store, now) = (self.store.id, self.now);
        let entities = self.body()?;
        let events = std::mem::take(&mut self.events);
        let watermark = emit(&mut self.tx, store, events, now, born_published).await?;
        let answered = match self.verdict.take() {
            Some(refusal) => {
                let current = joined(&entities, &refusal.current);
                Err((Refusal { current, ..refusal }, Some(watermark)))
            }
            None => Ok(Done {
                outcome: self.outcome,
                body: self.answer.take().unwrap_or(entities),
                watermark,
            }),
        };
        if let Some(press) = press {
            let answer = match &answered {
                Ok(done) => press.remembers(done),
                Err((refusal, at)) => press.remembers_refusal(refusal, *at)?,
            };
            answer_save(&mut self.tx, self.actor.keys, &press.key, &answer, now).await?;
        }
        self.tx.commit().await?;
        self.stock.tell(store);
        Ok(answered)
    }

    /// Undoes what was begun and remembers the refusal, with the current entities and the seq read
    /// under their lock: the same key finds it from the moment that the store's turn is given on.
    pub(super) async fn refused(
        mut self,
        mut refusal: Refusal,
        press: Option<&Press>,
    ) -> Result<(Refusal, Option<EventId>), ServiceError> {
        let mut watermark = None;
        if !self.saved.is_empty() {
            watermark = Some(head(&mut self.tx, self.store.id).await?);
            refusal.current = joined(&self.body()?, &refusal.current);
        }
        if let Some(press) = press.filter(|_| refusal.code.is_remembered()) {
            let answer = press.remembers_refusal(&refusal, watermark)?;
            self.tx.undo().await?;
            answer_save(&mut self.tx, self.actor.keys, &press.key, &answer, self.now).await?;
            self.tx.commit().await?;
        }
        Ok((refusal, watermark))
    }
}
