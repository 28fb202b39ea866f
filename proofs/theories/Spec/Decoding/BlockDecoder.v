(** Blocks are read back from their bytes, and from no others, within the limits of a dictionary.

    - [transactions_encoded], [transactions_found]: the transactions of a block, which share its quotas;
    - [read_tail_iff]: the tail vectors;
    - [head_encoded], [head_found]: format, version and transactions;
    - [decode_block_iff]: a block with openings;
    - [head_never_panics], [tail_never_panics], [block_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Genesis Block.Operation
  Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.TransactionDecoder Decoding.BlockDecoder
  Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Sequences Lemmas.Readers Spec.Decoding.SlotDecoder Spec.Decoding.TransactionDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section BlockDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What fits *)

(** A transaction whose length a block can hold in front of it. *)
Definition fits_sent (opening_length format : N) (tx : ReceivedTransaction) : Prop :=
  fits_received opening_length tx /\ seq_length (encode_transaction tx format) < 2 ^ 32.

(** The operations, and the claims, of transactions together. *)
Definition operations_of (items : list ReceivedTransaction) : N :=
  fold_right (fun tx sum => seq_length (received_operations tx) + sum) 0 items.
Definition claims_of (items : list ReceivedTransaction) : N :=
  fold_right (fun tx sum => seq_length (received_claims tx) + sum) 0 items.

(** Transactions that a block of this dictionary may have. *)
Definition fits_transactions (p : Parameters) (opening_length format : N) (items : list ReceivedTransaction) : Prop :=
  seq_length items < 2 ^ 32 /\ seq_length items <= block_transactions p /\ Forall (fits_sent opening_length format) items /\
  operations_of items <= block_operations p /\ claims_of items <= block_claims p.

(** A tail vector of N slots. *)
Definition fits_vector (n : N) (vector : list Slot) : Prop := seq_length vector = n /\ Forall fits_slot vector.

(** Tail vectors that a block of this dictionary may have. *)
Definition fits_tail (p : Parameters) (vectors : list (list Slot)) : Prop :=
  seq_length vectors < 2 ^ 32 /\ seq_length vectors <= most_tail_vectors p /\ Forall (fits_vector (vector_size p)) vectors.

(** A block that a dictionary's limits let in. *)
Definition fits_block (p : Parameters) (block : ReceivedBlock) : Prop :=
  received_version block < 2 ^ 64 /\ fits_transactions p OPENING_LENGTH TRANSACTION_FORMAT (received_transactions block) /\
  fits_tail p (received_tail_vectors block) /\ seq_length (encode_block block) <= block_bytes p.

(** ** Encodings, one thing after the other *)

Definition sent (format : N) (tx : ReceivedTransaction) : ByteString := bytes32 (encode_transaction tx format).

Lemma encode_transactions_flat : forall items format, encode_transactions items format = flat_map (sent format) items.
Proof.
  intros items format. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ sent format x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

Lemma encode_slots_flat : forall items, encode_slots items = flat_map slot_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ slot_bytes x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

Lemma encode_vectors_flat : forall items, encode_vectors items = flat_map (flat_map slot_bytes) items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ encode_slots x) items [])|].
  rewrite RootLemmas.fold_append. apply flat_map_ext. exact encode_slots_flat.
Qed.

Theorem bytes32_inverts : inverts (fun x => seq_length x < 2 ^ 32) bytes32
  (fun bytes => match read_number bytes 4 with Ok (count, rest) => take_bytes rest count | Err e => Err e end).
Proof.
  split.
  - intros x rest X. unfold bytes32. rewrite <- app_assoc. reads u32_inverts. apply (proj1 (take_inverts _)). reflexivity.
  - intros bytes x rest O E. took u32_inverts.
    destruct (inverts_read _ _ _ _ (take_inverts _) _ _ _ O0 E) as (<- & -> & _). split; [exact X|].
    unfold bytes32. apply app_assoc.
Qed.

Lemma sent_some : forall format tx, 0 < seq_length (sent format tx).
Proof. intros. unfold sent, bytes32, u32_bytes. rewrite seq_length_app, big_endian_length. lia. Qed.

(** ** The transactions of a block *)

