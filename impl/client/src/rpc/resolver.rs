//! Resolves host names; literal addresses skip the resolver.
//!
//! ureq starts a thread for every look-up that has a deadline, and looks up at every request, on
//! open connections too. An address that is written as a number needs neither.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::unversioned::transport::time::Duration;

/// Looks names up within the deadline, in a thread; reads numbers at once.
#[derive(Debug, Default)]
pub(super) struct NamesOnly(DefaultResolver);

impl Resolver for NamesOnly {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let timeout = match is_number(uri) {
            true => NextTimeout { after: Duration::NotHappening, ..timeout },
            false => timeout,
        };
        self.0.resolve(uri, config, timeout)
    }
}

/// Whether the host is an address of IPv4, or one of IPv6 in brackets.
fn is_number(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let in_brackets = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    in_brackets.unwrap_or(host).parse::<IpAddr>().is_ok()
}

/// Where a server's name leads, looked up within `time`; nothing where it leads nowhere. All
/// addresses of this machine are written as 127.0.0.1, so that two names of one server have an
/// address in common.
pub(super) fn addresses(uri: &Uri, time: std::time::Duration) -> Vec<SocketAddr> {
    let time = NextTimeout { after: time.into(), ..NextTimeout::default() };
    let found = NamesOnly::default().resolve(uri, &Config::default(), time);
    let found = found.map(|addresses| addresses.iter().copied().collect::<Vec<_>>()).unwrap_or_default();
    found.into_iter().map(|address| SocketAddr::new(one_name(address.ip()), address.port())).collect()
}

/// 127.0.0.1 for every address that leads to this machine: a socket can be bound to those and to no
/// others.
fn one_name(address: IpAddr) -> IpAddr {
    let address = address.to_canonical();
    let here = address.is_loopback() || address.is_unspecified() || UdpSocket::bind((address, 0)).is_ok();
    if here { Ipv4Addr::LOCALHOST.into() } else { address }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_this_machine_are_one_and_other_machines_and_ports_are_others() {
        let at = |text: &str| addresses(&text.parse().unwrap(), std::time::Duration::from_secs(10));
        for name in ["127.0.0.1", "localhost", "[::1]", "127.9.9.9", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"] {
            assert!(at(&format!("http://{name}:26657")).contains(&"127.0.0.1:26657".parse().unwrap()), "{name}");
        }
        assert_eq!(at("http://192.0.2.1:26657"), ["192.0.2.1:26657".parse().unwrap()]);
        assert_eq!(at("http://127.0.0.1"), ["127.0.0.1:80".parse().unwrap()]);
        assert_eq!(at("http://nowhere.invalid:1"), []);
    }

    /// Without any time a thread is not waited for.
    fn resolved_at_once(address: &str) -> Option<String> {
        let at_once = NextTimeout { after: Duration::from_millis(0), ..NextTimeout::default() };
        let resolved = NamesOnly::default().resolve(&address.parse().unwrap(), &Config::default(), at_once);
        resolved.ok().map(|addresses| addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn numbers_are_read_without_a_thread() {
        assert_eq!(resolved_at_once("http://127.0.0.1:26657/status").unwrap(), "127.0.0.1:26657");
        assert_eq!(resolved_at_once("http://192.0.2.1").unwrap(), "192.0.2.1:80");
        assert_eq!(resolved_at_once("https://[2001:db8::1]").unwrap(), "[2001:db8::1]:443");
    }

    #[test]
    fn names_have_the_deadline() {
        // The thread can be done before anybody looks.
        assert!((0..100).any(|_| resolved_at_once("http://localhost:80").is_none()));
    }
}
