//! Programs inside the subset: each `case_..` function of `inside/` is run by Rust, and its
//! translation by Coq. They must agree on the value, and on whether there is one: where Rust
//! panics, the generated condition must say so.

// The programs are in the style of the specification, and overflow on purpose.
#![allow(arithmetic_overflow, unconditional_panic, unused, missing_docs, unexpected_cfgs, clippy::all)]

#[path = "inside/attempts.rs"]
mod attempts;
#[path = "inside/choices.rs"]
mod choices;
#[path = "inside/hash.rs"]
mod hash;
#[path = "inside/loops.rs"]
mod loops;
#[path = "inside/naming.rs"]
mod naming;
#[path = "inside/nested/mod.rs"]
mod nested;
#[path = "inside/numbers.rs"]
mod numbers;
#[path = "inside/qualified.rs"]
mod qualified;
#[path = "inside/records.rs"]
mod records;
#[path = "inside/scalar.rs"]
mod scalar;
#[path = "inside/sequences.rs"]
mod sequences;

mod common;
#[path = "common/coq.rs"]
mod coq;

use std::path::PathBuf;

use aardvark_translator::{translate, write};
use coq::ToCoq;
use nested::deeper;

/// A case: its name, and what it is in Rust: a value as Coq writes it, or a panic.
type Case = (&'static str, Option<String>);

macro_rules! cases {
    ($($module:ident: $($case:ident),+;)+) => {
        vec![$($((stringify!($case), common::caught(|| $module::$case().to_coq())),)+)+]
    };
}

fn cases() -> Vec<Case> {
    cases![
        numbers: case_mixed_sum, case_constants, case_left_associative, case_parentheses, case_division_rounds_down,
            case_comparisons, case_greater_is_not_less, case_largest_byte, case_byte_overflows,
            case_byte_product_overflows, case_word_product_fits, case_difference, case_difference_underflows,
            case_guarded_difference, case_quotient, case_division_by_zero, case_remainder_by_zero, case_cast_widens,
            case_cast_cuts_off, case_intermediate_overflow;
        choices: case_else_if, case_and_stops, case_or_stops, case_and_goes_on, case_and_binds_tighter_than_or, case_not,
            case_number_patterns, case_tuple_patterns, case_nested_patterns, case_first_arm_wins,
            case_siblings_share_names, case_only_the_branch_taken, case_panic_in_the_branch_taken,
            case_equality_of_booleans;
        sequences: case_literal, case_length, case_index, case_index_out_of_range, case_guarded_index, case_push,
            case_concat, case_new_is_filled, case_slice, case_slice_out_of_range, case_with_capacity_is_empty, case_nested,
            case_numbers, case_old_value_stays;
        loops: case_sum, case_empty_range, case_range_within, case_range_fixed_before_the_first_run,
            case_body_with_bindings, case_assignments_in_a_line, case_two_loops, case_read_past_the_end,
            case_overflow_in_the_last_run, case_overflow_just_avoided, case_search;
        records: case_fields_by_name, case_nested_fields, case_copy_with_a_change, case_variants, case_negative_area,
            case_default_elements, case_record_as_accumulator;
        attempts: case_option, case_result, case_failure_before_a_panic, case_panic_before_a_failure,
            case_panic_comes_first, case_in_a_branch, case_tuple_after_attempt, case_unit_result;
        naming: case_keywords, case_keyword_fields, case_constructors_of_the_library, case_names_of_the_library,
            case_binding_named_nil;
        scalar: case_given_root, case_wraps_below_zero, case_wraps_above, case_order_of_operations, case_inverse,
            case_power, case_equality, case_scalar_default;
        qualified: case_qualified_call, case_given_hash;
        deeper: case_names_of_a_folder, case_panic_in_another_module_of_a_folder;
    ]
}

/// Scalars modulo r, and the given functions as `inside/` has them.
const INSTANCES: &str = "
Definition modulus := 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001.
Fixpoint power (x : N) (n : positive) : N :=
  match n with
  | xH => x
  | xO n => let y := power x n in (y * y) mod modulus
  | xI n => let y := power x n in ((y * y) mod modulus * x) mod modulus
  end.
#[local] Instance modular : ScalarOperations := {|
  Scalar := N;
  scalar_add a b := (a + b) mod modulus;
  scalar_sub a b := (a + (modulus - b)) mod modulus;
  scalar_mul a b := (a * b) mod modulus;
  scalar_eqb := N.eqb;
  scalar_inv x := match modulus - 2 with N0 => x | Npos n => power x n end;
  scalar_of_N n := n mod modulus;
|}.
#[local] Instance root : ScalarGiven := {| root_of_unity_4096 := root_of_unity_4096_of_spec |}.
#[local] Instance hashes : HashGiven := {|
  tagged_hash tag x := tag ++ x ++ [61];
  hash_to_scalar message dst := scalar_of_N (seq_length message * 1000 + seq_length dst);
|}.
";

#[test]
fn what_rust_computes_coq_computes() {
    let cases = cases();
    assert!(cases.len() >= 40, "only {} programs", cases.len());
    let programs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/inside");
    let generated = translate(&programs).unwrap();
    let text: String = generated.iter().map(|file| file.text.as_str()).collect();
    let mut checks = String::new();
    for (case, value) in &cases {
        let twin = text.contains(&format!("Definition {case}_safe"));
        let safe = if twin { format!("{case}_safe") } else { "true".to_owned() };
        let outcome = match value {
            Some(value) => format!("({case}, {safe}) = ({value}, true)"),
            None => format!("{safe} = false"),
        };
        checks.push_str(&format!("Goal {outcome}. (* {case} *)\nProof. vm_compute. reflexivity. Qed.\n"));
    }
    let panics = cases.iter().filter(|(_, value)| value.is_none()).count();
    assert!(panics >= 15 || !common::overflow_panics(), "only {panics} programs panic");
    let folder = tempfile::tempdir().unwrap();
    write(&generated, folder.path()).unwrap();
    let requires: Vec<String> =
        generated.iter().map(|file| file.name.trim_end_matches(".v").replace('/', ".")).collect();
    let driver = format!(
        "From Coq Require Import NArith List Bool.\nImport ListNotations.\nFrom AardvarkSpec Require Import {}.\n\
         Open Scope bool_scope.\nOpen Scope list_scope.\nOpen Scope N_scope.\n{INSTANCES}\n{checks}",
        requires.join(" ")
    );
    std::fs::write(folder.path().join("Driver.v"), driver).unwrap();
    let mut files: Vec<String> = generated.into_iter().map(|file| file.name).collect();
    files.push("Driver.v".to_owned());
    match coq::compile(folder.path(), &files) {
        coq::Outcome::Compiled => {}
        coq::Outcome::Skipped => common::say("SKIPPED: coqc is not installed, so no program was compared with Coq"),
        coq::Outcome::Failed(report) => panic!("{report}"),
    }
}
