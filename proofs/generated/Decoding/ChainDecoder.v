(* Translated from spec/src/decoding/chain_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Blocks of a chain: the list of byte strings that consensus decides on, and how it is read.

    A block without transactions is the empty list. Otherwise the first of the list is the frame,
    which holds what stands behind the transactions of an aggregated block; each other is a signed
    transaction without openings. Source: docs/network.md, "Block of the chain". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.Genesis Decoding.DecodeReason
  Decoding.Cursor Decoding.TransactionDecoder Decoding.BlockDecoder Decoding.AggregatedDecoder
  Decoding.SignedDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The format number of the frame. *)
Definition FRAME_FORMAT : usize :=
  3.

(** A block of a chain as it is received. *)
Record ReceivedChainBlock : Type := {
  (** The height, which is the version that the block leads to. *)
  chain_version : usize;
  (** The transactions with their signatures, in order. *)
  chain_transactions : Seq ReceivedSigned;
  (** What proves them together. *)
  chain_proof : ReceivedProof;
}.

#[global] Instance Default_ReceivedChainBlock : Default ReceivedChainBlock := {| chain_version := default; chain_transactions := default; chain_proof := default |}.

(** The transactions of a list while they are read. *)
Record SignedRead : Type := {
  (** Those before. *)
  signed_before : Seq ReceivedSigned;
  (** How many operations and claims may still be read. *)
  signed_quotas : ItemQuotas;
}.

#[global] Instance Default_SignedRead : Default SignedRead := {| signed_before := default; signed_quotas := default |}.

(** One step of [`encode_listed`]. *)
Definition encode_listed_step (listed : Seq ByteString) (signed : ReceivedSigned) : Seq ByteString :=
  listed ++ [encode_signed_body (body_of_signed signed BARE_TRANSACTION_FORMAT) bare_formats].

(** The list behind its frame. *)
Definition encode_listed (frame : ByteString) (items : Seq ReceivedSigned) : Seq ByteString :=
  fold_left
    (fun listed x => encode_listed_step listed (seq_at items x))
    (range 0 (seq_length items))
    ([] ++ [frame]).

(** The list of a block. *)
Definition encode_chain_block (block : ReceivedChainBlock) : Seq ByteString :=
  if seq_length block.(chain_transactions) =? 0 then
    []
  else
    let frame := u8_bytes FRAME_FORMAT ++ encode_proof block.(chain_proof) in
    encode_listed frame block.(chain_transactions).

(** What a frame holds. *)
Definition read_frame (frame : ByteString) : Result ByteString DecodeReason :=
  match expect_format frame FRAME_FORMAT with
  | Ok rest => Ok rest
  | Err _ => Err DecodeReason_NoFrame
  end.

(** One step of [`read_bodies`]. *)
Definition read_bodies_step
    (bodies : Result (Seq SignedBody) DecodeReason)
    (listed : ByteString) : Result (Seq SignedBody) DecodeReason :=
  match bodies with
  | Ok before =>
      match decode_signed_body listed bare_formats with
      | Ok found => Ok (before ++ [found])
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The signed transactions of a list, behind its frame. *)
Definition read_bodies (txs : Seq ByteString) : Result (Seq SignedBody) DecodeReason :=
  fold_left (fun bodies x => read_bodies_step bodies (seq_at txs x)) (range 1 (seq_length txs)) (Ok []).

(** One step of [`framed_length`]. *)
Definition framed_length_step (total : usize) (body : SignedBody) : usize :=
  total + 4 + counted_length body.

(** The length of the aggregated block that a list stands for: format, version and number of
    transactions, each transaction behind its length, and what the frame holds; and of all
    certificates. *)
Definition framed_length (bodies : Seq SignedBody) (proof : ByteString) : usize :=
  fold_left
    (fun total x => framed_length_step total (seq_at bodies x))
    (range 0 (seq_length bodies))
    (1 + 8 + 4 + seq_length proof).

(** One more of the transactions of a list. *)
Definition read_next_framed (before : SignedRead) (body : SignedBody) : Result SignedRead DecodeReason :=
  match read_transaction body.(body_bytes) BARE_TRANSACTION_FORMAT 0 before.(signed_quotas) with
  | Ok (tx, quotas) =>
      let signed :=
        {| signed_transaction := tx;
          signed_signatures := body.(body_signatures);
          signed_certificates := body.(body_certificates) |}
      in
      Ok {| signed_before := before.(signed_before) ++ [signed]; signed_quotas := quotas |}
  | Err e' => Err e'
  end.

(** One step of [`read_framed`]. *)
Definition read_framed_step
    (items : Result SignedRead DecodeReason)
    (body : SignedBody) : Result SignedRead DecodeReason :=
  match items with
  | Ok before => read_next_framed before body
  | Err e' => Err e'
  end.

(** The transactions of a list, within what is left of a block's operations and claims. *)
Definition read_framed (bodies : Seq SignedBody) (quotas : ItemQuotas) : Result SignedRead DecodeReason :=
  fold_left
    (fun items x => read_framed_step items (seq_at bodies x))
    (range 0 (seq_length bodies))
    (Ok {| signed_before := []; signed_quotas := quotas |}).

(** The block that a list of a frame and at least one transaction is. *)
Definition decode_framed
    (b : usize)
    (txs : Seq ByteString)
    (p : Parameters) : Result ReceivedChainBlock DecodeReason :=
  match read_frame (seq_at txs 0) with
  | Ok framed =>
      match read_bodies txs with
      | Ok bodies =>
          match expect_length (framed_length bodies framed) p.(block_bytes) with
          | Ok _short =>
              match read_framed bodies (block_quotas p) with
              | Ok found =>
                  match read_proof framed p with
                  | Ok proof =>
                      Ok
                        {| chain_version := b;
                          chain_transactions := found.(signed_before);
                          chain_proof := proof |}
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

(** A block without transactions. *)
Definition empty_chain_block (b : usize) : ReceivedChainBlock :=
  {| chain_version := b;
    chain_transactions := [];
    chain_proof := {| proved_points := []; proved_tail := [] |} |}.

(** The block of a height that a list is, within the limits of a dictionary. *)
Definition decode_chain_block
    (b : usize)
    (txs : Seq ByteString)
    (p : Parameters) : Result ReceivedChainBlock DecodeReason :=
  if seq_length txs =? 0 then
    Ok (empty_chain_block b)
  else if seq_length txs =? 1 then
    Err DecodeReason_FrameAlone
  else if p.(block_transactions) <? seq_length txs - 1 then
    Err DecodeReason_ExcessTransactions
  else
    decode_framed b txs p.

End Specification.
