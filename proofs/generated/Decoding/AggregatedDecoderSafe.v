(* Translated from spec/src/decoding/aggregated_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.AggregatedDecoder Base.BytesSafe Dictionary.SlotSafe
  Dictionary.GenesisSafe Decoding.CursorSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_points] does not panic. *)
Definition encode_points_safe (items : Seq ByteString) : bool :=
  loop_safe
    (fun encoded i => encode_points_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_proof] does not panic. *)
Definition encode_proof_safe (proof : ReceivedProof) : bool :=
  encode_points_safe proof.(proved_points) && encode_tail_safe proof.(proved_tail).

(** When [encode_aggregated] does not panic. *)
Definition encode_aggregated_safe (block : ReceivedAggregated) : bool :=
  encode_head_safe block.(received_plain) AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT &&
  encode_proof_safe (proof_of_aggregated block).

(** When [read_points_step] does not panic. *)
Definition read_points_step_safe (items : Result ((Seq ByteString) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => take_bytes_safe bytes OPENING_LENGTH
  | Err _ => true
  end.

(** When [read_points] does not panic. *)
Definition read_points_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_points_step items)
      (fun items _i => read_points_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_proof] does not panic. *)
Definition read_proof_safe (bytes : ByteString) (p : Parameters) : bool :=
  read_number_safe bytes 2 &&
  (match read_number bytes 2 with
    | Ok (count, after_count) =>
        match take_quota p.(vector_size) count DecodeReason_ExcessPoints with
        | Ok _room =>
            read_points_safe after_count count &&
            (match read_points after_count count with
              | Ok (points, after_points) => read_tail_safe after_points p
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [decode_aggregated] does not panic. *)
Definition decode_aggregated_safe (bytes : ByteString) (p : Parameters) : bool :=
  match expect_length (seq_length bytes) p.(block_bytes) with
  | Ok _short =>
      read_head_safe bytes p AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT 0 &&
      (match read_head bytes p AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT 0 with
        | Ok (b, found) => read_proof_safe found.(read_rest) p
        | Err _ => true
        end)
  | Err _ => true
  end.

End Specification.
