//! Relays with crash points, a log that is lost in every way, the reader, and what operators do.

use std::rc::Rc;

use domain::stream::Epoch;
use serde_json::Value;

use super::house::marker;
use super::rng::Rng;
use super::server::{Backup, Relay, Row, Server};

impl Server {
    pub fn relay(&mut self, which: usize) {
        let Some((batch, done)) = self.relays[which].batch.clone() else {
            if !self.unpublished.is_empty() && self.lease.is_none() {
                let batch = self.unpublished.iter().take(4).copied().collect();
                self.relays[which].batch = Some((batch, 0));
                self.lease = Some(which);
            }
            return;
        };
        let Some(seq) = batch.get(done).copied() else {
            self.published(&batch);
            self.free(which);
            return;
        };
        if !self.log_up {
            self.published(&batch[..done]);
            self.free(which);
            return;
        }
        if let Some(attempts) = self.poison.get_mut(&seq) {
            *attempts += 1;
            if *attempts < 2 {
                self.published(&batch[..done]);
                self.free(which);
                return;
            }
            // Refused for its own sake: a marker under its own seq.
            self.poison.remove(&seq);
            let row = self.row(seq, &marker("DEAD"), None);
            self.rows.insert(seq, row);
            self.note(|| format!("dead {seq}"));
        }
        if seq > self.log_max
            && let Some(row) = self.rows.get(&seq)
        {
            self.log.insert(seq, row.clone());
            self.log_max = seq;
        }
        self.relays[which].batch = Some((batch, done + 1));
    }

    /// A relay dies, or its lease ends: another takes over from what is not marked.
    pub fn free(&mut self, which: usize) {
        self.relays[which].batch = None;
        if self.lease == Some(which) {
            self.lease = None;
        }
    }

    pub fn expire_lease(&mut self) {
        self.lease = None;
    }

    fn published(&mut self, batch: &[u64]) {
        self.unpublished.retain(|seq| !batch.contains(seq));
    }

    /// The log loses something.
    pub fn log_fault(&mut self, rng: &mut Rng) {
        match rng.below(6) {
            0 => {
                self.log.clear();
                self.log_max = 0;
            }
            1 => {
                self.log.pop_first();
            }
            2 => {
                for _ in 0..1 + rng.below(3) {
                    self.log.pop_last();
                }
                self.log_max = self.log.keys().last().copied().unwrap_or(0);
            }
            3 => self.dump = Some((self.log.clone(), self.log_max)),
            4 => {
                if let Some((log, max)) = self.dump.clone() {
                    (self.log, self.log_max) = (log, max);
                }
            }
            _ => self.log_up = !self.log_up,
        }
        let (max, up) = (self.log_max, self.log_up);
        self.note(|| format!("log fault: max {max} up {up}"));
    }

    fn push(&mut self, seq: u64) {
        if let Some(row) = self.rows.get(&seq).cloned() {
            self.ring.push_back(row);
            while self.ring.len() > self.limits.ring {
                self.ring.pop_front();
            }
            self.head = seq;
        }
    }

    /// The reader takes the log's next entry, what lies before it from the outbox.
    pub fn read(&mut self) -> bool {
        let next = self.log.range(self.head + 1..).next().map(|(seq, _)| *seq);
        let Some(next) = next.filter(|_| self.log_up) else {
            return false;
        };
        for seq in self.head + 1..=next {
            self.push(seq);
        }
        self.note(|| format!("reader {next}"));
        true
    }

    /// Nothing came for a while: compare with the database.
    pub fn check_tail(&mut self) {
        if self.rules.tail_check && self.head < self.seq {
            // An event that the log has not refused yet may be read here first.
            for seq in self.head + 1..=self.seq {
                self.push(seq);
            }
            let seq = self.seq;
            self.note(|| format!("tail check {seq}"));
        }
    }

    /// Old rows go, lowest seq first.
    pub fn purge(&mut self, most: usize) {
        for _ in 0..most {
            let seq = self.first;
            let claimed = |relay: &Relay| {
                let batch = relay.batch.as_ref();
                batch.is_some_and(|(batch, _)| batch.contains(&seq))
            };
            let kept = self.unpublished.contains(&seq) || self.relays.iter().any(claimed);
            if kept || seq > self.head || seq > self.seq {
                break;
            }
            self.rows.remove(&seq);
            self.first += 1;
        }
        let first = self.first;
        self.note(|| format!("purged up to {first}"));
    }

    pub fn restart(&mut self) {
        for connection in &mut self.connections {
            connection.cut();
        }
        self.relays = Default::default();
        self.lease = None;
        self.ring.clear();
        self.head = self.seq;
        self.note(|| "restart".to_owned());
    }

    pub fn back_up(&mut self) {
        self.backup = Some(Backup {
            seq: self.seq,
            house: self.house.clone(),
            rows: self.rows.clone(),
            first: self.first,
            unpublished: self.unpublished.clone(),
            history: self.history.clone(),
        });
    }

    /// Back to the backup, as another history; ids are given out again.
    pub fn restore(&mut self) {
        let Some(backup) = self.backup.take() else {
            return;
        };
        self.seq = backup.seq;
        self.house = backup.house;
        self.first = backup.first;
        self.unpublished = backup.unpublished;
        self.history = backup.history;
        self.poison.clear();
        self.epoch = Epoch(self.epoch.0 + 1);
        self.rows = backup.rows;
        self.rename();
        self.log.clear();
        self.log_max = 0;
        self.dump = None;
        let (epoch, seq) = (self.epoch, self.seq);
        self.note(|| format!("restored: epoch {epoch:?} seq {seq}"));
        self.restart();
    }

    /// Every row is of the current epoch.
    pub fn rename(&mut self) {
        let seqs: Vec<u64> = self.rows.keys().copied().collect();
        for seq in seqs {
            let old = &self.rows[&seq];
            let (name, about) = (old.name, old.about);
            let mut frame = (*old.frame).clone();
            frame["eventId"] = Value::String(self.id(seq).to_string());
            let row = Row {
                seq,
                name,
                frame: Rc::new(frame),
                about,
            };
            self.rows.insert(seq, Rc::new(row));
        }
    }

    /// The relay publishes and marks; then the log is flushed before anybody reads.
    pub fn lose_log_after_marking(&mut self) {
        self.lease = None;
        while !self.unpublished.is_empty() {
            self.relay(0);
        }
        self.log.clear();
        self.log_max = 0;
    }

    /// Everything works and nothing new happens: publish and read all.
    pub fn settle(&mut self) {
        self.log_up = true;
        for _ in 0..200 {
            if self.unpublished.is_empty() && self.relays.iter().all(|r| r.batch.is_none()) {
                break;
            }
            self.lease = None;
            for which in 0..2 {
                for _ in 0..7 {
                    self.relay(which);
                }
            }
        }
        while self.read() {}
        self.check_tail();
    }
}
