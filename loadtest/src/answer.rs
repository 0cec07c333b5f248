//! Answers: problems, JSON, watermarks.

use domain::snapshot::WATERMARK_HEADER;
use domain::stream::EventId;
use reqwest::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::api::ApiError;

/// The fields of a problem document that are shown.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Problem {
    code: String,
    detail: String,
}

/// An answer whose status is one of success.
pub(crate) async fn check(
    path: String,
    sent: reqwest::Result<Response>,
) -> Result<Response, ApiError> {
    // The address stays out of the error: it may hold a ticket.
    let answer = sent.map_err(|error| ApiError::Unreachable {
        path: path.clone(),
        source: error.without_url(),
    })?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let text = answer.text().await.unwrap_or_default();
    let problem: Problem = serde_json::from_str(&text).unwrap_or_default();
    let detail = if problem.detail.is_empty() {
        text
    } else {
        problem.detail
    };
    Err(ApiError::Refused {
        path,
        status,
        code: problem.code,
        detail,
    })
}

/// An answer's JSON.
pub(crate) async fn read_json<T: DeserializeOwned>(
    path: &str,
    answer: Response,
) -> Result<T, ApiError> {
    let bytes = answer
        .bytes()
        .await
        .map_err(|error| ApiError::Unreachable {
            path: path.to_owned(),
            source: error.without_url(),
        })?;
    serde_json::from_slice(&bytes).map_err(|error| ApiError::Malformed {
        path: path.to_owned(),
        reason: format!("the answer is not what the contract says: {error}"),
    })
}

/// An answer and its watermark.
pub(crate) async fn read_marked<T: DeserializeOwned>(
    path: &str,
    answer: Response,
) -> Result<(EventId, T), ApiError> {
    let header = answer.headers().get(WATERMARK_HEADER);
    let mark = header.and_then(|value| value.to_str().ok()?.parse().ok());
    let mark = mark.ok_or_else(|| ApiError::Malformed {
        path: path.to_owned(),
        reason: format!("the answer has no {WATERMARK_HEADER}"),
    })?;
    Ok((mark, read_json(path, answer).await?))
}
