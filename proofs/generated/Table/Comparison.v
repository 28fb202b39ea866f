(* Translated from spec/src/table/comparison.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Comparisons: rows of segments, of any domains, are at least or at most given thresholds.

    Item k < m is the row at position pos_k of a segment with the values V_k on a domain of N_k
    elements; σ_k = 1 where the row is to be at least x_k, and -1 where it is to be at most x_k. The
    rows are relocated into a domain H' of N' elements, N' the least power of two of at least max(4,
    m + 2), with generator ω' and Lagrange polynomials L'_k: with κ_k = ω_k^(pos_k) / ω'^k and
    V^_k = V_k + Z_k R_k, these vanish on H' but for its masks; combined by the β they are Z' Q:

    ```text
    bits        (β_j)   B_j² - B_j
    comparison  (β_D)   Σ_k σ_k L'_k(X) (V^_k(κ_k X) - x_k) - Σ_j 2^j B_j(X)
    ```

    So each σ_k (row - x_k) is a number of l bits, hence not negative: rows and thresholds are below
    2^64, and l is at most 64. The verifier draws ζ and has the fold of the answer show the claims
    (B_j, ζ, b_j), (C_k + Z_k(κ_k ζ) R_k, κ_k ζ, v_k), (Q, ζ, q), whose q is the combined relation
    at ζ by Z'(ζ). The seeds of comparison number i, of the answer's seed a0:

    ```text
    item = u32 run || u32 segment || record || u16 pos || u8 (0 at least, 1 at most) || u64 x
    c0 = H("AARDVARK-V1-COMPARISON", a0 || u32 i || item* )
    s1 = H("AARDVARK-V1-COMPARISON-BITS", c0 || B_j* || R_k* )         β = challenge(s1, 0 ..= l)
    s2 = H("AARDVARK-V1-COMPARISON-QUOTIENT", s1 || Q)                ζ = challenge(s2, 0)
    s3 = H("AARDVARK-V1-COMPARISON-VALUES", s2 || b_j* || v_k* )       for the answer's fold
    ```

    Source: docs/tables.md, "Comparisons". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The most items of a comparison. *)
Definition MAX_COMPARED : usize :=
  1022.

(** The domain of the most items has 4 times 2 to this many elements. *)
Definition MAX_DOUBLINGS : usize :=
  8.

(** Thresholds are below 2^64. *)
Definition THRESHOLD_BOUND : u128 :=
  18446744073709551616.

(** A row that is compared. *)
Record ComparedRow : Type := {
  (** The place of its run among those of the answer. *)
  compared_run : usize;
  (** The number of its segment within the run; 0 for the first. *)
  compared_segment : usize;
  (** The segment's record. *)
  compared_record : RunRecord;
  (** The row's position on the record's domain. *)
  compared_position : usize;
  (** Whether it is to be at most the threshold, instead of at least. *)
  compared_at_most : bool;
  (** The threshold. *)
  compared_threshold : u128;
}.

#[global] Instance Default_ComparedRow : Default ComparedRow := {| compared_run := default; compared_segment := default; compared_record := default; compared_position := default; compared_at_most := default; compared_threshold := default |}.

(** A comparison: its points and its scalars. *)
Record Comparison : Type := {
  (** The commitments to B_j. *)
  comparison_bits : Seq TablePoint;
  (** The commitments to R_k. *)
  comparison_masks : Seq TablePoint;
  (** The commitment to Q. *)
  comparison_quotient : TablePoint;
  (** b_j. *)
  comparison_bit_values : Seq Scalar;
  (** v_k. *)
  comparison_values : Seq Scalar;
  (** The encodings of b_j and v_k: 32 bytes each, highest first. *)
  comparison_scalar_bytes : ByteString;
}.

#[global] Instance Default_Comparison : Default Comparison := {| comparison_bits := default; comparison_masks := default; comparison_quotient := default; comparison_bit_values := default; comparison_values := default; comparison_scalar_bytes := default |}.

(** Why a comparison is not accepted. *)
Inductive ComparisonFault : Type :=
(** There are no items, or too many, or one is no row of its segment. *)
| ComparisonFault_ItemsIllegal
(** There are not as many bits, masks or values as there have to be. *)
| ComparisonFault_ComparisonMisshapen
(** ζ lies on H', or κ_k ζ on the domain of item k. *)
| ComparisonFault_PointOnDomain.

(** The challenges of a comparison. *)
Record ComparisonChallenges : Type := {
  (** β: one a bit, then β_D. *)
  compared_betas : Seq Scalar;
  (** ζ. *)
  compared_zeta : Scalar;
}.

#[global] Instance Default_ComparisonChallenges : Default ComparisonChallenges := {| compared_betas := default; compared_zeta := default |}.

(** The tag of the first seed. *)
Definition tag_comparison : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 67; 79; 77; 80; 65; 82; 73; 83; 79; 78].

(** The tag of the second seed. *)
Definition tag_comparison_bits : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    67;
    79;
    77;
    80;
    65;
    82;
    73;
    83;
    79;
    78;
    45;
    66;
    73;
    84;
    83].

