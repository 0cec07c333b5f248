//! Where a request comes from: the address by which limits are counted.
//!
//! A header is believed when a proxy wrote it that the operator has named, and never otherwise:
//! whoever reaches the server could write one, and have as many addresses as they like.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use super::App;
use crate::hub::Peer;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address a request comes from; `None` where it did not come over a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin(pub(super) Option<IpAddr>);

impl FromRequestParts<App> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<Peer>>();
        let trusted = &app.config.trusted_proxy;
        Ok(Self(peer.map(|ConnectInfo(peer)| {
            origin(trusted, peer.addr.ip(), &parts.headers)
        })))
    }
}

/// The nearest address that is no trusted proxy's. Each proxy adds on the right whom it heard, so
/// what stands left of a stranger is the stranger's own tale.
fn origin(trusted: &[IpNet], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let is_proxy = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut nearest = peer.to_canonical();
    let told = headers.get_all(FORWARDED_FOR).iter().rev();
    let told = told.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
    for told in told {
        match address(told.trim()) {
            Some(told) if is_proxy(nearest) => nearest = told,
            Some(_) | None => break,
        }
    }
    nearest
}

/// `192.0.2.1`, or with the port that some proxies add.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().map(|address: SocketAddr| address.ip());
    let address: IpAddr = text.parse().or_else(|_| with_port()).ok()?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(trusted: &[&str], peer: &str, told: &[&str]) -> String {
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for told in told {
            headers.append(FORWARDED_FOR, told.parse().unwrap());
        }
        origin(&trusted, peer.parse().unwrap(), &headers).to_string()
    }

    const OURS: &str = "10.0.0.0/8";

    #[test]
    fn a_stranger_is_who_it_is_whatever_it_says() {
        assert_eq!(found(&[], "10.0.0.1", &["192.0.2.1"]), "10.0.0.1");
        assert_eq!(found(&[OURS], "192.0.2.9", &["192.0.2.1"]), "192.0.2.9");
    }

    #[test]
    fn behind_proxies_it_is_the_nearest_stranger() {
        let found = |told: &[&str]| found(&[OURS], "10.0.0.1", told);
        assert_eq!(found(&["192.0.2.1"]), "192.0.2.1");
        assert_eq!(found(&["192.0.2.1, 10.0.0.2"]), "192.0.2.1");
        assert_eq!(found(&["192.0.2.1", "10.0.0.2"]), "192.0.2.1");
        // The stranger wrote the first one itself.
        assert_eq!(found(&["192.0.2.1, 192.0.2.2"]), "192.0.2.2");
        assert_eq!(found(&["10.9.9.9,192.0.2.2,10.0.0.2"]), "192.0.2.2");
    }

    #[test]
    fn what_is_no_address_is_not_passed() {
        let found = |told: &[&str]| found(&[OURS], "10.0.0.1", told);
        assert_eq!(found(&[]), "10.0.0.1");
        assert_eq!(found(&["192.0.2.1, unknown"]), "10.0.0.1");
        assert_eq!(found(&["unknown, 192.0.2.1"]), "192.0.2.1");
        assert_eq!(found(&[""]), "10.0.0.1");
    }

    #[test]
    fn one_address_is_one_however_it_is_written() {
        assert_eq!(
            found(&[OURS], "::ffff:10.0.0.1", &["::ffff:192.0.2.1"]),
            "192.0.2.1"
        );
        assert_eq!(found(&[OURS], "10.0.0.1", &["192.0.2.1:4711"]), "192.0.2.1");
        assert_eq!(
            found(&[OURS], "10.0.0.1", &["[2001:db8::1]:4711"]),
            "2001:db8::1"
        );
    }
}
