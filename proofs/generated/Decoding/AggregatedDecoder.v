(* Translated from spec/src/decoding/aggregated_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Aggregated blocks: their bytes, and how they are read within a dictionary's limits.

    The claims have no openings; behind the transactions stands one point for each claimed index.
    Points are 48 bytes each here, as openings are. Source: docs/format.md, "Aggregated blocks". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.Genesis Decoding.DecodeReason
  Decoding.Cursor Decoding.TransactionDecoder Decoding.BlockDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The format number of an aggregated block. *)
Definition AGGREGATED_FORMAT : usize :=
  3.

(** An aggregated block as it is received. *)
Record ReceivedAggregated : Type := {
  (** Transactions, whose openings have no bytes, and tail vectors. *)
  received_plain : ReceivedBlock;
  (** The points, 48 bytes each. *)
  received_points : Seq ByteString;
}.

#[global] Instance Default_ReceivedAggregated : Default ReceivedAggregated := {| received_plain := default; received_points := default |}.

(** What stands behind the transactions of an aggregated block. *)
Record ReceivedProof : Type := {
  (** The points, 48 bytes each. *)
  proved_points : Seq ByteString;
  (** The tail vectors. *)
  proved_tail : Seq (Seq Slot);
}.

#[global] Instance Default_ReceivedProof : Default ReceivedProof := {| proved_points := default; proved_tail := default |}.

(** One step of [`encode_points`]. *)
Definition encode_points_step (encoded point : ByteString) : ByteString :=
  encoded ++ point.

(** The points one after the other. *)
Definition encode_points (items : Seq ByteString) : ByteString :=
  fold_left (fun encoded i => encode_points_step encoded (seq_at items i)) (range 0 (seq_length items)) [].

(** `u16 number of points || points || tail vectors`. *)
Definition encode_proof (proof : ReceivedProof) : ByteString :=
  u16_bytes (seq_length proof.(proved_points)) ++
  encode_points proof.(proved_points) ++
  encode_tail proof.(proved_tail).

(** What stands behind the transactions of the block. *)
Definition proof_of_aggregated (block : ReceivedAggregated) : ReceivedProof :=
  {| proved_points := block.(received_points);
    proved_tail := block.(received_plain).(received_tail_vectors) |}.

(** An aggregated block. *)
Definition encode_aggregated (block : ReceivedAggregated) : ByteString :=
  encode_head block.(received_plain) AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT ++
  encode_proof (proof_of_aggregated block).

(** One step of [`read_points`]. *)
Definition read_points_step
    (items : Result ((Seq ByteString) * ByteString) DecodeReason) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match take_bytes bytes OPENING_LENGTH with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next points, so many. *)
Definition read_points
    (bytes : ByteString)
    (count : usize) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_points_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** The points and tail vectors that the bytes are. *)
Definition read_proof (bytes : ByteString) (p : Parameters) : Result ReceivedProof DecodeReason :=
  match read_number bytes 2 with
  | Ok (count, after_count) =>
      match take_quota p.(vector_size) count DecodeReason_ExcessPoints with
      | Ok _room =>
          match read_points after_count count with
          | Ok (points, after_points) =>
              match read_tail after_points p with
              | Ok vectors => Ok {| proved_points := points; proved_tail := vectors |}
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** An aggregated block from its parts. *)
Definition aggregated_of_parts
    (b : usize)
    (items : Seq ReceivedTransaction)
    (proof : ReceivedProof) : ReceivedAggregated :=
  {| received_plain :=
      {| received_version := b;
        received_transactions := items;
        received_tail_vectors := proof.(proved_tail) |};
    received_points := proof.(proved_points) |}.

(** The aggregated block that the bytes are, within the limits of a dictionary. *)
Definition decode_aggregated (bytes : ByteString) (p : Parameters) : Result ReceivedAggregated DecodeReason :=
  match expect_length (seq_length bytes) p.(block_bytes) with
  | Ok _short =>
      match read_head bytes p AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT 0 with
      | Ok (b, found) =>
          match read_proof found.(read_rest) p with
          | Ok proof => Ok (aggregated_of_parts b found.(read_before) proof)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
