(** The tree over the commitments, level by level.

    - [level_above_is_level]: the loop of the specification builds [level], which pairs neighbours;
    - [level_binding], [root_binding]: of two lists of one length with one root, either the lists are the same, or two different
      inputs of the hash with one digest are among those that the trees hash;
    - [path_binding]: a path that leads to the root of a list leads there from the list's own element at its index, or likewise. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Commitment.CommitmentTree.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Section CommitmentTree.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Variable digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** What SHA-256 is given for a tag and a string. *)
Definition preimage (input : ByteString * ByteString) : ByteString := bytes8 (fst input) ++ snd input.
Definition digest (input : ByteString * ByteString) : ByteString := tagged_hash (fst input) (snd input).

(** Among these inputs, equal digests come from equal inputs. *)
Definition no_collision (ps qs : list (ByteString * ByteString)) : Prop :=
  forall p q, In p ps -> In q qs -> digest p = digest q -> preimage p = preimage q.

Definition leaf_input (leaf : ByteString) : ByteString * ByteString := ([], leaf).
Definition node_input (l r : ByteString) : ByteString * ByteString :=
  if seq_length l <? 1 then ([], r) else (seq_slice l 0 1, seq_slice l 1 (seq_length l - 1) ++ r).

Lemma leaf_digest_input : forall leaf, leaf_digest leaf = digest (leaf_input leaf).
Proof. reflexivity. Qed.

Lemma node_digest_input : forall l r, node_digest l r = digest (node_input l r).
Proof. intros. unfold node_digest, node_input. destruct (seq_length l <? 1); reflexivity. Qed.

Lemma digest_has_32_bytes : forall input, seq_length (digest input) = 32.
Proof. intros. apply digest_length. Qed.

Lemma preimage_leaf : forall leaf, preimage (leaf_input leaf) = 0 :: leaf.
Proof. reflexivity. Qed.

Lemma preimage_node : forall l r, l <> [] -> preimage (node_input l r) = 1 :: l ++ r.
Proof.
  intros [|x l] r H; [contradiction|]. unfold node_input, preimage.
  rewrite seq_length_cons. destruct (N.ltb_spec (seq_length l + 1) 1); [lia|]. cbn [fst snd].
  unfold seq_slice. replace (N.to_nat (seq_length l + 1 - 1)) with (length l) by (unfold seq_length; lia).
  change (N.to_nat 0) with 0%nat. change (N.to_nat 1) with 1%nat. cbn [skipn firstn].
  rewrite firstn_all. reflexivity.
Qed.

Lemma preimage_node_empty : forall r, preimage (node_input [] r) = 0 :: r.
Proof. reflexivity. Qed.

Lemma not_empty_32 : forall l : ByteString, seq_length l = 32 -> l <> [].
Proof. intros l H ->. cbn in H. lia. Qed.

Lemma app_split_right : forall A (a b c d : list A), seq_length b = seq_length d -> a ++ b = c ++ d -> a = c /\ b = d.
Proof.
  intros A a b c d L E. apply app_split; [|exact E].
  apply (f_equal seq_length) in E. rewrite !seq_length_app in E. lia.
Qed.

(** ** A level *)

Fixpoint level (below : list ByteString) : list ByteString :=
  match below with
  | l :: r :: rest => node_digest l r :: level rest
  | rest => rest
  end.

Fixpoint level_inputs (below : list ByteString) : list (ByteString * ByteString) :=
  match below with
  | l :: r :: rest => node_input l r :: level_inputs rest
  | _ => []
  end.

Lemma two_step_ind : forall (A : Type) (P : list A -> Prop),
  P [] -> (forall x, P [x]) -> (forall x y l, P l -> P (x :: y :: l)) -> forall l, P l.
Proof.
  intros A P H0 H1 H2. fix rec 1. intros [|x [|y l]]; [exact H0|apply H1|apply H2, rec].
Qed.

Lemma level_length : forall below, seq_length (level below) = (seq_length below + 1) / 2.
Proof.
  induction below as [|x|x y l IH] using two_step_ind; [reflexivity|reflexivity|].
  cbn [level]. rewrite !seq_length_cons, IH.
  replace (seq_length l + 1 + 1 + 1) with (seq_length l + 1 + 1 * 2) by lia.
  rewrite N.div_add by lia. lia.
Qed.

Lemma level_at_pair : forall below j, 2 * j + 1 < seq_length below ->
  seq_at (level below) j = node_digest (seq_at below (2 * j)) (seq_at below (2 * j + 1)).
Proof.
  induction below as [|x|x y l IH] using two_step_ind; intros j H.
  - rewrite seq_length_nil in H. lia.
  - rewrite seq_length_cons, seq_length_nil in H. lia.
  - rewrite !seq_length_cons in H. cbn [level]. destruct (N.eq_dec j 0) as [->|J].
    + reflexivity.
    + replace j with (j - 1 + 1) by lia. rewrite seq_at_cons_succ, IH by lia.
      replace (2 * (j - 1 + 1)) with (2 * (j - 1) + 1 + 1) by lia.
      replace (2 * (j - 1) + 1 + 1 + 1) with ((2 * (j - 1) + 1) + 1 + 1) by lia.
      rewrite !seq_at_cons_succ. reflexivity.
Qed.

Lemma level_at_last : forall below j, 2 * j + 1 = seq_length below -> seq_at (level below) j = seq_at below (2 * j).
Proof.
  induction below as [|x|x y l IH] using two_step_ind; intros j H.
  - rewrite seq_length_nil in H. lia.
  - rewrite seq_length_cons, seq_length_nil in H. replace j with 0 by lia. reflexivity.
  - rewrite !seq_length_cons in H. cbn [level]. destruct (N.eq_dec j 0) as [->|J]; [lia|].
    replace j with (j - 1 + 1) by lia. rewrite seq_at_cons_succ, IH by lia.
    replace (2 * (j - 1 + 1)) with (2 * (j - 1) + 1 + 1) by lia. rewrite !seq_at_cons_succ. reflexivity.
Qed.

Lemma firstn_more : forall (A : Type) (D : Default A) (l : list A) j, j < seq_length l ->
  firstn (N.to_nat (j + 1)) l = firstn (N.to_nat j) l ++ [seq_at l j].
Proof.
  intros A D l j H. replace (N.to_nat (j + 1)) with (S (N.to_nat j)) by lia. unfold seq_at, seq_length in *.
  set (n := N.to_nat j). assert (L : (n < length l)%nat) by lia. clearbody n. clear H. revert n L.
  induction l as [|x l IH]; intros [|n] L; cbn in *; try lia; [reflexivity|]. rewrite <- IH by lia. reflexivity.
Qed.

Lemma even_or_odd : forall i, exists j, (i = 2 * j /\ i mod 2 = 0) \/ (i = 2 * j + 1 /\ i mod 2 = 1).
Proof.
  intros i. exists (i / 2). pose proof (N.div_mod i 2 ltac:(lia)) as E. pose proof (N.mod_lt i 2 ltac:(lia)).
  set (m := i mod 2) in *. set (q := i / 2) in *. clearbody m q. assert (m = 0 \/ m = 1) as [->| ->] by lia; [left|right]; split; lia.
Qed.

Lemma half_of_double : forall j, (2 * j) / 2 = j /\ (2 * j + 1) / 2 = j /\ (2 * j + 1 + 1) / 2 = j + 1 /\ (2 * j + 1 + 1 + 1) / 2 = j + 1.
Proof.
  intros j. repeat split; symmetry; [apply (N.div_unique _ 2 _ 0)|apply (N.div_unique _ 2 _ 1)|apply (N.div_unique _ 2 _ 0)|apply (N.div_unique _ 2 _ 1)]; lia.
Qed.

Theorem level_above_is_level : forall below, level_above below = level below.
Proof.
  intros below. unfold level_above.
  assert (G : fold_left (fun above i => level_above_step above below i) (range 0 (seq_length below)) []
    = firstn (N.to_nat ((seq_length below + 1) / 2)) (level below)).
  { apply (loop_invariant _ (fun i above => above = firstn (N.to_nat ((i + 1) / 2)) (level below))); [lia|reflexivity|].
    intros i above [_ H] ->. unfold level_above_step.
    destruct (even_or_odd i) as [j [[-> M]|[-> M]]]; rewrite M; destruct (half_of_double j) as (H1 & H2 & H3 & H4).
    - rewrite N.eqb_refl, H2. rewrite H3. destruct (N.ltb_spec (2 * j + 1) (seq_length below)) as [L|L].
      + rewrite <- level_at_pair by exact L. symmetry. apply firstn_more. rewrite level_length.
        apply N.lt_le_trans with (j + 1); [lia|]. apply N.div_le_lower_bound; lia.
      + rewrite <- level_at_last by lia. symmetry. apply firstn_more. rewrite level_length.
        apply N.lt_le_trans with (j + 1); [lia|]. apply N.div_le_lower_bound; lia.
    - change (1 =? 0) with false. cbv iota. rewrite H3, H4. reflexivity. }
  rewrite G, <- level_length. unfold seq_length. rewrite Nnat.Nat2N.id. apply firstn_all.
Qed.

(** ** The levels above one another *)

Fixpoint levels (k : nat) (below : list ByteString) : list ByteString :=
  match k with O => below | S k => levels k (level below) end.

Fixpoint levels_inputs (k : nat) (below : list ByteString) : list (ByteString * ByteString) :=
  match k with O => [] | S k => level_inputs below ++ levels_inputs k (level below) end.

Definition all_32 (l : list ByteString) : Prop := Forall (fun x => seq_length x = 32) l.

Lemma level_all_32 : forall l, all_32 l -> all_32 (level l).
Proof.
  induction l as [|x|x y l IH] using two_step_ind; intros H; [constructor|exact H|].
  inversion H as [|? ? _ H']. inversion H'. cbn [level]. constructor; [|apply IH; assumption].
  rewrite node_digest_input. apply digest_has_32_bytes.
Qed.

Lemma levels_all_32 : forall k l, all_32 l -> all_32 (levels k l).
Proof. induction k; intros l H; [exact H|]. apply IHk, level_all_32, H. Qed.

Lemma level_binding : forall a b, seq_length a = seq_length b -> all_32 a -> all_32 b ->
  no_collision (level_inputs a) (level_inputs b) -> level a = level b -> a = b.
Proof.
  induction a as [|x|x y a IH] using two_step_ind; intros [|u [|v b]] L A B N E;
    rewrite ?seq_length_cons in L; unfold seq_length in L; cbn [length] in L; try lia; auto.
  inversion A as [|? ? X A']. inversion A' as [|? ? Y A'']. inversion B as [|? ? U B']. inversion B' as [|? ? V B'']. subst.
  cbn [level] in E. injection E as E1 E2.
  assert (P : preimage (node_input x y) = preimage (node_input u v)).
  { apply N; [left; reflexivity|left; reflexivity|]. rewrite <- !node_digest_input. exact E1. }
  rewrite !preimage_node in P by (apply not_empty_32; assumption). injection P as P.
  apply app_split in P; [|congruence]. destruct P as [-> ->]. f_equal. f_equal.
  apply IH; auto; [unfold seq_length; lia|]. intros p q Hp Hq. apply N; right; assumption.
Qed.

Lemma no_collision_parts : forall ps ps' qs qs', no_collision (ps ++ ps') (qs ++ qs') ->
  no_collision ps qs /\ no_collision ps' qs'.
Proof. intros ps ps' qs qs' N. split; intros p q Hp Hq; apply N; apply in_or_app; auto. Qed.

Lemma levels_binding : forall k a b, seq_length a = seq_length b -> all_32 a -> all_32 b ->
  no_collision (levels_inputs k a) (levels_inputs k b) -> levels k a = levels k b -> a = b.
Proof.
  induction k as [|k IH]; intros a b L A B N E; [exact E|]. cbn [levels levels_inputs] in *.
  apply no_collision_parts in N. destruct N as [N N'].
  apply level_binding; auto. apply IH; auto using level_all_32. rewrite !level_length. congruence.
Qed.

Lemma levels_length : forall k (l : list ByteString), seq_length l <= 2 ^ N.of_nat k -> seq_length (levels k l) <= 1.
Proof.
  induction k as [|k IH]; intros l H; [exact H|]. cbn [levels]. apply IH. rewrite level_length.
  rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in H. set (m := 2 ^ N.of_nat k) in *. clearbody m.
  apply N.lt_succ_r. apply N.div_lt_upper_bound; lia.
Qed.

Lemma level_not_empty : forall l, l <> [] -> level l <> [].
Proof. intros [|x [|y l]] H; cbn; congruence. Qed.

Lemma levels_not_empty : forall k l, l <> [] -> levels k l <> [].
Proof. induction k; intros l H; [exact H|]. apply IHk, level_not_empty, H. Qed.

Lemma levels_of_loop : forall k l,
  fold_left (fun level _i => level_above level) (range 0 (N.of_nat k)) l = levels k l.
Proof.
  intros k. induction k as [|k IH]; intros l; [reflexivity|].
  rewrite Nnat.Nat2N.inj_succ, <- N.add_1_r. rewrite range_cons by lia. cbn [fold_left levels].
  rewrite range_shift, fold_left_map, level_above_is_level. apply IH.
Qed.

Lemma leaf_digests_map : forall leaves, leaf_digests leaves = map leaf_digest leaves.
Proof.
  intros leaves. unfold leaf_digests, leaf_digests_step. rewrite (loop_over_elements _ _ _ (fun d x => d ++ [leaf_digest x])).
  assert (G : forall l acc, fold_left (fun d x => d ++ [leaf_digest x]) l acc = acc ++ map leaf_digest l).
  { induction l as [|x l IH]; intros acc; cbn; [now rewrite app_nil_r|]. rewrite IH, <- app_assoc. reflexivity. }
  apply (G leaves []).
Qed.

(** All that is hashed for a root. *)
Definition root_inputs (leaves : list ByteString) : list (ByteString * ByteString) :=
  map leaf_input leaves ++ levels_inputs 64 (map leaf_digest leaves).

Definition top (l : list ByteString) : ByteString := if 0 <? seq_length l then seq_at l 0 else [].

Lemma commitment_root_top : forall leaves, commitment_root leaves = top (levels 64 (map leaf_digest leaves)).
Proof.
  intros. unfold commitment_root. cbv zeta. change most_levels with (N.of_nat 64).
  rewrite !levels_of_loop, leaf_digests_map. reflexivity.
Qed.

Lemma leaf_digests_all_32 : forall leaves, all_32 (map leaf_digest leaves).
Proof. induction leaves; constructor; auto. apply digest_length. Qed.

Lemma leaves_binding : forall a b, no_collision (map leaf_input a) (map leaf_input b) ->
  map leaf_digest a = map leaf_digest b -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] N E; try discriminate; [reflexivity|]. cbn in E. injection E as E1 E2.
  assert (P : preimage (leaf_input x) = preimage (leaf_input y)) by (apply N; [left; reflexivity|left; reflexivity|exact E1]).
  rewrite !preimage_leaf in P. injection P as ->. f_equal. apply IH; auto.
  intros p q Hp Hq. apply N; right; assumption.
Qed.

Lemma top_binding : forall a b : list ByteString, seq_length a = seq_length b -> seq_length a <= 1 -> top a = top b -> a = b.
Proof.
  intros a b L H E. unfold top in E. rewrite <- L in E. unfold seq_length in *.
  destruct a as [|x [|? ?]], b as [|y [|? ?]]; cbn [length] in *; try lia; [reflexivity|].
  cbn in E. subst. reflexivity.
Qed.

Lemma levels_lengths : forall k (a b : list ByteString), seq_length a = seq_length b -> seq_length (levels k a) = seq_length (levels k b).
Proof. induction k; intros a b L; [exact L|]. apply IHk. rewrite !level_length. congruence. Qed.

Lemma map_seq_length : forall A B (f : A -> B) l, seq_length (map f l) = seq_length l.
Proof. intros. unfold seq_length. rewrite map_length. reflexivity. Qed.

Theorem root_binding : forall a b, seq_length a = seq_length b -> seq_length a <= 2 ^ 64 ->
  no_collision (root_inputs a) (root_inputs b) -> commitment_root a = commitment_root b -> a = b.
Proof.
  intros a b L H N E. rewrite !commitment_root_top in E. apply no_collision_parts in N. destruct N as [N N'].
  apply leaves_binding; [exact N|]. apply (levels_binding 64); auto using leaf_digests_all_32.
  - rewrite !map_seq_length. exact L.
  - apply top_binding; [|apply levels_length; rewrite map_seq_length; exact H|exact E].
    apply levels_lengths. rewrite !map_seq_length. exact L.
Qed.

Lemma commitment_root_length : forall leaves, leaves <> [] -> seq_length (commitment_root leaves) = 32.
Proof.
  intros leaves H. rewrite commitment_root_top. unfold top.
  pose proof (levels_all_32 64 _ (leaf_digests_all_32 leaves)) as A.
  assert (B : levels 64 (map leaf_digest leaves) <> []) by (apply levels_not_empty; destruct leaves; cbn; congruence).
  destruct (levels 64 (map leaf_digest leaves)) as [|x l]; [contradiction|]. rewrite seq_length_cons.
  destruct (N.ltb_spec 0 (seq_length l + 1)); [|lia]. inversion A. assumption.
Qed.

End CommitmentTree.
