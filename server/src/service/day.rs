//! The business day in the store's time zone, and its cut as a transaction (realtime, section 2).

use domain::event::EventType;
use domain::id::StoreId;
use domain::settings::Store;
use domain::time::{BusinessDay, Date, DayCut, LocalDateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

use super::Services;
use super::emit::{BUSINESS_DAY, emit};
use crate::db::DbError;
use crate::store::restaurant::{store_cut, store_find, stores_to_cut};
use crate::store::stream::stream_lock;
use crate::store::time::time_of;

/// The name is not one of the time zone database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time zone such as Asia/Seoul")]
pub struct NotAZone(pub String);

fn zone(name: &str) -> Result<TimeZone, NotAZone> {
    TimeZone::get(name).map_err(|_| NotAZone(name.to_owned()))
}

/// The business day of `now`, and when it ends.
///
/// # Errors
/// The zone is unknown.
pub fn business_day(
    now: Time,
    zone_name: &str,
    cut: DayCut,
) -> Result<(BusinessDay, Time), NotAZone> {
    let zone = zone(zone_name)?;
    let local = Timestamp::from_millisecond(now.0)
        .unwrap_or_default()
        .to_zoned_datetime(zone.clone());
    let minute_of_day =
        u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs());
    let date = Date::new(
        local.year(),
        local.month().unsigned_abs(),
        local.day().unsigned_abs(),
    );
    let date = date.ok_or_else(|| NotAZone(zone_name.to_owned()))?;
    let day = LocalDateTime {
        date,
        minute_of_day,
    }
    .business_day(cut);
    let (year, month, dom) = day.tomorrow().parts();
    let (hour, minute) = cut.hour_minute();
    // A cut inside the hour that daylight saving skips falls on the first moment after it.
    let ends = civil::date(year, month.cast_signed(), dom.cast_signed())
        .at(hour.cast_signed(), minute.cast_signed(), 0, 0)
        .to_zoned_datetime(zone)
        .map_err(|_| NotAZone(zone_name.to_owned()))?;
    Ok((day, Time(ends.timestamp().as_millisecond())))
}

/// What came of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The next day has begun.
    Done,
    /// The day is not over: somebody else may just have cut it.
    NotDue,
    /// No such store, or its time zone is none.
    Impossible,
}

impl Services {
    /// Ends the business days that are over, each in a transaction of its own.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn cut_days(&self) -> Result<(), DbError> {
        let due = stores_to_cut(&mut self.db.read().await?, self.clock.now()).await?;
        for store in due {
            self.cut_day(store).await?;
        }
        Ok(())
    }

    /// Ends the store's business day if it is over: one jump, however long the process was
    /// down, and one marker.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn cut_day(&self, id: StoreId) -> Result<Cut, DbError> {
        let mut tx = self.db.write().await?;
        stream_lock(&mut tx, id).await?;
        let now = time_of(&mut tx, &self.clock).await?;
        let Some(store) = store_find(&mut tx, id).await? else {
            return Ok(Cut::Impossible);
        };
        if now < store.next_cut_at {
            return Ok(Cut::NotDue);
        }
        let (day, ends) = match business_day(now, &store.time_zone, store.day_cut) {
            Ok(next) => next,
            Err(error) => {
                tracing::error!(store = %id, %error, "the business day cannot be cut");
                return Ok(Cut::Impossible);
            }
        };
        let next = Store {
            business_day: day,
            next_cut_at: ends,
            version: store.version + 1,
            ..store.clone()
        };
        if !store_cut(&mut tx, &next, store.business_day).await? {
            return Ok(Cut::NotDue);
        }
        let marker = vec![(EventType::ReloadRequired, BUSINESS_DAY.to_owned())];
        emit(&mut tx, id, marker, now, self.born_published).await?;
        tx.commit().await?;
        self.relay.committed(id);
        tracing::info!(store = %id, from = %store.business_day, to = %day, "business day cut");
        Ok(Cut::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time(text.parse::<Timestamp>().unwrap().as_millisecond())
    }

    // Trial C46.
    #[rstest::rstest]
    #[case(
        "Asia/Seoul",
        "2026-02-28T19:59:59.999Z",
        "2026-02-28",
        "2026-02-28T20:00:00Z"
    )]
    #[case(
        "Asia/Seoul",
        "2026-02-28T20:00:00Z",
        "2026-03-01",
        "2026-03-01T20:00:00Z"
    )]
    #[case(
        "Asia/Seoul",
        "2026-02-28T15:00:00Z",
        "2026-02-28",
        "2026-02-28T20:00:00Z"
    )]
    #[case(
        "America/New_York",
        "2026-03-08T08:59:59Z",
        "2026-03-07",
        "2026-03-08T09:00:00Z"
    )]
    #[case(
        "America/New_York",
        "2026-03-08T09:00:00Z",
        "2026-03-08",
        "2026-03-09T09:00:00Z"
    )]
    // The day of 23 hours: from 05:00 EST to 05:00 EDT.
    #[case(
        "America/New_York",
        "2026-03-07T10:00:00Z",
        "2026-03-07",
        "2026-03-08T09:00:00Z"
    )]
    fn a_day_begins_and_ends_at_the_cut_of_its_zone(
        #[case] zone: &str,
        #[case] now: &str,
        #[case] day: &str,
        #[case] ends: &str,
    ) {
        let (found, until) = business_day(at(now), zone, DayCut::FIVE).unwrap();
        assert_eq!((found.to_string().as_str(), until), (day, at(ends)));
    }

    #[test]
    fn an_unknown_zone_is_refused() {
        assert!(business_day(Time(0), "Mars/Olympus", DayCut::FIVE).is_err());
    }
}
