//! Names are looked up, numbers are not.
//!
//! ureq starts a thread for every look-up that has a deadline, and looks up at every request, on open connections too. An
//! address that is written as a number needs neither.

use std::net::IpAddr;

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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(resolved_at_once("http://localhost:80"), None);
    }
}
