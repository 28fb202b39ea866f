(* Translated from spec/src/decoding/block_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.BlockDecoder Base.BytesSafe Dictionary.SlotSafe
  Dictionary.GenesisSafe Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.TransactionDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_transactions_step] does not panic. *)
Definition encode_transactions_step_safe
    (encoded : ByteString)
    (tx : ReceivedTransaction)
    (format : usize) : bool :=
  encode_transaction_safe tx format.

(** When [encode_transactions] does not panic. *)
Definition encode_transactions_safe (items : Seq ReceivedTransaction) (format : usize) : bool :=
  loop_safe
    (fun encoded x => encode_transactions_step encoded (seq_at items x) format)
    (fun encoded x =>
      (x <? seq_length items) && encode_transactions_step_safe encoded (seq_at items x) format)
    (range 0 (seq_length items))
    [].

(** When [encode_slots] does not panic. *)
Definition encode_slots_safe (items : Seq Slot) : bool :=
  loop_safe
    (fun encoded i => encode_slots_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_vectors_step] does not panic. *)
Definition encode_vectors_step_safe (encoded : ByteString) (vector : Seq Slot) : bool :=
  encode_slots_safe vector.

(** When [encode_vectors] does not panic. *)
Definition encode_vectors_safe (items : Seq (Seq Slot)) : bool :=
  loop_safe
    (fun encoded i => encode_vectors_step encoded (seq_at items i))
    (fun encoded i => (i <? seq_length items) && encode_vectors_step_safe encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** When [encode_head] does not panic. *)
Definition encode_head_safe (block : ReceivedBlock) (format transaction_format : usize) : bool :=
  encode_transactions_safe block.(received_transactions) transaction_format.

(** When [encode_tail] does not panic. *)
Definition encode_tail_safe (items : Seq (Seq Slot)) : bool :=
  encode_vectors_safe items.

(** When [encode_block] does not panic. *)
Definition encode_block_safe (block : ReceivedBlock) : bool :=
  encode_head_safe block BLOCK_FORMAT TRANSACTION_FORMAT && encode_tail_safe block.(received_tail_vectors).

(** When [read_next_transaction] does not panic. *)
Definition read_next_transaction_safe (before : TransactionsRead) (format opening_length : usize) : bool :=
  read_number_safe before.(read_rest) 4 &&
  (match read_number before.(read_rest) 4 with
    | Ok (length, after_length) =>
        take_bytes_safe after_length length &&
        (match take_bytes after_length length with
          | Ok (body, rest) => read_transaction_safe body format opening_length before.(read_quotas)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [read_transactions_step] does not panic. *)
Definition read_transactions_step_safe
    (items : Result TransactionsRead DecodeReason)
    (format opening_length : usize) : bool :=
  match items with
  | Ok before => read_next_transaction_safe before format opening_length
  | Err _ => true
  end.

(** When [read_transactions] does not panic. *)
Definition read_transactions_safe
    (bytes : ByteString)
    (count format opening_length : usize)
    (quotas : ItemQuotas) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_transactions_step items format opening_length)
      (fun items _i => read_transactions_step_safe items format opening_length)
      (range 0 (reading_turns count bytes))
      (Ok {| read_before := []; read_quotas := quotas; read_rest := bytes |})).

(** When [read_vectors_step] does not panic. *)
Definition read_vectors_step_safe
    (items : Result ((Seq (Seq Slot)) * ByteString) DecodeReason)
    (n : usize) : bool :=
  match items with
  | Ok (before, bytes) => read_slots_safe bytes n
  | Err _ => true
  end.

(** When [read_vectors] does not panic. *)
Definition read_vectors_safe (bytes : ByteString) (count n : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_vectors_step items n)
      (fun items _i => read_vectors_step_safe items n)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [most_tail_vectors] does not panic. *)
Definition most_tail_vectors_safe (p : Parameters) : bool :=
  within_usize (p.(block_operations) + p.(vector_size)) && (1 <=? p.(block_operations) + p.(vector_size)) &&
  negb (p.(vector_size) =? 0).

(** When [read_head] does not panic. *)
Definition read_head_safe
    (bytes : ByteString)
    (p : Parameters)
    (format transaction_format opening_length : usize) : bool :=
  expect_format_safe bytes format &&
  (match expect_format bytes format with
    | Ok after_format =>
        read_number_safe after_format 8 &&
        (match read_number after_format 8 with
          | Ok (b, after_version) =>
              read_number_safe after_version 4 &&
              (match read_number after_version 4 with
                | Ok (count, after_count) =>
                    match take_quota p.(block_transactions) count DecodeReason_ExcessTransactions with
                    | Ok _room =>
                        read_transactions_safe
                          after_count
                          count
                          transaction_format
                          opening_length
                          (block_quotas p)
                    | Err _ => true
                    end
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [read_tail] does not panic. *)
Definition read_tail_safe (bytes : ByteString) (p : Parameters) : bool :=
  read_number_safe bytes 4 &&
  (match read_number bytes 4 with
    | Ok (count, after_count) =>
        most_tail_vectors_safe p &&
        (match take_quota (most_tail_vectors p) count DecodeReason_ExcessTailVectors with
          | Ok _room => read_vectors_safe after_count count p.(vector_size)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_block] does not panic. *)
Definition decode_block_safe (bytes : ByteString) (p : Parameters) : bool :=
  match expect_length (seq_length bytes) p.(block_bytes) with
  | Ok _short =>
      read_head_safe bytes p BLOCK_FORMAT TRANSACTION_FORMAT OPENING_LENGTH &&
      (match read_head bytes p BLOCK_FORMAT TRANSACTION_FORMAT OPENING_LENGTH with
        | Ok (b, found) => read_tail_safe found.(read_rest) p
        | Err _ => true
        end)
  | Err _ => true
  end.

End Specification.
