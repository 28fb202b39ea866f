(* Translated from spec/src/policy/tables.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.Tables Base.BytesSafe Commitment.KzgSafe Block.TransactionSafe
  Decoding.SignedDecoderSafe Table.RunRecordSafe Table.CertificateTranscriptSafe Table.CertificateSafe
  Table.LinkedCertificateSafe Policy.PublisherSafe Policy.TableWriteSafe Policy.TableCoveredSafe
  Policy.TableJudgeSafe Policy.TableMadeSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_tables] does not panic. *)
Definition check_tables_safe
    (creators : Seq ByteString)
    (tx : Transaction)
    (signing_keys : Seq ByteString) : bool :=
  read_table_write_safe tx.(operations) &&
  (match read_table_write tx.(operations) with
    | Err why => true
    | Ok TableWrite_WriteCreate => check_publisher_safe creators signing_keys
    | Ok (TableWrite_WriteSeal sealed) => check_publisher_safe sealed.(schema_writers) signing_keys
    | Ok (TableWrite_WriteRuns runs) =>
        check_publisher_safe runs.(written_schema).(schema_writers) signing_keys
    end).

(** When [check_tables_covered] does not panic. *)
Definition check_tables_covered_safe (tx : Transaction) (items : Seq ReceivedCertificate) : bool :=
  read_table_write_safe tx.(operations) &&
  (match read_table_write tx.(operations) with
    | Err why => true
    | Ok write => check_covered_safe write items
    end).

(** When [judge_tables] does not panic. *)
Definition judge_tables_safe
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint) : bool :=
  read_table_write_safe tx.(operations) &&
  (match read_table_write tx.(operations) with
    | Err why => true
    | Ok (TableWrite_WriteRuns runs) =>
        judge_runs_safe runs points &&
        (match judge_runs runs points with
          | Err why => true
          | Ok placed => sheets_of_runs_safe dictionary runs placed items
          end)
    | Ok _ => true
    end).

(** When [sheet_holds] does not panic. *)
Definition sheet_holds_safe (setup : KzgSetup) (sheet : TableSheet) (meaning : CertificateMeaning) : bool :=
  match sheet.(table_sheet_link) with
  | None =>
      match meaning with
      | CertificateMeaning_CertificatePlain shown =>
          verify_certificate_safe setup sheet.(table_sheet_about) sheet.(table_sheet_items) shown
      | _ => true
      end
  | Some link =>
      match meaning with
      | CertificateMeaning_CertificateLinked shown =>
          verify_linked_certificate_safe setup sheet.(table_sheet_about) link sheet.(table_sheet_items) shown
      | _ => true
      end
  end.

(** When [meanings_read] does not panic. *)
Definition meanings_read_safe (meanings : Seq CertificateMeaning) : bool :=
  loop_safe
    (fun all_read i => meanings_read_step all_read (seq_at meanings i))
    (fun all_read i => i <? seq_length meanings)
    (range 0 (seq_length meanings))
    true.

(** When [sheets_hold_step] does not panic. *)
Definition sheets_hold_step_safe
    (all_hold : bool)
    (setup : KzgSetup)
    (sheets : Seq TableSheet)
    (meanings : Seq CertificateMeaning)
    (i : usize) : bool :=
  if all_hold && (i <? seq_length meanings) then
    (i <? seq_length sheets) && sheet_holds_safe setup (seq_at sheets i) (seq_at meanings i)
  else
    true.

(** When [sheets_hold] does not panic. *)
Definition sheets_hold_safe
    (setup : KzgSetup)
    (sheets : Seq TableSheet)
    (meanings : Seq CertificateMeaning) : bool :=
  loop_safe
    (fun all_hold i => sheets_hold_step all_hold setup sheets meanings i)
    (fun all_hold i => sheets_hold_step_safe all_hold setup sheets meanings i)
    (range 0 (seq_length sheets))
    true.

(** When [certify_tables] does not panic. *)
Definition certify_tables_safe
    (setup : KzgSetup)
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint)
    (meanings : Seq CertificateMeaning) : bool :=
  judge_tables_safe dictionary tx items points &&
  (match judge_tables dictionary tx items points with
    | Err why => true
    | Ok sheets =>
        meanings_read_safe meanings &&
        (if negb (meanings_read meanings) then true else sheets_hold_safe setup sheets meanings)
    end).

End Specification.
