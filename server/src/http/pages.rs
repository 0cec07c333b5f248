//! Pages, rendered here and hydrated in the browser.

use app::shell::{Visit, document};
use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use domain::text::Language;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use http::{HeaderValue, Method, StatusCode, Uri};
use leptos::nonce::Nonce;

use super::error::{Code, Problem};
use super::{App, headers, site};

const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

const NOT_BUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Jumun</title>\
    <h1>The client is not built</h1>\
    <p>Build it with <code>cargo xtask build</code> and start the server again, or let \
    <code>cargo xtask run</code> do both. A client elsewhere is named by \
    <code>--site-dir</code>.</p>";

/// The pages that the client has, each at its own address, so that deep links work.
pub(super) fn router() -> Router<App> {
    let pages = app::PARTS.iter().flat_map(|part| part.pages);
    pages.fold(Router::new(), |router, listed| {
        router.route(listed.address, get(page))
    })
}

async fn page(
    State(app): State<App>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Problem> {
    let in_path = |name| path.as_ref().ok().and_then(|path| parameter(path, name));
    let (table, store) = (in_path("table"), in_path("store"));
    let store = match (table, store.or(asked_for(request.uri()))) {
        (Some(code), _) => app.services.store_of_table(code).await?,
        (None, Some(code)) => app.auth.store_of(code).await?,
        (None, None) => None,
    };
    Ok(render(&app, store.map(|store| store.language), request))
}

fn parameter<'a>(path: &'a RawPathParams, wanted: &str) -> Option<&'a str> {
    let named = path.iter().find(|(name, _)| *name == wanted);
    named.map(|(_, value)| value)
}

/// The store that the login page is opened for: `?store=demo`.
fn asked_for(address: &Uri) -> Option<&str> {
    let mut fields = address.query()?.split('&');
    fields.find_map(|field| field.strip_prefix("store="))
}

/// What no route answers: JSON below `/api`, a file by its name's ending, else the page that
/// says so.
pub(super) async fn nothing(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Problem::from(Code::NotFound).into_response();
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_file = last.contains('.') || path.starts_with("/pkg/");
    match (reads, is_file) {
        (false, _) => Problem::from(Code::NotFound).into_response(),
        (true, true) => site::plain(&app, request).await,
        (true, false) => {
            let mut page = render(&app, None, request);
            if page.status() == StatusCode::OK {
                *page.status_mut() = StatusCode::NOT_FOUND;
            }
            page
        }
    }
}

fn render(app: &App, language: Option<Language>, request: Request) -> Response {
    let Some(assets) = app.site.assets().cloned() else {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return (status, [(CACHE_CONTROL, NO_CACHE)], Html(NOT_BUILT)).into_response();
    };
    let nonce = Nonce::new();
    let visit = Visit {
        request: request.into_parts().0,
        language,
        nonce: nonce.clone(),
    };
    let mut page = ([(CACHE_CONTROL, NO_CACHE)], Html(document(assets, visit))).into_response();
    if let Some(policy) = headers::page_policy(&nonce) {
        page.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    page
}
