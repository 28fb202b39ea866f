(** A row's text is bound by its run's root: two texts at one position of one run are one, or two inputs of the hash have one digest.

    - [climb_together]: two paths of one place that lead to one digest begin at one digest;
    - [leaf_binding]: so do two leaves;
    - [row_leaf_injective]: a leaf is that of one salt and one list of texts. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Hash Commitment.CommitmentTree Table.TableAnswer.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Commitment.CommitmentTree Lemmas.CommitmentPath.
Import ListNotations.
Local Open Scope N_scope.

Section RowBinding.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Variable digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

Lemma nodes_bind_left : forall d s d' s', seq_length d = 32 -> seq_length d' = 32 ->
  preimage (node_input d s) = preimage (node_input d' s') -> d = d'.
Proof.
  intros d s d' s' D D' P. rewrite !preimage_node in P by (apply not_empty_32; assumption). injection P as P. apply app_split in P; [tauto|congruence].
Qed.

Lemma nodes_bind_right : forall s d s' d', seq_length d = 32 -> seq_length d' = 32 ->
  preimage (node_input s d) = preimage (node_input s' d') -> d = d'.
Proof.
  intros [|x s] d [|y s'] d' D D' P.
  - rewrite !preimage_node_empty in P. now injection P.
  - rewrite preimage_node_empty, preimage_node in P by discriminate. discriminate.
  - rewrite preimage_node_empty, preimage_node in P by discriminate. discriminate.
  - rewrite !preimage_node in P by discriminate. injection P as _ P.
    change ((x :: s) ++ d = (y :: s') ++ d') in P || idtac. apply app_split_right in P; [tauto|congruence].
Qed.

Lemma climb_together : forall k d d' i w u v v' path path', seq_length d = 32 -> seq_length d' = 32 ->
  let place := {| place_digest := d; place_index := i; place_width := w; place_used := u; place_valid := v |} in
  let place' := {| place_digest := d'; place_index := i; place_width := w; place_used := u; place_valid := v' |} in
  place_valid (climb k place path) = true -> place_valid (climb k place' path') = true ->
  no_collision (climb_inputs k place path) (climb_inputs k place' path') ->
  place_digest (climb k place path) = place_digest (climb k place' path') -> d = d'.
Proof.
  induction k as [|k IH]; intros d d' i w u v v' path path' D D' place place' V V' N E; [exact E|]. subst place place'.
  cbn [climb climb_inputs] in *. apply no_collision_parts in N. destruct N as [N N'].
  unfold path_end_step, step_inputs, is_carried, place_above in *. cbn [place_digest place_index place_width place_used place_valid] in *.
  destruct ((i mod 2 =? 0) && (w <=? i + 1)) eqn:C.
  - exact (IH _ _ _ _ _ _ _ _ _ D D' V V' N' E).
  - destruct (u <? seq_length path); [|apply climb_valid in V; discriminate V].
    destruct (u <? seq_length path'); [|apply climb_valid in V'; discriminate V']. cbv zeta in *.
    destruct (i mod 2 =? 0).
    + assert (G : node_digest d (seq_at path u) = node_digest d' (seq_at path' u)).
      { refine (IH _ _ _ _ _ _ _ _ _ _ _ V V' N' E); rewrite node_digest_input; apply digest_has_32_bytes; exact digest_length. }
      rewrite !node_digest_input in G. apply N in G; [|left; reflexivity|left; reflexivity]. eapply nodes_bind_left; eauto.
    + assert (G : node_digest (seq_at path u) d = node_digest (seq_at path' u) d').
      { refine (IH _ _ _ _ _ _ _ _ _ _ _ V V' N' E); rewrite node_digest_input; apply digest_has_32_bytes; exact digest_length. }
      rewrite !node_digest_input in G. apply N in G; [|left; reflexivity|left; reflexivity]. eapply nodes_bind_right; eauto.
Qed.

(** The height of the tree is a parameter here, so that nothing computes with 64 of them. *)
Lemma leaf_binding_at_height : forall k width index leaf leaf' path path' r,
  (if place_valid (climb k (place_of_leaf width index leaf) path) && (place_used (climb k (place_of_leaf width index leaf) path) =? seq_length path)
   then Some (place_digest (climb k (place_of_leaf width index leaf) path)) else None) = Some r ->
  (if place_valid (climb k (place_of_leaf width index leaf') path') && (place_used (climb k (place_of_leaf width index leaf') path') =? seq_length path')
   then Some (place_digest (climb k (place_of_leaf width index leaf') path')) else None) = Some r ->
  no_collision (leaf_input leaf :: climb_inputs k (place_of_leaf width index leaf) path)
    (leaf_input leaf' :: climb_inputs k (place_of_leaf width index leaf') path') -> leaf = leaf'.
Proof.
  intros k width index leaf leaf' path path' r H H' N.
  destruct (place_valid (climb k (place_of_leaf width index leaf) path)) eqn:V; [|discriminate].
  destruct (place_valid (climb k (place_of_leaf width index leaf') path')) eqn:V'; [|discriminate].
  destruct (_ =? _); [|discriminate]. destruct (_ =? _) in H'; [|discriminate]. cbn [andb] in H, H'. injection H as H. injection H' as H'.
  assert (G : digest (leaf_input leaf) = digest (leaf_input leaf')).
  { rewrite <- !leaf_digest_input. unfold place_of_leaf in *.
    refine (climb_together k _ _ _ _ _ _ _ path path' _ _ V V' _ _); try (rewrite leaf_digest_input; apply digest_has_32_bytes; exact digest_length).
    - intros p q Hp Hq. apply N; right; assumption.
    - congruence. }
  apply N in G; [|left; reflexivity|left; reflexivity]. rewrite !preimage_leaf in G. now injection G.
Qed.

(** A path is followed for 64 levels: it is never computed here. *)
Strategy 1000 [climb climb_inputs path_end].

Theorem leaf_binding : forall width index leaf leaf' path path' r,
  root_of_path width index leaf path = Some r -> root_of_path width index leaf' path' = Some r ->
  no_collision (path_inputs width index leaf path) (path_inputs width index leaf' path') -> leaf = leaf'.
Proof.
  intros width index leaf leaf' path path' r H H' N. unfold root_of_path in H, H'. cbv zeta in H, H'. rewrite path_end_climb in H, H'.
  unfold path_inputs in N. exact (leaf_binding_at_height 64 _ _ _ _ _ _ _ H H' N).
Qed.

(** ** Leaves of rows *)

Definition texts_bytes (texts : list ByteString) : ByteString := flat_map bytes16 texts.

Lemma row_leaf_parts : forall salt texts, row_leaf salt texts = salt ++ u8_bytes (seq_length texts) ++ texts_bytes texts.
Proof.
  intros salt texts. unfold row_leaf. rewrite (loop_over_elements _ _ _ row_leaf_step). rewrite app_assoc. generalize (salt ++ u8_bytes (seq_length texts)).
  unfold texts_bytes. induction texts as [|t texts IH]; intros start; cbn [fold_left flat_map]; [now rewrite app_nil_r|]. rewrite IH. unfold row_leaf_step.
  now rewrite app_assoc.
Qed.

Lemma texts_injective : forall texts texts', seq_length texts = seq_length texts' ->
  Forall (fun t => seq_length t < 2 ^ 16) texts -> Forall (fun t => seq_length t < 2 ^ 16) texts' -> texts_bytes texts = texts_bytes texts' -> texts = texts'.
Proof.
  induction texts as [|t texts IH]; intros [|t' texts'] L S S' E; rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; [reflexivity|].
  inversion S; inversion S'; subst. unfold texts_bytes in E. cbn [flat_map] in E. apply bytes16_split in E; [|assumption|assumption].
  destruct E as [-> E]. f_equal. apply IH; try assumption. lia.
Qed.

Theorem row_leaf_injective : forall salt texts salt' texts', seq_length salt = 16 -> seq_length salt' = 16 ->
  seq_length texts < 2 ^ 8 -> seq_length texts' < 2 ^ 8 -> Forall (fun t => seq_length t < 2 ^ 16) texts -> Forall (fun t => seq_length t < 2 ^ 16) texts' ->
  row_leaf salt texts = row_leaf salt' texts' -> salt = salt' /\ texts = texts'.
Proof.
  intros salt texts salt' texts' L L' C C' S S' E. rewrite !row_leaf_parts in E. apply app_split in E; [|congruence]. destruct E as [-> E].
  split; [reflexivity|]. unfold u8_bytes, u128_of_usize in E. apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [N E].
  apply big_endian_injective in N; [|assumption|assumption]. now apply texts_injective.
Qed.

End RowBinding.
