//! The certificates of a table with what they are about, as they are listed for whoever asks: a
//! certificate's own entry has only the keys of its heads, and what these were is in the dictionary
//! or in its log.

use aardvark_aggregates::{StatedCertificate, TableKey};
use aardvark_archive::Snapshot;

use crate::certificates::{CertificatePlace, Certificates};
use crate::error::TablesError;
use crate::keeper::schema_of;
use crate::stated::{Blocks, StatedColumn};

/// The certificate at a place, with its statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedCertificate {
    /// Where it stands.
    pub place: CertificatePlace,
    /// The certificate and what it is about.
    pub stated: StatedCertificate,
}

/// The certificates of a table behind a place, and the place behind which there may be more; at
/// most `limit` entries are looked at, those of other tables too. What has no statement, since its
/// version did not put its heads, is left out.
///
/// # Errors
/// [`TablesError::NoTable`], [`TablesError::Archive`], [`TablesError::Certificates`].
pub fn certificates_behind(
    archive: &Snapshot,
    certificates: &Certificates,
    table: &str,
    after: Option<CertificatePlace>,
    limit: usize,
) -> Result<(Vec<PlacedCertificate>, Option<CertificatePlace>), TablesError> {
    let schema = schema_of(archive, table, archive.version())?;
    let schema = &schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
    let entries = certificates.behind(after, limit)?;
    let more = (entries.len() == limit).then(|| entries.last().map(|(place, _)| *place)).flatten();
    let mut found = Vec::new();
    let mut blocks = Blocks::of(archive, certificates);
    for (place, stored) in entries {
        let version = place.version;
        // Those of a version that did not come are written before it.
        let first = stored.heads.first().filter(|_| version <= archive.version());
        let Some(Ok(TableKey::Head { table: of, column, .. } | TableKey::Segment { table: of, column, .. })) =
            first.map(|key| TableKey::from_bytes(key, schema))
        else {
            continue;
        };
        if of != table {
            continue;
        }
        let column = StatedColumn { archive, table, schema, column, version };
        if let Some(stated) = column.stated(stored, place, &mut blocks)? {
            found.push(PlacedCertificate { place, stated });
        }
    }
    Ok((found, more))
}