(** The tag of the third seed. *)
Definition tag_comparison_quotient : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    67;
    79;
    77;
    80;
    65;
    82;
    73;
    83;
    79;
    78;
    45;
    81;
    85;
    79;
    84;
    73;
    69;
    78;
    84].

(** The tag of the fourth seed. *)
Definition tag_comparison_values : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    67;
    79;
    77;
    80;
    65;
    82;
    73;
    83;
    79;
    78;
    45;
    86;
    65;
    76;
    85;
    69;
    83].

(** `u32 run || u32 segment || record || u16 pos || u8 (0 at least, 1 at most) || u64 x`. *)
Definition encode_compared_row (compared : ComparedRow) : ByteString :=
  u32_bytes compared.(compared_run) ++
  u32_bytes compared.(compared_segment) ++
  encode_run_record compared.(compared_record) ++
  u16_bytes compared.(compared_position) ++
  u8_bytes (if compared.(compared_at_most) then 1 else 0) ++
  big_endian compared.(compared_threshold) 8.

(** One step of [`encode_compared_rows`]. *)
Definition encode_compared_rows_step (encoded : ByteString) (compared : ComparedRow) : ByteString :=
  encoded ++ encode_compared_row compared.

(** The items as bytes, one after the other. *)
Definition encode_compared_rows (items : Seq ComparedRow) : ByteString :=
  fold_left
    (fun encoded k => encode_compared_rows_step encoded (seq_at items k))
    (range 0 (seq_length items))
    [].

