(* Translated from spec/src/mixnet/key_posts.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The posts from which keys follow, and which of them are valid: dealings, and verdicts, in which
    a server complains about dealers whose shares are false.

    A point of a post comes with its bytes, since hashes cover these. Posts come in the order of
    their servers, one of each kind for a server: a board has one for a key. Source: docs/mixnet.md,
    "Keys". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Column
  Mixnet.Dealing.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A point as it was posted. *)
Record PostedPoint : Type := {
  (** The point. *)
  posted_element : G1;
  (** Its encoding, 48 bytes. *)
  posted_bytes : ByteString;
}.

#[global] Instance Default_PostedPoint : Default PostedPoint := {| posted_element := default; posted_bytes := default |}.

(** What of a ceremony's terms says how keys are dealt. *)
Record KeyTerms : Type := {
  (** The ceremony's digest. *)
  keys_ceremony : ByteString;
  (** t. *)
  keys_threshold : usize;
  (** How many keys are dealt: one for queries, one for each number of a value. *)
  keys_count : usize;
  (** N of each server. *)
  keys_transports : Seq PostedPoint;
}.

(** A server's dealing. *)
Record KeyDealing : Type := {
  (** The dealer's number, from 1. *)
  deal_author : usize;
  (** A, a row a key. *)
  deal_committed : Seq (Seq G1);
  (** The encodings of all A, 96 bytes each. *)
  deal_list : ByteString;
  (** R of each server. *)
  deal_randomised : Seq PostedPoint;
  (** The masked shares of each server, one a key. *)
  deal_sealed : Seq (Seq Scalar);
  (** Every byte of the post but the proof. *)
  deal_statement : ByteString;
  (** That the dealer knows all constant terms and all randomness. *)
  deal_proof : LinearProof;
  (** The encodings of the proof's T, 48 bytes each. *)
  deal_first : ByteString;
}.

#[global] Instance Default_KeyDealing : Default KeyDealing := {| deal_author := default; deal_committed := default; deal_list := default; deal_randomised := default; deal_sealed := default; deal_statement := default; deal_proof := default; deal_first := default |}.

(** A server's complaint about a dealer. *)
Record KeyComplaint : Type := {
  (** The dealer's number. *)
  complaint_dealer : usize;
  (** S, which opens the server's shares. *)
  complaint_shared : PostedPoint;
  (** That S is what it should be. *)
  complaint_proof : LinearProof;
  (** The encodings of the proof's T, 48 bytes each. *)
  complaint_first : ByteString;
}.

#[global] Instance Default_KeyComplaint : Default KeyComplaint := {| complaint_dealer := default; complaint_shared := default; complaint_proof := default; complaint_first := default |}.

(** A server's verdict: all its complaints. *)
Record KeyVerdict : Type := {
  (** The server's number, from 1. *)
  verdict_author : usize;
  (** In ascending order of dealers. *)
  verdict_complaints : Seq KeyComplaint;
}.

#[global] Instance Default_KeyVerdict : Default KeyVerdict := {| verdict_author := default; verdict_complaints := default |}.

(** Whether keys can be dealt under these terms: t of m servers, at most 255; a key for queries and
    one at least for values. *)
Definition key_terms_legal (terms : KeyTerms) : bool :=
  let servers := seq_length terms.(keys_transports) in
  (0 <? terms.(keys_threshold)) && (terms.(keys_threshold) <=? servers) && (servers <? 256) &&
  (1 <? terms.(keys_count)).

(** Whether somebody is shown to know the logarithm of a transport key; `author` is the Ed25519 key
    that it belongs to, `first` the encoding of the proof's T. *)
Definition transport_known
    (author : ByteString)
    (point : PostedPoint)
    (proof : LinearProof)
    (first : ByteString) : bool :=
  let seed := key_proof_seed tag_mixnet_transport author point.(posted_bytes) in
  let image := [] ++ [point.(posted_element)] in
  verify_knowledge image proof (knowledge_challenge seed first).

(** The point of the server with this number; the identity without bytes where there is none. *)
Definition point_of_server (points : Seq PostedPoint) (server : usize) : PostedPoint :=
  if (0 <? server) && (server <=? seq_length points) then
    seq_at points (server - 1)
  else
    {| posted_element := g1_identity; posted_bytes := [] |}.

(** The masked shares of the server with this number; none where there is none. *)
Definition sealed_of_server (sealed : Seq (Seq Scalar)) (server : usize) : Seq Scalar :=
  if (0 <? server) && (server <=? seq_length sealed) then seq_at sealed (server - 1) else [].

(** One step of [`posted_elements`]. *)
Definition posted_elements_step (elements : Seq G1) (points : Seq PostedPoint) (i : usize) : Seq G1 :=
  elements ++ [(seq_at points i).(posted_element)].

(** The points without their bytes. *)
Definition posted_elements (points : Seq PostedPoint) : Seq G1 :=
  fold_left (fun elements i => posted_elements_step elements points i) (range 0 (seq_length points)) [].

(** One step of [`sealed_widths`]. *)
Definition sealed_widths_step (fits : bool) (sealed : Seq (Seq Scalar)) (count i : usize) : bool :=
  fits && (seq_length (seq_at sealed i) =? count).

(** Whether each server has so many masked shares. *)
Definition sealed_widths (sealed : Seq (Seq Scalar)) (count : usize) : bool :=
  fold_left (fun fits i => sealed_widths_step fits sealed count i) (range 0 (seq_length sealed)) true.

(** Whether a dealing is one of a server's and has the lengths of the terms: t commitments a key,
    for each server R and a share a key. *)
Definition dealing_fits (terms : KeyTerms) (dealing : KeyDealing) : bool :=
  let servers := seq_length terms.(keys_transports) in
  (0 <? dealing.(deal_author)) && (dealing.(deal_author) <=? servers) &&
  (seq_length dealing.(deal_committed) =? terms.(keys_count)) &&
  column_widths dealing.(deal_committed) terms.(keys_threshold) &&
  (seq_length dealing.(deal_randomised) =? servers) &&
  (seq_length dealing.(deal_sealed) =? servers) &&
  sealed_widths dealing.(deal_sealed) terms.(keys_count).

(** Whether a dealing is valid: it fits, and its proof is true. Nobody can tell from it whether the
    shares are those that it commits to; for that there are verdicts. *)
Definition dealing_holds (terms : KeyTerms) (dealing : KeyDealing) : bool :=
  let seed := dealing_seed terms.(keys_ceremony) dealing.(deal_author) dealing.(deal_statement) in
  let randomised := posted_elements dealing.(deal_randomised) in
  let first := dealing.(deal_first) in
  dealing_fits terms dealing &&
  verify_dealing seed dealing.(deal_committed) randomised dealing.(deal_proof) first.

(** One step of [`valid_dealings`]. *)
Definition valid_dealings_step
    (valid : Seq KeyDealing)
    (terms : KeyTerms)
    (dealing : KeyDealing) : Seq KeyDealing :=
  if dealing_holds terms dealing then valid ++ [dealing] else valid.

(** The valid dealings; no verdict speaks of another. *)
Definition valid_dealings (terms : KeyTerms) (dealings : Seq KeyDealing) : Seq KeyDealing :=
  fold_left
    (fun valid i => valid_dealings_step valid terms (seq_at dealings i))
    (range 0 (seq_length dealings))
    [].

(** One step of [`dealing_of`]. *)
Definition dealing_of_step
    (found : Option KeyDealing)
    (dealing : KeyDealing)
    (dealer : usize) : Option KeyDealing :=
  match found with
  | Some first => Some first
  | None => if dealing.(deal_author) =? dealer then Some dealing else None
  end.

(** A dealer's dealing. *)
Definition dealing_of (dealings : Seq KeyDealing) (dealer : usize) : Option KeyDealing :=
  fold_left
    (fun found i => dealing_of_step found (seq_at dealings i) dealer)
    (range 0 (seq_length dealings))
    None.

(** What a server's masks in a dealing are drawn from, where `shared` are the bytes of S. *)
Definition opened_masks
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared : ByteString) : ByteString :=
  let randomised := point_of_server dealing.(deal_randomised) server in
  share_mask_seed terms.(keys_ceremony) dealing.(deal_author) server randomised.(posted_bytes) shared.

(** The shares of a server that S opens, `shared` its bytes: the server computes S = ν R. *)
Definition opened_shares
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared : ByteString) : Seq Scalar :=
  share_unseal (opened_masks terms dealing server shared) (sealed_of_server dealing.(deal_sealed) server).

(** The challenge of the proof in a complaint of a server about a dealing. *)
Definition complaint_challenge
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (shared first : ByteString) : Scalar :=
  let transport := point_of_server terms.(keys_transports) server in
  let randomised := point_of_server dealing.(deal_randomised) server in
  let seed :=
    verdict_seed
      terms.(keys_ceremony)
      server
      dealing.(deal_author)
      transport.(posted_bytes)
      randomised.(posted_bytes)
      shared
  in
  knowledge_challenge seed first.

(** Whether a complaint of a server about a dealing shows that S is what opens the server's shares. *)
Definition complaint_shown
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (complaint : KeyComplaint) : bool :=
  let transport := point_of_server terms.(keys_transports) server in
  let randomised := point_of_server dealing.(deal_randomised) server in
  let shared := complaint.(complaint_shared) in
  let c := complaint_challenge terms dealing server shared.(posted_bytes) complaint.(complaint_first) in
  let proof := complaint.(complaint_proof) in
  verify_equality randomised.(posted_element) transport.(posted_element) shared.(posted_element) proof c.

(** The complaint of a server with the transport secret ν about a dealing whose shares are false;
    `shared` are the bytes of S, `first` those of the proof's T, which is made with `random`. *)
Definition server_complaint
    (terms : KeyTerms)
    (dealing : KeyDealing)
    (server : usize)
    (secret : Scalar)
    (shared : ByteString)
    (random : Scalar)
    (first : ByteString) : KeyComplaint :=
  let base := (point_of_server dealing.(deal_randomised) server).(posted_element) in
  let witness := [] ++ [secret] in
  let nonces := [] ++ [random] in
  let c := complaint_challenge terms dealing server shared first in
  {| complaint_dealer := dealing.(deal_author);
    complaint_shared := {| posted_element := g1_scale secret base; posted_bytes := shared |};
    complaint_proof := linear_prove (equality_matrix base) witness nonces c;
    complaint_first := first |}.

(** Whether a complaint of a server convicts the dealer of a valid dealing. *)
Definition complaint_founded
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (server : usize)
    (complaint : KeyComplaint) : bool :=
  match dealing_of valid complaint.(complaint_dealer) with
  | None => false
  | Some dealing =>
      let shown := complaint_shown terms dealing server complaint in
      let sealed := sealed_of_server dealing.(deal_sealed) server in
      let masks := opened_masks terms dealing server complaint.(complaint_shared).(posted_bytes) in
      complaint_convicts shown dealing.(deal_committed) server sealed masks
  end.

(** Whether complaint `i` is about a later dealer than the one before it. *)
Definition complaint_ascends (complaints : Seq KeyComplaint) (i : usize) : bool :=
  (i =? 0) || ((seq_at complaints (i - 1)).(complaint_dealer) <? (seq_at complaints i).(complaint_dealer)).

(** One step of [`verdict_holds`]. *)
Definition verdict_holds_step
    (held : bool)
    (terms : KeyTerms)
    (valid : Seq KeyDealing)
    (verdict : KeyVerdict)
    (i : usize) : bool :=
  held && complaint_ascends verdict.(verdict_complaints) i &&
  complaint_founded terms valid verdict.(verdict_author) (seq_at verdict.(verdict_complaints) i).

(** Whether a verdict is valid: one of a server's, dealers in ascending order, each complaint
    convicts. One that is not convicts nobody. *)
Definition verdict_holds (terms : KeyTerms) (valid : Seq KeyDealing) (verdict : KeyVerdict) : bool :=
  fold_left
    (fun held i => verdict_holds_step held terms valid verdict i)
    (range 0 (seq_length verdict.(verdict_complaints)))
    ((0 <? verdict.(verdict_author)) && (verdict.(verdict_author) <=? seq_length terms.(keys_transports))).

End Specification.
