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
    for TableCertificate { segments, certificate } in certificates {
        out.extend(segments.to_be_bytes());
        out.extend(u32_or_max(certificate.len()).to_be_bytes());
        out.extend(certificate);
    }
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
        let segments = reader.u16("the number of segments")?;
        let length = reader.u32("the length of a certificate")?;
        let certificate = reader.take(usize_of_u32(length), "a certificate")?.to_vec();
        certificates.push(TableCertificate { segments, certificate });
    }
    Ok(certificates)
}
