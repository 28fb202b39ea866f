(* Translated from spec/src/table/table_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableAnswer Base.BytesSafe Commitment.OpeningSafe Table.TableSchemaSafe
  Table.TableKeySafe Table.KeyBoxSafe Table.TableQuerySafe Table.TotalsSafe Table.RunSegmentsSafe
  Table.ComparisonSafe Table.CutSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [key_widths] does not panic. *)
Definition key_widths_safe (items : Seq KeyColumn) : bool :=
  loop_safe
    (fun widths i => key_widths_step widths (seq_at items i))
    (fun widths i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_stated_cut] does not panic. *)
Definition encode_stated_cut_safe (stated : Option TableCut) : bool :=
  match stated with
  | None => true
  | Some cut => encode_cut_safe cut
  end.

(** When [encode_stated] does not panic. *)
Definition encode_stated_safe (answer : TableAnswer) : bool :=
  encode_totals_safe answer.(answer_totals) && encode_stated_cut_safe answer.(answer_cut).

(** When [row_leaf] does not panic. *)
Definition row_leaf_safe (salt : ByteString) (texts : Seq ByteString) : bool :=
  loop_safe
    (fun leaf i => row_leaf_step leaf (seq_at texts i))
    (fun leaf i => i <? seq_length texts)
    (range 0 (seq_length texts))
    (salt ++ u8_bytes (seq_length texts)).

End Specification.