Fixpoint quotas_without_all (quotas : ItemQuotas) (items : list ReceivedTransaction) : ItemQuotas :=
  match items with
  | [] => quotas
  | tx :: items => quotas_without_all (quotas_without quotas tx) items
  end.

Fixpoint within_all (quotas : ItemQuotas) (items : list ReceivedTransaction) : Prop :=
  match items with
  | [] => True
  | tx :: items => within_quotas quotas tx /\ within_all (quotas_without quotas tx) items
  end.

Lemma within_all_sums : forall items quotas,
  within_all quotas items <-> operations_of items <= operations_left quotas /\ claims_of items <= claims_left quotas.
Proof.
  induction items as [|tx items IH]; intros quotas; cbn [within_all operations_of claims_of fold_right].
  - split; [intros _; lia|auto].
  - rewrite IH. unfold within_quotas, quotas_without. cbn [operations_left claims_left].
    fold (operations_of items). fold (claims_of items). lia.
Qed.

Section Loop.

Variables format opening_length : N.

Notation turn := (fun items (_i : N) => read_transactions_step items format opening_length).

Lemma transactions_failed : forall turns e, fold_left turn turns (Err e) = Err e.
Proof. induction turns as [|i turns IH]; intros e; [reflexivity|]. exact (IH e). Qed.

Lemma transactions_encoded : format < 2 ^ 8 -> forall items turns before quotas rest, length turns = length items ->
  Forall (fits_sent opening_length format) items -> within_all quotas items ->
  fold_left turn turns
    (Ok {| read_before := before; read_quotas := quotas; read_rest := flat_map (sent format) items ++ rest |}) =
  Ok {| read_before := before ++ items; read_quotas := quotas_without_all quotas items; read_rest := rest |}.
Proof.
  intros format_small. induction items as [|tx items IH]; intros [|i turns] before quotas rest L X W; try discriminate L; cbn [fold_left flat_map].
  - rewrite app_nil_r. reflexivity.
  - inversion X as [|? ? [X1 X2] X3]; subst. destruct W as [W1 W2].
    unfold read_transactions_step at 2, read_next_transaction. cbn [read_rest read_quotas read_before].
    unfold sent at 1, bytes32. rewrite <- !app_assoc. reads u32_inverts. rewrite (proj1 (take_inverts _)) by reflexivity.
    rewrite read_encoded_transaction by assumption.
    rewrite IH; [|cbn in L; lia|exact X3|exact W2]. rewrite <- app_assoc. reflexivity.
Qed.

Lemma transactions_found : forall turns start final, of_bytes (read_rest start) -> fold_left turn turns (Ok start) = Ok final ->
  exists found, read_before final = read_before start ++ found /\ length found = length turns /\
    Forall (fits_sent opening_length format) found /\ within_all (read_quotas start) found /\
    read_rest start = flat_map (sent format) found ++ read_rest final /\ of_bytes (read_rest final).
Proof.
  induction turns as [|i turns IH]; intros start final O E; cbn [fold_left] in E.
  - injection E as <-. exists []. rewrite app_nil_r. repeat split; [constructor|exact O].
  - destruct (read_transactions_step (Ok start) format opening_length) as [s|e] eqn:T;
      [|rewrite transactions_failed in E; discriminate].
    unfold read_transactions_step, read_next_transaction in T.
    destruct (read_number (read_rest start) 4) as [[count r]|] eqn:N4; [|discriminate T].
    destruct (inverts_read _ _ _ _ u32_inverts _ _ _ O N4) as (C & Q & O1).
    destruct (take_bytes r count) as [[body r2]|] eqn:B; [|discriminate T].
    destruct (inverts_read _ _ _ _ (take_inverts count) _ _ _ O1 B) as (L & -> & O2).
    assert (Ob : of_bytes body) by (apply Forall_app in O1; apply O1).
    destruct (read_transaction body format opening_length (read_quotas start)) as [[tx quotas]|] eqn:R; [|discriminate T].
    injection T as <-. apply read_transaction_encoded in R; [|exact Ob]. destruct R as (X & W & -> & ->).
    pose proof (fun bytes => IH _ _ bytes E) as IH2. destruct (IH2 O2) as (found & A1 & A2 & A3 & A4 & A5 & A6). cbn [read_before read_quotas read_rest] in *.
    exists (tx :: found). rewrite A1, <- app_assoc. cbn [length flat_map within_all].
    split; [reflexivity|]. split; [congruence|]. split; [constructor; [split; [exact X|lia]|exact A3]|].
    split; [split; assumption|]. split; [|exact A6]. rewrite Q, A5. unfold sent at 2, bytes32. rewrite <- !app_assoc.
    rewrite L. reflexivity.
