(* Translated from spec/src/table/comparison_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Comparisons of rows that are known: what each point and scalar of an honest one must be, under
    given masks and challenges, as whoever has the trapdoor makes it.

    The point [p(τ)]_1 of a polynomial p is the multiple of the generator by its value at τ; the
    quotient's is the combined relation at τ by Z'(τ). Source: docs/tables.md, "Comparisons". *)
From AardvarkSpec Require Export Prelude Base.Scalar Table.DomainValues Table.Sheet Table.KnownSegment
  Table.KnownPoints Table.CertificateProver Table.Comparison.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The masks of one comparison. *)
Record ComparisonMasks : Type := {
  (** The two scalars at the masks of each B_j, bit by bit. *)
  compared_bit_masks : Seq Scalar;
  (** The three coefficients of each R_k, item by compared. *)
  compared_row_masks : Seq Scalar;
}.

#[global] Instance Default_ComparisonMasks : Default ComparisonMasks := {| compared_bit_masks := default; compared_row_masks := default |}.

(** How far a row lies on its threshold's right side; 0 where it lies on the wrong one. *)
Definition compared_difference (compared : ComparedRow) (segment : KnownSegment) : u128 :=
  let number := number_at segment compared.(compared_position) in
  let threshold := compared.(compared_threshold) in
  if compared.(compared_at_most) && (number <=? threshold) then
    threshold - number
  else if negb compared.(compared_at_most) && (threshold <=? number) then
    number - threshold
  else
    0.

(** The number whose bits stand at position i of H'; 0 behind the items. *)
Definition compared_number (items : Seq ComparedRow) (segments : Seq KnownSegment) (i : usize) : u128 :=
  if (i <? seq_length items) && (i <? seq_length segments) then
    compared_difference (seq_at items i) (seq_at segments i)
  else
    0.

(** Element i of B_j: a mask, or bit j of the difference of item i. *)
Definition compared_bit_element
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j i : usize) : Scalar :=
  let n := comparison_size (seq_length items) in
  if mask_position n <=? i then
    scalar_at masks.(compared_bit_masks) (2 * j + (i - mask_position n))
  else
    scalar_of_number (halved (compared_number items segments i) j mod 2).

(** One step of [`compared_bit_vector`]. *)
Definition compared_bit_vector_step
    (vector : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j i : usize) : Seq Scalar :=
  vector ++ [compared_bit_element items segments masks j i].

(** B_j on H'. *)
Definition compared_bit_vector
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (j : usize) : Seq Scalar :=
  fold_left
    (fun vector i => compared_bit_vector_step vector items segments masks j i)
    (range 0 (comparison_size (seq_length items)))
    [].

(** One step of [`compared_bits_at`]. *)
Definition compared_bits_at_step
    (values : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar)
    (j : usize) : Seq Scalar :=
  let vector := compared_bit_vector items segments masks j in
  values ++ [vector_value (comparison_size (seq_length items)) vector x].

(** B_j(x), for so many bits: at τ the commitments, at ζ the values. *)
Definition compared_bits_at
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar) : Seq Scalar :=
  fold_left (fun values j => compared_bits_at_step values items segments masks x j) (range 0 bits) [].

(** R_k(x). *)
Definition compared_mask_at (masks : ComparisonMasks) (k : usize) (x : Scalar) : Scalar :=
  let coefficient_0 := scalar_at masks.(compared_row_masks) (3 * k) in
  let coefficient_1 := scalar_at masks.(compared_row_masks) (3 * k + 1) in
  let coefficient_2 := scalar_at masks.(compared_row_masks) (3 * k + 2) in
  coefficient_0 [+] x [*] (coefficient_1 [+] x [*] coefficient_2).

(** V^_k(y). *)
Definition compared_value_at
    (compared : ComparedRow)
    (segment : KnownSegment)
    (masks : ComparisonMasks)
    (k : usize)
    (y : Scalar) : Scalar :=
  let n := sheet_size compared.(compared_record).(record_log) in
  values_at n segment y [+] rows_vanishing n y [*] compared_mask_at masks k y.

(** One step of [`compared_values_at`]. *)
Definition compared_values_at_step
    (values : Seq Scalar)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar)
    (k : usize) : Seq Scalar :=
  if k <? seq_length segments then
    let y := relocated_point (comparison_size (seq_length items)) (seq_at items k) k x in
    values ++ [compared_value_at (seq_at items k) (seq_at segments k) masks k y]
  else
    values.

(** V^_k(κ_k x), item by compared. *)
Definition compared_values_at
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (x : Scalar) : Seq Scalar :=
  fold_left
    (fun values k => compared_values_at_step values items segments masks x k)
    (range 0 (seq_length items))
    [].

(** One step of [`compared_masks_at`]. *)
Definition compared_masks_at_step
    (values : Seq Scalar)
    (masks : ComparisonMasks)
    (x : Scalar)
    (k : usize) : Seq Scalar :=
  values ++ [compared_mask_at masks k x].

(** R_k(x), item by compared. *)
Definition compared_masks_at (items : Seq ComparedRow) (masks : ComparisonMasks) (x : Scalar) : Seq Scalar :=
  fold_left (fun values k => compared_masks_at_step values masks x k) (range 0 (seq_length items)) [].

(** Q(x), for x off H'. *)
Definition compared_quotient_at
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (drawn : ComparisonChallenges)
    (x : Scalar) : Scalar :=
  comparison_quotient_value
    items
    drawn.(compared_betas)
    (compared_bits_at bits items segments masks x)
    (compared_values_at items segments masks x)
    x.

(** What a comparison of rows of known segments, one an compared, must be under given challenges,
    but for its encodings, as whoever has the trapdoor makes it. *)
Definition unopened_comparison
    (tau : Scalar)
    (bits : usize)
    (items : Seq ComparedRow)
    (segments : Seq KnownSegment)
    (masks : ComparisonMasks)
    (drawn : ComparisonChallenges) : Comparison :=
  let zeta := drawn.(compared_zeta) in
  {| comparison_bits := unencoded_points (compared_bits_at bits items segments masks tau);
    comparison_masks := unencoded_points (compared_masks_at items masks tau);
    comparison_quotient := unencoded_point (compared_quotient_at bits items segments masks drawn tau);
    comparison_bit_values := compared_bits_at bits items segments masks zeta;
    comparison_values := compared_values_at items segments masks zeta;
    comparison_scalar_bytes := [] |}.

End Specification.
