//! The order of one run's rows beside `bls_bulletproofs`, and c-kzg's verification.
//!
//! Bulletproofs commit to the steps from row to row, of 32 bits, and show their range in one
//! aggregated proof. Ours commits to the rows, to their sums and to the sums of their squares, and
//! makes the certificate of all three. Both provers start from numbers, both verifiers from bytes.
//! c-kzg verifies one opening of a blob.
//!
//! Checked: each proof is accepted, and refused of other commitments.

use aardvark_aggregates::{
    About, Certificate, CertificateMasks, KnownSegment, MaskSource, ProverSetup, SheetItem, TableVerifier, prove,
};
use aardvark_dictionary::DictionaryId;
use c_kzg::{Blob, Bytes32, Bytes48, ethereum_kzg_settings};

use super::bulletproofs::Bulletproofs;
use super::options::{Options, TABLE};
use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::report::Report;
use crate::table1::peers::{BLOB_BYTES, failed};
use crate::workload::random::Random;

/// Bits of a step.
const BITS: usize = 32;
/// The name of the peer.
const PEER: &str = "bls_bulletproofs";

/// Measures both.
pub fn run(
    setup: &ProverSetup,
    verifier: &TableVerifier,
    options: &Options,
    report: &mut Report,
) -> Result<(), BenchError> {
    let rows = options.order_rows;
    require(rows.is_power_of_two() && rows <= 512, || "--order-rows must be a power of two, at most 512".to_owned())?;
    eprintln!("the order of {rows} rows");
    let mut random = Random::new(rows as u64);
    let mut numbers: Vec<u64> = (0..rows).map(|_| random.below(u64::from(u32::MAX))).collect();
    numbers.sort_unstable();
    let ours = Ours::new(setup, &numbers)?;
    let size = rows as u64;
    let (sheet, certificate) = ours.prove()?;
    let accepted = |items: &[SheetItem], bytes: &[u8]| {
        Certificate::from_bytes(bytes, BITS)
            .is_ok_and(|certificate| verifier.verify_certificate(&ours.about, items, &certificate).is_ok())
    };
    let others: Vec<SheetItem> = sheet.iter().map(|item| SheetItem { run: 1, ..item.clone() }).collect();
    require(!accepted(&others, &certificate), || "a certificate of another run was accepted".to_owned())?;
    let theirs = Bulletproofs::new(&numbers);
    let (proof, commitments) = theirs.prove()?;
    let turned: Vec<_> = commitments.iter().rev().copied().collect();
    require(rows == 1 || !theirs.verify(&proof, &turned), || "an order in reverse was accepted".to_owned())?;
    let prove = |_| theirs.prove();
    let provers = vec![
        Contender::new((PEER, "order_prove"), size, prove, |_, made| theirs.verify(&made.0, &made.1)),
        Contender::new(("kzg", "order_prove"), size, |_| ours.prove(), |_, made| made.1 == certificate),
    ];
    // A peer's proof takes seconds.
    let effort = Effort { runs: 5, iterations: 5, seconds: 0.1 };
    let mut measured = hold(TABLE, provers, Some((PEER, "order_prove")), &effort)?;
    let (their_verdict, our_verdict) =
        (|_| Ok(theirs.verify(&proof, &commitments)), |_| Ok(accepted(&sheet, &certificate)));
    let verifiers = vec![
        Contender::new((PEER, "order_verify"), size, their_verdict, |_, accepted| *accepted),
        Contender::new(("kzg", "order_verify"), size, our_verdict, |_, accepted| *accepted),
        c_kzg_verify()?,
    ];
    let effort = Effort::iterations(options.repetitions);
    measured.extend(hold(TABLE, verifiers, Some((PEER, "order_verify")), &effort)?);
    for row in measured {
        report.add(match row.scheme {
            "kzg" => row.bytes(certificate.len() as u64),
            PEER => row.bytes(proof.len() as u64),
            _ => row,
        })?;
    }
    Ok(())
}

/// A run and its certificate.
struct Ours<'a> {
    setup: &'a ProverSetup,
    log: usize,
    about: About,
    segment: KnownSegment,
    masks: CertificateMasks,
}

impl<'a> Ours<'a> {
    fn new(setup: &'a ProverSetup, numbers: &[u64]) -> Result<Self, BenchError> {
        let about = About {
            dictionary: DictionaryId([1; 32]),
            table: "meters".to_owned(),
            column: 0,
            schema: [2; 32],
            bits: BITS,
            cap: u64::from(u32::MAX),
            moments: 2,
        };
        let mut source = MaskSource::new([3; 32]);
        let segment = KnownSegment::draw(&mut source, 1, numbers.to_vec(), about.moments);
        let log = (numbers.len() + 4).next_power_of_two().max(8).trailing_zeros() as usize;
        setup.sheet(log)?;
        Ok(Self { setup, log, about, segment, masks: CertificateMasks::draw(&mut source, BITS) })
    }

    /// Commits to the rows and certifies them.
    fn prove(&self) -> Result<(Vec<SheetItem>, Vec<u8>), BenchError> {
        let sheet = self.setup.sheet(self.log)?;
        let record = self.segment.commit(sheet, [0; 32]);
        let items = vec![SheetItem { columns: vec![0; 8], run: 0, revision: 0, segment: 0, record }];
        let certificate = prove(sheet, &self.about, &items, core::slice::from_ref(&self.segment), &self.masks)
            .map_err(|error| BenchError::Wrong(error.to_string()))?;
        Ok((items, certificate.to_bytes()))
    }
}

/// c-kzg's verification of one opening.
fn c_kzg_verify() -> Result<Contender<'static>, BenchError> {
    let settings = ethereum_kzg_settings(0);
    let mut blob = [0; BLOB_BYTES];
    blob.iter_mut().skip(31).step_by(32).zip(1..=u8::MAX).for_each(|(byte, value)| *byte = value);
    let (blob, point) = (Blob::new(blob), Bytes32::new([5; 32]));
    let commitment = settings.blob_to_kzg_commitment(&blob).map_err(failed)?.to_bytes();
    let (proof, value) = settings.compute_kzg_proof(&blob, &point).map_err(failed)?;
    let (commitment, proof): (Bytes48, Bytes48) = (commitment, proof.to_bytes());
    Ok(Contender::new(
        ("c-kzg", "verify"),
        1,
        move |_| settings.verify_kzg_proof(&commitment, &point, &value, &proof).map_err(failed),
        |_, accepted| *accepted,
    ))
}
