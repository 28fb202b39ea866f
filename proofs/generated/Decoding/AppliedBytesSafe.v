(* Translated from spec/src/decoding/applied_bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.AppliedBytes Base.BytesSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Dictionary.ArraySafe Block.TransactionSafe Block.StateSafe Block.BlockDataSafe
  Block.ValidatorSafe Block.AggregatedBlockSafe Block.DrawnBlockSafe Block.ImportSafe
  Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe Decoding.AggregatedDecoderSafe
  Decoding.SignedDecoderSafe Decoding.ChainDecoderSafe Decoding.ImportDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [meant_transactions_step] does not panic. *)
Definition meant_transactions_step_safe
    (items : Seq Transaction)
    (tx : ReceivedTransaction)
    (x : usize)
    (meanings : Seq (Seq Opening)) : bool :=
  meant_transaction_safe tx (meanings_at meanings x).

(** When [meant_transactions] does not panic. *)
Definition meant_transactions_safe
    (received : Seq ReceivedTransaction)
    (meanings : Seq (Seq Opening)) : bool :=
  loop_safe
    (fun items x => meant_transactions_step items (seq_at received x) x meanings)
    (fun items x =>
      (x <? seq_length received) && meant_transactions_step_safe items (seq_at received x) x meanings)
    (range 0 (seq_length received))
    [].

(** When [meant_block] does not panic. *)
Definition meant_block_safe (received : ReceivedBlock) (meanings : Seq (Seq Opening)) : bool :=
  meant_transactions_safe received.(received_transactions) meanings.

(** When [meant_aggregated] does not panic. *)
Definition meant_aggregated_safe (received : ReceivedAggregated) (meanings : Seq Opening) : bool :=
  meant_block_safe received.(received_plain) [].

(** When [unsigned_transactions] does not panic. *)
Definition unsigned_transactions_safe (received : Seq ReceivedSigned) : bool :=
  loop_safe
    (fun items x => unsigned_transactions_step items (seq_at received x))
    (fun items x => x <? seq_length received)
    (range 0 (seq_length received))
    [].

(** When [chain_aggregated] does not panic. *)
Definition chain_aggregated_safe (block : ReceivedChainBlock) : bool :=
  unsigned_transactions_safe block.(chain_transactions).

(** When [apply_received_aggregated] does not panic. *)
Definition apply_received_aggregated_safe
    (setup : Setup)
    (state : ValidatorState)
    (received : ReceivedAggregated)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : bool :=
  let encodings := {| claim_encodings := claims_encoded; point_encodings := received.(received_points) |} in
  meant_aggregated_safe received meanings &&
  apply_aggregated_block_safe setup state (meant_aggregated received meanings) encodings.

(** When [apply_aggregated_bytes] does not panic. *)
Definition apply_aggregated_bytes_safe
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : bool :=
  decode_aggregated_safe bytes state.(parameters) &&
  (match decode_aggregated bytes state.(parameters) with
    | Ok received => apply_received_aggregated_safe setup state received meanings claims_encoded
    | Err why => true
    end).

(** When [apply_chain_list] does not panic. *)
Definition apply_chain_list_safe
    (setup : Setup)
    (state : ValidatorState)
    (height : usize)
    (txs : Seq ByteString)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : bool :=
  decode_chain_block_safe height txs state.(parameters) &&
  (match decode_chain_block height txs state.(parameters) with
    | Ok received =>
        chain_aggregated_safe received &&
        apply_received_aggregated_safe setup state (chain_aggregated received) meanings claims_encoded
    | Err why => true
    end).

(** When [apply_block_bytes] does not panic. *)
Definition apply_block_bytes_safe
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq (Seq Opening)) : bool :=
  decode_block_safe bytes state.(parameters) &&
  (match decode_block bytes state.(parameters) with
    | Ok received =>
        meant_block_safe received meanings && apply_block_safe setup state (meant_block received meanings)
    | Err why => true
    end).

(** When [apply_import_bytes] does not panic. *)
Definition apply_import_bytes_safe
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (bytes : ByteString) : bool :=
  decode_import_safe bytes &&
  (match decode_import bytes with
    | Ok block => apply_import_safe setup state array block
    | Err why => true
    end).

End Specification.
