//! What a board takes: whose posts, how many, and how many bytes of bodies.

use aardvark_mixnet::identity::AuthorKey;

/// Bytes of a body that somebody may store whom no ceremony names: the terms of a ceremony.
pub const MOST_TERMS_BYTES: u64 = 16 << 20;
/// Drafts of terms that wait for receipts; the oldest goes where another one comes.
pub const MOST_TERMS_DRAFTS: usize = 64;
/// Drafts of one author that wait for receipts; the author's oldest goes where another one comes.
pub const MOST_DRAFTS_OF_AUTHOR: usize = 256;
/// All drafts.
pub const MOST_DRAFTS: usize = 4096;
/// Posts of one page.
pub const MOST_POSTS_OF_PAGE: u64 = 1024;
/// Admissions of one request: on a chain they are one transaction.
pub const MOST_ADMISSIONS: usize = 100;
/// Drafts of one page.
pub const MOST_DRAFTS_OF_PAGE: usize = 64;

/// What bounds a board's disk and memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLimits {
    /// Whose ceremonies the board takes; everybody's where none is named. Then a stranger can fill
    /// the board with ceremonies of its own up to the other limits.
    pub organisers: Vec<AuthorKey>,
    /// Posts in all.
    pub posts: u64,
    /// Bytes of bodies that posts name.
    pub named_bytes: u64,
    /// Bytes of bodies that no post names yet, an eighth of them for terms of ceremonies.
    pub unnamed_bytes: u64,
    /// Bytes of posts up to which the board judges them for its page, which holds them in memory.
    pub judged_bytes: u64,
}

impl Default for BoardLimits {
    /// Everybody's ceremonies, 262,144 posts, 64 GiB of bodies and 2 GiB of those that wait; judged
    /// up to 256 MiB.
    fn default() -> Self {
        let (posts, named_bytes, unnamed_bytes, judged_bytes) = (1 << 18, 64 << 30, 2 << 30, 256 << 20);
        Self { organisers: Vec::new(), posts, named_bytes, unnamed_bytes, judged_bytes }
    }
}

impl BoardLimits {
    /// Whether an organiser may post terms.
    #[must_use]
    pub fn admits(&self, organiser: &AuthorKey) -> bool {
        self.organisers.is_empty() || self.organisers.contains(organiser)
    }

    /// Whether the organiser is one who was named.
    #[must_use]
    pub fn names(&self, organiser: &AuthorKey) -> bool {
        self.organisers.contains(organiser)
    }

    /// Bytes of bodies of those whom nobody has named.
    pub fn of_strangers(&self) -> u64 {
        self.unnamed_bytes / 8
    }
}
