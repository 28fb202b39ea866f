//! The page at `/`: search a key, see its proof verified by the browser itself.
//!
//! The page is one HTML file, one style sheet and one script, compiled in; nothing is loaded from
//! elsewhere, and the Content-Security-Policy says so to the browser.

use axum::http::header;
use axum::response::{IntoResponse, Response};

#[cfg(feature = "page")]
mod files {
    pub(super) const PAGE: &str = include_str!("../../../page/index.html");
    pub(super) const STYLE: &str = include_str!("../../../page/page.css");
    pub(super) const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));
}

#[cfg(not(feature = "page"))]
mod files {
    pub(super) const PAGE: &str = "<!doctype html><meta charset=\"utf-8\"><title>Aardvark archive</title>\n\
        <p>This archive was built without its page: <code>cargo build --release --features page</code> (which needs npm) builds it in; \
        <a href=\"/v1/status\">/v1/status</a> and <a href=\"/openapi.json\">/openapi.json</a> are here.</p>\n";
    pub(super) const STYLE: &str = "";
    pub(super) const SCRIPT: &str = "";
}

const ICON: &str = include_str!("../../../page/favicon.svg");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn file(media_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

/// `/`
pub(super) async fn page() -> Response {
    file("text/html; charset=utf-8", files::PAGE)
}

/// `/page.js`
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", files::SCRIPT)
}

/// `/favicon.svg`
pub(super) async fn icon() -> Response {
    file("image/svg+xml", ICON)
}

/// `/page.css`
pub(super) async fn style() -> Response {
    file("text/css; charset=utf-8", files::STYLE)
}