Qed.

(** Each transaction has a byte at least. *)
Lemma flat_sent_at_least : forall items, seq_length items <= seq_length (flat_map (sent format) items).
Proof.
  induction items as [|tx items IH]; [cbn; lia|]. cbn [flat_map]. rewrite seq_length_cons, seq_length_app.
  pose proof (sent_some format tx). lia.
Qed.

End Loop.

(** ** Format, version and transactions *)

Section Limits.

Variable p : Parameters.
Lemma encode_head_parts : forall block format transaction_format, encode_head block format transaction_format =
  u8_bytes format ++ u64_bytes (received_version block) ++ u32_bytes (seq_length (received_transactions block)) ++
  flat_map (sent transaction_format) (received_transactions block).
Proof. intros. unfold encode_head. rewrite encode_transactions_flat. reflexivity. Qed.

Lemma head_encoded : forall block format transaction_format n rest, format < 2 ^ 8 -> transaction_format < 2 ^ 8 ->
  received_version block < 2 ^ 64 -> fits_transactions p n transaction_format (received_transactions block) ->
  read_head (encode_head block format transaction_format ++ rest) p format transaction_format n =
  Ok (received_version block, {| read_before := received_transactions block;
    read_quotas := quotas_without_all (block_quotas p) (received_transactions block); read_rest := rest |}).
Proof.
  intros block format transaction_format n rest B B' V (L & M & X & Q). rewrite encode_head_parts, <- !app_assoc.
  unfold read_head. rewrite expect_format_read by exact B. reads u64_inverts. reads u32_inverts.
  rewrite (proj2 (take_quota_ok _ _ _ _) (conj M eq_refl)).
  unfold read_transactions. rewrite (transactions_encoded _ _ B'); [reflexivity| |exact X|apply within_all_sums; exact Q].
  rewrite range_length. pose proof (flat_sent_at_least transaction_format (received_transactions block)) as Some.
  unfold reading_turns. rewrite seq_length_app.
  match goal with |- context [if ?a <=? ?b then _ else _] => destruct (N.leb_spec a b) end; [|lia].
  rewrite <- seq_length_nat. lia.
Qed.

Lemma head_found : forall bytes format transaction_format n b found, of_bytes bytes ->
  read_head bytes p format transaction_format n = Ok (b, found) ->
  b < 2 ^ 64 /\ fits_transactions p n transaction_format (read_before found) /\ of_bytes (read_rest found) /\
  forall vectors, bytes = encode_head {| received_version := b; received_transactions := read_before found;
    received_tail_vectors := vectors |} format transaction_format ++ read_rest found.
Proof.
  intros bytes format transaction_format n b found O E. unfold read_head in E.
  destruct (expect_format bytes format) as [r|] eqn:T; [|discriminate E].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0]. clear O.
  took u64_inverts. took u32_inverts. destruct (take_quota _ _ _) eqn:Q in E; [|discriminate E]. apply take_quota_ok in Q.
  destruct (read_transactions _ _ _ _ _) as [s|] eqn:R; [|discriminate E]. injection E as <- <-.
  unfold read_transactions in R. apply transactions_found in R; [|assumption].
  cbn [read_before read_quotas read_rest app] in R. destruct R as (items & A1 & A2 & A3 & A4 & A5 & A6).
  apply within_all_sums in A4. cbn [block_quotas operations_left claims_left] in A4.
  rewrite range_length in A2. pose proof (flat_sent_at_least transaction_format items) as M.
  unfold reading_turns in A2. rewrite A5, seq_length_app in A2.
  assert (L : seq_length items = n1).
  { match type of A2 with context [if ?a <=? ?b then _ else _] => destruct (N.leb_spec a b) in A2 end;
      unfold seq_length in *; lia. }
  rewrite A1. split; [assumption|]. split; [unfold fits_transactions; rewrite L; tauto|]. split; [exact A6|].
  intros vectors. rewrite encode_head_parts. cbn [received_version received_transactions].
  rewrite A5, L, <- !app_assoc. reflexivity.
