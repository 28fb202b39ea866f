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
    (B_j, ζ, b_j), (V^, ζ, v), (Lin, ζ, lin), (E, ωζ, e). The seeds:

    ```text
    statement = u8 1 || dictionary (32) || bytes8(table) || u8 column || schema digest (32) || u8 log2 N || u8 0
                || u16 K || (key columns || u32 run || u32 revision || u32 segment || record)*
    s0 = H("AARDVARK-V1-CERTIFICATE", statement)                       ρ_k = challenge(s0, k)
    s1 = H("AARDVARK-V1-CERTIFICATE-BITS", s0 || B_j* || R_v || R_1)    β   = challenge(s1, 0 ..)
    s2 = H("AARDVARK-V1-CERTIFICATE-QUOTIENT", s1 || Q)                 ζ   = challenge(s2, 0)
    s3 = H("AARDVARK-V1-CERTIFICATE-VALUES", s2 || b_j* || v || e)      the fold's seed
    ```

    β_j stand at j < bits, β_D at bits, β_S at bits + 1, β_p at bits + 1 + p. Sheets that continue
    runs (links) have no certificates yet. Source: docs/tables.md, "The certificate". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Commitment.Kzg
  Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a certificate is about, besides the segments. *)
Record CertificateAbout : Type := {
  (** The dictionary's id, 32 bytes. *)
  about_dictionary : ByteString;
  (** The table's name. *)
  about_table : ByteString;
  (** The number of the value column. *)
  about_column : usize;
  (** The digest of the schema, 32 bytes. *)
  about_schema : ByteString;
  (** How many bits a step between two rows has at most. *)
  about_bits : usize;
  (** The greatest number of a row. *)
  about_cap : u128;
  (** How many powers of the rows have sums. *)
  about_moments : usize;
}.

#[global] Instance Default_CertificateAbout : Default CertificateAbout := {| about_dictionary := default; about_table := default; about_column := default; about_schema := default; about_bits := default; about_cap := default; about_moments := default |}.

(** A certificate: its points, its scalars, its folded opening. *)
Record Certificate : Type := {
  (** The commitments to B_j. *)
  certificate_bits : Seq TablePoint;
  (** The commitment to R_v. *)
  certificate_values_mask : TablePoint;
  (** The commitment to R_1. *)
  certificate_sums_mask : TablePoint;
  (** The commitment to Q. *)
  certificate_quotient : TablePoint;
  (** b_j. *)
  certificate_bit_values : Seq Scalar;
  (** v. *)
  certificate_value : Scalar;
  (** e. *)
  certificate_next : Scalar;
  (** The encodings of b_j, v and e: 32 bytes each, highest first. *)
  certificate_scalar_bytes : ByteString;
  (** W and W'. *)
  certificate_opening : FoldedOpening;
  (** The encoding of W. *)
  certificate_opening_bytes : ByteString;
}.

#[global] Instance Default_Certificate : Default Certificate := {| certificate_bits := default; certificate_values_mask := default; certificate_sums_mask := default; certificate_quotient := default; certificate_bit_values := default; certificate_value := default; certificate_next := default; certificate_scalar_bytes := default; certificate_opening := default; certificate_opening_bytes := default |}.

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

(** The challenges of a certificate but for those of its fold. *)
Record CertificateChallenges : Type := {
  (** ρ_k, one a segment. *)
  drawn_rhos : Seq Scalar;
  (** β: one a bit, then β_D, β_S, and one a moment. *)
  drawn_betas : Seq Scalar;
  (** ζ. *)
  drawn_zeta : Scalar;
}.

#[global] Instance Default_CertificateChallenges : Default CertificateChallenges := {| drawn_rhos := default; drawn_betas := default; drawn_zeta := default |}.

(** The tag of the first seed. *)
Definition tag_certificate : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 67; 69; 82; 84; 73; 70; 73; 67; 65; 84; 69].

(** The tag of the second seed. *)
Definition tag_certificate_bits : ByteString :=
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
    69;
    82;
    84;
    73;
    70;
    73;
    67;
    65;
    84;
    69;
    45;
    66;
    73;
    84;
    83].

(** The tag of the third seed. *)
Definition tag_certificate_quotient : ByteString :=
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
    69;
    82;
    84;
    73;
    70;
    73;
    67;
    65;
    84;
    69;
    45;
    81;
    85;
    79;
    84;
    73;
    69;
    78;
    84].

