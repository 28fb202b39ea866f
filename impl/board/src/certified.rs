//! Posts that a server on a chain acts upon: those that validators certify.
//!
//! A board in front of a chain may lie: show posts that no block has, or leave some out, so that a
//! server deals, mixes or decrypts for a ceremony that is none. So what the board says is compared
//! with all posts of a certified version, proved as a range of keys ([`crate::proved`]).

use aardvark_mixnet::Posts;

use crate::client::{BoardClient, ClientError};
use crate::history::HistoryError;
use crate::proved::ProvedPosts;

/// Reads all posts of the newest version that a trusted header certifies, where that is later than
/// the one named; `None` where it is not.
pub type Certifying<'a, E> = dyn FnMut(Option<u64>) -> Result<Option<ProvedPosts>, E> + 'a;

/// Certified posts with their bodies, which the board has.
///
/// # Errors
/// [`HistoryError::Forked`] where the board showed another value of a key: each is written once.
pub(crate) fn certified_posts(proved: ProvedPosts, board: &mut BoardClient) -> Result<Posts, ClientError> {
    let mut posts = Posts::new();
    for (key, value) in proved.pairs {
        let posted = match board.posts().get(&key) {
            Some(shown) if shown.value == value => shown.clone(),
            Some(_) => return Err(HistoryError::Forked { version: proved.version }.into()),
            None => board.posted(&key, value)?,
        };
        posts.insert(key, posted);
    }
    Ok(posts)
}
