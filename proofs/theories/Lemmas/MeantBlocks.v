(** What blocks mean that were received: nothing of their bytes is lost but what the points are, and their lengths stay.

    - [meant_claims_each], [meant_transactions_each]: claims keep their position and slot, transactions everything else;
    - [meant_aggregated_injective], [meant_chain_injective]: the aggregated block that a validator judges, with the bytes of its
      points, and for a chain's block with the signatures, determines what was received;
    - [meant_block_length], [meant_aggregated_length]: the lengths that phase 1 looks at are those of the bytes;
    - [meant_block_of_bytes]: values that were received consist of bytes. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Dictionary.Slot Dictionary.Genesis
  Block.Operation Block.Tail Block.Transaction Block.BlockData Block.AggregatedBlock Decoding.TransactionDecoder
  Decoding.BlockDecoder Decoding.AggregatedDecoder Decoding.SignedDecoder Decoding.ChainDecoder Decoding.AppliedBytes.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.BoundsSafe Safety.LengthsSafe
  Spec.Block.Transaction Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder Spec.Decoding.AggregatedDecoder
  Spec.Decoding.ChainDecoder.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** A loop that appends what is made of each element and its place. *)
Lemma built_each : forall A B (D : Default A) (g : A -> N -> B) (s : list A),
  Forall2 (fun x y => exists i, y = g x i) s
    (fold_left (fun items i => items ++ [g (seq_at s i) i]) (range 0 (seq_length s)) []).
Proof.
  intros A B D g s. rewrite (Sequences.fold_range_append (fun i => g (seq_at s i) i)). cbn [app].
  assert (E : map (seq_at s) (range 0 (seq_length s)) = s).
  { apply (seq_ext _ D); rewrite Sequences.seq_length_map, Sequences.seq_length_range; [reflexivity|].
    intros i Hi. apply Sequences.nth_map_range. exact Hi. }
  rewrite <- E at 1. generalize (range 0 (seq_length s)) as places. induction places as [|i places IH]; cbn [map]; constructor.
  - exists i. reflexivity.
  - exact IH.
Qed.

Lemma each_weaker : forall A B (R S : A -> B -> Prop) l k, (forall x y, R x y -> S x y) -> Forall2 R l k -> Forall2 S l k.
Proof. intros A B R S l k W F. induction F; constructor; auto. Qed.

Lemma in_right : forall A B (R : A -> B -> Prop) l k y, Forall2 R l k -> In y k -> exists x, In x l /\ R x y.
Proof.
  intros A B R l k y F. induction F as [|x z l k H F IH]; intros I; [destruct I|]. destruct I as [->|I].
  - exists x. split; [left; reflexivity|exact H].
  - destruct (IH I) as (w & J & W). exists w. split; [right; exact J|exact W].
Qed.

Lemma sum_flat : forall A (len : A -> N) (encode : A -> ByteString), (forall x, len x = seq_length (encode x)) ->
  forall s, sum_of len s = seq_length (flat_map encode s).
Proof.
  intros A len encode E. induction s as [|x s IH]; [reflexivity|]. cbn [flat_map].
  rewrite sum_of_cons, seq_length_app, E, IH. reflexivity.
Qed.

Section MeantBlocks.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What stays *)

Definition claim_meant (r : ReceivedClaim) (c : Claim) : Prop :=
  claim_position c = received_position r /\ claim_slot c = received_slot r.

Lemma meant_claims_each : forall received meanings, Forall2 claim_meant received (meant_claims received meanings).
Proof.
  intros received meanings.
  pose proof (built_each _ _ _ (fun r c => {| claim_position := received_position r; claim_slot := received_slot r;
    claim_opening := if c <? seq_length meanings then seq_at meanings c else Opening_Malformed |}) received) as E.
  refine (each_weaker _ _ _ _ _ _ _ E). intros r c [i ->]. split; reflexivity.
Qed.