(** The tag of the fold's seed. *)
Definition tag_certificate_values : ByteString :=
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
    69;
    82;
    84;
    73;
    70;
    73;
    67;
    65;
    84;
    69;
    45;
    86;
    65;
    76;
    85;
    69;
    83].

(** `key columns || u32 run || u32 revision || u32 segment || record`. *)
Definition encode_sheet_item (placed : SheetItem) : ByteString :=
  placed.(item_columns) ++
  u32_bytes placed.(item_run) ++
  u32_bytes placed.(item_revision) ++
  u32_bytes placed.(item_segment) ++
  encode_run_record placed.(item_record).

(** One step of [`certificate_statement`]. *)
Definition certificate_statement_step (statement : ByteString) (placed : SheetItem) : ByteString :=
  statement ++ encode_sheet_item placed.

(** All that a certificate is about, as bytes. *)
Definition certificate_statement (about : CertificateAbout) (items : Seq SheetItem) : ByteString :=
  fold_left
    (fun statement k => certificate_statement_step statement (seq_at items k))
    (range 0 (seq_length items))
    (u8_bytes 1 ++
      about.(about_dictionary) ++
      bytes8 about.(about_table) ++
      u8_bytes about.(about_column) ++
      about.(about_schema) ++
      u8_bytes (sheet_log items) ++
      u8_bytes 0 ++
      u16_bytes (seq_length items)).

(** s0, of the statement. *)
Definition certificate_seed (statement : ByteString) : ByteString :=
  tagged_hash tag_certificate statement.

(** s1, once the bits and the masks are fixed. *)
Definition certificate_bits_seed (s0 : ByteString) (shown : Certificate) : ByteString :=
  let fixed :=
    encode_table_points shown.(certificate_bits) ++
    shown.(certificate_values_mask).(held_bytes) ++
    shown.(certificate_sums_mask).(held_bytes)
  in
  tagged_hash tag_certificate_bits (s0 ++ fixed).

(** s2, once the quotient is fixed. *)
Definition certificate_quotient_seed (s1 : ByteString) (shown : Certificate) : ByteString :=
  tagged_hash tag_certificate_quotient (s1 ++ shown.(certificate_quotient).(held_bytes)).

(** s3, once the values are fixed. *)
Definition certificate_values_seed (s2 : ByteString) (shown : Certificate) : ByteString :=
  tagged_hash tag_certificate_values (s2 ++ shown.(certificate_scalar_bytes)).

(** How many β there are. *)
Definition beta_count (about : CertificateAbout) : usize :=
  about.(about_bits) + 2 + about.(about_moments).

(** The challenges from the first three seeds. *)
Definition certificate_challenges
    (about : CertificateAbout)
    (segments : usize)
    (s0 s1 s2 : ByteString) : CertificateChallenges :=
  {| drawn_rhos := fold_gammas s0 segments;
    drawn_betas := fold_gammas s1 (beta_count about);
    drawn_zeta := fold_challenge s2 0 |}.

(** β_D. *)
Definition beta_order (about : CertificateAbout) (drawn : CertificateChallenges) : Scalar :=
  scalar_at drawn.(drawn_betas) about.(about_bits).

(** β_S. *)
Definition beta_support (about : CertificateAbout) (drawn : CertificateChallenges) : Scalar :=
  scalar_at drawn.(drawn_betas) (about.(about_bits) + 1).

(** β_(i + 1), of the sums of the powers i + 1. *)
Definition beta_moment (about : CertificateAbout) (drawn : CertificateChallenges) (i : usize) : Scalar :=
  scalar_at drawn.(drawn_betas) (about.(about_bits) + 2 + i).

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
