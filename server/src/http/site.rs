//! The built client: which files a page loads, and the files themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use app::shell::{Assets, Module};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use serde::Deserialize;
use tower::ServiceExt as _;
use tower_http::services::ServeDir;

use super::App;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The client as it was when the process started.
#[derive(Clone, Debug)]
pub struct Site {
    folder: PathBuf,
    assets: Option<Assets>,
}

/// `manifest.json` of the folder.
#[derive(Deserialize)]
struct Manifest {
    parts: BTreeMap<String, Files>,
    css: String,
    build: String,
}

/// The files of a part.
#[derive(Deserialize)]
struct Files {
    js: String,
    wasm: String,
}

impl Site {
    /// Reads which files a page loads. Without a built client, pages say so.
    #[must_use]
    pub fn read(folder: &Path) -> Self {
        let manifest = std::fs::read(folder.join("manifest.json")).ok();
        let manifest = manifest.and_then(|json| serde_json::from_slice::<Manifest>(&json).ok());
        if manifest.is_none() {
            tracing::warn!(folder = %folder.display(), "no built client; pages say how to build it");
        }
        Self {
            folder: folder.to_path_buf(),
            assets: manifest.map(|manifest| Assets {
                parts: modules(manifest.parts),
                css: manifest.css,
                build: manifest.build,
                ..Assets::default()
            }),
        }
    }

    /// What a page loads; `None` without a built client.
    #[must_use]
    pub fn assets(&self) -> Option<&Assets> {
        self.assets.as_ref()
    }

    /// The name of this build, which streams and pages compare.
    #[must_use]
    pub fn build(&self) -> &str {
        let built = self.assets.as_ref().map(|assets| assets.build.as_str());
        built.unwrap_or(env!("CARGO_PKG_VERSION"))
    }

    /// A file of the folder, in the encoding the client takes; 404 without text when there
    /// is none, since HTML in the place of a script or of WebAssembly kills a page.
    async fn file(&self, request: Request) -> Response {
        let files = ServeDir::new(&self.folder)
            .append_index_html_on_directories(false)
            .redirect_to_trailing_slash(false)
            .precompressed_br()
            .precompressed_gzip();
        match files.oneshot(request).await {
            Ok(response) if response.status() == StatusCode::NOT_FOUND => absent(),
            Ok(response) => response.into_response(),
            Err(never) => match never {},
        }
    }
}

fn modules(parts: BTreeMap<String, Files>) -> BTreeMap<String, Module> {
    let module = |(name, Files { js, wasm })| (name, Module { js, wasm });
    parts.into_iter().map(module).collect()
}

fn absent() -> Response {
    let plain = [(CONTENT_TYPE, "text/plain; charset=utf-8")];
    (StatusCode::NOT_FOUND, plain, "not found\n").into_response()
}

/// `/pkg/*`: named by their content, so they never change.
pub(super) async fn hashed(State(app): State<App>, request: Request) -> Response {
    kept(app.site.file(request).await, FOREVER)
}

/// Files that are served as they are: icons, sounds, the web manifest.
pub(super) async fn plain(app: &App, request: Request) -> Response {
    kept(app.site.file(request).await, AN_HOUR)
}

fn kept(mut response: Response, how_long: HeaderValue) -> Response {
    if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(CACHE_CONTROL, how_long);
    }
    response
}
