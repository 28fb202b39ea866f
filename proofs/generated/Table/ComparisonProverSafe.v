(* Translated from spec/src/table/comparison_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.ComparisonProver Base.ScalarSafe Table.DomainValuesSafe Table.SheetSafe
  Table.KnownSegmentSafe Table.KnownPointsSafe Table.CertificateProverSafe Table.ComparisonSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [compared_bit_element] does not panic. *)
Definition compared_bit_element_safe
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j i : usize) : bool :=
  comparison_size_safe (seq_length items) &&
  (let n := comparison_size (seq_length items) in
    if mask_position n <=? i then
      within_usize (2 * j) && within_usize (2 * j + (i - mask_position n))
    else
      true).

(** When [compared_bit_vector_step] does not panic. *)
Definition compared_bit_vector_step_safe
    (vector : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j i : usize) : bool :=
  compared_bit_element_safe items segments masks j i.

(** When [compared_bit_vector] does not panic. *)
Definition compared_bit_vector_safe
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j : usize) : bool :=
  comparison_size_safe (seq_length items) &&
  (loop_safe
      (fun vector i => compared_bit_vector_step vector items segments masks j i)
      (fun vector i => compared_bit_vector_step_safe vector items segments masks j i)
      (range 0 (comparison_size (seq_length items)))
      []).

(** When [compared_bits_at_step] does not panic. *)
Definition compared_bits_at_step_safe
    (values : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar)
    (j : usize) : bool :=
  compared_bit_vector_safe items segments masks j &&
  (let vector := compared_bit_vector items segments masks j in
    comparison_size_safe (seq_length items) &&
    vector_value_safe (comparison_size (seq_length items)) vector x).

(** When [compared_bits_at] does not panic. *)
Definition compared_bits_at_safe
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar) : bool :=
  loop_safe
    (fun values j => compared_bits_at_step values items segments masks x j)
    (fun values j => compared_bits_at_step_safe values items segments masks x j)
    (range 0 bits)
    [].

(** When [compared_mask_at] does not panic. *)
Definition compared_mask_at_safe (masks : ComparisonMasks) (k : usize) (x : Scalar) : bool :=
  within_usize (3 * k) &&
  (within_usize (3 * k) && within_usize (3 * k + 1) && (within_usize (3 * k) && within_usize (3 * k + 2))).

(** When [compared_value_at] does not panic. *)
Definition compared_value_at_safe
    (compared : ComparedRow)
    (segment : KnownSegment)
    (masks : ComparisonMasks)
    (k : usize)
    (y : Scalar) : bool :=
  sheet_size_safe compared.(compared_record).(record_log) &&
  (let n := sheet_size compared.(compared_record).(record_log) in
    values_at_safe n segment y && (rows_vanishing_safe n y && compared_mask_at_safe masks k y)).

(** When [compared_values_at_step] does not panic. *)
Definition compared_values_at_step_safe
    (values : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar)
    (k : usize) : bool :=
  if k <? seq_length segments then
    comparison_size_safe (seq_length items) && (k <? seq_length items) &&
    relocated_point_safe (comparison_size (seq_length items)) (seq_at items k) k x &&
    (let y := relocated_point (comparison_size (seq_length items)) (seq_at items k) k x in
      (k <? seq_length items) && (k <? seq_length segments) &&
      compared_value_at_safe (seq_at items k) (seq_at segments k) masks k y)
  else
    true.

(** When [compared_values_at] does not panic. *)
Definition compared_values_at_safe
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar) : bool :=
  loop_safe
    (fun values k => compared_values_at_step values items segments masks x k)
    (fun values k => compared_values_at_step_safe values items segments masks x k)
    (range 0 (seq_length items))
    [].

(** When [compared_masks_at_step] does not panic. *)
Definition compared_masks_at_step_safe
    (values : Seq Scalar)
    (masks : ComparisonMasks)
    (x : Scalar)
    (k : usize) : bool :=
  compared_mask_at_safe masks k x.

(** When [compared_masks_at] does not panic. *)
Definition compared_masks_at_safe (items : Seq ComparedRow) (masks : ComparisonMasks) (x : Scalar) : bool :=
  loop_safe
    (fun values k => compared_masks_at_step values masks x k)
    (fun values k => compared_masks_at_step_safe values masks x k)
    (range 0 (seq_length items))
    [].

(** When [compared_quotient_at] does not panic. *)
Definition compared_quotient_at_safe
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (drawn : ComparisonChallenges)
    (x : Scalar) : bool :=
  compared_bits_at_safe bits items segments masks x && compared_values_at_safe items segments masks x &&
  comparison_quotient_value_safe
    items
    drawn.(compared_betas)
    (compared_bits_at bits items segments masks x)
    (compared_values_at items segments masks x)
    x.

(** When [unopened_comparison] does not panic. *)
Definition unopened_comparison_safe
    (tau : Scalar)
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (drawn : ComparisonChallenges) : bool :=
  let zeta := drawn.(compared_zeta) in
  compared_bits_at_safe bits items segments masks tau &&
  unencoded_points_safe (compared_bits_at bits items segments masks tau) &&
  (compared_masks_at_safe items masks tau && unencoded_points_safe (compared_masks_at items masks tau)) &&
  compared_quotient_at_safe bits items segments masks drawn tau &&
  compared_bits_at_safe bits items segments masks zeta &&
  compared_values_at_safe items segments masks zeta.

End Specification.
