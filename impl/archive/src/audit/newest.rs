//! The audit of the newest version alone, which replays nothing.

use aardvark_dictionary::{Genesis, GenesisError};

use crate::archive::Archive;
use crate::error::{ArchiveError, Damage, Place};
use crate::progress::Progress;
use crate::records;
use crate::tables::Tables;

use super::{Audit, AuditReport, Fault, Stop, refusal};

impl Archive {
    /// Audits the newest version without replaying the log: the blocks are linked to the
    /// dictionary's id, which is that of parameters and genesis; the slots form one ring in key
    /// order, to which the index leads; every commitment is that of its slots; and the state root
    /// comes from these. It takes the time of committing to every vector once. What earlier
    /// versions were, and whether the blocks give this one, only [`Archive::audit`] finds out.
    ///
    /// # Errors
    /// As [`Archive::audit`].
    pub fn audit_newest(&self, progress: &mut dyn FnMut(Progress)) -> Result<AuditReport, ArchiveError> {
        let (scheme, other_cache) = self.audited_scheme()?;
        let mut audit = Audit { archive: self, scheme, anchor: None, anchored: None, findings: Vec::new(), progress };
        if let Some(cache) = other_cache {
            audit.find(Place::Cache(cache), Fault::OtherBasis);
        }
        let mut report = AuditReport::default();
        audit.collect(Audit::links)?;
        audit.collect(Audit::ring)?;
        report.commitments = audit.collect(Audit::recommit)?.unwrap_or(0);
        if audit.findings.is_empty() {
            report.root = audit.collect(|audit| Ok(audit.archive.validator()?.root()))?;
        }
        report.findings = audit.findings;
        Ok(report)
    }
}

impl Audit<'_> {
    /// Genesis as the archive says it was, with the bytes of its entries.
    pub(super) fn logged_genesis(&self, tables: &Tables<'_>) -> Result<(Genesis, Vec<u8>), Stop> {
        let archive = self.archive;
        let bytes = tables.block_bytes(0)?;
        let entries = records::decode_entries(&bytes).map_err(|fault| Damage::new(Place::Block(0), fault.into()))?;
        let genesis =
            Genesis::new(archive.identity().clone(), archive.parameters().clone(), *archive.setup_digest(), entries)
                .map_err(|error: GenesisError| refusal(0, Fault::Refused(error.to_string())))?;
        if genesis.dictionary_id() != *archive.id() {
            return Err(refusal(0, Fault::Link));
        }
        Ok((genesis, bytes))
    }

    /// Follows the links of the blocks from the dictionary's id.
    pub(super) fn links(&mut self) -> Result<(), Stop> {
        let tables = self.archive.tables()?;
        let (_, entries) = self.logged_genesis(&tables)?;
        let mut link = records::link(&self.archive.id().0, &entries);
        for version in 0..=self.archive.version() {
            if version > 0 {
                link = records::link(&link, &tables.block_bytes(version)?);
            }
            if link != tables.version(version)?.link {
                return Err(refusal(version, Fault::Link));
            }
        }
        Ok(())
    }
}
