(* Translated from spec/src/decoding/block_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Blocks: their bytes, and how they are read within a dictionary's limits.

    An item in memory is many times as large as its encoding, which can be two bytes, so counts are
    looked at where they stand: what passes a limit is not read. Source: docs/format.md, "Blocks". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.Genesis Decoding.DecodeReason
  Decoding.Cursor Decoding.SlotDecoder Decoding.TransactionDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The format number of a block of transactions. *)
Definition BLOCK_FORMAT : usize :=
  1.

(** A block as it is received. *)
Record ReceivedBlock : Type := {
  (** The version that the block leads to. *)
  received_version : usize;
  (** The transactions, in order. *)
  received_transactions : Seq ReceivedTransaction;
  (** The vectors below the validators' tail, the highest first. *)
  received_tail_vectors : Seq (Seq Slot);
}.

#[global] Instance Default_ReceivedBlock : Default ReceivedBlock := {| received_version := default; received_transactions := default; received_tail_vectors := default |}.

(** The transactions of a block while they are read. *)
Record TransactionsRead : Type := {
  (** Those before. *)
  read_before : Seq ReceivedTransaction;
  (** How many operations and claims may still be read. *)
  read_quotas : ItemQuotas;
  (** The bytes behind them. *)
  read_rest : ByteString;
}.

#[global] Instance Default_TransactionsRead : Default TransactionsRead := {| read_before := default; read_quotas := default; read_rest := default |}.

(** `u32 length || bytes`. *)
Definition bytes32 (x : ByteString) : ByteString :=
  u32_bytes (seq_length x) ++ x.

(** One step of [`encode_transactions`]. *)
Definition encode_transactions_step
    (encoded : ByteString)
    (tx : ReceivedTransaction)
    (format : usize) : ByteString :=
  encoded ++ bytes32 (encode_transaction tx format).

(** The transactions one after the other, each behind its length. *)
Definition encode_transactions (items : Seq ReceivedTransaction) (format : usize) : ByteString :=
  fold_left
    (fun encoded x => encode_transactions_step encoded (seq_at items x) format)
    (range 0 (seq_length items))
    [].

(** One step of [`encode_slots`]. *)
Definition encode_slots_step (encoded : ByteString) (slot : Slot) : ByteString :=
  encoded ++ slot_bytes slot.

(** The slots one after the other. *)
Definition encode_slots (items : Seq Slot) : ByteString :=
  fold_left (fun encoded i => encode_slots_step encoded (seq_at items i)) (range 0 (seq_length items)) [].

(** One step of [`encode_vectors`]. *)
Definition encode_vectors_step (encoded : ByteString) (vector : Seq Slot) : ByteString :=
  encoded ++ encode_slots vector.

(** The vectors one after the other. *)
Definition encode_vectors (items : Seq (Seq Slot)) : ByteString :=
  fold_left (fun encoded i => encode_vectors_step encoded (seq_at items i)) (range 0 (seq_length items)) [].

(** `u64 version || u32 number of transactions || transactions`, behind the format. *)
Definition encode_head (block : ReceivedBlock) (format transaction_format : usize) : ByteString :=
  u8_bytes format ++
  u64_bytes block.(received_version) ++
  u32_bytes (seq_length block.(received_transactions)) ++
  encode_transactions block.(received_transactions) transaction_format.

(** `u32 number of tail vectors || slots`. *)
Definition encode_tail (items : Seq (Seq Slot)) : ByteString :=
  u32_bytes (seq_length items) ++ encode_vectors items.

(** A block with openings. *)
Definition encode_block (block : ReceivedBlock) : ByteString :=
  encode_head block BLOCK_FORMAT TRANSACTION_FORMAT ++ encode_tail block.(received_tail_vectors).

(** The next transaction of a block, behind its length. *)
Definition read_next_transaction
    (before : TransactionsRead)
    (format opening_length : usize) : Result TransactionsRead DecodeReason :=
  match read_number before.(read_rest) 4 with
  | Ok (length, after_length) =>
      match take_bytes after_length length with
      | Ok (body, rest) =>
          match read_transaction body format opening_length before.(read_quotas) with
          | Ok (tx, quotas) =>
              Ok {| read_before := before.(read_before) ++ [tx]; read_quotas := quotas; read_rest := rest |}
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_transactions`]. *)
Definition read_transactions_step
    (items : Result TransactionsRead DecodeReason)
    (format opening_length : usize) : Result TransactionsRead DecodeReason :=
  match items with
  | Ok before => read_next_transaction before format opening_length
  | Err e' => Err e'
  end.

(** The next transactions, so many. *)
Definition read_transactions
    (bytes : ByteString)
    (count format opening_length : usize)
    (quotas : ItemQuotas) : Result TransactionsRead DecodeReason :=
  fold_left
    (fun items _i => read_transactions_step items format opening_length)
    (range 0 (reading_turns count bytes))
    (Ok {| read_before := []; read_quotas := quotas; read_rest := bytes |}).

(** One step of [`read_vectors`]. *)
Definition read_vectors_step
    (items : Result ((Seq (Seq Slot)) * ByteString) DecodeReason)
    (n : usize) : Result ((Seq (Seq Slot)) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_slots bytes n with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next vectors of `n` slots, so many; `n` is at least 1. *)
Definition read_vectors
    (bytes : ByteString)
    (count n : usize) : Result ((Seq (Seq Slot)) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_vectors_step items n)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** How many tail vectors a block may have: it deletes no more slots than it has operations. *)
Definition most_tail_vectors (p : Parameters) : usize :=
  (p.(block_operations) + p.(vector_size) - 1) / p.(vector_size).

(** The operations and claims that a block may have. *)
Definition block_quotas (p : Parameters) : ItemQuotas :=
  {| operations_left := p.(block_operations); claims_left := p.(block_claims) |}.

(** Format, version and transactions of a block: the version, and what was read. *)
Definition read_head
    (bytes : ByteString)
    (p : Parameters)
    (format transaction_format opening_length : usize) : Result (usize * TransactionsRead) DecodeReason :=
  match expect_format bytes format with
  | Ok after_format =>
      match read_number after_format 8 with
      | Ok (b, after_version) =>
          match read_number after_version 4 with
          | Ok (count, after_count) =>
              match take_quota p.(block_transactions) count DecodeReason_ExcessTransactions with
              | Ok _room =>
                  match read_transactions
                      after_count
                      count
                      transaction_format
                      opening_length
                      (block_quotas p) with
                  | Ok found => Ok (b, found)
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The tail vectors that the bytes are. *)
Definition read_tail (bytes : ByteString) (p : Parameters) : Result (Seq (Seq Slot)) DecodeReason :=
  match read_number bytes 4 with
  | Ok (count, after_count) =>
      match take_quota (most_tail_vectors p) count DecodeReason_ExcessTailVectors with
      | Ok _room =>
          match read_vectors after_count count p.(vector_size) with
          | Ok (vectors, rest) =>
              match expect_end rest with
              | Ok _end => Ok vectors
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The block with openings that the bytes are, within the limits of a dictionary. *)
Definition decode_block (bytes : ByteString) (p : Parameters) : Result ReceivedBlock DecodeReason :=
  match expect_length (seq_length bytes) p.(block_bytes) with
  | Ok _short =>
      match read_head bytes p BLOCK_FORMAT TRANSACTION_FORMAT OPENING_LENGTH with
      | Ok (b, found) =>
          match read_tail found.(read_rest) p with
          | Ok vectors =>
              Ok
                {| received_version := b;
                  received_transactions := found.(read_before);
                  received_tail_vectors := vectors |}
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
