(* Translated from spec/src/table/certificate.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.Certificate Base.ScalarSafe Base.GroupSafe Commitment.KzgSafe
  Commitment.FoldedOpeningSafe Table.DomainValuesSafe Table.SheetSafe Table.CertificateTranscriptSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [values_sum] does not panic. *)
Definition values_sum_safe (items : Seq SheetItem) : bool :=
  loop_safe
    (fun total k => values_sum_step total (seq_at items k))
    (fun total k => k <? seq_length items)
    (range 0 (seq_length items))
    g1_identity.

(** When [values_combined] does not panic. *)
Definition values_combined_safe (items : Seq SheetItem) (rhos : Seq Scalar) : bool :=
  loop_safe
    (fun total k => values_combined_step total (seq_at items k) (scalar_at rhos k))
    (fun total k => k <? seq_length items)
    (range 0 (seq_length items))
    g1_identity.

(** When [sums_combined] does not panic. *)
Definition sums_combined_safe (items : Seq SheetItem) (rhos : Seq Scalar) (i : usize) : bool :=
  loop_safe
    (fun total k => sums_combined_step total (seq_at items k) (scalar_at rhos k) i)
    (fun total k => k <? seq_length items)
    (range 0 (seq_length items))
    g1_identity.

(** When [moments_combined_step] does not panic. *)
Definition moments_combined_step_safe
    (total : G1)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (i : usize) : bool :=
  beta_moment_safe about drawn i && sums_combined_safe items drawn.(drawn_rhos) i.

(** When [moments_combined] does not panic. *)
Definition moments_combined_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges) : bool :=
  loop_safe
    (fun total i => moments_combined_step total about items drawn i)
    (fun total i => moments_combined_step_safe total about items drawn i)
    (range 0 about.(about_moments))
    g1_identity.

(** When [powers_combined_step] does not panic. *)
Definition powers_combined_step_safe
    (total : Scalar)
    (about : CertificateAbout)
    (drawn : CertificateChallenges)
    (v : Scalar)
    (i : usize) : bool :=
  beta_moment_safe about drawn i.

(** When [powers_combined] does not panic. *)
Definition powers_combined_safe
    (about : CertificateAbout)
    (drawn : CertificateChallenges)
    (v : Scalar) : bool :=
  loop_safe
    (fun total i => powers_combined_step total about drawn v i)
    (fun total i => powers_combined_step_safe total about drawn v i)
    (range 0 about.(about_moments))
    scalar_zero.

(** When [bits_relation] does not panic. *)
Definition bits_relation_safe (bit_values betas : Seq Scalar) : bool :=
  loop_safe
    (fun total j => bits_relation_step total (seq_at bit_values j) (scalar_at betas j))
    (fun total j => j <? seq_length bit_values)
    (range 0 (seq_length bit_values))
    scalar_zero.

(** When [weighted_bits] does not panic. *)
Definition weighted_bits_safe (bit_values : Seq Scalar) : bool :=
  loop_safe
    (fun total j => weighted_bits_step total (scalar_at bit_values (seq_length bit_values - 1 - j)))
    (fun total j => (1 <=? seq_length bit_values) && (j <=? seq_length bit_values - 1))
    (range 0 (seq_length bit_values))
    scalar_zero.

(** When [linear_commitment] does not panic. *)
Definition linear_commitment_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : bool :=
  sheet_size_safe (sheet_log items) &&
  rows_vanishing_safe (sheet_size (sheet_log items)) drawn.(drawn_zeta) &&
  (beta_moment_safe about drawn 0 &&
    (beta_support_safe about drawn && powers_combined_safe about drawn shown.(certificate_value) &&
      (values_combined_safe items drawn.(drawn_rhos) && moments_combined_safe about items drawn))).

