//! The route table: every path of the API, with who may use it.
//!
//! The router is made from these rows and from nothing else, so there is no route without
//! a row. A test walks them.

use axum::Router;
use axum::handler::Handler;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodFilter, MethodRouter, on};
use domain::staff::Role;
use http::Method;

use super::{
    App, auth, command, guest, notifications, patience, reservations, session, snapshot, stock,
};

/// Hall, counter and kitchen.
pub const HCK: &[Role] = &[Role::Hall, Role::Counter, Role::Kitchen];
/// Hall and counter.
pub const HC: &[Role] = &[Role::Hall, Role::Counter];
/// Hall and kitchen.
pub const HK: &[Role] = &[Role::Hall, Role::Kitchen];
/// Kitchen.
pub const K: &[Role] = &[Role::Kitchen];
/// Counter.
pub const C: &[Role] = &[Role::Counter];
/// Nobody but owner and manager.
pub const MANAGERS: &[Role] = &[];

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody, without a session; or the handler looks for itself.
    Anyone,
    /// Whoever is signed in.
    SignedIn,
    /// These roles, and owner and manager, who may do everything.
    Roles(&'static [Role]),
    /// A phone of a party that sits; no staff.
    Guest,
}

impl Access {
    /// Whether somebody who is signed in with `role` may pass.
    #[must_use]
    pub fn allows(self, role: Role) -> bool {
        match self {
            Self::Anyone | Self::SignedIn => true,
            Self::Roles(roles) => role.manages() || roles.contains(&role),
            Self::Guest => false,
        }
    }
}

/// One route.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its method.
    pub method: Method,
    /// Its path, with parameters in braces.
    pub path: &'static str,
    /// Who may use it.
    pub access: Access,
    /// It answers for as long as its reader stays: no timeout.
    pub is_stream: bool,
    handler: MethodRouter<App>,
}

impl Row {
    /// A route that answers and is done.
    pub fn new<H, T>(method: Method, path: &'static str, access: Access, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::TRACE);
        Self {
            method,
            path,
            access,
            is_stream: false,
            handler: on(filter, handler),
        }
    }

    /// `GET` for roles.
    pub fn get<H, T>(path: &'static str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        Self::new(Method::GET, path, Access::Roles(roles), handler)
    }

    /// `POST` for roles.
    pub fn post<H, T>(path: &'static str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        Self::new(Method::POST, path, Access::Roles(roles), handler)
    }

    /// The same, as a stream.
    #[must_use]
    pub fn stream(self) -> Self {
        Self {
            is_stream: true,
            ..self
        }
    }
}

/// Every route of the API.
#[must_use]
pub fn rows() -> Vec<Row> {
    [
        auth::rows(),
        command::rows(),
        guest::rows(),
        notifications::rows(),
        reservations::rows(),
        snapshot::rows(),
        stock::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The router of these rows.
pub(super) fn router(app: &App, rows: Vec<Row>) -> Router<App> {
    rows.into_iter().fold(Router::new(), |router, row| {
        let guarded = row.handler.route_layer(from_fn_with_state(
            (app.clone(), row.access),
            session::guard,
        ));
        let timed = if row.is_stream {
            guarded
        } else {
            let patience = patience::of(&app.config);
            guarded.route_layer(from_fn(move |request, next| {
                patience::at_most(patience, request, next)
            }))
        };
        router.route(row.path, timed)
    })
}
