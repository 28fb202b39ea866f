//! Which answers may be kept, and how a client that has kept one is told that it is still right.
//!
//! A version never changes. So what is said of one that the request names, and a block of a chain,
//! is the same for ever; what is said of the newest is the same until there is another. The tag of
//! an answer is dictionary and version: a client that shows it (`if-none-match`) is answered 304
//! before anything is looked up or computed. A newer version that is stored meanwhile makes a tag
//! older than its answer, never newer.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::archive::service::Service;

/// For a year, which is as long as anybody keeps anything, without asking.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Kept, and asked about each time.
const ASK: HeaderValue = HeaderValue::from_static("public, no-cache");

/// How long an answer stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stays {
    /// It is of this version, and stays.
    ForEver(u64),
    /// It is of the newest version.
    UntilTheNext,
}

/// Answers 304 to who has the answer already, and says of others how long they may be kept.
pub(super) async fn cached(State(service): State<Service>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let (path, query) = (request.uri().path(), request.uri().query());
    let is_read = request.method() == Method::GET || request.method() == Method::HEAD;
    let stays = is_read.then(|| stays(route, path, query, service.shared.records().is_some()));
    let Some(stays) = stays.flatten() else {
        return next.run(request).await;
    };
    let archive = service.shared.archive();
    let (version, keep) = match stays {
        Stays::ForEver(version) => (version, FOR_EVER),
        Stays::UntilTheNext => (archive.version(), ASK),
    };
    let tag = tag(&archive.id().0, version);
    drop(archive);
    let (has_it, has_any) = (has(request.headers(), &tag), asks_for_any(request.headers()));
    let mut response = match has_it {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => next.run(request).await,
    };
    // Whether the thing is there has to be looked up first.
    if has_any && response.status() == StatusCode::OK {
        response = StatusCode::NOT_MODIFIED.into_response();
    }
    if matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED) {
        response.headers_mut().insert(header::CACHE_CONTROL, keep);
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
    }
    response
}

/// How long the answer of a route stays; none where it says more than versions do. Without a
/// chain's records a block's root is known only while it is the newest's.
fn stays(route: &str, path: &str, query: Option<&str>, has_records: bool) -> Option<Stays> {
    let height = path.strip_prefix("/v1/blocks/").map(|height| height.strip_suffix("/raw").unwrap_or(height));
    let height = height.and_then(|height| height.parse().ok());
    match route {
        "/v1/blocks/{height}/raw" => height.map(Stays::ForEver),
        "/v1/blocks/{height}" if has_records => height.map(Stays::ForEver),
        "/v1/proof/{key}" | "/v1/commitments" | "/v1/range" | "/v1/tail" | "/v1/tables" | "/v1/tables/{name}" => {
            let named = query.unwrap_or_default().split('&').find_map(|part| part.strip_prefix("version="));
            match named {
                Some(version) => version.parse().ok().map(Stays::ForEver),
                None => Some(Stays::UntilTheNext),
            }
        }
        "/v1/blocks/{height}" => height.map(|_| Stays::UntilTheNext),
        "/v1/blocks" => Some(Stays::UntilTheNext),
        _ => None,
    }
}

/// A weak one: what is compressed has the same.
fn tag(dictionary: &[u8; 32], version: u64) -> String {
    let [a, b, c, d, e, f, ..] = dictionary;
    format!("W/\"{}-{version}\"", hex::encode([*a, *b, *c, *d, *e, *f]))
}

/// Whether a client has the answer with a tag.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let shown = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|tags| tags.to_str().ok());
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    shown.flat_map(|tags| tags.split(',')).map(str::trim).any(|shown| opaque(shown) == opaque(tag))
}

/// Whether a client has an answer, whichever: `*`.
fn asks_for_any(headers: &HeaderMap) -> bool {
    headers.get_all(header::IF_NONE_MATCH).into_iter().any(|tags| tags.as_bytes().trim_ascii() == b"*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_named_version_stays_and_of_the_newest_until_the_next() {
        let of = |route, path, query| stays(route, path, query, true);
        assert_eq!(of("/v1/blocks/{height}/raw", "/v1/blocks/7/raw", None), Some(Stays::ForEver(7)));
        assert_eq!(of("/v1/blocks/{height}", "/v1/blocks/7", None), Some(Stays::ForEver(7)));
        assert_eq!(stays("/v1/blocks/{height}", "/v1/blocks/7", None, false), Some(Stays::UntilTheNext));
        assert_eq!(of("/v1/blocks/{height}", "/v1/blocks/x", None), None);
        assert_eq!(of("/v1/proof/{key}", "/v1/proof/k", Some("root=true&version=3")), Some(Stays::ForEver(3)));
        assert_eq!(of("/v1/proof/{key}", "/v1/proof/k", Some("root=true")), Some(Stays::UntilTheNext));
        assert_eq!(of("/v1/range", "/v1/range", Some("version=x")), None);
        assert_eq!(of("/v1/status", "/v1/status", None), None);
        assert_eq!(of("/openapi.json", "/openapi.json", Some("version=3")), None);
    }

    #[test]
    fn a_tag_is_found_among_others_weak_or_strong() {
        let tag = tag(&[7; 32], 3);
        assert_eq!(tag, "W/\"070707070707-3\"");
        let with = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            has(&headers, &tag)
        };
        assert!(with("W/\"070707070707-3\"") && with("\"x\" , \"070707070707-3\""));
        assert!(!with("W/\"070707070707-4\"") && !with("070707070707-3") && !with(""));
    }
}
