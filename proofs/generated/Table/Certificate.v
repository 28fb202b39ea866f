(* Translated from spec/src/table/certificate.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The certificate of a sheet: each segment's rows are integers from 0 to the cap in ascending
    order, nothing else stands in its vector, and its sums are the suffix sums of the rows' powers.

    With V = Σ V_k, V_ρ = Σ ρ_k V_k, A_p = Σ ρ_k A_(p,k), V^ = V + Z R_v, A^_1 = A_1 + Z R_1, these
    vanish on the domain but for its masks; combined by the β they are Z Q:

    ```text
    bits     (β_j)   B_j² - B_j
    order    (β_D)   s(X) V^(ωX) - V^(X) + cap last(X) - Σ 2^j B_j(X)
    support  (β_S)   V_ρ - id V^
    sums     (β_1)   A^_1(X) - s(X) A^_1(ωX) - V_ρ(X)
             (β_p)   A_p(X) - s(X) A_p(ωX) - V_ρ(X) V^(X)^(p-1)
    ```

    The verifier draws ζ and has one folded opening show the claims
    (B_j, ζ, b_j), (V^, ζ, v), (Lin, ζ, lin), (E, ωζ, e). What is hashed is in
    [`crate::table::certificate_transcript`]. Source: docs/tables.md, "The certificate". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.Sheet Table.CertificateTranscript.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Why a certificate is not accepted. *)
Inductive CertificateFault : Type :=
(** The segments make no sheet, or one that certificates do not cover. *)
| CertificateFault_SheetIllegal
(** There are not as many bits as the table has. *)
| CertificateFault_BitsMismatched
(** The point ζ lies on the domain. *)
| CertificateFault_ZetaOnDomain
(** The folded opening does not show the claims. *)
| CertificateFault_CertificateFalse.

(** One step of [`values_sum`]. *)
Definition values_sum_step (total : G1) (placed : SheetItem) : G1 :=
  g1_add total placed.(item_record).(record_values).(held_element).

(** V: the sum of the commitments to the values. *)
Definition values_sum (items : Seq SheetItem) : G1 :=
  fold_left (fun total k => values_sum_step total (seq_at items k)) (range 0 (seq_length items)) g1_identity.

(** One step of [`values_combined`]. *)
Definition values_combined_step (total : G1) (placed : SheetItem) (rho : Scalar) : G1 :=
  g1_add total (g1_scale rho placed.(item_record).(record_values).(held_element)).

(** V_ρ. *)
Definition values_combined (items : Seq SheetItem) (rhos : Seq Scalar) : G1 :=
  fold_left
    (fun total k => values_combined_step total (seq_at items k) (scalar_at rhos k))
    (range 0 (seq_length items))
    g1_identity.

(** The commitment to the sums of the powers i + 1 of a segment; the identity where there is none. *)
Definition sums_element_of (placed : SheetItem) (i : usize) : G1 :=
  if i <? seq_length placed.(item_record).(record_sums) then
    (seq_at placed.(item_record).(record_sums) i).(held_element)
  else
    g1_identity.

(** One step of [`sums_combined`]. *)
Definition sums_combined_step (total : G1) (placed : SheetItem) (rho : Scalar) (i : usize) : G1 :=
  g1_add total (g1_scale rho (sums_element_of placed i)).

(** A_(i + 1). *)
Definition sums_combined (items : Seq SheetItem) (rhos : Seq Scalar) (i : usize) : G1 :=
  fold_left
    (fun total k => sums_combined_step total (seq_at items k) (scalar_at rhos k) i)
    (range 0 (seq_length items))
    g1_identity.

(** One step of [`moments_combined`]. *)
Definition moments_combined_step
    (total : G1)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (i : usize) : G1 :=
  g1_add total (g1_scale (beta_moment about drawn i) (sums_combined items drawn.(drawn_rhos) i)).

(** Σ β_p A_p. *)
Definition moments_combined
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges) : G1 :=
  fold_left
    (fun total i => moments_combined_step total about items drawn i)
    (range 0 about.(about_moments))
    g1_identity.

(** One step of [`powers_combined`]. *)
Definition powers_combined_step
    (total : Scalar)
    (about : CertificateAbout)
    (drawn : CertificateChallenges)
    (v : Scalar)
    (i : usize) : Scalar :=
  total [+] beta_moment about drawn i [*] scalar_power v i.

(** Σ β_p v^(p-1). *)
Definition powers_combined (about : CertificateAbout) (drawn : CertificateChallenges) (v : Scalar) : Scalar :=
  fold_left
    (fun total i => powers_combined_step total about drawn v i)
    (range 0 about.(about_moments))
    scalar_zero.

(** One step of [`bits_relation`]. *)
Definition bits_relation_step (total bit beta : Scalar) : Scalar :=
  total [+] beta [*] (bit [*] bit [-] bit).

(** Σ β_j (b_j² - b_j). *)
Definition bits_relation (bit_values betas : Seq Scalar) : Scalar :=
  fold_left
    (fun total j => bits_relation_step total (seq_at bit_values j) (scalar_at betas j))
    (range 0 (seq_length bit_values))
    scalar_zero.

(** One step of [`weighted_bits`]. *)
Definition weighted_bits_step (total bit : Scalar) : Scalar :=
  total [+] total [+] bit.

(** Σ 2^j b_j. *)
Definition weighted_bits (bit_values : Seq Scalar) : Scalar :=
  fold_left
    (fun total j => weighted_bits_step total (scalar_at bit_values (seq_length bit_values - 1 - j)))
    (range 0 (seq_length bit_values))
    scalar_zero.

