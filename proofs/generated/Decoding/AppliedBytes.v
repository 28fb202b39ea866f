(* Translated from spec/src/decoding/applied_bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** From received bytes to what they do: what a process that receives a block goes through.

    Bytes are decoded within the dictionary's limits, the points among them take their meaning, and
    the block that they are is applied. What the curve says is given beside the bytes: what each
    opening or point is, in order, and the encodings of the claims for the challenges. The points'
    encodings are the bytes that were received. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Dictionary.Array
  Block.Rejection Block.Transaction Block.State Block.BlockData Block.Validator Block.AggregatedBlock
  Block.DrawnBlock Block.Import Decoding.DecodeReason Decoding.TransactionDecoder Decoding.BlockDecoder
  Decoding.AggregatedDecoder Decoding.SignedDecoder Decoding.ChainDecoder Decoding.ImportDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Why received bytes are not applied. *)
Inductive BytesRejection : Type :=
(** They are no block. *)
| BytesRejection_UnreadableBlock (_ : DecodeReason)
(** They are a block that the dictionary's rules refuse. *)
| BytesRejection_RefusedBlock (_ : Rejection).

(** Why received bytes are not imported. *)
Inductive ImportBytesRejection : Type :=
(** They are no import block. *)
| ImportBytesRejection_UnreadableImport (_ : DecodeReason)
(** They are one that is refused. *)
| ImportBytesRejection_RefusedImport (_ : ImportRejection).

(** What the openings of transaction `x` are; nothing beyond the end. *)
Definition meanings_at (meanings : Seq (Seq Opening)) (x : usize) : Seq Opening :=
  if x <? seq_length meanings then seq_at meanings x else [].

(** One step of [`meant_transactions`]. *)
Definition meant_transactions_step
    (items : Seq Transaction)
    (tx : ReceivedTransaction)
    (x : usize)
    (meanings : Seq (Seq Opening)) : Seq Transaction :=
  items ++ [meant_transaction tx (meanings_at meanings x)].

(** The transactions, with what the openings of each are as points. *)
Definition meant_transactions
    (received : Seq ReceivedTransaction)
    (meanings : Seq (Seq Opening)) : Seq Transaction :=
  fold_left
    (fun items x => meant_transactions_step items (seq_at received x) x meanings)
    (range 0 (seq_length received))
    [].

(** The block that a validator judges. *)
Definition meant_block (received : ReceivedBlock) (meanings : Seq (Seq Opening)) : Block :=
  {| block_version := received.(received_version);
    transactions := meant_transactions received.(received_transactions) meanings;
    tail_vectors := received.(received_tail_vectors) |}.

(** One step of [`meant_points`]. *)
Definition meant_points_step (items meanings : Seq Opening) (k : usize) : Seq Opening :=
  let meaning := if k <? seq_length meanings then seq_at meanings k else Opening_Malformed in
  items ++ [meaning].

(** As many points as were received, with what they are; those that nothing is said of are
    malformed. *)
Definition meant_points (received : Seq ByteString) (meanings : Seq Opening) : Seq Opening :=
  fold_left (fun items k => meant_points_step items meanings k) (range 0 (seq_length received)) [].

(** The aggregated block that a validator judges; its claims have no openings. *)
Definition meant_aggregated (received : ReceivedAggregated) (meanings : Seq Opening) : AggregatedBlock :=
  {| plain_block := meant_block received.(received_plain) [];
    block_points := meant_points received.(received_points) meanings |}.

(** One step of [`unsigned_transactions`]. *)
Definition unsigned_transactions_step
    (items : Seq ReceivedTransaction)
    (signed : ReceivedSigned) : Seq ReceivedTransaction :=
  items ++ [signed.(signed_transaction)].

(** The transactions of a chain's block, without their signatures. *)
Definition unsigned_transactions (received : Seq ReceivedSigned) : Seq ReceivedTransaction :=
  fold_left
    (fun items x => unsigned_transactions_step items (seq_at received x))
    (range 0 (seq_length received))
    [].

(** The aggregated block that a block of a chain is. Signatures are looked at by the chain's policy. *)
Definition chain_aggregated (block : ReceivedChainBlock) : ReceivedAggregated :=
  aggregated_of_parts
    block.(chain_version)
    (unsigned_transactions block.(chain_transactions))
    block.(chain_proof).

(** What applying a block that was read came to. *)
Definition read_and_applied
    (applied : Result (ValidatorState * Effects) Rejection) : Result (ValidatorState * Effects) BytesRejection :=
  match applied with
  | Ok outcome => Ok outcome
  | Err rejection => Err (BytesRejection_RefusedBlock rejection)
  end.

(** Applies an aggregated block as it was received, under the challenges that are drawn for it. *)
Definition apply_received_aggregated
    (setup : Setup)
    (state : ValidatorState)
    (received : ReceivedAggregated)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : Result (ValidatorState * Effects) BytesRejection :=
  let encodings := {| claim_encodings := claims_encoded; point_encodings := received.(received_points) |} in
  read_and_applied (apply_aggregated_block setup state (meant_aggregated received meanings) encodings).

(** Applies the aggregated block that the bytes are: what an archive does with its log. *)
Definition apply_aggregated_bytes
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : Result (ValidatorState * Effects) BytesRejection :=
  match decode_aggregated bytes state.(parameters) with
  | Ok received => apply_received_aggregated setup state received meanings claims_encoded
  | Err why => Err (BytesRejection_UnreadableBlock why)
  end.

(** Applies the block of a height that a list is: what a validator does with the list that consensus
    decides on, once its signatures and the chain's policy have been looked at. *)
Definition apply_chain_list
    (setup : Setup)
    (state : ValidatorState)
    (height : usize)
    (txs : Seq ByteString)
    (meanings : Seq Opening)
    (claims_encoded : Seq ClaimEncoding) : Result (ValidatorState * Effects) BytesRejection :=
  match decode_chain_block height txs state.(parameters) with
  | Ok received => apply_received_aggregated setup state (chain_aggregated received) meanings claims_encoded
  | Err why => Err (BytesRejection_UnreadableBlock why)
  end.

(** Applies the block with openings that the bytes are; `meanings` has a list for each transaction. *)
Definition apply_block_bytes
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq (Seq Opening)) : Result (ValidatorState * Effects) BytesRejection :=
  match decode_block bytes state.(parameters) with
  | Ok received => read_and_applied (apply_block setup state (meant_block received meanings))
  | Err why => Err (BytesRejection_UnreadableBlock why)
  end.

(** Applies the import block that the bytes are to an archive's state and whole array. *)
Definition apply_import_bytes
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (bytes : ByteString) : Result (ValidatorState * Array) ImportBytesRejection :=
  match decode_import bytes with
  | Ok block =>
      match apply_import setup state array block with
      | Ok imported => Ok imported
      | Err rejection => Err (ImportBytesRejection_RefusedImport rejection)
      end
  | Err why => Err (ImportBytesRejection_UnreadableImport why)
  end.

End Specification.
