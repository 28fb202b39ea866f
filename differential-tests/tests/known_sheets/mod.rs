//! Sheets on setups whose τ everyone knows, as implementation and specification have them.
#![allow(dead_code, reason = "each test uses some of it")]

pub mod linked;

use aardvark_aggregates::{
    About, Certificate, CertificateMasks, KnownSegment, MaskSource, ProverSetup, SheetItem, prove,
};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    G1Affine, G1Projective, G2Affine, Scalar, batch_to_affine, encode_g1, scalar_from_bytes, scalar_to_bytes,
};
use aardvark_dictionary::DictionaryId;
use aardvark_spec::base::group::{G1, g1_multiple, known_exponent};
use aardvark_spec::base::scalar::Scalar as SpecScalar;
use aardvark_spec::commitment::folded_opening::{FoldedOpening, fold_gammas, fold_point};
use aardvark_spec::convert::{
    byte_string, scalar_from_bytes as spec_scalar, scalar_to_bytes as spec_scalar_bytes, to_seq, to_vec,
};
use aardvark_spec::table::certificate_prover as spec_prover;
use aardvark_spec::table::certificate_transcript as spec;
use aardvark_spec::table::known_segment as spec_known;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::sheet as spec_sheet;
use hacspec_lib::Seq;

pub fn multiple_of_generator(exponent: &Scalar) -> G1Projective {
    G1Affine::generator() * exponent
}

pub fn to_spec(scalar: &Scalar) -> SpecScalar {
    spec_scalar(&scalar_to_bytes(scalar))
}

pub fn all_to_spec(scalars: &[Scalar]) -> Seq<SpecScalar> {
    to_seq(scalars.iter().map(to_spec).collect())
}

/// The 48 bytes of an element of the specification.
pub fn encoded(element: G1) -> [u8; 48] {
    let exponent = scalar_from_bytes(&spec_scalar_bytes(known_exponent(element))).unwrap();
    encode_g1(&multiple_of_generator(&exponent).to_affine())
}

/// An element with the implementation's bytes, which must be its own.
pub fn held(element: G1, bytes: [u8; 48]) -> TablePoint {
    assert_eq!(encoded(element), bytes);
    TablePoint { held_element: element, held_bytes: byte_string(&bytes) }
}

/// The scalars of a certificate, as they are written.
fn scalar_bytes(shown: &Certificate) -> Vec<u8> {
    shown.bit_values.iter().chain([&shown.value, &shown.next]).flat_map(scalar_to_bytes).collect()
}

/// A point of which the bytes are known.
fn bytes_only(bytes: [u8; 48]) -> TablePoint {
    TablePoint { held_bytes: byte_string(&bytes), ..TablePoint::default() }
}

/// A certificate by its bytes, from which the specification draws its challenges.
fn written(shown: &Certificate) -> spec::Certificate {
    spec::Certificate {
        certificate_bits: to_seq(shown.bits.iter().map(|point| bytes_only(point.to_bytes())).collect()),
        certificate_values_mask: bytes_only(shown.values_mask.to_bytes()),
        certificate_sums_mask: bytes_only(shown.sums_mask.to_bytes()),
        certificate_quotient: bytes_only(shown.quotient.to_bytes()),
        certificate_scalar_bytes: byte_string(&scalar_bytes(shown)),
        certificate_opening_bytes: byte_string(&shown.opening.quotient.to_bytes()),
        ..spec::Certificate::default()
    }
}

/// The specification's certificate with the implementation's bytes, which must be its own.
fn completed(bare: spec::Certificate, opening: FoldedOpening, shown: &Certificate) -> spec::Certificate {
    let expected: Vec<[u8; 32]> = to_vec(&bare.certificate_bit_values)
        .into_iter()
        .chain([bare.certificate_value, bare.certificate_next])
        .map(spec_scalar_bytes)
        .collect();
    assert_eq!(expected.as_flattened(), scalar_bytes(shown));
    assert_eq!(encoded(opening.folded_quotient), shown.opening.quotient.to_bytes());
    assert_eq!(encoded(opening.folded_witness), shown.opening.witness.to_bytes());
    let both = |point: &TablePoint, bytes: [u8; 48]| held(point.held_element, bytes);
    let bits = to_vec(&bare.certificate_bits);
    spec::Certificate {
        certificate_bits: to_seq(bits.iter().zip(&shown.bits).map(|(bit, b)| both(bit, b.to_bytes())).collect()),
        certificate_values_mask: both(&bare.certificate_values_mask, shown.values_mask.to_bytes()),
        certificate_sums_mask: both(&bare.certificate_sums_mask, shown.sums_mask.to_bytes()),
        certificate_quotient: both(&bare.certificate_quotient, shown.quotient.to_bytes()),
        certificate_scalar_bytes: byte_string(&scalar_bytes(shown)),
        certificate_opening: opening,
        certificate_opening_bytes: byte_string(&shown.opening.quotient.to_bytes()),
        ..bare
    }
}

/// One sheet in both.
pub struct Pair {
    pub tau: Scalar,
    pub size: usize,
    pub setup: ProverSetup,
    pub about: About,
    pub items: Vec<SheetItem>,
    pub segments: Vec<KnownSegment>,
    pub masks: CertificateMasks,
}

impl Pair {
    pub fn new(log: usize, shape: [usize; 2], cap: u64, runs: &[(usize, Vec<u64>)], seed: u8) -> Self {
        Self::with_powers(log, log, shape, cap, runs, seed)
    }

