//! What a front sends to an opening server, and what comes back.
//!
//! ```text
//! request = u8 1 || dictionary id (32) || u64 version || u16 count || count positions (u64 each)
//! answer  = count openings (48 each), in the order of the positions
//! ```
//!
//! Positions strictly ascend, and all are of vectors that the server owns. Position p is index
//! p mod N of vector p / N. Each request has one encoding.

use aardvark_algebra::integers::{u16_or_max, usize_of_u32};
use aardvark_commitment::points::POINT_BYTES;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{DecodeError, DictionaryId};

/// The path at which openings are asked for, by POST.
pub(crate) const PATH: &str = "/v1/openings";
/// The status of an answer where the server does not own a vector, since its list is another one.
pub(super) const NOT_OWNED: u16 = 421;
/// The status of an answer where the server does not have the version yet.
pub(super) const NOT_HERE: u16 = 409;
/// The status of an answer where more requests wait than the server lets wait.
pub(super) const BUSY: u16 = 429;
/// Most positions of a request.
pub const MOST_POSITIONS: usize = 4096;
/// What a request begins with.
const FORM: u8 = 1;
/// Bytes before the positions.
const HEAD: usize = 1 + 32 + 8 + 2;

/// A request for openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsRequest {
    /// The dictionary's id.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// The positions, strictly ascending.
    pub positions: Vec<u64>,
}

/// Why bytes are no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Too few bytes, or more than a request has.
    #[error(transparent)]
    Bytes(#[from] DecodeError),
    /// Another form of request.
    #[error("a request of form {0}, which this server does not know")]
    Form(u8),
    /// No position, or too many.
    #[error("{0} positions; a request has 1 to {MOST_POSITIONS}")]
    Count(usize),
    /// Positions that do not strictly ascend.
    #[error("positions that do not strictly ascend")]
    Order,
}

impl OpeningsRequest {
    /// Most bytes of a request.
    pub const MOST_BYTES: usize = HEAD + 8 * MOST_POSITIONS;

    /// The bytes; of at most [`MOST_POSITIONS`] positions.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 8 * self.positions.len());
        bytes.push(FORM);
        bytes.extend_from_slice(&self.dictionary.0);
        bytes.extend_from_slice(&self.version.to_be_bytes());
        bytes.extend_from_slice(&u16_or_max(self.positions.len()).to_be_bytes());
        self.positions.iter().for_each(|position| bytes.extend_from_slice(&position.to_be_bytes()));
        bytes
    }

    /// Reads a request.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn decode(bytes: &[u8]) -> Result<Self, RequestError> {
        let mut reader = Reader::new(bytes);
        match reader.u8("the form")? {
            FORM => (),
            other => return Err(RequestError::Form(other)),
        }
        let dictionary = DictionaryId(reader.array("the dictionary")?);
        let version = reader.u64("the version")?;
        let count = usize_of_u32(reader.u16("the number of positions")?.into());
        if !(1..=MOST_POSITIONS).contains(&count) {
            return Err(RequestError::Count(count));
        }
        // The bytes are there before anything is allocated for them.
        let positions = reader.take(8 * count, "a position")?;
        reader.finish()?;
        let positions: Vec<u64> = positions.as_chunks().0.iter().map(|number| u64::from_be_bytes(*number)).collect();
        if positions.is_sorted_by(|a, b| a < b) {
            Ok(Self { dictionary, version, positions })
        } else {
            Err(RequestError::Order)
        }
    }

    /// Reads the openings that came for this request, whose truth nothing is known of; `None` where
    /// there are not as many as positions.
    pub(super) fn openings<'a>(&self, answer: &'a [u8]) -> Option<&'a [[u8; POINT_BYTES]]> {
        let (openings, rest) = answer.as_chunks();
        (rest.is_empty() && openings.len() == self.positions.len()).then_some(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(positions: &[u64]) -> OpeningsRequest {
        OpeningsRequest { dictionary: DictionaryId([7; 32]), version: 9, positions: positions.to_vec() }
    }

    #[test]
    fn a_request_survives_its_encoding_and_has_no_other() {
        let asked = request(&[0, 5, u64::MAX]);
        let bytes = asked.encode();
        assert_eq!(OpeningsRequest::decode(&bytes), Ok(asked));
        for end in 0..bytes.len() {
            assert!(matches!(OpeningsRequest::decode(&bytes[..end]), Err(RequestError::Bytes(_))), "{end}");
        }
        assert!(matches!(OpeningsRequest::decode(&[&bytes[..], &[0]].concat()), Err(RequestError::Bytes(_))));
        assert_eq!(OpeningsRequest::decode(&[2]), Err(RequestError::Form(2)));
        let most: Vec<u64> = (0..=4096).collect();
        assert!(OpeningsRequest::decode(&request(&most[1..]).encode()).is_ok());
        assert_eq!(request(&most[1..]).encode().len(), OpeningsRequest::MOST_BYTES);
        for (positions, error) in [
            (&[] as &[u64], RequestError::Count(0)),
            (&most, RequestError::Count(4097)),
            (&[1, 1], RequestError::Order),
            (&[2, 1], RequestError::Order),
        ] {
            assert_eq!(OpeningsRequest::decode(&request(positions).encode()), Err(error));
        }
    }

    #[test]
    fn a_count_that_no_bytes_follow_is_refused() {
        let mut bytes = request(&[1]).encode();
        bytes[41..43].copy_from_slice(&4096u16.to_be_bytes());
        assert!(matches!(OpeningsRequest::decode(&bytes), Err(RequestError::Bytes(_))));
    }

    #[test]
    fn an_answer_has_an_opening_for_each_position() {
        let asked = request(&[1, 2]);
        assert_eq!(asked.openings(&[3; 96]), Some(&[[3; 48]; 2][..]));
        for length in [0, 48, 95, 97, 144] {
            assert_eq!(asked.openings(&vec![3; length]), None, "{length} bytes");
        }
    }
}