(** c0 of comparison number i, of an answer's seed. *)
Definition comparison_seed (answer_seed : ByteString) (i : usize) (items : Seq ComparedRow) : ByteString :=
  let bound := answer_seed ++ u32_bytes i ++ encode_compared_rows items in
  tagged_hash tag_comparison bound.

(** s1, once the bits and the masks are fixed. *)
Definition comparison_bits_seed (c0 : ByteString) (shown : Comparison) : ByteString :=
  let fixed := encode_table_points shown.(comparison_bits) ++ encode_table_points shown.(comparison_masks) in
  tagged_hash tag_comparison_bits (c0 ++ fixed).

(** s2, once the quotient is fixed. *)
Definition comparison_quotient_seed (s1 : ByteString) (shown : Comparison) : ByteString :=
  tagged_hash tag_comparison_quotient (s1 ++ shown.(comparison_quotient).(held_bytes)).

(** s3, once the values are fixed. *)
Definition comparison_values_seed (s2 : ByteString) (shown : Comparison) : ByteString :=
  tagged_hash tag_comparison_values (s2 ++ shown.(comparison_scalar_bytes)).

(** The challenges from s1 and s2, for so many bits. *)
Definition comparison_challenges (bits : usize) (s1 s2 : ByteString) : ComparisonChallenges :=
  {| compared_betas := fold_gammas s1 (bits + 1); compared_zeta := fold_challenge s2 0 |}.

(** One step of [`comparison_size`]. *)
Definition comparison_size_step (least items : usize) : usize :=
  if items + 2 <=? least then least else least * 2.

(** N': the least power of two of at least max(4, m + 2), for at most 1,022 items. *)
Definition comparison_size (items : usize) : usize :=
  fold_left (fun least _i => comparison_size_step least items) (range 0 MAX_DOUBLINGS) 4.

(** κ_k x: where the polynomial of item k is looked at for the point x of H'. *)
Definition relocated_point (n : usize) (compared : ComparedRow) (k : usize) (x : Scalar) : Scalar :=
  let place :=
    domain_point (sheet_size compared.(compared_record).(record_log)) compared.(compared_position)
  in
  place [*] scalar_inverse (domain_point n k) [*] x.

(** σ_k y. *)
Definition signed_value (compared : ComparedRow) (y : Scalar) : Scalar :=
  if compared.(compared_at_most) then scalar_zero [-] y else y.

(** One step of [`compared_differences`]. *)
Definition compared_differences_step
    (total : Scalar)
    (n : usize)
    (compared : ComparedRow)
    (found x : Scalar)
    (k : usize) : Scalar :=
  let difference := found [-] scalar_of_number compared.(compared_threshold) in
  total [+] lagrange_value n k x [*] signed_value compared difference.

(** Σ σ_k L'_k(x) (v_k - x_k), of values v_k of V^_k at κ_k x. *)
Definition compared_differences
    (n : usize)
    (items : Seq ComparedRow)
    (values : Seq Scalar)
    (x : Scalar) : Scalar :=
  fold_left
    (fun total k => compared_differences_step total n (seq_at items k) (scalar_at values k) x k)
    (range 0 (seq_length items))
    scalar_zero.

(** The combined relation at x, of the values of B_j there, and of V^_k at κ_k x. *)
Definition comparison_relation
    (items : Seq ComparedRow)
    (betas bit_values values : Seq Scalar)
    (x : Scalar) : Scalar :=
  let differences := compared_differences (comparison_size (seq_length items)) items values x in
  bits_relation bit_values betas [+]
  scalar_at betas (seq_length bit_values) [*] (differences [-] weighted_bits bit_values).

(** q: what Q must be at x off H', of the same values. *)
Definition comparison_quotient_value
    (items : Seq ComparedRow)
    (betas bit_values values : Seq Scalar)
    (x : Scalar) : Scalar :=
  let vanishing := rows_vanishing (comparison_size (seq_length items)) x in
  comparison_relation items betas bit_values values x [*] scalar_inverse vanishing.

(** Whether an item is a row of a segment that has a place on its domain. *)
Definition compared_row_legal (compared : ComparedRow) : bool :=
  let log := compared.(compared_record).(record_log) in
  let first := compared.(compared_record).(record_first) in
  let placed :=
    match layout_after 1 log compared.(compared_record) with
    | None => false
    | Some _ => true
    end
  in
  placed && (MIN_SHEET_LOG <=? log) && (log <=? MAX_SHEET_LOG) && (first <=? compared.(compared_position)) &&
  (compared.(compared_position) - first <? compared.(compared_record).(record_rows)) &&
  (compared.(compared_threshold) <? THRESHOLD_BOUND).

(** One step of [`compared_rows_legal`]. *)
Definition compared_rows_legal_step (legal : bool) (compared : ComparedRow) : bool :=
  legal && compared_row_legal compared.

(** Whether there is a compared, and not too many, each a row of its segment. *)
Definition compared_rows_legal (items : Seq ComparedRow) : bool :=
  fold_left
    (fun legal k => compared_rows_legal_step legal (seq_at items k))
    (range 0 (seq_length items))
    ((1 <=? seq_length items) && (seq_length items <=? MAX_COMPARED)).

(** One step of [`compared_on_domain`]. *)
Definition compared_on_domain_step
    (found : bool)
    (n : usize)
    (compared : ComparedRow)
    (zeta : Scalar)
    (k : usize) : bool :=
  found || on_domain (sheet_size compared.(compared_record).(record_log)) (relocated_point n compared k zeta).

(** Whether ζ lies on H', or κ_k ζ on the domain of item k. *)
Definition compared_on_domain (items : Seq ComparedRow) (zeta : Scalar) : bool :=
  let n := comparison_size (seq_length items) in
  fold_left
    (fun found k => compared_on_domain_step found n (seq_at items k) zeta k)
    (range 0 (seq_length items))
    (on_domain n zeta).

(** One step of [`comparison_bit_claims`]. *)
Definition comparison_bit_claims_step
    (claimed : Seq FoldedClaim)
    (shown : Comparison)
    (zeta : Scalar)
    (j : usize) : Seq FoldedClaim :=
  claimed ++
  [{| folded_commitment := (seq_at shown.(comparison_bits) j).(held_element);
      folded_point := zeta;
      folded_value := scalar_at shown.(comparison_bit_values) j |}].

(** The claims (B_j, ζ, b_j). *)
Definition comparison_bit_claims (shown : Comparison) (zeta : Scalar) : Seq FoldedClaim :=
  fold_left
    (fun claimed j => comparison_bit_claims_step claimed shown zeta j)
    (range 0 (seq_length shown.(comparison_bits)))
    [].

(** The commitment to R_k; the identity where there is none. *)
Definition comparison_mask_at (shown : Comparison) (k : usize) : G1 :=
  if k <? seq_length shown.(comparison_masks) then
    (seq_at shown.(comparison_masks) k).(held_element)
  else
    g1_identity.

(** One step of [`compared_row_claims`]. *)
Definition compared_row_claims_step
    (claimed : Seq FoldedClaim)
    (n : usize)
    (compared : ComparedRow)
    (shown : Comparison)
    (zeta : Scalar)
    (k : usize) : Seq FoldedClaim :=
  let point := relocated_point n compared k zeta in
  let vanishing := rows_vanishing (sheet_size compared.(compared_record).(record_log)) point in
  let mask := g1_scale vanishing (comparison_mask_at shown k) in
  claimed ++
  [{| folded_commitment := g1_add compared.(compared_record).(record_values).(held_element) mask;
      folded_point := point;
      folded_value := scalar_at shown.(comparison_values) k |}].

(** The claims (C_k + Z_k(κ_k ζ) R_k, κ_k ζ, v_k), behind others. *)
Definition compared_row_claims
    (before : Seq FoldedClaim)
    (items : Seq ComparedRow)
    (shown : Comparison)
    (zeta : Scalar) : Seq FoldedClaim :=
  let n := comparison_size (seq_length items) in
  fold_left
    (fun claimed k => compared_row_claims_step claimed n (seq_at items k) shown zeta k)
    (range 0 (seq_length items))
    before.

(** All claims of a comparison, in the fold's order. *)
Definition comparison_claims
    (items : Seq ComparedRow)
    (drawn : ComparisonChallenges)
    (shown : Comparison) : Seq FoldedClaim :=
  let zeta := drawn.(compared_zeta) in
  compared_row_claims (comparison_bit_claims shown zeta) items shown zeta ++
  [{| folded_commitment := shown.(comparison_quotient).(held_element);
      folded_point := zeta;
      folded_value :=
        comparison_quotient_value
          items
          drawn.(compared_betas)
          shown.(comparison_bit_values)
          shown.(comparison_values)
          zeta |}].

(** What a comparison of numbers of so many bits claims under these challenges, for the fold of its
    answer to show; or why it is not accepted. *)
Definition claims_of_comparison
    (bits : usize)
    (items : Seq ComparedRow)
    (drawn : ComparisonChallenges)
    (shown : Comparison) : Result (Seq FoldedClaim) ComparisonFault :=
  let shaped :=
    (seq_length shown.(comparison_bits) =? bits) && (seq_length shown.(comparison_bit_values) =? bits) &&
    (seq_length shown.(comparison_masks) =? seq_length items) &&
    (seq_length shown.(comparison_values) =? seq_length items)
  in
  if negb (compared_rows_legal items) then
    Err ComparisonFault_ItemsIllegal
  else if negb shaped then
    Err ComparisonFault_ComparisonMisshapen
  else if compared_on_domain items drawn.(compared_zeta) then
    Err ComparisonFault_PointOnDomain
  else
    Ok (comparison_claims items drawn shown).

End Specification.
