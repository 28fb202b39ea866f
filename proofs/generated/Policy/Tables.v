(* Translated from spec/src/policy/tables.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy `tables`: tables of private rows, and nothing else. A creator signs what begins a
    table, a writer of the pinned schema everything else.

    The policy is looked at in two parts. What needs no point ([`check_tables`]) comes before
    signatures. Who the writers are stands in the state, so what needs points comes once the state
    is known to be the one that the transaction pins: whether each step of a run is legal
    ([`judge_tables`]), and whether the certificates hold ([`certify_tables`]). Both depend on the
    transaction alone. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Kzg Block.Transaction Decoding.SignedDecoder
  Table.RunRecord Table.CertificateTranscript Table.Certificate Table.LinkedCertificate Policy.PolicyReason
  Policy.Publisher Policy.TableWrite Policy.TableCovered Policy.TableJudge Policy.TableMade.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What the bytes of a certificate are. *)
Inductive CertificateMeaning : Type :=
(** None for so many bits. *)
| CertificateMeaning_CertificateUnread
(** One that continues no run. *)
| CertificateMeaning_CertificatePlain (_ : Certificate)
(** One that continues a run. *)
| CertificateMeaning_CertificateLinked (_ : LinkedCertificate).

#[global] Instance Default_CertificateMeaning : Default CertificateMeaning := CertificateMeaning_CertificateUnread.

(** Whether a transaction has the shape of a write, and those signed who may write so. *)
Definition check_tables
    (creators : Seq ByteString)
    (tx : Transaction)
    (signing_keys : Seq ByteString) : Result unit PolicyReason :=
  match read_table_write tx.(operations) with
  | Err why => Err why
  | Ok TableWrite_WriteCreate => check_publisher creators signing_keys
  | Ok (TableWrite_WriteSeal sealed) => check_publisher sealed.(schema_writers) signing_keys
  | Ok (TableWrite_WriteRuns runs) => check_publisher runs.(written_schema).(schema_writers) signing_keys
  end.

(** Whether the certificates that a transaction brings cover what it puts. *)
Definition check_tables_covered
    (tx : Transaction)
    (items : Seq ReceivedCertificate) : Result unit PolicyReason :=
  match read_table_write tx.(operations) with
  | Err why => Err why
  | Ok write => check_covered write items
  end.

(** The sheets that a transaction's certificates have to hold for, once each of its steps is judged. *)
Definition judge_tables
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint) : Result (Seq TableSheet) PolicyReason :=
  match read_table_write tx.(operations) with
  | Err why => Err why
  | Ok (TableWrite_WriteRuns runs) =>
      match judge_runs runs points with
      | Err why => Err why
      | Ok placed => Ok (sheets_of_runs dictionary runs placed items)
      end
  | Ok _ => Ok []
  end.

(** Whether the bytes of a certificate are one. *)
Definition meaning_read (meaning : CertificateMeaning) : bool :=
  match meaning with
  | CertificateMeaning_CertificateUnread => false
  | _ => true
  end.

(** Whether a certificate holds for a sheet. *)
Definition sheet_holds (setup : KzgSetup) (sheet : TableSheet) (meaning : CertificateMeaning) : bool :=
  match sheet.(table_sheet_link) with
  | None =>
      match meaning with
      | CertificateMeaning_CertificatePlain shown =>
          match verify_certificate setup sheet.(table_sheet_about) sheet.(table_sheet_items) shown with
          | Ok _ => true
          | Err _ => false
          end
      | _ => false
      end
  | Some link =>
      match meaning with
      | CertificateMeaning_CertificateLinked shown =>
          match verify_linked_certificate
              setup
              sheet.(table_sheet_about)
              link
              sheet.(table_sheet_items)
              shown with
          | Ok _ => true
          | Err _ => false
          end
      | _ => false
      end
  end.

(** One step of [`meanings_read`]. *)
Definition meanings_read_step (all_read : bool) (meaning : CertificateMeaning) : bool :=
  all_read && meaning_read meaning.

(** Whether the bytes of all certificates are some. *)
Definition meanings_read (meanings : Seq CertificateMeaning) : bool :=
  fold_left
    (fun all_read i => meanings_read_step all_read (seq_at meanings i))
    (range 0 (seq_length meanings))
    true.

(** One step of [`sheets_hold`]. *)
Definition sheets_hold_step
    (all_hold : bool)
    (setup : KzgSetup)
    (sheets : Seq TableSheet)
    (meanings : Seq CertificateMeaning)
    (i : usize) : bool :=
  all_hold && (i <? seq_length meanings) && sheet_holds setup (seq_at sheets i) (seq_at meanings i).

(** Whether each certificate holds for its sheet. *)
Definition sheets_hold
    (setup : KzgSetup)
    (sheets : Seq TableSheet)
    (meanings : Seq CertificateMeaning) : bool :=
  fold_left
    (fun all_hold i => sheets_hold_step all_hold setup sheets meanings i)
    (range 0 (seq_length sheets))
    true.

(** Whether each step of a transaction is legal, and its certificates hold: `points` are the points
    of which it has encodings, `meanings` what the bytes of its certificates are. *)
Definition certify_tables
    (setup : KzgSetup)
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint)
    (meanings : Seq CertificateMeaning) : Result unit PolicyReason :=
  match judge_tables dictionary tx items points with
  | Err why => Err why
  | Ok sheets =>
      if negb (meanings_read meanings) then
        Err PolicyReason_CertificatesMalformed
      else if sheets_hold setup sheets meanings then
        Ok tt
      else
        Err PolicyReason_CertificateRefused
  end.

End Specification.
