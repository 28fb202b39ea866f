(* Translated from spec/src/table/certificate_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.CertificateProver Base.ScalarSafe Base.GroupSafe
  Commitment.FoldedOpeningSafe Table.DomainValuesSafe Table.SheetSafe Table.CertificateTranscriptSafe
  Table.CertificateSafe Table.KnownSegmentSafe Table.KnownPointsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [all_values_at_step] does not panic. *)
Definition all_values_at_step_safe
    (total : Scalar)
    (n : usize)
    (segment : KnownSegment)
    (x : Scalar) : bool :=
  values_at_safe n segment x.

(** When [all_values_at] does not panic. *)
Definition all_values_at_safe (n : usize) (segments : Seq KnownSegment) (x : Scalar) : bool :=
  loop_safe
    (fun total k => all_values_at_step total n (seq_at segments k) x)
    (fun total k => (k <? seq_length segments) && all_values_at_step_safe total n (seq_at segments k) x)
    (range 0 (seq_length segments))
    scalar_zero.

(** When [combined_values_at_step] does not panic. *)
Definition combined_values_at_step_safe
    (total : Scalar)
    (n : usize)
    (segment : KnownSegment)
    (rho x : Scalar) : bool :=
  values_at_safe n segment x.

(** When [combined_values_at] does not panic. *)
Definition combined_values_at_safe
    (n : usize)
    (segments : Seq KnownSegment)
    (rhos : Seq Scalar)
    (x : Scalar) : bool :=
  loop_safe
    (fun total k => combined_values_at_step total n (seq_at segments k) (scalar_at rhos k) x)
    (fun total k =>
      (k <? seq_length segments) &&
      combined_values_at_step_safe total n (seq_at segments k) (scalar_at rhos k) x)
    (range 0 (seq_length segments))
    scalar_zero.

(** When [combined_sums_at_step] does not panic. *)
Definition combined_sums_at_step_safe
    (total : Scalar)
    (n : usize)
    (segment : KnownSegment)
    (rho : Scalar)
    (power : usize)
    (x : Scalar) : bool :=
  sums_at_safe n segment power x.

(** When [combined_sums_at] does not panic. *)
Definition combined_sums_at_safe
    (n : usize)
    (segments : Seq KnownSegment)
    (rhos : Seq Scalar)
    (power : usize)
    (x : Scalar) : bool :=
  loop_safe
    (fun total k => combined_sums_at_step total n (seq_at segments k) (scalar_at rhos k) power x)
    (fun total k =>
      (k <? seq_length segments) &&
      combined_sums_at_step_safe total n (seq_at segments k) (scalar_at rhos k) power x)
    (range 0 (seq_length segments))
    scalar_zero.

(** When [all_sums_at_step] does not panic. *)
Definition all_sums_at_step_safe
    (total : Scalar)
    (about : CertificateAbout)
    (segments : Seq KnownSegment)
    (drawn : CertificateChallenges)
    (n : usize)
    (x : Scalar)
    (i : usize) : bool :=
  beta_moment_safe about drawn i &&
  (within_usize (i + 1) && combined_sums_at_safe n segments drawn.(drawn_rhos) (i + 1) x).

(** When [all_sums_at] does not panic. *)
Definition all_sums_at_safe
    (about : CertificateAbout)
    (segments : Seq KnownSegment)
    (drawn : CertificateChallenges)
    (n : usize)
    (x : Scalar) : bool :=
  loop_safe
    (fun total i => all_sums_at_step total about segments drawn n x i)
    (fun total i => all_sums_at_step_safe total about segments drawn n x i)
    (range 0 about.(about_moments))
    scalar_zero.

(** When [cap_at] does not panic. *)
Definition cap_at_safe (segment : KnownSegment) (cap : u128) (i : usize) : bool :=
  within_usize (segment.(known_first) + seq_length segment.(known_numbers)) && within_usize (i + 1).

(** When [segment_step] does not panic. *)
Definition segment_step_safe (segment : KnownSegment) (cap : u128) (i : usize) : bool :=
  within_usize (i + 1) && cap_at_safe segment cap i &&
  within_u128 (number_at segment (i + 1) + cap_at segment cap i).

