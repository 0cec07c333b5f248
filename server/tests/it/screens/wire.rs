//! What goes over the wire: frames of a stream, and answers to what the bridge asks for.

use domain::bridge::{Answer, Input, Load, NoAnswer};
use domain::event::Frame;
use domain::snapshot::Entities;
use domain::stream::Scope;
use reqwest::Response;
use serde_json::Value;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::Staff;
use super::screen::Told;

/// The driver may have stopped; then nobody wants to know.
pub async fn tell(told: &mpsc::Sender<Told>, input: Input) {
    let _ = told.send(Told::Bridge(input)).await;
}

/// Reads a stream to its end, however long it is silent.
pub async fn follow(mut answer: Response, generation: u64, told: &mpsc::Sender<Told>) {
    let mut text = Vec::new();
    while let Ok(Some(bytes)) = answer.chunk().await {
        text.extend_from_slice(&bytes);
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let block: Vec<u8> = text.drain(..end + 2).collect();
            let block = String::from_utf8(block).unwrap();
            let Some(frame) = read(&block) else {
                continue;
            };
            if let Frame::Bad(_) | Frame::UnknownType(_) = &frame {
                let _ = told.send(Told::Bad(block)).await;
            }
            if told.send(Told::Frame(generation, frame)).await.is_err() {
                return;
            }
        }
    }
}

/// A frame of the server's own making; `None` for one without data.
fn read(block: &str) -> Option<Frame> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
    let data = field("data: ")?;
    let value: Value = serde_json::from_str(data).unwrap();
    Some(Frame::read(field("event: ")?, &value))
}

pub async fn ask(staff: &Staff, what: Load) -> Result<Answer, NoAnswer> {
    let path = match &what {
        Load::Scope(scope) => scope.path().to_owned(),
        Load::Ids(scope, ids) => {
            let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
            format!("{}?ids={}", scope.path(), ids.join(","))
        }
        Load::Changes(since) => format!("/notifications/changes?since={since}&limit=500"),
    };
    let reply = staff.get(&path).await.map_err(|_| NoAnswer::Failed)?;
    match reply.status {
        200 => {}
        403 => return Err(NoAnswer::Forbidden),
        _ => return Err(NoAnswer::Failed),
    }
    let watermark = reply.watermark.unwrap_or_default();
    Ok(match what {
        Load::Scope(Scope::Store) => {
            let settings = serde_json::from_str(&reply.text).unwrap();
            Answer::Settings(watermark, Box::new(settings))
        }
        Load::Scope(_) | Load::Ids(..) => {
            let entities: Entities = serde_json::from_str(&reply.text).unwrap();
            Answer::Entities(watermark, Box::new(entities))
        }
        Load::Changes(_) => Answer::Changes(serde_json::from_str(&reply.text).unwrap()),
    })
}
