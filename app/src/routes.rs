//! Which page answers which address.

use crate::ui::Erase;
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::counter::CounterPage;
use crate::hall::HallPage;
use crate::home::HomePage;
use crate::i18n;
use crate::kitchen::KitchenPage;
use crate::login::LoginPage;
use crate::menu::MenuPage;

/// The whole of the product's screens.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    i18n::provide();
    view! {
        <Router>
            <Routes fallback=|| not_found().erased()>
                <Route path=path!("/") view=HomePage />
                <Route path=path!("/login") view=LoginPage />
                <Route path=path!("/:store/kitchen") view=KitchenPage />
                <Route path=path!("/:store/hall") view=HallPage />
                <Route path=path!("/:store/counter") view=CounterPage />
                <Route path=path!("/:store/menu") view=MenuPage />
            </Routes>
        </Router>
    }
    .erased()
}

fn not_found() -> impl IntoView {
    let messages = i18n::messages();
    view! {
        <Title text="Jumun" />
        <main class="plain">
            <h1>{messages.common.not_found}</h1>
            <a class="button primary" href="/login">
                {messages.common.to_login}
            </a>
        </main>
    }
}
