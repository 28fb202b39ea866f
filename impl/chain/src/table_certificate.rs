//! Certificates of segments of tables as transactions bring them (`docs/network.md`, Signed
//! transaction).

use aardvark_algebra::integers::{u32_or_max, usize_of_u32};
use aardvark_dictionary::DecodeError;
use aardvark_dictionary::codec::Reader;

/// A certificate of segments of tables that a transaction puts, as it is received.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableCertificate {
    /// How many segments it covers: the next ones, in the order in which they are put.
    pub segments: u16,
    /// The certificate's bytes.
    pub certificate: Vec<u8>,
}

/// Bytes of certificates behind a signed transaction; 0 where there are none.
pub fn certificates_length(certificates: &[TableCertificate]) -> usize {
    let each = |certificate: &TableCertificate| certificate.certificate.len().saturating_add(2 + 4);
    match certificates {
        [] => 0,
        some => some.iter().map(each).fold(2, usize::saturating_add),
    }
}

/// Appends `u16 count | (u16 segments | u32 length | certificate)*` where there are some. More than
/// 65,535 have no encoding.
pub(crate) fn put_certificates(out: &mut Vec<u8>, certificates: &[TableCertificate]) {
    if certificates.is_empty() {
        return;
    }
    out.extend(u16::try_from(certificates.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(encode_certificates(certificates));
}

/// Certificates by themselves, as an archive gives those of a block:
/// `(u16 segments | u32 length | certificate)*`.
pub fn encode_certificates(certificates: &[TableCertificate]) -> Vec<u8> {
    let mut out = Vec::new();
    for TableCertificate { segments, certificate } in certificates {
        out.extend(segments.to_be_bytes());
        out.extend(u32_or_max(certificate.len()).to_be_bytes());
        out.extend(certificate);
    }
    out
}

/// The certificates that bytes are, as [`encode_certificates`] writes them.
///
/// # Errors
/// [`DecodeError::Truncated`] where the last one is not whole.
pub fn decode_certificates(bytes: &[u8]) -> Result<Vec<TableCertificate>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let mut certificates = Vec::new();
    while reader.offset() < bytes.len() {
        certificates.push(read_certificate(&mut reader)?);
    }
    Ok(certificates)
}

/// Reads `u16 count | (u16 segments | u32 length | certificate)*`. What is allocated for a
/// certificate is there.
pub(crate) fn read_certificates(reader: &mut Reader<'_>) -> Result<Vec<TableCertificate>, DecodeError> {
    let offset = reader.offset();
    let count = reader.u16("the number of certificates")?;
    if count == 0 {
        // A transaction without certificates has the other format.
        return Err(DecodeError::Unknown { offset, what: "format of certificates that are none", found: 0 });
    }
    let mut certificates = Vec::new();
    for _ in 0..count {
        certificates.push(read_certificate(reader)?);
    }
    Ok(certificates)
}

fn read_certificate(reader: &mut Reader<'_>) -> Result<TableCertificate, DecodeError> {
    let segments = reader.u16("the number of segments")?;
    let length = reader.u32("the length of a certificate")?;
    let certificate = reader.take(usize_of_u32(length), "a certificate")?.to_vec();
    Ok(TableCertificate { segments, certificate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_by_themselves_are_read_back_and_none_that_is_cut() {
        let certificate = |segments, length| TableCertificate { segments, certificate: vec![7; length] };
        let certificates = [certificate(1, 40), certificate(300, 0), certificate(2, 5)];
        let bytes = encode_certificates(&certificates);
        assert_eq!(decode_certificates(&bytes), Ok(certificates.to_vec()));
        assert_eq!(decode_certificates(&[]), Ok(vec![]));
        for length in 1..bytes.len() {
            let whole = [46, 52].iter().position(|end| *end == length);
            assert_eq!(decode_certificates(&bytes[..length]).ok().map(|read| read.len()), whole.map(|last| last + 1));
        }
        assert!(decode_certificates(&[&bytes[..], &[0, 1, 255, 255, 255, 255]].concat()).is_err());
    }
}