Qed.

Theorem head_never_panics : forall bytes format transaction_format n, of_bytes bytes -> held bytes ->
  read_head_safe bytes p format transaction_format n = true.
Proof.
  intros bytes format transaction_format n O H. unfold read_head_safe, expect_format_safe.
  rewrite number_never_panics by (lia || exact O). cbn [andb].
  destruct (expect_format bytes format) as [r|] eqn:T; [|reflexivity].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0].
  assert (H0 : held r) by (unfold held in *; rewrite seq_length_app in H; lia). clear O H.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u32_inverts.
  destruct (take_quota _ _ _); [|reflexivity]. unfold read_transactions_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (loop_is_safe _ (fun _ items => match items with Ok s => of_bytes (read_rest s) /\ held (read_rest s) | Err _ => True end)).
  - split; assumption.
  - intros i [s|e] _ P; [|split; [reflexivity|exact I]]. destruct P as [P1 P2].
    unfold read_transactions_step_safe, read_next_transaction_safe, read_transactions_step, read_next_transaction.
    rewrite number_never_panics by (lia || assumption). cbn [andb].
    destruct (read_number (read_rest s) 4) as [[count r2]|] eqn:N4; [|split; [reflexivity|exact I]].
    destruct (inverts_rest _ _ _ _ u32_inverts _ _ _ P1 P2 N4) as [Q1 Q2]. rewrite take_never_panics. cbn [andb].
    destruct (take_bytes r2 count) as [[body r3]|] eqn:B; [|split; [reflexivity|exact I]].
    destruct (inverts_rest _ _ _ _ (take_inverts count) _ _ _ Q1 Q2 B) as [R1 R2].
    destruct (inverts_read _ _ _ _ (take_inverts count) _ _ _ Q1 B) as (_ & Q & _).
    assert (Ob : of_bytes body) by (subst r2; apply Forall_app in Q1; apply Q1).
    assert (Hb : held body) by (subst r2; unfold held in *; rewrite seq_length_app in Q2; lia).
    split; [apply transaction_never_panics; assumption|].
    destruct (read_transaction _ _ _ _) as [[tx quotas]|]; [|exact I]. split; assumption.
Qed.

(** ** Tail vectors and whole blocks *)

Hypothesis vectors_not_empty : 1 <= vector_size p.

Lemma vector_some : forall vector, fits_vector (vector_size p) vector -> 0 < seq_length (flat_map slot_bytes vector).
Proof.
  intros vector [L X]. pose proof (flat_map_at_least fits_slot slot_bytes (fun x _ => slot_bytes_some x) vector X). lia.
Qed.

Theorem vectors_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall (fits_vector (vector_size p)) l) (flat_map (flat_map slot_bytes))
    (fun bytes => read_vectors bytes count (vector_size p)).
Proof.
  exact (many_inverts (fits_vector (vector_size p)) (flat_map slot_bytes) (fun bytes => read_slots bytes (vector_size p))
    (slots_inverts (vector_size p)) vector_some).
Qed.

Lemma read_encoded_tail : forall vectors, fits_tail p vectors -> read_tail (encode_tail vectors) p = Ok vectors.
Proof.
  intros vectors (A & B & C). unfold read_tail, encode_tail. rewrite encode_vectors_flat. reads u32_inverts.
  rewrite (proj2 (take_quota_ok _ _ _ _) (conj B eq_refl)). rewrite <- (app_nil_r (flat_map _ _)).
  reads (vectors_inverts (seq_length vectors)); [|split; [reflexivity|exact C]]. reflexivity.
Qed.

Theorem read_tail_iff : forall bytes vectors, of_bytes bytes ->
  read_tail bytes p = Ok vectors <-> fits_tail p vectors /\ bytes = encode_tail vectors.