(** When [linear_value] does not panic. *)
Definition linear_value_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    last_rows_value_safe n items drawn.(drawn_zeta) &&
    (weighted_bits_safe shown.(certificate_bit_values) &&
      (identity_value_safe n items drawn.(drawn_rhos) drawn.(drawn_zeta) &&
        (bits_relation_safe shown.(certificate_bit_values) drawn.(drawn_betas) &&
          beta_support_safe about drawn)))).

(** When [masked_values] does not panic. *)
Definition masked_values_safe (items : Seq SheetItem) (shown : Certificate) (vanishing : Scalar) : bool :=
  values_sum_safe items.

(** When [next_commitment] does not panic. *)
Definition next_commitment_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    domain_point_safe n 1 && rows_vanishing_safe n (domain_point n 1 [*] drawn.(drawn_zeta)) &&
    (let vanishing := rows_vanishing n (domain_point n 1 [*] drawn.(drawn_zeta)) in
      beta_moment_safe about drawn 0 &&
      (masked_values_safe items shown vanishing &&
        (moments_combined_safe about items drawn && unguarded_value_safe n drawn.(drawn_zeta))))).

(** When [bit_claims_step] does not panic. *)
Definition bit_claims_step_safe
    (claimed : Seq FoldedClaim)
    (shown : Certificate)
    (zeta : Scalar)
    (j : usize) : bool :=
  j <? seq_length shown.(certificate_bits).

(** When [bit_claims] does not panic. *)
Definition bit_claims_safe (shown : Certificate) (zeta : Scalar) : bool :=
  loop_safe
    (fun claimed j => bit_claims_step claimed shown zeta j)
    (fun claimed j => bit_claims_step_safe claimed shown zeta j)
    (range 0 (seq_length shown.(certificate_bits)))
    [].

(** When [certificate_claims] does not panic. *)
Definition certificate_claims_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    let zeta := drawn.(drawn_zeta) in
    rows_vanishing_safe n zeta && masked_values_safe items shown (rows_vanishing n zeta) &&
    (bit_claims_safe shown zeta &&
      (linear_commitment_safe about items drawn shown && linear_value_safe about items drawn shown) &&
      (next_commitment_safe about items drawn shown && domain_point_safe n 1))).

(** When [verify_certificate_drawn] does not panic. *)
Definition verify_certificate_drawn_safe
    (setup : KzgSetup)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : Certificate) : bool :=
  sheet_legal_safe (sheet_log items) about.(about_moments) items &&
  (if negb (sheet_legal (sheet_log items) about.(about_moments) items) then
      true
    else if (negb (seq_length shown.(certificate_bits) =? about.(about_bits))) ||
      (negb (seq_length shown.(certificate_bit_values) =? about.(about_bits))) then
      true
    else
      sheet_size_safe (sheet_log items) &&
      (if on_domain (sheet_size (sheet_log items)) drawn.(drawn_zeta) then
          true
        else
          certificate_claims_safe about items drawn shown &&
          verify_fold_safe
            setup
            (certificate_claims about items drawn shown)
            gammas
            z
            shown.(certificate_opening))).

(** When [verify_certificate] does not panic. *)
Definition verify_certificate_safe
    (setup : KzgSetup)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (shown : Certificate) : bool :=
  certificate_statement_safe about items &&
  (let s0 := certificate_seed (certificate_statement about items) in
    certificate_bits_seed_safe s0 shown &&
    (let s1 := certificate_bits_seed s0 shown in
      let s2 := certificate_quotient_seed s1 shown in
      let s3 := certificate_values_seed s2 shown in
      certificate_challenges_safe about (seq_length items) s0 s1 s2 &&
      (let drawn := certificate_challenges about (seq_length items) s0 s1 s2 in
        within_usize (about.(about_bits) + 3) &&
        (let gammas := fold_gammas s3 (about.(about_bits) + 3) in
          let z := fold_point s3 shown.(certificate_opening_bytes) in
          verify_certificate_drawn_safe setup about items drawn gammas z shown)))).

End Specification.
