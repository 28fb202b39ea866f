(* Translated from spec/src/table/table_answer_order.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What an answer claims of the order of rows: the openings of its cut's ends, and its comparisons.
    The cut is one of the pieces of runs ([`crate::table::long_runs`]).

    The claims stand in this order: the low end, the high end, those of each comparison; the fold's
    seed binds s3 of each. Of no rows nothing is stated. Source: docs/tables.md, "Order statistics". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Commitment.FoldedOpening Table.TableQuery
  Table.Comparison Table.CutGoal Table.Cut Table.TableAnswer Table.LongRuns.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What an answer claims. *)
Record AnswerClaims : Type := {
  (** The claims, in the fold's order. *)
  claims_stated : Seq FoldedClaim;
  (** s3 of each comparison, 32 bytes each. *)
  claims_seeds : ByteString;
}.

#[global] Instance Default_AnswerClaims : Default AnswerClaims := {| claims_stated := default; claims_seeds := default |}.

(** Claims without comparisons. *)
Definition claims_alone (claimed : Seq FoldedClaim) : AnswerClaims :=
  {| claims_stated := claimed; claims_seeds := [] |}.

(** What is asked for of the pieces, where so many rows before the cut are not shown; nothing where
    these are too many. *)
Definition goal_of_pieces (goal : CutGoal) (hidden : u128) : CutGoal :=
  match goal with
  | CutGoal_NoCut => CutGoal_NoCut
  | CutGoal_BelowNumber number => CutGoal_BelowNumber number
  | CutGoal_AtRank rank => if hidden <=? rank then CutGoal_AtRank (rank - hidden) else CutGoal_NoCut
  | CutGoal_AroundRank rank => if hidden <=? rank then CutGoal_AroundRank (rank - hidden) else CutGoal_NoCut
  end.

(** What a query about order asks for, of these runs. *)
Definition goal_of_runs (query : TableQuery) (runs : Seq LongRun) : CutGoal :=
  let rows := u128_of_usize (rows_of_long_runs runs) in
  cut_goal query.(query_function) query.(query_a) query.(query_b) rows.

(** Claims, and those of comparison number i with its rows. *)
Definition with_comparison
    (before : AnswerClaims)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (shown : Comparison)
    (i : usize) : Result AnswerClaims TableRefusal :=
  let c0 := comparison_seed answer_seed i rows in
  let s1 := comparison_bits_seed c0 shown in
  let s2 := comparison_quotient_seed s1 shown in
  let s3 := comparison_values_seed s2 shown in
  match claims_of_comparison bits rows (comparison_challenges bits s1 s2) shown with
  | Err fault =>
      match fault with
      | ComparisonFault_PointOnDomain => Err (refuse_table_item TableReason_ComparisonFalse i)
      | ComparisonFault_ItemsIllegal => Err (refuse_table_item TableReason_ComparisonMalformed i)
      | ComparisonFault_ComparisonMisshapen => Err (refuse_table_item TableReason_ComparisonMalformed i)
      end
  | Ok claimed =>
      Ok {| claims_stated := before.(claims_stated) ++ claimed; claims_seeds := before.(claims_seeds) ++ s3 |}
  end.

(** One step of [`with_comparisons`]. *)
Definition with_comparisons_step
    (found : Result AnswerClaims TableRefusal)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (received : Option Comparison)
    (i : usize) : Result AnswerClaims TableRefusal :=
  match found with
  | Err refusal => Err refusal
  | Ok before =>
      match received with
      | None => Err (refuse_table_item TableReason_ComparisonMalformed i)
      | Some shown => with_comparison before bits answer_seed (rows_of_comparison rows i) shown i
      end
  end.

(** Claims, and those of the comparisons of these rows. *)
Definition with_comparisons
    (before : AnswerClaims)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (received : Seq (Option Comparison)) : Result AnswerClaims TableRefusal :=
  fold_left
    (fun found i => with_comparisons_step found bits answer_seed rows (seq_at received i) i)
    (range 0 (seq_length received))
    (Ok before).

(** The claims of a stated cut of the pieces of runs, of numbers of so many bits. *)
Definition claims_of_cut
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (stated : TableCut)
    (answer : TableAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  let records := records_of_long_runs runs in
  let hidden := hidden_rows runs stated.(cut_splits) in
  let goal := goal_of_pieces (goal_of_runs query runs) (u128_of_usize hidden.(hidden_before)) in
  match expect_table hidden.(hidden_settled) TableReason_CutFalse with
  | Ok _settled =>
      match work_of_cut records (u128_of_u64 cap) goal stated with
      | None => Err (refuse_table TableReason_CutFalse)
      | Some work =>
          let received := answer.(answer_comparisons) in
          let counted := seq_length received =? comparison_count (seq_length work.(work_rows)) in
          match expect_table counted TableReason_PartsMismatched with
          | Ok _count =>
              with_comparisons (claims_alone work.(work_claims)) bits answer_seed work.(work_rows) received
          | Err e' => Err e'
          end
      end
  | Err e' => Err e'
  end.

(** Whether a query about order asks for nothing of these runs. *)
Definition asks_for_nothing (query : TableQuery) (runs : Seq LongRun) : bool :=
  match goal_of_runs query runs with
  | CutGoal_NoCut => true
  | CutGoal_AtRank _ => false
  | CutGoal_AroundRank _ => false
  | CutGoal_BelowNumber _ => false
  end.

(** The claims of an answer to a query about order. Where nothing is asked for, nothing is shown. *)
Definition claims_of_order
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (answer : TableAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  match answer.(answer_cut) with
  | None =>
      let bare := (seq_length answer.(answer_comparisons) =? 0) && (seq_length answer.(answer_shown) =? 0) in
      match expect_table (asks_for_nothing query runs && bare) TableReason_PartsMismatched with
      | Ok _nothing => Ok (claims_alone [])
      | Err e' => Err e'
      end
  | Some stated => claims_of_cut query cap bits runs stated answer answer_seed
  end.

(** Whether an answer states nothing of the order of rows. *)
Definition states_no_order (answer : TableAnswer) : bool :=
  match answer.(answer_cut) with
  | None => seq_length answer.(answer_comparisons) =? 0
  | Some _ => false
  end.

End Specification.
