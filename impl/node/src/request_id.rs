//! Ids of requests, by which a client's trouble is found in the log, and in those of the servers
//! that are asked on the way.

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The header of requests and answers that has the id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    /// The request that is being answered.
    static ANSWERED: RequestId;
}

/// Most bytes of a client's own id.
const MOST: usize = 64;

/// Tells the ids of this process from those of others: when it first gave one.
static PROCESS: LazyLock<u32> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.subsec_nanos() ^ u32::try_from(now.as_secs() & u64::from(u32::MAX)).unwrap_or(0)
});

/// How many this process gave.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// A request's id: the client's or its proxy's own where it has one of letters, digits, `-`, `_`
/// and `.`, at most 64; else one that no other request of this process has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(String);

impl RequestId {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let own = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| is_id(id));
        Self(own.map_or_else(|| format!("{:08x}-{}", *PROCESS, GIVEN.fetch_add(1, Ordering::Relaxed)), str::to_owned))
    }

    /// The request that is being answered here, if one is.
    pub(crate) fn here() -> Option<Self> {
        ANSWERED.try_with(Self::clone).ok()
    }

    /// Answers a request: what it awaits knows the id.
    pub(crate) async fn during<T>(self, answer: impl Future<Output = T>) -> T {
        ANSWERED.scope(self, answer).await
    }

    /// Works on a request, on this thread.
    pub(crate) fn while_working<T>(request: Option<Self>, work: impl FnOnce() -> T) -> T {
        match request {
            Some(request) => ANSWERED.sync_scope(request, work),
            None => work(),
        }
    }

    /// The id.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The header of the answer.
    pub(crate) fn header(&self) -> HeaderValue {
        // All its characters are those of a header.
        HeaderValue::from_str(&self.0).unwrap_or_else(|_| HeaderValue::from_static("-"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn is_id(text: &str) -> bool {
    let is_of_id = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=MOST).contains(&text.len()) && text.bytes().all(is_of_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_id_is_kept_where_it_is_one_and_others_are_new_each_time() {
        let of = |id: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_str(id).unwrap());
            RequestId::of(&headers).header().to_str().unwrap().to_owned()
        };
        let longest = "x".repeat(MOST);
        assert_eq!([of("a-B_9."), of(&longest)], ["a-B_9.".to_owned(), longest.clone()]);
        let mut ids = vec![RequestId::of(&HeaderMap::new()).to_string(), RequestId::of(&HeaderMap::new()).to_string()];
        ids.extend(["", "a b", "\"}", "a=b", &format!("{longest}x")].map(of));
        assert!(ids.iter().all(|id| is_id(id) && id.contains('-') && id.len() < 30), "{ids:?}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 7);
    }
}
