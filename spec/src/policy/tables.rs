//! The policy `tables`: tables of private rows, and nothing else. A creator signs what begins a
//! table, a writer of the pinned schema everything else.
//!
//! The policy is looked at in two parts. What needs no point ([`check_tables`]) comes before
//! signatures. Who the writers are stands in the state, so what needs points comes once the state
//! is known to be the one that the transaction pins: whether each step of a run is legal
//! ([`judge_tables`]), and whether the certificates hold ([`certify_tables`]). Both depend on the
//! transaction alone. Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::block::transaction::*;
use crate::commitment::kzg::*;
use crate::decoding::signed_decoder::*;
use crate::policy::policy_reason::*;
use crate::policy::publisher::*;
use crate::policy::table_covered::*;
use crate::policy::table_judge::*;
use crate::policy::table_made::*;
use crate::policy::table_write::*;
use crate::table::certificate::*;
use crate::table::certificate_transcript::*;
use crate::table::linked_certificate::*;
use crate::table::run_record::*;
use hacspec_lib::*;

/// What the bytes of a certificate are.
#[derive(Clone, Debug, Default)]
pub enum CertificateMeaning {
    /// None for so many bits.
    #[default]
    CertificateUnread,
    /// One that continues no run.
    CertificatePlain(Certificate),
    /// One that continues a run.
    CertificateLinked(LinkedCertificate),
}

/// Whether a transaction has the shape of a write, and those signed who may write so.
pub fn check_tables(
    creators: &Seq<ByteString>,
    tx: &Transaction,
    signing_keys: &Seq<ByteString>,
) -> Result<(), PolicyReason> {
    match read_table_write(&tx.operations) {
        Err(why) => Err(why),
        Ok(TableWrite::WriteCreate) => check_publisher(creators, signing_keys),
        Ok(TableWrite::WriteSeal(sealed)) => check_publisher(&sealed.schema_writers, signing_keys),
        Ok(TableWrite::WriteRuns(runs)) => check_publisher(&runs.written_schema.schema_writers, signing_keys),
    }
}

/// Whether the certificates that a transaction brings cover what it puts.
pub fn check_tables_covered(tx: &Transaction, items: &Seq<ReceivedCertificate>) -> Result<(), PolicyReason> {
    match read_table_write(&tx.operations) {
        Err(why) => Err(why),
        Ok(write) => check_covered(&write, items),
    }
}

/// The sheets that a transaction's certificates have to hold for, once each of its steps is judged.
pub fn judge_tables(
    dictionary: &ByteString,
    tx: &Transaction,
    items: &Seq<ReceivedCertificate>,
    points: &Seq<TablePoint>,
) -> Result<Seq<TableSheet>, PolicyReason> {
    match read_table_write(&tx.operations) {
        Err(why) => Err(why),
        Ok(TableWrite::WriteRuns(runs)) => match judge_runs(&runs, points) {
            Err(why) => Err(why),
            Ok(placed) => Ok(sheets_of_runs(dictionary, &runs, &placed, items)),
        },
        Ok(_) => Ok(Seq::<TableSheet>::new(0)),
    }
}

/// Whether the bytes of a certificate are one.
pub fn meaning_read(meaning: &CertificateMeaning) -> bool {
    match meaning {
        CertificateMeaning::CertificateUnread => false,
        _ => true,
    }
}

/// Whether a certificate holds for a sheet.
pub fn sheet_holds(setup: &KzgSetup, sheet: &TableSheet, meaning: &CertificateMeaning) -> bool {
    match &sheet.table_sheet_link {
        None => match meaning {
            CertificateMeaning::CertificatePlain(shown) => {
                match verify_certificate(setup, &sheet.table_sheet_about, &sheet.table_sheet_items, shown) {
                    Ok(_) => true,
                    Err(_) => false,
                }
            }
            _ => false,
        },
        Some(link) => match meaning {
            CertificateMeaning::CertificateLinked(shown) => {
                match verify_linked_certificate(setup, &sheet.table_sheet_about, link, &sheet.table_sheet_items, shown)
                {
                    Ok(_) => true,
                    Err(_) => false,
                }
            }
            _ => false,
        },
    }
}

/// One step of [`meanings_read`].
pub fn meanings_read_step(all_read: bool, meaning: &CertificateMeaning) -> bool {
    all_read && meaning_read(meaning)
}

/// Whether the bytes of all certificates are some.
pub fn meanings_read(meanings: &Seq<CertificateMeaning>) -> bool {
    let mut all_read = true;
    for i in 0..meanings.len() {
        all_read = meanings_read_step(all_read, &meanings[i]);
    }
    all_read
}

/// One step of [`sheets_hold`].
pub fn sheets_hold_step(
    all_hold: bool,
    setup: &KzgSetup,
    sheets: &Seq<TableSheet>,
    meanings: &Seq<CertificateMeaning>,
    i: usize,
) -> bool {
    all_hold && i < meanings.len() && sheet_holds(setup, &sheets[i], &meanings[i])
}

/// Whether each certificate holds for its sheet.
pub fn sheets_hold(setup: &KzgSetup, sheets: &Seq<TableSheet>, meanings: &Seq<CertificateMeaning>) -> bool {
    let mut all_hold = true;
    for i in 0..sheets.len() {
        all_hold = sheets_hold_step(all_hold, setup, sheets, meanings, i);
    }
    all_hold
}

/// Whether each step of a transaction is legal, and its certificates hold: `points` are the points
/// of which it has encodings, `meanings` what the bytes of its certificates are.
pub fn certify_tables(
    setup: &KzgSetup,
    dictionary: &ByteString,
    tx: &Transaction,
    items: &Seq<ReceivedCertificate>,
    points: &Seq<TablePoint>,
    meanings: &Seq<CertificateMeaning>,
) -> Result<(), PolicyReason> {
    match judge_tables(dictionary, tx, items, points) {
        Err(why) => Err(why),
        Ok(sheets) => {
            if !meanings_read(meanings) {
                Err(PolicyReason::CertificatesMalformed)
            } else if sheets_hold(setup, &sheets, meanings) {
                Ok(())
            } else {
                Err(PolicyReason::CertificateRefused)
            }
        }
    }
}
