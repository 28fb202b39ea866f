(* Translated from spec/src/table/certificate_transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a certificate is about, what it consists of, and the challenges that its bytes draw.

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
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Hash Commitment.FoldedOpening
  Table.RunRecord Table.Sheet.
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

End Specification.
