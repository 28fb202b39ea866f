(* Translated from spec/src/table/comparison.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.Comparison Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Commitment.FoldedOpeningSafe Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe
  Table.CertificateSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_compared_row] does not panic. *)
Definition encode_compared_row_safe (compared : ComparedRow) : bool :=
  encode_run_record_safe compared.(compared_record).

(** When [encode_compared_rows_step] does not panic. *)
Definition encode_compared_rows_step_safe (encoded : ByteString) (compared : ComparedRow) : bool :=
  encode_compared_row_safe compared.

(** When [encode_compared_rows] does not panic. *)
Definition encode_compared_rows_safe (items : Seq ComparedRow) : bool :=
  loop_safe
    (fun encoded k => encode_compared_rows_step encoded (seq_at items k))
    (fun encoded k => (k <? seq_length items) && encode_compared_rows_step_safe encoded (seq_at items k))
    (range 0 (seq_length items))
    [].

(** When [comparison_seed] does not panic. *)
Definition comparison_seed_safe (answer_seed : ByteString) (i : usize) (items : Seq ComparedRow) : bool :=
  encode_compared_rows_safe items.

(** When [comparison_bits_seed] does not panic. *)
Definition comparison_bits_seed_safe (c0 : ByteString) (shown : Comparison) : bool :=
  encode_table_points_safe shown.(comparison_bits) && encode_table_points_safe shown.(comparison_masks).

(** When [comparison_challenges] does not panic. *)
Definition comparison_challenges_safe (bits : usize) (s1 s2 : ByteString) : bool :=
  within_usize (bits + 1).

(** When [comparison_size_step] does not panic. *)
Definition comparison_size_step_safe (least items : usize) : bool :=
  within_usize (items + 2) && (if items + 2 <=? least then true else within_usize (least * 2)).

(** When [comparison_size] does not panic. *)
Definition comparison_size_safe (items : usize) : bool :=
  loop_safe
    (fun least _i => comparison_size_step least items)
    (fun least _i => comparison_size_step_safe least items)
    (range 0 MAX_DOUBLINGS)
    4.

(** When [relocated_point] does not panic. *)
Definition relocated_point_safe (n : usize) (compared : ComparedRow) (k : usize) (x : Scalar) : bool :=
  sheet_size_safe compared.(compared_record).(record_log) &&
  domain_point_safe (sheet_size compared.(compared_record).(record_log)) compared.(compared_position) &&
  domain_point_safe n k.

(** When [compared_differences_step] does not panic. *)
Definition compared_differences_step_safe
    (total : Scalar)
    (n : usize)
    (compared : ComparedRow)
    (found x : Scalar)
    (k : usize) : bool :=
  lagrange_value_safe n k x.

(** When [compared_differences] does not panic. *)
Definition compared_differences_safe
    (n : usize)
    (items : Seq ComparedRow)
    (values : Seq Scalar)
    (x : Scalar) : bool :=
  loop_safe
    (fun total k => compared_differences_step total n (seq_at items k) (scalar_at values k) x k)
    (fun total k =>
      (k <? seq_length items) &&
      compared_differences_step_safe total n (seq_at items k) (scalar_at values k) x k)
    (range 0 (seq_length items))
    scalar_zero.

(** When [comparison_relation] does not panic. *)
Definition comparison_relation_safe
    (items : Seq ComparedRow)
    (betas bit_values values : Seq Scalar)
    (x : Scalar) : bool :=
  comparison_size_safe (seq_length items) &&
  compared_differences_safe (comparison_size (seq_length items)) items values x &&
  (bits_relation_safe bit_values betas && weighted_bits_safe bit_values).

(** When [comparison_quotient_value] does not panic. *)
Definition comparison_quotient_value_safe
    (items : Seq ComparedRow)
    (betas bit_values values : Seq Scalar)
    (x : Scalar) : bool :=
  comparison_size_safe (seq_length items) && rows_vanishing_safe (comparison_size (seq_length items)) x &&
  comparison_relation_safe items betas bit_values values x.

(** When [compared_row_legal] does not panic. *)
Definition compared_row_legal_safe (compared : ComparedRow) : bool :=
  let log := compared.(compared_record).(record_log) in
  layout_after_safe 1 log compared.(compared_record).

(** When [compared_rows_legal_step] does not panic. *)
Definition compared_rows_legal_step_safe (legal : bool) (compared : ComparedRow) : bool :=
  if legal then compared_row_legal_safe compared else true.

