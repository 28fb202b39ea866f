//! Sheets with known rows, on a setup whose τ is known or on the ceremony.
#![allow(dead_code, reason = "each test uses some of it")]

pub mod compared;

use std::sync::OnceLock;

use aardvark_aggregates::certificate::statement::statement;
use aardvark_aggregates::fold::fold_point;
use aardvark_aggregates::{
    About, Certificate, CertificateError, CertificateMasks, KnownSegment, MaskSource, ProverSetup, SheetItem,
    SheetSetup, TableVerifier, prove,
};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, G2Affine, Scalar, TaggedHash, batch_to_affine, scalar_to_bytes};
use aardvark_commitment::Opening;
use aardvark_dictionary::DictionaryId;

/// The τ that everyone knows.
pub fn tau() -> Scalar {
    Scalar::from(987_654_321)
}

/// Powers of a τ, enough for domains of 32.
pub fn setup_of(tau: Scalar) -> ProverSetup {
    let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(66);
    let powers: Vec<_> = powers.map(|power| G1Affine::generator() * power).collect();
    ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine())
}

/// The setup with the known τ.
pub fn setup() -> &'static ProverSetup {
    static SETUP: OnceLock<ProverSetup> = OnceLock::new();
    SETUP.get_or_init(|| setup_of(tau()))
}

/// A verifier on the setup with the known τ.
pub fn verifier() -> TableVerifier {
    TableVerifier::new(setup().tau_g2())
}

/// A point moved by a multiple of the generator.
pub fn moved(opening: &Opening, step: Scalar) -> Opening {
    let sum = G1Projective::from(opening.point()) + G1Affine::generator() * step;
    Opening::from_point_unchecked(G1Affine::from(sum))
}

/// A sheet.
pub struct Scene {
    pub setup: &'static ProverSetup,
    pub log: usize,
    pub verifier: TableVerifier,
    pub about: About,
    pub segments: Vec<KnownSegment>,
    pub items: Vec<SheetItem>,
    pub masks: CertificateMasks,
}

impl Scene {
    /// Runs as first positions and numbers, on the setup with the known τ.
    pub fn new(log: usize, bits: usize, cap: u64, moments: usize, runs: &[(usize, Vec<u64>)]) -> Self {
        Self::on(setup(), log, [bits, moments], cap, runs)
    }

    /// The same on the Ethereum ceremony.
    pub fn on_the_ceremony(log: usize, bits: usize, cap: u64, moments: usize, runs: &[(usize, Vec<u64>)]) -> Self {
        static SETUP: OnceLock<ProverSetup> = OnceLock::new();
        Self::on(SETUP.get_or_init(|| ProverSetup::ethereum(None).unwrap()), log, [bits, moments], cap, runs)
    }

    fn on(
        setup: &'static ProverSetup,
        log: usize,
        [bits, moments]: [usize; 2],
        cap: u64,
        runs: &[(usize, Vec<u64>)],
    ) -> Self {
        let sheet = setup.sheet(log).unwrap();
        let mut source = MaskSource::new([7; 32]);
        let draw =
            |(first, numbers): &(usize, Vec<u64>)| KnownSegment::draw(&mut source, *first, numbers.clone(), moments);
        let segments: Vec<KnownSegment> = runs.iter().map(draw).collect();
        let item = |(k, segment): (usize, &KnownSegment)| SheetItem {
            columns: vec![k as u8; 4],
            run: k as u32,
            revision: 0,
            segment: 0,
            record: segment.commit(sheet, [9; 32]),
        };
        let items = segments.iter().enumerate().map(item).collect();
        let about = About {
            dictionary: DictionaryId([1; 32]),
            table: "meters".to_owned(),
            column: 0,
            schema: [2; 32],
            bits,
            cap,
            moments,
        };
        let masks = CertificateMasks::draw(&mut source, bits);
        Self { setup, log, verifier: TableVerifier::new(setup.tau_g2()), about, segments, items, masks }
    }

    pub fn sheet(&self) -> &'static SheetSetup {
        self.setup.sheet(self.log).unwrap()
    }

    pub fn certificate(&self) -> Certificate {
        prove(self.sheet(), &self.about, &self.items, &self.segments, &self.masks).unwrap()
    }

    pub fn verdict(&self, certificate: &Certificate) -> Result<(), CertificateError> {
        self.verifier.verify_certificate(&self.about, &self.items, certificate)
    }

    /// z of a certificate's fold.
    pub fn fold_point(&self, shown: &Certificate) -> Scalar {
        let seed = |tag, before: &[u8], bytes: Vec<u8>| TaggedHash::new(tag).chain(before).chain(bytes).finalize();
        let masks = [shown.values_mask, shown.sums_mask];
        let fixed: Vec<u8> = shown.bits.iter().chain(&masks).flat_map(Opening::to_bytes).collect();
        let scalars = shown.bit_values.iter().chain([&shown.value, &shown.next]).flat_map(scalar_to_bytes).collect();
        let s0 = seed("AARDVARK-V1-CERTIFICATE", &[], statement(&self.about, &self.items));
        let s1 = seed("AARDVARK-V1-CERTIFICATE-BITS", &s0, fixed);
        let s2 = seed("AARDVARK-V1-CERTIFICATE-QUOTIENT", &s1, shown.quotient.to_bytes().to_vec());
        let s3 = seed("AARDVARK-V1-CERTIFICATE-VALUES", &s2, scalars);
        fold_point(&s3, &shown.opening.quotient)
    }
}