Definition transaction_meant (r : ReceivedTransaction) (tx : Transaction) : Prop := exists meanings, tx = meant_transaction r meanings.

Lemma meant_transactions_each : forall received meanings,
  Forall2 transaction_meant received (meant_transactions received meanings).
Proof.
  intros received meanings.
  pose proof (built_each _ _ _ (fun r x => meant_transaction r (meanings_at meanings x)) received) as E.
  refine (each_weaker _ _ _ _ _ _ _ E). intros r tx [i ->]. eexists. reflexivity.
Qed.

Lemma unsigned_transactions_map : forall received, unsigned_transactions received = map signed_transaction received.
Proof.
  intros received. unfold unsigned_transactions. rewrite (loop_over_elements _ _ _ unsigned_transactions_step).
  exact (Sequences.fold_append signed_transaction received []).
Qed.

Lemma chain_aggregated_same : forall block, chain_aggregated block = aggregated_of_chain block.
Proof. intros block. unfold chain_aggregated. rewrite unsigned_transactions_map. reflexivity. Qed.

Lemma meant_points_length : forall received meanings, seq_length (meant_points received meanings) = seq_length received.
Proof.
  intros received meanings. unfold meant_points, meant_points_step.
  rewrite (Sequences.fold_range_append (fun k => if k <? seq_length meanings then seq_at meanings k else Opening_Malformed)).
  cbn [app]. rewrite Sequences.seq_length_map. apply Sequences.seq_length_range.
Qed.

(** ** Nothing is lost *)

Lemma claims_determined : forall cs rs rs', Forall2 claim_meant rs cs -> Forall2 claim_meant rs' cs ->
  Forall (fits_claim 0) rs -> Forall (fits_claim 0) rs' -> rs = rs'.
Proof.
  induction cs as [|c cs IH]; intros rs rs' X Y Z Z'; inversion X; inversion Y; subst; [reflexivity|].
  inversion Z; inversion Z'; subst.
  match goal with A : claim_meant ?r c, B : claim_meant ?r' c |- _ => assert (r = r') as -> end.
  - match goal with A : claim_meant ?r c, B : claim_meant ?r' c |- _ =>
      destruct r as [p x o], r' as [p' x' o'], A as [A1 A2], B as [B1 B2] end.
    repeat match goal with L : fits_claim 0 _ |- _ => destruct L as (_ & _ & L) end.
    cbn [received_position received_slot received_opening] in *.
    repeat match goal with L : seq_length ?o = 0 |- _ => destruct o; [clear L|rewrite seq_length_cons in L; lia] end.
    congruence.
  - f_equal. apply IH; assumption.
Qed.

Lemma transaction_determined : forall r r' meanings meanings', fits_received 0 r -> fits_received 0 r' ->
  meant_transaction r meanings = meant_transaction r' meanings' -> r = r'.