(** When [compared_rows_legal] does not panic. *)
Definition compared_rows_legal_safe (items : Seq ComparedRow) : bool :=
  loop_safe
    (fun legal k => compared_rows_legal_step legal (seq_at items k))
    (fun legal k => (k <? seq_length items) && compared_rows_legal_step_safe legal (seq_at items k))
    (range 0 (seq_length items))
    ((1 <=? seq_length items) && (seq_length items <=? MAX_COMPARED)).

(** When [compared_on_domain_step] does not panic. *)
Definition compared_on_domain_step_safe
    (found : bool)
    (n : usize)
    (compared : ComparedRow)
    (zeta : Scalar)
    (k : usize) : bool :=
  if found then
    true
  else
    sheet_size_safe compared.(compared_record).(record_log) && relocated_point_safe n compared k zeta.

(** When [compared_on_domain] does not panic. *)
Definition compared_on_domain_safe (items : Seq ComparedRow) (zeta : Scalar) : bool :=
  comparison_size_safe (seq_length items) &&
  (let n := comparison_size (seq_length items) in
    loop_safe
      (fun found k => compared_on_domain_step found n (seq_at items k) zeta k)
      (fun found k => (k <? seq_length items) && compared_on_domain_step_safe found n (seq_at items k) zeta k)
      (range 0 (seq_length items))
      (on_domain n zeta)).

(** When [comparison_bit_claims_step] does not panic. *)
Definition comparison_bit_claims_step_safe
    (claimed : Seq FoldedClaim)
    (shown : Comparison)
    (zeta : Scalar)
    (j : usize) : bool :=
  j <? seq_length shown.(comparison_bits).

(** When [comparison_bit_claims] does not panic. *)
Definition comparison_bit_claims_safe (shown : Comparison) (zeta : Scalar) : bool :=
  loop_safe
    (fun claimed j => comparison_bit_claims_step claimed shown zeta j)
    (fun claimed j => comparison_bit_claims_step_safe claimed shown zeta j)
    (range 0 (seq_length shown.(comparison_bits)))
    [].

(** When [compared_row_claims_step] does not panic. *)
Definition compared_row_claims_step_safe
    (claimed : Seq FoldedClaim)
    (n : usize)
    (compared : ComparedRow)
    (shown : Comparison)
    (zeta : Scalar)
    (k : usize) : bool :=
  relocated_point_safe n compared k zeta &&
  (let point := relocated_point n compared k zeta in
    sheet_size_safe compared.(compared_record).(record_log) &&
    rows_vanishing_safe (sheet_size compared.(compared_record).(record_log)) point).

(** When [compared_row_claims] does not panic. *)
Definition compared_row_claims_safe
    (before : Seq FoldedClaim)
    (items : Seq ComparedRow)
    (shown : Comparison)
    (zeta : Scalar) : bool :=
  comparison_size_safe (seq_length items) &&
  (let n := comparison_size (seq_length items) in
    loop_safe
      (fun claimed k => compared_row_claims_step claimed n (seq_at items k) shown zeta k)
      (fun claimed k =>
        (k <? seq_length items) && compared_row_claims_step_safe claimed n (seq_at items k) shown zeta k)
      (range 0 (seq_length items))
      before).

(** When [comparison_claims] does not panic. *)
Definition comparison_claims_safe
    (items : Seq ComparedRow)
    (drawn : ComparisonChallenges)
    (shown : Comparison) : bool :=
  let zeta := drawn.(compared_zeta) in
  comparison_bit_claims_safe shown zeta &&
  compared_row_claims_safe (comparison_bit_claims shown zeta) items shown zeta &&
  comparison_quotient_value_safe
    items
    drawn.(compared_betas)
    shown.(comparison_bit_values)
    shown.(comparison_values)
    zeta.

(** When [claims_of_comparison] does not panic. *)
Definition claims_of_comparison_safe
    (bits : usize)
    (items : Seq ComparedRow)
    (drawn : ComparisonChallenges)
    (shown : Comparison) : bool :=
  let shaped :=
    (seq_length shown.(comparison_bits) =? bits) && (seq_length shown.(comparison_bit_values) =? bits) &&
    (seq_length shown.(comparison_masks) =? seq_length items) &&
    (seq_length shown.(comparison_values) =? seq_length items)
  in
  compared_rows_legal_safe items &&
  (if negb (compared_rows_legal items) then
      true
    else if negb shaped then
      true
    else
      compared_on_domain_safe items drawn.(compared_zeta) &&
      (if compared_on_domain items drawn.(compared_zeta) then
          true
        else
          comparison_claims_safe items drawn shown)).

End Specification.
