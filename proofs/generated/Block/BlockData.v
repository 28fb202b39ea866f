(* Translated from spec/src/block/block_data.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** A block of transactions, and its length. *)
From AardvarkSpec Require Export Prelude Dictionary.Slot Block.Tail Block.Transaction.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A block of transactions. *)
Record Block : Type := {
  (** b, the version that the block leads to. *)
  block_version : usize;
  (** The transactions, in order. *)
  transactions : Seq Transaction;
  (** The vectors below the validators' tail, the highest first. *)
  tail_vectors : Seq (Seq Slot);
}.

#[global] Instance Default_Block : Default Block := {| block_version := default; transactions := default; tail_vectors := default |}.

(** Sums over the transactions of a block. *)
Record BlockTotals : Type := {
  (** The number of operations. *)
  total_operations : usize;
  (** The number of claims. *)
  total_claims : usize;
  (** The bytes of the transactions, with a length of 4 bytes before each. *)
  total_length : usize;
}.

#[global] Instance Default_BlockTotals : Default BlockTotals := {| total_operations := default; total_claims := default; total_length := default |}.

(** One step of [`block_totals`]. *)
Definition block_totals_step (totals : BlockTotals) (tx : Transaction) : BlockTotals :=
  {| total_operations := totals.(total_operations) + seq_length tx.(operations);
    total_claims := totals.(total_claims) + seq_length tx.(claims);
    total_length := totals.(total_length) + 4 + transaction_length tx |}.

(** The sums over the transactions of a block. *)
Definition block_totals (block : Block) : BlockTotals :=
  fold_left
    (fun totals x => block_totals_step totals (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    {| total_operations := 0; total_claims := 0; total_length := 0 |}.

(** The length of the encoded block, in bytes: format, version, transactions, tail vectors. *)
Definition block_length (block : Block) : usize :=
  let totals := block_totals block in
  1 + 8 + 4 + totals.(total_length) + 4 + vectors_length block.(tail_vectors).

End Specification.
