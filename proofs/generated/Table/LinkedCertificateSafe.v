(* Translated from spec/src/table/linked_certificate.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.LinkedCertificate Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Commitment.KzgSafe Commitment.FoldedOpeningSafe Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe
  Table.CertificateTranscriptSafe Table.CertificateSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [last_row_position] does not panic. *)
Definition last_row_position_safe (previous : RunRecord) : bool :=
  if 1 <=? previous.(record_rows) then
    within_usize (previous.(record_first) + previous.(record_rows)) &&
    (1 <=? previous.(record_first) + previous.(record_rows))
  else
    true.

(** When [link_shift] does not panic. *)
Definition link_shift_safe (previous : RunRecord) (items : Seq SheetItem) : bool :=
  sheet_size_safe (sheet_log items) &&
  domain_point_safe (sheet_size (sheet_log items)) (link_position items) &&
  (sheet_size_safe previous.(record_log) && last_row_position_safe previous &&
    domain_point_safe (sheet_size previous.(record_log)) (last_row_position previous)).

(** When [link_lagrange] does not panic. *)
Definition link_lagrange_safe (items : Seq SheetItem) (x : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  lagrange_value_safe (sheet_size (sheet_log items)) (link_position items) x.

(** When [linked_items_legal] does not panic. *)
Definition linked_items_legal_safe (moments : usize) (items : Seq SheetItem) : bool :=
  loop_safe
    (fun legal k => linked_items_legal_step legal moments (seq_at items k) k)
    (fun legal k => k <? seq_length items)
    (range 0 (seq_length items))
    true.

(** When [link_legal] does not panic. *)
Definition link_legal_safe (moments : usize) (previous : RunRecord) : bool :=
  layout_after_safe 1 previous.(record_log) previous.

(** When [linked_sheet_legal] does not panic. *)
Definition linked_sheet_legal_safe
    (log moments : usize)
    (previous : RunRecord)
    (items : Seq SheetItem) : bool :=
  (if (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
      (1 <=? seq_length items) &&
      (seq_length items <=? MAX_SHEET_ITEMS) then
      linked_items_legal_safe moments items
    else
      true) &&
  (if (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
      (1 <=? seq_length items) &&
      (seq_length items <=? MAX_SHEET_ITEMS) &&
      linked_items_legal moments items then
      link_legal_safe moments previous
    else
      true) &&
  (if (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
      (1 <=? seq_length items) &&
      (seq_length items <=? MAX_SHEET_ITEMS) &&
      linked_items_legal moments items &&
      link_legal moments previous then
      sheet_layout_legal_safe log items
    else
      true).

(** When [linked_statement] does not panic. *)
Definition linked_statement_safe
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem) : bool :=
  encode_run_record_safe previous &&
  (loop_safe
      (fun statement k => certificate_statement_step statement (seq_at items k))
      (fun statement k =>
        (k <? seq_length items) && certificate_statement_step_safe statement (seq_at items k))
      (range 0 (seq_length items))
      (u8_bytes 1 ++
        about.(about_dictionary) ++
        bytes8 about.(about_table) ++
        u8_bytes about.(about_column) ++
        about.(about_schema) ++
        u8_bytes (sheet_log items) ++
        u8_bytes 1 ++
        encode_run_record previous ++
        u16_bytes (seq_length items))).

(** When [linked_bits_seed] does not panic. *)
Definition linked_bits_seed_safe (s0 : ByteString) (shown : LinkedCertificate) : bool :=
  encode_table_points_safe shown.(linked_body).(certificate_bits).

(** When [linked_linear_value] does not panic. *)
Definition linked_linear_value_safe
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : LinkedCertificate) : bool :=
  link_lagrange_safe items drawn.(drawn_zeta) && linear_value_safe about items drawn shown.(linked_body).

(** When [linked_claims] does not panic. *)
Definition linked_claims_safe
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (shown : LinkedCertificate) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    let zeta := drawn.(drawn_zeta) in
    link_shift_safe previous items &&
    (let at_link := link_shift previous items [*] zeta in
      sheet_size_safe previous.(record_log) &&
      rows_vanishing_safe (sheet_size previous.(record_log)) at_link &&
      (bit_claims_safe shown.(linked_body) zeta &&
        (rows_vanishing_safe n zeta &&
          masked_values_safe items shown.(linked_body) (rows_vanishing n zeta)) &&
        (linear_commitment_safe about items drawn shown.(linked_body) &&
          linked_linear_value_safe about items drawn shown) &&
        (next_commitment_safe about items drawn shown.(linked_body) && domain_point_safe n 1)))).

(** When [linked_zeta_on_domain] does not panic. *)
Definition linked_zeta_on_domain_safe (previous : RunRecord) (items : Seq SheetItem) (zeta : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  (if on_domain (sheet_size (sheet_log items)) zeta then
      true
    else
      sheet_size_safe previous.(record_log) && link_shift_safe previous items).

(** When [verify_linked_drawn] does not panic. *)
Definition verify_linked_drawn_safe
    (setup : KzgSetup)
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : LinkedCertificate) : bool :=
  let body := shown.(linked_body) in
  linked_sheet_legal_safe (sheet_log items) about.(about_moments) previous items &&
  (if negb (linked_sheet_legal (sheet_log items) about.(about_moments) previous items) then
      true
    else if (negb (seq_length body.(certificate_bits) =? about.(about_bits))) ||
      (negb (seq_length body.(certificate_bit_values) =? about.(about_bits))) then
      true
    else
      linked_zeta_on_domain_safe previous items drawn.(drawn_zeta) &&
      (if linked_zeta_on_domain previous items drawn.(drawn_zeta) then
          true
        else
          linked_claims_safe about previous items drawn shown &&
          verify_fold_safe
            setup
            (linked_claims about previous items drawn shown)
            gammas
            z
            body.(certificate_opening))).

(** When [verify_linked_certificate] does not panic. *)
Definition verify_linked_certificate_safe
    (setup : KzgSetup)
    (about : CertificateAbout)
    (previous : RunRecord)
    (items : Seq SheetItem)
    (shown : LinkedCertificate) : bool :=
  linked_statement_safe about previous items &&
  (let s0 := certificate_seed (linked_statement about previous items) in
    linked_bits_seed_safe s0 shown &&
    (let s1 := linked_bits_seed s0 shown in
      let s2 := certificate_quotient_seed s1 shown.(linked_body) in
      let s3 := linked_values_seed s2 shown in
      certificate_challenges_safe about (seq_length items) s0 s1 s2 &&
      (let drawn := certificate_challenges about (seq_length items) s0 s1 s2 in
        within_usize (about.(about_bits) + 4) &&
        (let gammas := fold_gammas s3 (about.(about_bits) + 4) in
          let z := fold_point s3 shown.(linked_body).(certificate_opening_bytes) in
          verify_linked_drawn_safe setup about previous items drawn gammas z shown)))).

End Specification.
