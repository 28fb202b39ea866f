//! Sheets that continue a run.

use aardvark_aggregates::{Certificate, KnownLink, Record, prove_behind};
use aardvark_algebra::{Scalar, scalar_to_bytes};
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::convert::{byte_string, scalar_to_bytes as spec_scalar_bytes, to_seq, to_vec};
use aardvark_spec::table::certificate_transcript as spec;
use aardvark_spec::table::linked_certificate::{
    LinkedCertificate, linked_bits_seed, linked_statement, linked_values_seed,
};
use aardvark_spec::table::linked_certificate_prover as spec_prover;
use aardvark_spec::table::run_record::RunRecord;

use super::{Pair, all_to_spec, bytes_only, completed, held, to_spec, written};

/// A sheet whose last run the first one of another sheet continues; a mask R_l.
pub struct LinkedPair {
    pub before: Pair,
    pub after: Pair,
    pub mask: [Scalar; 3],
}

type Runs<'a> = &'a [(usize, Vec<u64>)];

impl LinkedPair {
    pub fn new(shape: [usize; 2], cap: u64, before: (usize, Runs<'_>), after: (usize, Runs<'_>), seed: u8) -> Self {
        let most = before.0.max(after.0);
        let before = Pair::with_powers(most, before.0, shape, cap, before.1, seed);
        let mut after = Pair::with_powers(most, after.0, shape, cap, after.1, seed);
        after.items[0].segment = 3;
        let mask = [1, 2, 3].map(|i| Scalar::from(u64::from(seed) * 1_000_003 + i));
        Self { before, after, mask }
    }

    /// The record of the segment before the first.
    pub fn record(&self) -> &Record {
        &self.before.items.last().unwrap().record
    }

    /// The same as the specification has it.
    pub fn spec_record(&self) -> RunRecord {
        to_vec(&self.before.spec_items()).last().unwrap().item_record.clone()
    }

    /// The honest certificate of the sheet behind.
    pub fn prove(&self) -> Certificate {
        let Self { before, after, mask } = self;
        let known = KnownLink {
            record: self.record(),
            segment: before.segments.last().unwrap(),
            setup: after.setup.sheet(before.size.trailing_zeros() as usize).unwrap(),
            mask: *mask,
        };
        let sheet = after.setup.sheet(after.size.trailing_zeros() as usize).unwrap();
        prove_behind(sheet, &after.about, Some(&known), &after.items, &after.segments, &after.masks).unwrap()
    }

    /// The same as the specification has it, each point compared.
    pub fn specified(&self, shown: &Certificate) -> LinkedCertificate {
        let Self { before, after, mask } = self;
        let part = shown.link.as_ref().unwrap();
        let (tau, about, items) = (to_spec(&after.tau), after.spec_about(), after.spec_items());
        let known = spec_prover::KnownLink {
            link_record: self.spec_record(),
            link_rows: before.spec_segments().pop().unwrap(),
            link_masks: all_to_spec(mask),
        };
        let value_bytes = byte_string(&scalar_to_bytes(&part.value));
        let bytes = LinkedCertificate {
            linked_body: written(shown),
            linked_mask: bytes_only(part.mask.to_bytes()),
            linked_value_bytes: value_bytes.clone(),
            ..LinkedCertificate::default()
        };
        let s0 = spec::certificate_seed(&linked_statement(&about, &known.link_record, &items));
        let s1 = linked_bits_seed(&s0, &bytes);
        let s2 = spec::certificate_quotient_seed(&s1, &bytes.linked_body);
        let s3 = linked_values_seed(&s2, &bytes);
        let drawn = spec::certificate_challenges(&about, items.len(), &s0, &s1, &s2);
        let opening_bytes = &bytes.linked_body.certificate_opening_bytes;
        let (gammas, z) = (fold_gammas(&s3, after.about.bits + 4), fold_point(&s3, opening_bytes));
        let (segments, masks) = (to_seq(after.spec_segments()), after.spec_masks());
        let bare = spec_prover::unopened_linked_certificate(tau, &about, &known, &items, &segments, &masks, &drawn);
        assert_eq!(spec_scalar_bytes(bare.linked_value), scalar_to_bytes(&part.value));
        let opening = spec_prover::linked_opening_of(tau, &about, &known, &items, &drawn, &gammas, z, &bare);
        LinkedCertificate {
            linked_body: completed(bare.linked_body, opening, shown),
            linked_mask: held(bare.linked_mask.held_element, part.mask.to_bytes()),
            linked_value: bare.linked_value,
            linked_value_bytes: value_bytes,
        }
    }
}