Proof.
  intros [f l s o c] [f' l' s' o' c'] m m' (_ & _ & _ & _ & _ & _ & X) (_ & _ & _ & _ & _ & _ & X') E.
  unfold meant_transaction in E. cbn [received_first received_last received_nonce received_operations received_claims] in *.
  injection E as -> -> -> -> E. f_equal. pose proof (meant_claims_each c m) as A. rewrite E in A.
  exact (claims_determined _ _ _ A (meant_claims_each c' m') X X').
Qed.

Lemma transactions_determined : forall txs rs rs', Forall2 transaction_meant rs txs -> Forall2 transaction_meant rs' txs ->
  Forall (fits_received 0) rs -> Forall (fits_received 0) rs' -> rs = rs'.
Proof.
  induction txs as [|tx txs IH]; intros rs rs' X Y Z Z'; inversion X; inversion Y; subst; [reflexivity|].
  inversion Z; inversion Z'; subst. f_equal; [|apply IH; assumption].
  match goal with A : transaction_meant ?r tx, B : transaction_meant ?r' tx |- ?r = ?r' =>
    destruct A as [m A]; destruct B as [m' B]; rewrite A in B; apply (transaction_determined r r' m m'); assumption
  end.
Qed.

Lemma aggregated_determined : forall r r' meanings meanings',
  Forall (fits_received 0) (received_transactions (received_plain r)) ->
  Forall (fits_received 0) (received_transactions (received_plain r')) ->
  meant_aggregated r meanings = meant_aggregated r' meanings' -> received_points r = received_points r' -> r = r'.
Proof.
  intros [[v t s] q] [[v' t' s'] q'] m m' X X' E P. unfold meant_aggregated, meant_block in E.
  cbn [received_plain received_points received_version received_transactions received_tail_vectors] in *.
  injection E as -> E -> _. subst q'. f_equal. f_equal. pose proof (meant_transactions_each t []) as A. rewrite E in A.
  exact (transactions_determined _ _ _ A (meant_transactions_each t' []) X X').
Qed.

Lemma without_openings : forall p format items, fits_transactions p 0 format items -> Forall (fits_received 0) items.
Proof. intros p format items (_ & _ & X & _). refine (Forall_impl _ _ X). intros r [R _]. exact R. Qed.

(** Whatever the points are. *)
Theorem meant_aggregated_injective : forall p r r' meanings meanings', fits_aggregated p r -> fits_aggregated p r' ->
  meant_aggregated r meanings = meant_aggregated r' meanings' -> received_points r = received_points r' -> r = r'.
Proof.
  intros p r r' m m' (_ & X & _) (_ & X' & _).
  exact (aggregated_determined r r' m m' (without_openings _ _ _ X) (without_openings _ _ _ X')).
Qed.

Theorem meant_chain_injective : forall p r r' meanings meanings', fits_chain_block p r -> fits_chain_block p r' ->
  meant_aggregated (chain_aggregated r) meanings = meant_aggregated (chain_aggregated r') meanings' ->
  proved_points (chain_proof r) = proved_points (chain_proof r') ->
  map signed_signatures (chain_transactions r) = map signed_signatures (chain_transactions r') ->
  map signed_certificates (chain_transactions r) = map signed_certificates (chain_transactions r') -> r = r'.
Proof.
  intros p r r' m m' X X' E P S K.
  assert (W : forall x, fits_chain_block p x -> Forall (fits_received 0) (received_transactions (received_plain (chain_aggregated x)))).
  { intros x Y. rewrite chain_aggregated_same. unfold aggregated_of_chain. cbn [aggregated_of_parts received_plain received_transactions].
    destruct Y as [(T & _)|(_ & (_ & Y & _) & _)]; [rewrite T; constructor|exact (without_openings _ _ _ Y)]. }
  pose proof (aggregated_determined _ _ m m' (W r X) (W r' X') E P) as D. rewrite !chain_aggregated_same in D.
  destruct r as [v items [points tail]], r' as [v' items' [points' tail']]. unfold aggregated_of_chain in D.
  cbn [aggregated_of_parts chain_version chain_transactions chain_proof proved_points proved_tail] in *.
  injection D as -> T -> ->. f_equal. clear - T S K. revert items' T S K.
  induction items as [|x items IH]; intros [|y items'] T S K; try discriminate T; [reflexivity|].
  injection T as T1 T2. injection S as S1 S2. injection K as K1 K2.
  f_equal; [destruct x, y; cbn in *; congruence|exact (IH items' T2 S2 K2)].
Qed.

(** ** Lengths *)

Lemma operation_length_is : forall op, operation_length op = seq_length (encode_operation op).
Proof.
  intros [k act]. unfold operation_length, encode_operation. cbv zeta. cbn [operation_key action].
  destruct act; unfold bytes8, bytes16, u8_bytes, u16_bytes, value_of_number; rewrite !seq_length_app, ?big_endian_length; lia.
Qed.

Lemma slot_length_is : forall x, slot_bytes_length x = seq_length (slot_bytes x).
Proof.
  intros x. unfold slot_bytes_length, slot_bytes, bytes8, bytes16, u8_bytes, u16_bytes.
  rewrite !seq_length_app, !big_endian_length. lia.
Qed.

Lemma vectors_length_is : forall vectors, vectors_length vectors = seq_length (flat_map (flat_map slot_bytes) vectors).
Proof.
  intros vectors. unfold vectors_length.
  rewrite (loop_over_elements _ _ _ vectors_length_step). change (fold_left vectors_length_step vectors 0) with (sum_of slots_length vectors).
  apply sum_flat. intros vector. rewrite slots_length_sum. apply sum_flat, slot_length_is.
Qed.

Lemma claims_length_meant : forall n rs cs, Forall2 claim_meant rs cs -> Forall (fits_claim n) rs ->
  seq_length cs = seq_length rs /\
  sum_of claim_length cs + n * seq_length rs = seq_length (flat_map encode_claim rs) + 48 * seq_length rs.
Proof.
  intros n rs cs M. induction M as [|r c rs cs [_ Mc] M IH]; intros X; [split; [reflexivity|rewrite seq_length_nil; cbn; lia]|].
  inversion X as [|? ? (_ & _ & L) X']; subst.
  destruct (IH X') as [E1 E2]. split; [rewrite !seq_length_cons; lia|]. cbn [flat_map].
  rewrite sum_of_cons, !seq_length_cons, seq_length_app.
  assert (Lc : claim_length c = 56 + seq_length (slot_bytes (received_slot r))) by (unfold claim_length; rewrite Mc, slot_length_is; lia).
  assert (Lr : seq_length (encode_claim r) = 8 + seq_length (slot_bytes (received_slot r)) + seq_length (received_opening r))
    by (unfold encode_claim; rewrite !seq_length_app, u64_length; lia).
  rewrite Lc, Lr. lia.
Qed.

Lemma transaction_length_meant : forall n format r tx, transaction_meant r tx -> fits_received n r ->
  seq_length (claims tx) = seq_length (received_claims r) /\
  transaction_length tx + n * seq_length (received_claims r) =
  seq_length (encode_transaction r format) + 48 * seq_length (received_claims r).
Proof.
  intros n format r tx [m ->] (_ & _ & N & _ & _ & _ & X).
  destruct (claims_length_meant n _ _ (meant_claims_each (received_claims r) m) X) as [C L].
  unfold transaction_length, meant_transaction at 1 2 3. cbn [operations claims]. split; [exact C|].
  rewrite operations_length_sum, claims_length_sum, (sum_flat _ _ _ operation_length_is), encode_transaction_parts.
  unfold u8_bytes, u16_bytes. rewrite !seq_length_app, !u64_length, !big_endian_length, N. change NONCE_LENGTH with 16. lia.
Qed.

Lemma transactions_length_meant : forall n format rs txs, Forall2 transaction_meant rs txs ->
  Forall (fits_sent n format) rs ->
  sum_of (fun tx => seq_length (claims tx)) txs = claims_of rs /\
  sum_of (fun tx => 4 + transaction_length tx) txs + n * claims_of rs = seq_length (flat_map (sent format) rs) + 48 * claims_of rs.
Proof.
  intros n format rs txs M. induction M as [|r tx rs txs Mt M IH]; intros X; [split; [reflexivity|cbn; lia]|].
  inversion X as [|? ? [R _] X']; subst. destruct (IH X') as [E1 E2].
  destruct (transaction_length_meant n format r tx Mt R) as [C L]. cbn [claims_of fold_right flat_map].
  fold (claims_of rs). rewrite !sum_of_cons, seq_length_app.
  assert (Ls : seq_length (sent format r) = 4 + seq_length (encode_transaction r format))
    by (unfold sent, bytes32, u32_bytes; rewrite seq_length_app, big_endian_length; lia).
  rewrite Ls. lia.
Qed.

Lemma meant_length : forall p n format transaction_format r meanings,
  fits_transactions p n transaction_format (received_transactions r) ->
  total_claims (block_totals (meant_block r meanings)) = claims_of (received_transactions r) /\
  block_length (meant_block r meanings) + n * claims_of (received_transactions r) =
  seq_length (encode_head r format transaction_format) + seq_length (encode_tail (received_tail_vectors r)) +
  48 * claims_of (received_transactions r).
Proof.
  intros p n format transaction_format r m (_ & _ & X & _).
  destruct (transactions_length_meant n transaction_format _ _ (meant_transactions_each (received_transactions r) m) X) as [C L].
  destruct (block_totals_sums (meant_block r m)) as (_ & Tc & Tl). cbv zeta in Tc, Tl. split; [rewrite Tc; exact C|].
  unfold block_length. cbv zeta. rewrite Tl. unfold meant_block at 1 2. cbn [transactions tail_vectors].
  rewrite vectors_length_is, encode_head_parts. unfold encode_tail. rewrite encode_vectors_flat.
  unfold u8_bytes, u32_bytes. rewrite !seq_length_app, u64_length, !big_endian_length. lia.
Qed.

Theorem meant_block_length : forall p r meanings, fits_block p r -> block_length (meant_block r meanings) = seq_length (encode_block r).
Proof.
  intros p r m (_ & X & _). destruct (meant_length p OPENING_LENGTH BLOCK_FORMAT TRANSACTION_FORMAT r m X) as [_ L].
  unfold encode_block. rewrite seq_length_app. change OPENING_LENGTH with 48 in L. lia.
Qed.

Lemma aggregated_bytes_length : forall r, seq_length (encode_aggregated r) =
  seq_length (encode_head (received_plain r) AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT) + 2 +
  seq_length (flat_map (fun x => x) (received_points r)) + seq_length (encode_tail (received_tail_vectors (received_plain r))).
Proof.
  intros r. unfold encode_aggregated, encode_proof, proof_of_aggregated, u16_bytes. cbn [proved_points proved_tail].
  rewrite encode_points_flat, !seq_length_app, big_endian_length. lia.
Qed.

Lemma points_length : forall items, Forall fits_point items -> seq_length (flat_map (fun x => x) items) = 48 * seq_length items.
Proof.
  induction items as [|x items IH]; intros X; [reflexivity|]. inversion X as [|? ? L X']; subst. cbn [flat_map].
  rewrite seq_length_app, seq_length_cons, IH, L by exact X'. change OPENING_LENGTH with 48. lia.
Qed.

(** With openings besides, as the conditions against panics have it. *)
Lemma meant_aggregated_with_openings : forall p r meanings, fits_aggregated p r ->
  block_length (plain_block (meant_aggregated r meanings)) + 2 + 48 * seq_length (block_points (meant_aggregated r meanings)) =
  seq_length (encode_aggregated r) + 48 * claims_of (received_transactions (received_plain r)).
Proof.
  intros p r m (_ & X & (_ & _ & P & _) & _).
  destruct (meant_length p 0 AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT (received_plain r) [] X) as [_ L].
  rewrite aggregated_bytes_length. unfold meant_aggregated. cbn [plain_block block_points]. rewrite meant_points_length.
  unfold proof_of_aggregated in P. cbn [proved_points] in P. rewrite points_length by exact P. lia.
Qed.

Theorem meant_aggregated_length : forall p r meanings, fits_aggregated p r ->
  aggregated_length (meant_aggregated r meanings) = seq_length (encode_aggregated r).
Proof.
  intros p r m X. pose proof (meant_aggregated_with_openings p r m X) as W. destruct X as (_ & X & _).
  destruct (meant_length p 0 AGGREGATED_FORMAT BARE_TRANSACTION_FORMAT (received_plain r) [] X) as [C _].
  unfold aggregated_length. cbv zeta. change (plain_block (meant_aggregated r m)) with (meant_block (received_plain r) []) in *.
  rewrite C, W. destruct (N.leb_spec (48 * claims_of (received_transactions (received_plain r)))
    (seq_length (encode_aggregated r) + 48 * claims_of (received_transactions (received_plain r)))); lia.
Qed.

(** ** Bytes *)

Lemma slot_value_of_bytes : forall x, of_bytes (slot_bytes x) -> of_bytes (value x).
Proof.
  intros x O. unfold slot_bytes, bytes16 in O. apply Forall_app in O. destruct O as [_ O]. apply Forall_app in O.
  destruct O as [_ O]. apply Forall_app in O. apply O.
Qed.

Lemma operation_of_bytes : forall op, of_bytes (encode_operation op) -> action_of_bytes (action op).
Proof.
  intros [k act] O. unfold encode_operation in O. cbv zeta in O. cbn [operation_key action] in *.
  destruct act as [|required|put_value| | |]; try exact I; unfold bytes16 in O; apply Forall_app in O; destruct O as [_ O];
    apply Forall_app in O; destruct O as [_ O]; apply Forall_app in O; apply O.
Qed.

Lemma transaction_meant_of_bytes : forall format r tx, transaction_meant r tx -> of_bytes (encode_transaction r format) ->
  transaction_of_bytes tx.
Proof.
  intros format r tx [m ->] O. rewrite encode_transaction_parts in O.
  do 5 (apply Forall_app in O; destruct O as [_ O]). apply Forall_app in O. destruct O as [Oo O].
  apply Forall_app in O. destruct O as [_ Oc]. apply Forall_flat_map in Oo, Oc. rewrite Forall_forall in Oo, Oc. split.
  - intros op Hop. apply operation_of_bytes, Oo, Hop.
  - intros c Hc. destruct (in_right _ _ _ _ _ _ (meant_claims_each (received_claims r) m) Hc) as (rc & Hr & _ & ->).
    specialize (Oc rc Hr). cbv beta in Oc. unfold encode_claim in Oc. apply Forall_app in Oc. destruct Oc as [_ Oc].
    apply Forall_app in Oc. apply slot_value_of_bytes, Oc.
Qed.

(** The transactions behind a block's head. *)
Lemma head_of_bytes : forall format transaction_format r, of_bytes (encode_head r format transaction_format) ->
  forall tx, In tx (received_transactions r) -> of_bytes (encode_transaction tx transaction_format).
Proof.
  intros format transaction_format r O tx I. rewrite encode_head_parts in O. do 3 (apply Forall_app in O; destruct O as [_ O]).
  apply Forall_flat_map in O. rewrite Forall_forall in O. specialize (O tx I). cbv beta in O. unfold sent, bytes32 in O.
  apply Forall_app in O. apply O.
Qed.

Theorem meant_block_of_bytes : forall format r meanings,
  (forall tx, In tx (received_transactions r) -> of_bytes (encode_transaction tx format)) ->
  of_bytes (encode_tail (received_tail_vectors r)) -> block_of_bytes (meant_block r meanings).
Proof.
  intros format r m Oh Ot. unfold encode_tail in Ot. rewrite encode_vectors_flat in Ot.
  apply Forall_app in Ot. destruct Ot as [_ Ot]. apply Forall_flat_map in Ot. rewrite Forall_forall in Ot. split.
  - intros tx I. destruct (in_right _ _ _ _ _ _ (meant_transactions_each (received_transactions r) m) I) as (rt & Hr & M).
    exact (transaction_meant_of_bytes format rt tx M (Oh rt Hr)).
  - intros vector x Iv Ix. specialize (Ot vector Iv). cbv beta in Ot. apply Forall_flat_map in Ot. rewrite Forall_forall in Ot.
    apply slot_value_of_bytes, Ot, Ix.
Qed.

End MeantBlocks.
