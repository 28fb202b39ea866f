(* Translated from spec/src/table/certificate_transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.CertificateTranscript Base.BytesSafe Base.ScalarSafe
  Commitment.FoldedOpeningSafe Table.RunRecordSafe Table.SheetSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_sheet_item] does not panic. *)
Definition encode_sheet_item_safe (placed : SheetItem) : bool :=
  encode_run_record_safe placed.(item_record).

(** When [certificate_statement_step] does not panic. *)
Definition certificate_statement_step_safe (statement : ByteString) (placed : SheetItem) : bool :=
  encode_sheet_item_safe placed.

(** When [certificate_statement] does not panic. *)
Definition certificate_statement_safe (about : CertificateAbout) (items : Seq SheetItem) : bool :=
  loop_safe
    (fun statement k => certificate_statement_step statement (seq_at items k))
    (fun statement k => (k <? seq_length items) && certificate_statement_step_safe statement (seq_at items k))
    (range 0 (seq_length items))
    (u8_bytes 1 ++
      about.(about_dictionary) ++
      bytes8 about.(about_table) ++
      u8_bytes about.(about_column) ++
      about.(about_schema) ++
      u8_bytes (sheet_log items) ++
      u8_bytes 0 ++
      u16_bytes (seq_length items)).

(** When [certificate_bits_seed] does not panic. *)
Definition certificate_bits_seed_safe (s0 : ByteString) (shown : Certificate) : bool :=
  encode_table_points_safe shown.(certificate_bits).

(** When [beta_count] does not panic. *)
Definition beta_count_safe (about : CertificateAbout) : bool :=
  within_usize (about.(about_bits) + 2) && within_usize (about.(about_bits) + 2 + about.(about_moments)).

(** When [certificate_challenges] does not panic. *)
Definition certificate_challenges_safe
    (about : CertificateAbout)
    (segments : usize)
    (s0 s1 s2 : ByteString) : bool :=
  beta_count_safe about.

(** When [beta_support] does not panic. *)
Definition beta_support_safe (about : CertificateAbout) (drawn : CertificateChallenges) : bool :=
  within_usize (about.(about_bits) + 1).

(** When [beta_moment] does not panic. *)
Definition beta_moment_safe (about : CertificateAbout) (drawn : CertificateChallenges) (i : usize) : bool :=
  within_usize (about.(about_bits) + 2) && within_usize (about.(about_bits) + 2 + i).

End Specification.
