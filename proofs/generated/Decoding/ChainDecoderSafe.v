(* Translated from spec/src/decoding/chain_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.ChainDecoder Base.BytesSafe Dictionary.SlotSafe
  Dictionary.GenesisSafe Decoding.CursorSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe
  Decoding.AggregatedDecoderSafe Decoding.SignedDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_listed_step] does not panic. *)
Definition encode_listed_step_safe (listed : Seq ByteString) (signed : ReceivedSigned) : bool :=
  body_of_signed_safe signed BARE_TRANSACTION_FORMAT &&
  encode_signed_body_safe (body_of_signed signed BARE_TRANSACTION_FORMAT) bare_formats.

(** When [encode_listed] does not panic. *)
Definition encode_listed_safe (frame : ByteString) (items : Seq ReceivedSigned) : bool :=
  loop_safe
    (fun listed x => encode_listed_step listed (seq_at items x))
    (fun listed x => (x <? seq_length items) && encode_listed_step_safe listed (seq_at items x))
    (range 0 (seq_length items))
    ([] ++ [frame]).

(** When [encode_chain_block] does not panic. *)
Definition encode_chain_block_safe (block : ReceivedChainBlock) : bool :=
  if seq_length block.(chain_transactions) =? 0 then
    true
  else
    encode_proof_safe block.(chain_proof) &&
    (let frame := u8_bytes FRAME_FORMAT ++ encode_proof block.(chain_proof) in
      encode_listed_safe frame block.(chain_transactions)).

(** When [read_frame] does not panic. *)
Definition read_frame_safe (frame : ByteString) : bool :=
  expect_format_safe frame FRAME_FORMAT.

(** When [read_bodies_step] does not panic. *)
Definition read_bodies_step_safe
    (bodies : Result (Seq SignedBody) DecodeReason)
    (listed : ByteString) : bool :=
  match bodies with
  | Ok before => decode_signed_body_safe listed bare_formats
  | Err _ => true
  end.

(** When [read_bodies] does not panic. *)
Definition read_bodies_safe (txs : Seq ByteString) : bool :=
  loop_safe
    (fun bodies x => read_bodies_step bodies (seq_at txs x))
    (fun bodies x => (x <? seq_length txs) && read_bodies_step_safe bodies (seq_at txs x))
    (range 1 (seq_length txs))
    (Ok []).

(** When [framed_length_step] does not panic. *)
Definition framed_length_step_safe (total : usize) (body : SignedBody) : bool :=
  within_usize (total + 4) && counted_length_safe body && within_usize (total + 4 + counted_length body).

(** When [framed_length] does not panic. *)
Definition framed_length_safe (bodies : Seq SignedBody) (proof : ByteString) : bool :=
  within_usize (1 + 8) && within_usize (1 + 8 + 4) && within_usize (1 + 8 + 4 + seq_length proof) &&
  (loop_safe
      (fun total x => framed_length_step total (seq_at bodies x))
      (fun total x => (x <? seq_length bodies) && framed_length_step_safe total (seq_at bodies x))
      (range 0 (seq_length bodies))
      (1 + 8 + 4 + seq_length proof)).

(** When [read_next_framed] does not panic. *)
Definition read_next_framed_safe (before : SignedRead) (body : SignedBody) : bool :=
  read_transaction_safe body.(body_bytes) BARE_TRANSACTION_FORMAT 0 before.(signed_quotas).

(** When [read_framed_step] does not panic. *)
Definition read_framed_step_safe (items : Result SignedRead DecodeReason) (body : SignedBody) : bool :=
  match items with
  | Ok before => read_next_framed_safe before body
  | Err _ => true
  end.

(** When [read_framed] does not panic. *)
Definition read_framed_safe (bodies : Seq SignedBody) (quotas : ItemQuotas) : bool :=
  loop_safe
    (fun items x => read_framed_step items (seq_at bodies x))
    (fun items x => (x <? seq_length bodies) && read_framed_step_safe items (seq_at bodies x))
    (range 0 (seq_length bodies))
    (Ok {| signed_before := []; signed_quotas := quotas |}).

(** When [decode_framed] does not panic. *)
Definition decode_framed_safe (b : usize) (txs : Seq ByteString) (p : Parameters) : bool :=
  (0 <? seq_length txs) && read_frame_safe (seq_at txs 0) &&
  (match read_frame (seq_at txs 0) with
    | Ok framed =>
        read_bodies_safe txs &&
        (match read_bodies txs with
          | Ok bodies =>
              framed_length_safe bodies framed &&
              (match expect_length (framed_length bodies framed) p.(block_bytes) with
                | Ok _short =>
                    read_framed_safe bodies (block_quotas p) &&
                    (match read_framed bodies (block_quotas p) with
                      | Ok found => read_proof_safe framed p
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_chain_block] does not panic. *)
Definition decode_chain_block_safe (b : usize) (txs : Seq ByteString) (p : Parameters) : bool :=
  if seq_length txs =? 0 then
    true
  else if seq_length txs =? 1 then
    true
  else
    (1 <=? seq_length txs) &&
    (if p.(block_transactions) <? seq_length txs - 1 then true else decode_framed_safe b txs p).

End Specification.
