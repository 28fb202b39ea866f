(* Translated from spec/src/decoding/checked_bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.CheckedBytes Base.BytesSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Block.StateSafe Block.ExecutionSafe Block.ValidatorSafe Block.RootSafe
  Decoding.TransactionDecoderSafe Decoding.SignedDecoderSafe Decoding.SnapshotDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_signed_bytes] does not panic. *)
Definition check_signed_bytes_safe
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq Opening) : bool :=
  decode_signed_safe bytes state.(parameters) &&
  (match decode_signed bytes state.(parameters) with
    | Ok received =>
        meant_transaction_safe received.(signed_transaction) meanings &&
        check_transaction_safe setup state (meant_transaction received.(signed_transaction) meanings)
    | Err why => true
    end).

(** When [received_vector_count] does not panic. *)
Definition received_vector_count_safe (s n : usize) : bool :=
  if s =? 0 then true else (1 <=? s) && negb (n =? 0) && within_usize (((s - 1) / n) + 1).

(** When [check_snapshot] does not panic. *)
Definition check_snapshot_safe (received : HashedState) (n : usize) (certified : ByteString) : bool :=
  (if received.(hashed_size) =? 0 then true else received_vector_count_safe received.(hashed_size) n) &&
  (if (received.(hashed_size) =? 0) ||
      (negb (seq_length received.(hashed_commitments) =? received_vector_count received.(hashed_size) n)) then
      true
    else
      state_root_safe received && bytes_equal_safe (state_root received) certified).

(** When [accept_snapshot] does not panic. *)
Definition accept_snapshot_safe (dictionary : ByteString) (n : usize) (certified bytes : ByteString) : bool :=
  decode_snapshot_safe dictionary bytes &&
  (match decode_snapshot dictionary bytes with
    | Ok received => check_snapshot_safe received n certified
    | Err why => true
    end).

End Specification.