Proof.
  intros bytes vectors O. split.
  - intros E. unfold read_tail in E. unfold encode_tail. took u32_inverts. destruct (take_quota _ _ _) eqn:Q in E; [|discriminate E]. apply take_quota_ok in Q.
    took (vectors_inverts n). destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <-.
    subst. rewrite app_nil_r, encode_vectors_flat. destruct X0 as [L X0]. rewrite L. split; [|reflexivity].
    unfold fits_tail. rewrite L. tauto.
  - intros [X ->]. apply read_encoded_tail, X.
Qed.

Lemma decode_encoded_block : forall block, fits_block p block -> decode_block (encode_block block) p = Ok block.
Proof.
  intros block (V & X & Y & L). unfold decode_block, expect_length. rewrite (proj2 (N.leb_le _ _) L). unfold encode_block.
  rewrite head_encoded by (assumption || reflexivity). cbn [read_rest read_before]. rewrite read_encoded_tail by exact Y.
  destruct block. reflexivity.
Qed.

Theorem decode_block_iff : forall bytes block, of_bytes bytes ->
  decode_block bytes p = Ok block <-> fits_block p block /\ bytes = encode_block block.
Proof.
  intros bytes block O. split.
  - intros E. unfold decode_block, expect_length in E. destruct (N.leb_spec (seq_length bytes) (block_bytes p)) as [L|]; [|discriminate E].
    destruct (read_head _ _ _ _ _) as [[b found]|] eqn:H; [|discriminate E].
    apply head_found in H; [|exact O]. destruct H as (V & X & O' & Q).
    destruct (read_tail _ _) as [vectors|] eqn:R; [|discriminate E]. injection E as <-.
    apply read_tail_iff in R; [|exact O']. destruct R as [Y R]. specialize (Q vectors). rewrite R in Q.
    assert (Z : bytes = encode_block {| received_version := b; received_transactions := read_before found;
      received_tail_vectors := vectors |}) by exact Q.
    split; [|exact Z]. unfold fits_block. cbn [received_version received_transactions received_tail_vectors].
    rewrite <- Z. tauto.
  - intros [X ->]. apply decode_encoded_block, X.
Qed.

(** ** Without panics *)

Hypothesis parameters_held : block_operations p + vector_size p < 2 ^ 64.

Theorem tail_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_tail_safe bytes p = true.
Proof.
  intros bytes O H. unfold read_tail_safe. rewrite number_never_panics by (lia || exact O). safe_behind u32_inverts.
  assert (M : most_tail_vectors_safe p = true).
  { unfold most_tail_vectors_safe, within_usize. rewrite !andb_true_iff, N.ltb_lt, N.leb_le, negb_true_iff, N.eqb_neq. lia. }
  rewrite M. cbn [andb]. destruct (take_quota _ _ _); [|reflexivity].
  unfold read_vectors_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (many_safe (fits_vector (vector_size p)) (flat_map slot_bytes) (fun bytes => read_slots bytes (vector_size p))
    (slots_inverts (vector_size p)) (fun bytes => read_slots_safe bytes (vector_size p))); [|assumption|assumption].
  intros bytes' O' H'. apply slots_never_panic; assumption.
Qed.

Theorem block_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_block_safe bytes p = true.
Proof.
  intros bytes O H. unfold decode_block_safe. destruct (expect_length _ _); [|reflexivity].
  rewrite head_never_panics by assumption. cbn [andb].
  destruct (read_head _ _ _ _ _) as [[b found]|] eqn:E; [|reflexivity].
  apply head_found in E; [|exact O]. destruct E as (_ & _ & O' & Q). specialize (Q []).
  apply tail_never_panics; [exact O'|]. subst bytes. unfold held in *. rewrite seq_length_app in H. lia.
Qed.

End Limits.

(** Legal parameters are small enough to be added. *)
Lemma legal_sum : forall p, parameters_legal p = true -> block_operations p + vector_size p < 2 ^ 64.
Proof.
  intros p L. pose proof (legal_bounds p L) as B. unfold parameters_legal, counts_legal, fits_u32 in L.
  rewrite !andb_true_iff, !N.leb_le in L. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

End BlockDecoder.
