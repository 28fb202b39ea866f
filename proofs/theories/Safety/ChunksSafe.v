(** Values are taken apart, and put together again, without leaving the range of integers or sequences. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Group Mixnet.Chunks Base.BytesSafe Mixnet.ChunksSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe.
From Aardvark Require Spec.Mixnet.Chunks.
Import ListNotations.
Local Open Scope N_scope.

(** Each turn of a loop is safe by itself. *)
Ltac each_turn H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? ? H _; split; [|exact I].
Ltac in_range := apply N.ltb_lt; lia.

Lemma padded_value_never_panics : forall content width, padded_value_safe content width = true.
Proof.
  intros. unfold padded_value_safe. destruct (value_width_legal width); [|reflexivity]. cbn [negb].
  destruct (_ =? _); [reflexivity|]. destruct (N.ltb_spec (seq_length content) width); [|reflexivity].
  apply andb_true_iff. rewrite !N.leb_le. lia.
Qed.

Theorem value_chunks_never_panics : forall content width, Spec.Mixnet.Chunks.small_bytes content ->
  value_chunks_safe content width = true.
Proof.
  intros content width S. unfold value_chunks_safe. rewrite padded_value_never_panics. cbn [andb].
  destruct (padded_value content width) as [padded|] eqn:P; [|reflexivity].
  pose proof (Spec.Mixnet.Chunks.padded_small _ _ _ S P) as Sp.
  apply Spec.Mixnet.Chunks.padded_value_cases in P as (W & L & _). apply Spec.Mixnet.Chunks.value_width_iff in W as [[_ W] _].
  unfold chunk_numbers_safe. each_turn H. unfold chunk_numbers_step_safe.
  assert (2 * (seq_length padded / 2) <= seq_length padded) as M by (apply N.mul_div_le; discriminate).
  assert (2 * i + 2 <= seq_length padded) as B by (revert H M; generalize (seq_length padded / 2); intros; lia).
  rewrite !andb_true_iff. repeat split.
  - apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia.
  - now apply N.leb_le.
  - apply number_of_bytes_never_panics; [rewrite seq_length_slice by exact B; lia|].
    apply Forall_forall. intros x I. apply (proj1 (Forall_forall _ _) Sp). unfold seq_slice in I.
    assert (In x (skipn (N.to_nat (2 * i)) padded)) as J.
    { rewrite <- (firstn_skipn (N.to_nat 2) (skipn _ padded)). apply in_or_app. now left. }
    rewrite <- (firstn_skipn (N.to_nat (2 * i)) padded). apply in_or_app. now right.
Qed.

Theorem chunks_value_never_panics : forall chunks, chunks_value_safe chunks = true.
Proof.
  intros chunks. unfold chunks_value_safe.
  assert (chunks_legal_safe chunks = true) as ->.
  { unfold chunks_legal_safe. each_turn H. unfold chunks_legal_step_safe. destruct acc; [in_range|reflexivity]. }
  cbn [andb]. destruct (chunks_legal chunks) eqn:L; [|reflexivity]. apply Spec.Mixnet.Chunks.chunks_legal_iff in L as [L _].
  assert (chunk_bytes_safe chunks = true) as -> by (unfold chunk_bytes_safe; each_turn H; in_range).
  cbn [andb]. cbv zeta. rewrite padded_value_never_panics.
  assert (unpadded_value_safe (chunk_bytes chunks) = true) as ->.
  { unfold unpadded_value_safe. destruct (N.ltb_spec (seq_length (chunk_bytes chunks)) 3); [reflexivity|]. cbv zeta.
    apply andb_true_iff. split; [in_range|]. destruct (_ <? _) eqn:B; [|reflexivity].
    apply N.ltb_lt in B. apply N.leb_le. lia. }
  cbn [andb]. destruct (padded_value _ _) as [again|] eqn:P; [|reflexivity].
  apply bytes_equal_never_panics. unfold short. apply Spec.Mixnet.Chunks.padded_value_cases in P as (_ & -> & _).
  rewrite Spec.Mixnet.Chunks.chunk_bytes_length. change (2 ^ 32) with 4294967296. lia.
Qed.

Section Elements.

Context {F : ScalarOperations}.

Theorem elements_value_never_panics : forall elements, elements_value_safe elements = true.
Proof.
  intros elements. unfold elements_value_safe. apply andb_true_iff. split.
  - unfold elements_chunks_safe. each_turn H. unfold elements_chunks_step_safe. destruct acc; [in_range|reflexivity].
  - destruct (elements_chunks elements); [apply chunks_value_never_panics|reflexivity].
Qed.

End Elements.
