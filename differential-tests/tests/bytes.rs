//! Bytes that went wrong on the way: whatever still decodes is a block like any other, and both
//! sides say the same of it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_dictionary::{Block, ImportBlock, Transaction};
use differential_tests::damage::{damage, damaged};
use differential_tests::pair::{Pair, Verdict};
use differential_tests::plan::SchemePlan;
use differential_tests::setting::Setting;
use differential_tests::strategies::histories;
use proptest::prelude::*;
use proptest::sample::Index;

/// Decoding is total and canonical: an error, or a block with exactly these bytes.
fn decoded(bytes: &[u8], vector_size: u32) -> Option<Block> {
    let block = Block::decode_unlimited(bytes, vector_size, u32::MAX).ok()?;
    assert_eq!(block.encode(), bytes, "two encodings of {block:?}");
    Some(block)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_block_damaged_on_the_way_is_refused_or_judged_alike(
        mut plan in histories(SchemePlan::Kzg),
        damages in proptest::collection::vec((any::<Index>(), damage()), 1..8),
    ) {
        plan.genesis.truncate(9);
        let setting = Setting::of_plan(&plan);
        let genesis = setting.genesis(&plan.genesis);
        let vector_size = setting.parameters.vector_size;
        let mut pair = Pair::new(setting, &genesis).map_err(TestCaseError::fail)?;
        pair.threads = false;
        for block in &plan.blocks {
            let honest = pair.builder().block(block);
            let mut bytes = honest.encode();
            for (_, damage) in damages.iter().filter(|(which, _)| which.index(plan.blocks.len()) % 2 == 0) {
                bytes = if bytes.is_empty() { honest.encode() } else { damaged(&bytes, damage) };
                if let Some(block) = decoded(&bytes, vector_size) {
                    pair.judge(&block).map_err(TestCaseError::fail)?;
                }
            }
            if let Verdict::Refused(_) = pair.step(&honest).map_err(TestCaseError::fail)? {
                break;
            }
        }
    }

    #[test]
    fn random_bytes_never_stop_a_decoder(bytes in proptest::collection::vec(any::<u8>(), 0..300), format in 0..4u8) {
        let with_format = [&[format], &*bytes].concat();
        for bytes in [&bytes, &with_format] {
            if let Ok(transaction) = Transaction::decode(bytes) {
                prop_assert_eq!(&transaction.encode(), bytes);
            }
            if let Ok(import) = ImportBlock::decode(bytes) {
                prop_assert_eq!(&import.encode(), bytes);
            }
            decoded(bytes, 2);
        }
    }
}
