(* Translated from spec/src/table/linked_certificate.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The certificate of a sheet whose first segment continues a run: what
    [`crate::table::certificate`] says of its segments, and that the first row of the first one is
    at least the last row of the segment before.

    P are the values of the segment before, on a domain H' of N' elements with generator ω', its
    last row at position last'. P^ = P + Z' R_l, λ = L_(first_0 - 1),
    κ = ω'^last' / ω^(first_0 - 1). In the place of the relation of order stands

    ```text
    order (β_D)   s(X) V^(ωX) - V^(X) + cap last(X) - λ(X) P^(κX) - Σ 2^j B_j(X)
    ```

    and one more claim is shown, (P + Z'(κζ) R_l, κζ, m). That P is in order is for the certificate
    of the segment before to say, which the verifier is told is that of the dictionary.

    ```text
    statement = .. u8 log2 N || u8 1 || record of the segment before || u16 K || ..
    s1 = H("AARDVARK-V1-CERTIFICATE-BITS", s0 || B_j* || R_v || R_1 || R_l)
    s3 = H("AARDVARK-V1-CERTIFICATE-VALUES", s2 || b_j* || v || e || m)
    ```

    The rest is as in [`crate::table::certificate_transcript`]. Source: docs/tables.md, "Links". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Commitment.Kzg
  Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet Table.CertificateTranscript
  Table.Certificate.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A certificate of a sheet that continues a run. *)
Record LinkedCertificate : Type := {
  (** What it has as any certificate. *)
  linked_body : Certificate;
  (** The commitment to R_l. *)
  linked_mask : TablePoint;
  (** m. *)
  linked_value : Scalar;
  (** The encoding of m: 32 bytes, highest first. *)
  linked_value_bytes : ByteString;
}.

#[global] Instance Default_LinkedCertificate : Default LinkedCertificate := {| linked_body := default; linked_mask := default; linked_value := default; linked_value_bytes := default |}.

(** The position before the first segment's first row. *)
Definition link_position (items : Seq SheetItem) : usize :=
  if (0 <? seq_length items) && (1 <=? (seq_at items 0).(item_record).(record_first)) then
    (seq_at items 0).(item_record).(record_first) - 1
  else
    0.

(** The position of a segment's last row; 0 where it has none. *)
Definition last_row_position (previous : RunRecord) : usize :=
  if 1 <=? previous.(record_rows) then previous.(record_first) + previous.(record_rows) - 1 else 0.

(** κ. *)
Definition link_shift (previous : RunRecord) (items : Seq SheetItem) : Scalar :=
  let own := domain_point (sheet_size (sheet_log items)) (link_position items) in
  domain_point (sheet_size previous.(record_log)) (last_row_position previous) [*] scalar_inverse own.

(** λ(x). *)
Definition link_lagrange (items : Seq SheetItem) (x : Scalar) : Scalar :=
  lagrange_value (sheet_size (sheet_log items)) (link_position items) x.

(** One step of [`linked_items_legal`]. *)
Definition linked_items_legal_step (legal : bool) (moments : usize) (placed : SheetItem) (k : usize) : bool :=
  let continues := if k =? 0 then 1 <=? placed.(item_segment) else placed.(item_segment) =? 0 in
  legal && continues && (seq_length placed.(item_record).(record_sums) =? moments).

(** Whether the first item continues a run and the others begin theirs, each with as many sums as
    the table has moments. *)
Definition linked_items_legal (moments : usize) (items : Seq SheetItem) : bool :=
  fold_left
    (fun legal k => linked_items_legal_step legal moments (seq_at items k) k)
    (range 0 (seq_length items))
    true.

(** Whether a record may be that of the segment before. *)
Definition link_legal (moments : usize) (previous : RunRecord) : bool :=
  let placed :=
    match layout_after 1 previous.(record_log) previous with
    | None => false
    | Some _ => true
    end
  in
  (MIN_SHEET_LOG <=? previous.(record_log)) && (previous.(record_log) <=? max_sheet_log moments) &&
  (seq_length previous.(record_sums) =? moments) &&
  placed.

(** Whether segments make a sheet that continues a run. *)
Definition linked_sheet_legal (log moments : usize) (previous : RunRecord) (items : Seq SheetItem) : bool :=
  (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
  (1 <=? seq_length items) &&
  (seq_length items <=? MAX_SHEET_ITEMS) &&
  linked_items_legal moments items &&
  link_legal moments previous &&
  sheet_layout_legal log items.

(** All that a certificate is about, as bytes, where a segment with this record comes before. *)
Definition linked_statement
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem) : ByteString :=
  fold_left
    (fun statement k => certificate_statement_step statement (seq_at items k))
    (range 0 (seq_length items))
    (u8_bytes 1 ++
      about.(about_dictionary) ++
      bytes8 about.(about_table) ++
      u8_bytes about.(about_column) ++
      about.(about_schema) ++
      u8_bytes (sheet_log items) ++
      u8_bytes 1 ++
      encode_run_record previous ++
      u16_bytes (seq_length items)).

(** s1, once the bits and the masks are fixed. *)
Definition linked_bits_seed (s0 : ByteString) (shown : LinkedCertificate) : ByteString :=
  let fixed :=
    encode_table_points shown.(linked_body).(certificate_bits) ++
    shown.(linked_body).(certificate_values_mask).(held_bytes) ++
    shown.(linked_body).(certificate_sums_mask).(held_bytes) ++
    shown.(linked_mask).(held_bytes)
  in
  tagged_hash tag_certificate_bits (s0 ++ fixed).

(** s3, once the values are fixed. *)
Definition linked_values_seed (s2 : ByteString) (shown : LinkedCertificate) : ByteString :=
  let fixed := shown.(linked_body).(certificate_scalar_bytes) ++ shown.(linked_value_bytes) in
  tagged_hash tag_certificate_values (s2 ++ fixed).

(** lin: what Lin must be at ζ. *)
Definition linked_linear_value
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : LinkedCertificate) : Scalar :=
  let linked := beta_order about drawn [*] link_lagrange items drawn.(drawn_zeta) [*] shown.(linked_value) in
  linear_value about items drawn shown.(linked_body) [+] linked.

(** P^ at a point, whose Z' is given: P + Z' R_l. *)
Definition masked_previous (previous : RunRecord) (shown : LinkedCertificate) (vanishing : Scalar) : G1 :=
  g1_add previous.(record_values).(held_element) (g1_scale vanishing shown.(linked_mask).(held_element)).

(** All claims of a certificate that continues a run, in the fold's order. *)
Definition linked_claims
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : LinkedCertificate) : Seq FoldedClaim :=
  let n := sheet_size (sheet_log items) in
  let zeta := drawn.(drawn_zeta) in
  let at_link := link_shift previous items [*] zeta in
  let link_vanishing := rows_vanishing (sheet_size previous.(record_log)) at_link in
  bit_claims shown.(linked_body) zeta ++
  [{| folded_commitment := masked_values items shown.(linked_body) (rows_vanishing n zeta);
      folded_point := zeta;
      folded_value := shown.(linked_body).(certificate_value) |}] ++
  [{| folded_commitment := linear_commitment about items drawn shown.(linked_body);
      folded_point := zeta;
      folded_value := linked_linear_value about items drawn shown |}] ++
  [{| folded_commitment := next_commitment about items drawn shown.(linked_body);
      folded_point := domain_point n 1 [*] zeta;
      folded_value := shown.(linked_body).(certificate_next) |}] ++
  [{| folded_commitment := masked_previous previous shown link_vanishing;
      folded_point := at_link;
      folded_value := shown.(linked_value) |}].

(** Whether ζ lies on the sheet's domain, or κζ on that of the segment before. *)
Definition linked_zeta_on_domain (previous : RunRecord) (items : Seq SheetItem) (zeta : Scalar) : bool :=
  on_domain (sheet_size (sheet_log items)) zeta ||
  on_domain (sheet_size previous.(record_log)) (link_shift previous items [*] zeta).

(** Whether a certificate that continues a run holds under these challenges: those of the fold are
    `gammas` and `z`. *)
Definition verify_linked_drawn
    (setup : KzgSetup)
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : LinkedCertificate) : Result unit CertificateFault :=
  let body := shown.(linked_body) in
  if negb (linked_sheet_legal (sheet_log items) about.(about_moments) previous items) then
    Err CertificateFault_SheetIllegal
  else if (negb (seq_length body.(certificate_bits) =? about.(about_bits))) ||
    (negb (seq_length body.(certificate_bit_values) =? about.(about_bits))) then
    Err CertificateFault_BitsMismatched
  else if linked_zeta_on_domain previous items drawn.(drawn_zeta) then
    Err CertificateFault_ZetaOnDomain
  else if verify_fold
      setup
      (linked_claims about previous items drawn shown)
      gammas
      z
      body.(certificate_opening) then
    Ok tt
  else
    Err CertificateFault_CertificateFalse.

(** Whether a certificate holds for the segments of a sheet of which the first continues a run
    behind the segment with the record `previous`, under the challenges that are drawn for it. *)
Definition verify_linked_certificate
    (setup : KzgSetup)
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (shown : LinkedCertificate) : Result unit CertificateFault :=
  let s0 := certificate_seed (linked_statement about previous items) in
  let s1 := linked_bits_seed s0 shown in
  let s2 := certificate_quotient_seed s1 shown.(linked_body) in
  let s3 := linked_values_seed s2 shown in
  let drawn := certificate_challenges about (seq_length items) s0 s1 s2 in
  let gammas := fold_gammas s3 (about.(about_bits) + 4) in
  let z := fold_point s3 shown.(linked_body).(certificate_opening_bytes) in
  verify_linked_drawn setup about previous items drawn gammas z shown.

End Specification.
