//! JSON bodies: bounded, strict, and refused with the place of the mistake.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::http::error::{Code, Problem};

/// The largest body, in bytes.
pub const BODY_LIMIT: usize = 64 * 1024;

/// A JSON body. Request types carry `#[serde(deny_unknown_fields)]`.
#[derive(Clone, Copy, Debug)]
pub struct JsonBody<T>(pub T);

impl<S, T> FromRequest<S> for JsonBody<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        parse(&read(&parts.headers, body).await?).map(Self)
    }
}

/// Reads a body up to the limit. One that announces more is not read at all.
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > BODY_LIMIT) {
        return Err(too_large());
    }
    axum::body::to_bytes(body, BODY_LIMIT)
        .await
        .map_err(|error| refused(&error))
}

/// Over the limit, or cut off by its sender.
fn refused(error: &axum::Error) -> Problem {
    let over = std::error::Error::source(error)
        .is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>);
    if over {
        too_large()
    } else {
        Problem::new(Code::Validation, "The body ended early.")
    }
}

fn too_large() -> Problem {
    let limit = BODY_LIMIT / 1024;
    Problem::new(
        Code::BodyTooLarge,
        format!("A body holds at most {limit} KiB."),
    )
}

/// Parses, or says where and why not.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| misfit(&error.path().to_string(), error.inner()))?;
    json.end().map_err(|error| misfit("", &error))?;
    Ok(value)
}

fn misfit(path: &str, error: &serde_json::Error) -> Problem {
    let message = message(error);
    match error.classify() {
        Category::Data => data(path, &message),
        Category::Syntax | Category::Eof | Category::Io => {
            Problem::field(Code::Validation, "", "MALFORMED", "The body is not JSON.")
        }
    }
}

fn data(path: &str, message: &str) -> Problem {
    let named = |prefix: &str| {
        let (name, _) = message.strip_prefix(prefix)?.split_once('`')?;
        Some(child(path, name))
    };
    if let Some(field) = named("unknown field `") {
        let text = format!("`{field}` is not known here.");
        return Problem::field(Code::UnknownField, &field, "UNKNOWN", &text);
    }
    if let Some(field) = named("missing field `") {
        let text = format!("`{field}` is missing.");
        return Problem::field(Code::Validation, &field, "REQUIRED", &text);
    }
    let path = if path == "." { "" } else { path };
    Problem::field(Code::Validation, path, "TYPE", message)
}

/// The path of a field of the object at `path`, whose last step may be that very field.
fn child(path: &str, name: &str) -> String {
    let parent = path.strip_suffix(name).unwrap_or(path);
    let parent = parent.trim_end_matches(['?', '.']);
    if parent.is_empty() {
        name.to_owned()
    } else {
        format!("{parent}.{name}")
    }
}

/// The parser's words, without its place in the text and without names of our types.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    match text.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected an object"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only its parsing matters")]
    struct Order {
        table_id: String,
        #[serde(default)]
        lines: Vec<Line>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its parsing matters")]
    struct Line {
        quantity: u32,
    }

    #[rstest::rstest]
    #[case(
        r#"{"tableId":"a","lines":[{"quantity":1},{"quantity":"2"}]}"#,
        "VALIDATION",
        "lines[1].quantity",
        "TYPE"
    )]
    #[case(
        r#"{"tableId":"a","lines":[{"quantity":-1}]}"#,
        "VALIDATION",
        "lines[0].quantity",
        "TYPE"
    )]
    #[case(
        r#"{"tableId":"a","lines":[{"quantity":1,"price":1}]}"#,
        "UNKNOWN_FIELD",
        "lines[0].price",
        "UNKNOWN"
    )]
    #[case(r#"{"tableId":"a","total":1}"#, "UNKNOWN_FIELD", "total", "UNKNOWN")]
    #[case(r#"{"lines":[]}"#, "VALIDATION", "tableId", "REQUIRED")]
    #[case(
        r#"{"tableId":"a","lines":[{}]}"#,
        "VALIDATION",
        "lines[0].quantity",
        "REQUIRED"
    )]
    #[case(r"[]", "VALIDATION", "", "TYPE")]
    #[case(r#"{"tableId":"a"} x"#, "VALIDATION", "", "MALFORMED")]
    #[case(r#"{"tableId":"#, "VALIDATION", "", "MALFORMED")]
    #[case("", "VALIDATION", "", "MALFORMED")]
    fn a_mistake_is_named_where_it_stands(
        #[case] body: &str,
        #[case] code: &str,
        #[case] field: &str,
        #[case] error: &str,
    ) {
        let problem = parse::<Order>(body.as_bytes()).unwrap_err().body();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
        assert_eq!(problem["errors"][0]["code"], error, "{problem}");
    }

    #[test]
    fn our_types_are_not_named() {
        let problem = parse::<Order>(b"3").unwrap_err().body().to_string();
        assert!(!problem.contains("Order"), "{problem}");
    }
}