(** Lin: what of the relations is linear in the commitments, at ζ. *)
Definition linear_commitment
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : G1 :=
  let vanishing := rows_vanishing (sheet_size (sheet_log items)) drawn.(drawn_zeta) in
  let sums_mask :=
    g1_scale (beta_moment about drawn 0 [*] vanishing) shown.(certificate_sums_mask).(held_element)
  in
  let factor := beta_support about drawn [-] powers_combined about drawn shown.(certificate_value) in
  let combined := g1_scale factor (values_combined items drawn.(drawn_rhos)) in
  let relations := g1_add (g1_add (moments_combined about items drawn) sums_mask) combined in
  g1_subtract relations (g1_scale vanishing shown.(certificate_quotient).(held_element)).

(** lin: what Lin must be at ζ. *)
Definition linear_value
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : Scalar :=
  let n := sheet_size (sheet_log items) in
  let cap := scalar_of_number about.(about_cap) [*] last_rows_value n items drawn.(drawn_zeta) in
  let order := cap [-] shown.(certificate_value) [-] weighted_bits shown.(certificate_bit_values) in
  let identity := identity_value n items drawn.(drawn_rhos) drawn.(drawn_zeta) in
  scalar_zero [-]
  (bits_relation shown.(certificate_bit_values) drawn.(drawn_betas) [+] beta_order about drawn [*] order [-]
    beta_support about drawn [*] identity [*] shown.(certificate_value) [+]
    shown.(certificate_next)).

(** V^ at a point, whose Z is given: V + Z R_v. *)
Definition masked_values (items : Seq SheetItem) (shown : Certificate) (vanishing : Scalar) : G1 :=
  g1_add (values_sum items) (g1_scale vanishing shown.(certificate_values_mask).(held_element)).

(** E: what of the relations is at ωζ. *)
Definition next_commitment
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : G1 :=
  let n := sheet_size (sheet_log items) in
  let vanishing := rows_vanishing n (domain_point n 1 [*] drawn.(drawn_zeta)) in
  let sums_mask :=
    g1_scale (beta_moment about drawn 0 [*] vanishing) shown.(certificate_sums_mask).(held_element)
  in
  let order := g1_scale (beta_order about drawn) (masked_values items shown vanishing) in
  let sums := g1_add sums_mask (moments_combined about items drawn) in
  g1_scale (unguarded_value n drawn.(drawn_zeta)) (g1_subtract order sums).

(** One step of [`bit_claims`]. *)
Definition bit_claims_step
    (claimed : Seq FoldedClaim)
    (shown : Certificate)
    (zeta : Scalar)
    (j : usize) : Seq FoldedClaim :=
  claimed ++
  [{| folded_commitment := (seq_at shown.(certificate_bits) j).(held_element);
      folded_point := zeta;
      folded_value := scalar_at shown.(certificate_bit_values) j |}].

(** The claims (B_j, ζ, b_j). *)
Definition bit_claims (shown : Certificate) (zeta : Scalar) : Seq FoldedClaim :=
  fold_left
    (fun claimed j => bit_claims_step claimed shown zeta j)
    (range 0 (seq_length shown.(certificate_bits)))
    [].

(** All claims of a certificate, in the fold's order. *)
Definition certificate_claims
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : Certificate) : Seq FoldedClaim :=
  let n := sheet_size (sheet_log items) in
  let zeta := drawn.(drawn_zeta) in
  let masked := masked_values items shown (rows_vanishing n zeta) in
  bit_claims shown zeta ++
  [{| folded_commitment := masked; folded_point := zeta; folded_value := shown.(certificate_value) |}] ++
  [{| folded_commitment := linear_commitment about items drawn shown;
      folded_point := zeta;
      folded_value := linear_value about items drawn shown |}] ++
  [{| folded_commitment := next_commitment about items drawn shown;
      folded_point := domain_point n 1 [*] zeta;
      folded_value := shown.(certificate_next) |}].

(** Whether a certificate holds under these challenges: those of the fold are `gammas` and `z`. *)
Definition verify_certificate_drawn
    (setup : KzgSetup)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : Certificate) : Result unit CertificateFault :=
  if negb (sheet_legal (sheet_log items) about.(about_moments) items) then
    Err CertificateFault_SheetIllegal
  else if (negb (seq_length shown.(certificate_bits) =? about.(about_bits))) ||
    (negb (seq_length shown.(certificate_bit_values) =? about.(about_bits))) then
    Err CertificateFault_BitsMismatched
  else if on_domain (sheet_size (sheet_log items)) drawn.(drawn_zeta) then
    Err CertificateFault_ZetaOnDomain
  else if verify_fold
      setup
      (certificate_claims about items drawn shown)
      gammas
      z
      shown.(certificate_opening) then
    Ok tt
  else
    Err CertificateFault_CertificateFalse.

(** Whether a certificate holds for the segments of a sheet, under the challenges that are drawn for
    it. *)
Definition verify_certificate
    (setup : KzgSetup)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (shown : Certificate) : Result unit CertificateFault :=
  let s0 := certificate_seed (certificate_statement about items) in
  let s1 := certificate_bits_seed s0 shown in
  let s2 := certificate_quotient_seed s1 shown in
  let s3 := certificate_values_seed s2 shown in
  let drawn := certificate_challenges about (seq_length items) s0 s1 s2 in
  let gammas := fold_gammas s3 (about.(about_bits) + 3) in
  let z := fold_point s3 shown.(certificate_opening_bytes) in
  verify_certificate_drawn setup about items drawn gammas z shown.

End Specification.
