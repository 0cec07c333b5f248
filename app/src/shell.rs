//! The HTML document around every page.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::text::Language;
use http::request::Parts;
use hydration_context::SsrSharedContext;
use leptos::nonce::{Nonce, use_nonce};
use leptos::prelude::*;

use crate::browser::device;
use crate::i18n::{self, RequestLanguage};
use crate::routes;

/// Where the files of a part of the client are.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The JavaScript module that wasm-bindgen made.
    pub js: String,
    /// The WebAssembly that the module loads.
    pub wasm: String,
}

/// Where the client's files are, by the names of one build, so that a page never mixes two.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// Those of each part, by its name.
    pub parts: BTreeMap<String, Module>,
    /// The style sheet.
    pub css: String,
    /// The style sheet of the typeface, if one is served.
    pub font_css: Option<String>,
    /// Name of this build, compared with the one a stream announces.
    pub build: String,
}

/// What a request asks the document for.
pub struct Visit {
    /// The request: its path names the page, its cookies what the device chose.
    pub request: Parts,
    /// The language of the store that the path names.
    pub language: Option<Language>,
    /// Lets the boot script run.
    pub nonce: Nonce,
}

/// The document as HTML. Nothing on a page waits for data, so that it is written in one go.
#[must_use]
pub fn document(assets: Assets, visit: Visit) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| {
        provide_context(visit.request);
        provide_context(visit.nonce);
        if let Some(language) = visit.language {
            provide_context(RequestLanguage(language));
        }
        shell(assets).to_html()
    });
    owner.unset_with_forced_cleanup();
    html
}

/// Head, boot script and the app.
fn shell(assets: Assets) -> impl IntoView {
    let language = i18n::provide();
    let nonce = use_nonce();
    let messages = i18n::messages();
    let theme = i18n::request_cookies().and_then(|cookies| device::theme_in(&cookies));
    let theme = theme.map(device::Theme::name);
    let part = routes::part();
    let module = assets.parts.get(part.name).cloned().unwrap_or_default();
    view! {
        <!DOCTYPE html>
        <html lang=i18n::code(language) data-build=assets.build.clone() data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <title>{routes::title()}</title>
                <meta name="theme-color" content="#0f1317" />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" type="image/svg+xml" href="/icon.svg" />
                <link rel="manifest" href="/manifest.webmanifest" />
                {assets.font_css.clone().map(|href| view! { <link rel="stylesheet" href=href /> })}
                <link rel="stylesheet" href=assets.css.clone() />
                <link rel="modulepreload" href=module.js.clone() />
                <link
                    rel="preload"
                    href=module.wasm.clone()
                    r#as="fetch"
                    r#type="application/wasm"
                    crossorigin="anonymous"
                />
                <script type="module" nonce=nonce inner_html=boot(&module)></script>
            </head>
            <body>
                {routes::view(part)}
                <p class="boot-failed" role="alert">{messages.common.boot_failed}</p>
            </body>
        </html>
    }
}

/// Loads the module, then its WebAssembly, then hydrates. A file that cannot be loaded shows
/// words instead of a dead page.
fn boot(module: &Module) -> String {
    format!(
        r#"const failed = (error) => {{ document.documentElement.dataset.boot = "failed"; console.error(error); }};
import({js}).then((client) => client.default({{ module_or_path: {wasm} }}).then(() => client.hydrate())).catch(failed);"#,
        js = quoted(&module.js),
        wasm = quoted(&module.wasm),
    )
}

/// A JavaScript string. Asset names come from our own build; what could end the script is
/// dropped all the same.
fn quoted(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "/._-".contains(*c))
        .collect();
    format!("\"{plain}\"")
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn a_name_cannot_end_the_boot_script() {
        assert_eq!(quoted("/pkg/a-1.js\"</script>"), "\"/pkg/a-1.js/script\"");
    }
}