    /// The same with powers for domains of up to 2^most elements. The seed decides τ.
    pub fn with_powers(
        most: usize,
        log: usize,
        [bits, moments]: [usize; 2],
        cap: u64,
        runs: &[(usize, Vec<u64>)],
        seed: u8,
    ) -> Self {
        let tau = Scalar::from(1_000_003) + Scalar::from(u64::from(seed));
        let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take((2 << most) + 2);
        let powers: Vec<_> = powers.map(|power| multiple_of_generator(&power)).collect();
        let setup = ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine());
        let mut source = MaskSource::new([seed; 32]);
        let draw =
            |(first, numbers): &(usize, Vec<u64>)| KnownSegment::draw(&mut source, *first, numbers.clone(), moments);
        let segments: Vec<KnownSegment> = runs.iter().map(draw).collect();
        let item = |(k, segment): (usize, &KnownSegment)| SheetItem {
            columns: vec![seed, k as u8],
            run: k as u32,
            revision: 2,
            segment: 0,
            record: segment.commit(setup.sheet(log).unwrap(), [seed; 32]),
        };
        let items = segments.iter().enumerate().map(item).collect();
        let about = About {
            dictionary: DictionaryId([seed; 32]),
            table: "meters".to_owned(),
            column: 3,
            schema: [4; 32],
            bits,
            cap,
            moments,
        };
        let masks = CertificateMasks::draw(&mut source, bits);
        Self { tau, size: 1 << log, setup, about, items, segments, masks }
    }

    pub fn spec_about(&self) -> spec::CertificateAbout {
        let About { dictionary, table, column, schema, bits, cap, moments } = &self.about;
        spec::CertificateAbout {
            about_dictionary: byte_string(&dictionary.0),
            about_table: byte_string(table.as_bytes()),
            about_column: usize::from(*column),
            about_schema: byte_string(schema),
            about_bits: *bits,
            about_cap: u128::from(*cap),
            about_moments: *moments,
        }
    }

    /// The masks of the certificate, as the specification has them.
    pub fn spec_masks(&self) -> spec_prover::CertificateMasks {
        spec_prover::CertificateMasks {
            masks_bits: all_to_spec(self.masks.bits.as_flattened()),
            masks_values: all_to_spec(&self.masks.values),
            masks_sums: all_to_spec(&self.masks.sums),
        }
    }

    pub fn spec_segments(&self) -> Vec<spec_known::KnownSegment> {
        let segment = |known: &KnownSegment| spec_known::KnownSegment {
            known_first: known.first,
            known_numbers: to_seq(known.numbers.iter().map(|number| u128::from(*number)).collect()),
            known_values_masks: all_to_spec(&known.values_masks),
            known_sums_masks: all_to_spec(known.sums_masks.as_flattened()),
        };
        self.segments.iter().map(segment).collect()
    }

    /// The items, their commitments compared with those of the specification.
    pub fn spec_items(&self) -> Seq<spec_sheet::SheetItem> {
        let tau = to_spec(&self.tau);
        let item = |(item, known): (&SheetItem, &spec_known::KnownSegment)| {
            let sum = |p: usize| g1_multiple(spec_known::sums_at(self.size, known, p, tau));
            let sums = item.record.sums.iter().zip(1..).map(|(bytes, p)| held(sum(p), bytes.to_bytes()));
            let values = g1_multiple(spec_known::values_at(self.size, known, tau));
            spec_sheet::SheetItem {
                item_columns: byte_string(&item.columns),
                item_run: item.run as usize,
                item_revision: item.revision as usize,
                item_segment: item.segment as usize,
                item_record: RunRecord {
                    record_log: usize::from(item.record.log),
                    record_first: usize::from(item.record.first),
                    record_rows: usize::from(item.record.rows),
                    record_values: held(values, item.record.values.to_bytes()),
                    record_root: byte_string(&item.record.root),
                    record_sums: to_seq(sums.collect()),
                },
            }
        };
        to_seq(self.items.iter().zip(&self.spec_segments()).map(item).collect())
    }

    /// The honest certificate.
    pub fn prove(&self) -> Certificate {
        let sheet = self.setup.sheet(self.size.trailing_zeros() as usize).unwrap();
        prove(sheet, &self.about, &self.items, &self.segments, &self.masks).unwrap()
    }

    /// The same as the specification has it, each point compared.
    pub fn specified(&self, shown: &Certificate) -> spec::Certificate {
        let (tau, about, items) = (to_spec(&self.tau), self.spec_about(), self.spec_items());
        let written = written(shown);
        let s0 = spec::certificate_seed(&spec::certificate_statement(&about, &items));
        let s1 = spec::certificate_bits_seed(&s0, &written);
        let s2 = spec::certificate_quotient_seed(&s1, &written);
        let s3 = spec::certificate_values_seed(&s2, &written);
        let drawn = spec::certificate_challenges(&about, items.len(), &s0, &s1, &s2);
        let (gammas, z) = (fold_gammas(&s3, self.about.bits + 3), fold_point(&s3, &written.certificate_opening_bytes));
        let segments = to_seq(self.spec_segments());
        let bare = spec_prover::unopened_certificate(tau, &about, &items, &segments, &self.spec_masks(), &drawn);
        let opening = spec_prover::certificate_opening_of(tau, &about, &items, &drawn, &gammas, z, &bare);
        completed(bare, opening, shown)
    }
}