(** When [order_step_step] does not panic. *)
Definition order_step_step_safe (total : u128) (segment : KnownSegment) (cap : u128) (i : usize) : bool :=
  segment_step_safe segment cap i && within_u128 (total + segment_step segment cap i).

(** When [order_step] does not panic. *)
Definition order_step_safe (segments : Seq KnownSegment) (cap : u128) (i : usize) : bool :=
  loop_safe
    (fun total k => order_step_step total (seq_at segments k) cap i)
    (fun total k => (k <? seq_length segments) && order_step_step_safe total (seq_at segments k) cap i)
    (range 0 (seq_length segments))
    0.

(** When [bit_element] does not panic. *)
Definition bit_element_safe
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : bool :=
  if mask_position n <=? i then
    within_usize (2 * j) && within_usize (2 * j + (i - mask_position n))
  else
    order_step_safe segments cap i.

(** When [bit_vector_step] does not panic. *)
Definition bit_vector_step_safe
    (vector : Seq Scalar)
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : bool :=
  bit_element_safe n segments cap masks j i.

(** When [bit_vector] does not panic. *)
Definition bit_vector_safe
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j : usize) : bool :=
  loop_safe
    (fun vector i => bit_vector_step vector n segments cap masks j i)
    (fun vector i => bit_vector_step_safe vector n segments cap masks j i)
    (range 0 n)
    [].

(** When [bits_at_step] does not panic. *)
Definition bits_at_step_safe
    (values : Seq Scalar)
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar)
    (j : usize) : bool :=
  bit_vector_safe n segments about.(about_cap) masks j &&
  vector_value_safe n (bit_vector n segments about.(about_cap) masks j) x.

(** When [bits_at] does not panic. *)
Definition bits_at_safe
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : bool :=
  loop_safe
    (fun values j => bits_at_step values about n segments masks x j)
    (fun values j => bits_at_step_safe values about n segments masks x j)
    (range 0 about.(about_bits))
    [].

(** When [masked_values_at] does not panic. *)
Definition masked_values_at_safe
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : bool :=
  all_values_at_safe n segments x && rows_vanishing_safe n x.

(** When [next_value] does not panic. *)
Definition next_value_safe
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : bool :=
  domain_point_safe n 1 &&
  (let y := domain_point n 1 [*] x in
    beta_moment_safe about drawn 0 && rows_vanishing_safe n y &&
    (unguarded_value_safe n x &&
      (masked_values_at_safe n segments masks y && all_sums_at_safe about segments drawn n y))).

(** When [relation_value] does not panic. *)
Definition relation_value_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    bits_at_safe about n segments masks x &&
    (let bit_values := bits_at about n segments masks x in
      masked_values_at_safe n segments masks x &&
      (let v := masked_values_at n segments masks x in
        combined_values_at_safe n segments drawn.(drawn_rhos) x &&
        (last_rows_value_safe n items x &&
          (identity_value_safe n items drawn.(drawn_rhos) x &&
            (beta_moment_safe about drawn 0 && rows_vanishing_safe n x &&
              (next_value_safe about n segments masks drawn x &&
                bits_relation_safe bit_values drawn.(drawn_betas) &&
                weighted_bits_safe bit_values &&
                beta_support_safe about drawn &&
                all_sums_at_safe about segments drawn n x &&
                powers_combined_safe about drawn v))))))).

(** When [quotient_value] does not panic. *)
Definition quotient_value_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    relation_value_safe about items segments masks drawn x && rows_vanishing_safe n x).

(** When [unopened_certificate] does not panic. *)
Definition unopened_certificate_safe
    (tau : Scalar)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    let zeta := drawn.(drawn_zeta) in
    bits_at_safe about n segments masks tau && unencoded_points_safe (bits_at about n segments masks tau) &&
    quotient_value_safe about items segments masks drawn tau &&
    bits_at_safe about n segments masks zeta &&
    masked_values_at_safe n segments masks zeta &&
    next_value_safe about n segments masks drawn zeta).

(** When [certificate_opening_of] does not panic. *)
Definition certificate_opening_of_safe
    (tau : Scalar)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : Certificate) : bool :=
  certificate_claims_safe about items drawn shown &&
  fold_known_claims_safe tau (certificate_claims about items drawn shown) gammas z.

End Specification.
