(* Translated from spec/src/block/block_data.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.BlockData Dictionary.SlotSafe Block.TailSafe Block.TransactionSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [block_totals_step] does not panic. *)
Definition block_totals_step_safe (totals : BlockTotals) (tx : Transaction) : bool :=
  within_usize (totals.(total_operations) + seq_length tx.(operations)) &&
  within_usize (totals.(total_claims) + seq_length tx.(claims)) &&
  (within_usize (totals.(total_length) + 4) && transaction_length_safe tx &&
    within_usize (totals.(total_length) + 4 + transaction_length tx)).

(** When [block_totals] does not panic. *)
Definition block_totals_safe (block : Block) : bool :=
  loop_safe
    (fun totals x => block_totals_step totals (seq_at block.(transactions) x))
    (fun totals x =>
      (x <? seq_length block.(transactions)) && block_totals_step_safe totals (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    {| total_operations := 0; total_claims := 0; total_length := 0 |}.

(** When [block_length] does not panic. *)
Definition block_length_safe (block : Block) : bool :=
  block_totals_safe block &&
  (let totals := block_totals block in
    within_usize (1 + 8) && within_usize (1 + 8 + 4) && within_usize (1 + 8 + 4 + totals.(total_length)) &&
    within_usize (1 + 8 + 4 + totals.(total_length) + 4) &&
    vectors_length_safe block.(tail_vectors) &&
    within_usize (1 + 8 + 4 + totals.(total_length) + 4 + vectors_length block.(tail_vectors))).

End Specification.
