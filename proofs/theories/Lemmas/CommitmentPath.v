(** Paths to a commitment.

    - [path_binding]: of a path that leads from a leaf to the root of a list, either the leaf is the list's element at that index,
      or two different inputs of the hash with one digest are among those that the path and the tree hash;
    - [path_correct]: the path that an honest archive gives leads from the list's element to the root. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Commitment.CommitmentTree.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes
  Spec.Commitment.CommitmentTree.
Import ListNotations.
Local Open Scope N_scope.

Section CommitmentPath.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Variable digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** ** Climbing *)

Fixpoint climb (k : nat) (place : PathPlace) (path : list ByteString) : PathPlace :=
  match k with O => place | S k => climb k (path_end_step place path) path end.

Definition step_inputs (place : PathPlace) (path : list ByteString) : list (ByteString * ByteString) :=
  if is_carried place then []
  else if place_used place <? seq_length path then
    let sibling := seq_at path (place_used place) in
    [if place_index place mod 2 =? 0 then node_input (place_digest place) sibling else node_input sibling (place_digest place)]
  else [].

Fixpoint climb_inputs (k : nat) (place : PathPlace) (path : list ByteString) : list (ByteString * ByteString) :=
  match k with O => [] | S k => step_inputs place path ++ climb_inputs k (path_end_step place path) path end.

Definition place_of_leaf (width index : N) (leaf : ByteString) : PathPlace :=
  {| place_digest := leaf_digest leaf; place_index := index; place_width := width; place_used := 0;
     place_valid := index <? width |}.

Lemma path_end_climb : forall width index leaf path,
  path_end width index leaf path = climb 64 (place_of_leaf width index leaf) path.
Proof.
  intros. unfold path_end. change most_levels with (N.of_nat 64). fold (place_of_leaf width index leaf).
  generalize (place_of_leaf width index leaf). generalize 64%nat. clear.
  induction n as [|k IH]; intros place; [reflexivity|].
  rewrite Nnat.Nat2N.inj_succ, <- N.add_1_r. rewrite range_cons by lia. cbn [fold_left climb].
  rewrite range_shift, fold_left_map. apply IH.
Qed.

(** All that is hashed to follow a path. *)
Definition path_inputs (width index : N) (leaf : ByteString) (path : list ByteString) : list (ByteString * ByteString) :=
  leaf_input leaf :: climb_inputs 64 (place_of_leaf width index leaf) path.

Lemma step_valid : forall place path, place_valid (path_end_step place path) = true -> place_valid place = true.
Proof.
  intros place path. unfold path_end_step, place_above.
  destruct (is_carried place); [auto|]. destruct (place_used place <? seq_length path); [|discriminate].
  cbv zeta. destruct (place_index place mod 2 =? 0); auto.
Qed.

Lemma climb_valid : forall k place path, place_valid (climb k place path) = true -> place_valid place = true.
Proof. induction k; intros place path H; [exact H|]. eapply step_valid, IHk, H. Qed.

Lemma level_inputs_in : forall below j, 2 * j + 1 < seq_length below ->
  In (node_input (seq_at below (2 * j)) (seq_at below (2 * j + 1))) (level_inputs below).
Proof.
  induction below as [|x|x y l IH] using two_step_ind; intros j H.
  - rewrite seq_length_nil in H. lia.
  - rewrite seq_length_cons, seq_length_nil in H. lia.
  - rewrite !seq_length_cons in H. cbn [level_inputs]. destruct (N.eq_dec j 0) as [->|J]; [left; reflexivity|right].
    replace (2 * j) with (2 * (j - 1) + 1 + 1) by lia.
    replace (2 * (j - 1) + 1 + 1 + 1) with ((2 * (j - 1) + 1) + 1 + 1) by lia.
    rewrite !seq_at_cons_succ. apply IH. lia.
Qed.

Lemma half_width : forall w, (w + 1) / 2 = w / 2 + w mod 2.
Proof.
  intros w. destruct (even_or_odd w) as [j [[-> M]|[-> M]]]; rewrite M; destruct (half_of_double j) as (H1 & H2 & H3 & _);
    rewrite ?H1, ?H2, ?H3; lia.
Qed.

Lemma all_32_at : forall l i, all_32 l -> i < seq_length l -> seq_length (seq_at l i) = 32.
Proof. intros l i A H. unfold all_32 in A. rewrite Forall_forall in A. apply A, seq_at_in, H. Qed.

Lemma node_binding_left : forall d s l r, seq_length d = 32 -> seq_length l = 32 ->
  preimage (node_input d s) = preimage (node_input l r) -> d = l.
Proof.
  intros d s l r D L P. rewrite !preimage_node in P by (apply not_empty_32; assumption). injection P as P.
  apply app_split in P; [tauto|congruence].
Qed.

Lemma node_binding_right : forall s d l r, seq_length d = 32 -> seq_length l = 32 -> seq_length r = 32 ->
  preimage (node_input s d) = preimage (node_input l r) -> d = r.
Proof.
  intros s d l r D L R P. rewrite (preimage_node l r) in P by (apply not_empty_32; assumption).
  destruct s as [|x s]; [rewrite preimage_node_empty in P; discriminate|].
  rewrite preimage_node in P by discriminate. injection P as P. change ((x :: s) ++ d = l ++ r) in P.
  apply app_split_right in P; [tauto|congruence].
Qed.

Lemma climb_binding : forall k level_now place path,
  all_32 level_now -> seq_length (place_digest place) = 32 ->
  place_width place = seq_length level_now -> place_index place < seq_length level_now ->
  seq_length level_now <= 2 ^ N.of_nat k ->
  place_valid (climb k place path) = true ->
  no_collision (climb_inputs k place path) (levels_inputs k level_now) ->
  place_digest (climb k place path) = seq_at (levels k level_now) 0 ->
  place_digest place = seq_at level_now (place_index place).
Proof.
  induction k as [|k IH]; intros l place path A D W I H V N E.
  { cbn in H, E. replace (place_index place) with 0 by lia. exact E. }
  cbn [climb climb_inputs levels levels_inputs] in *.
  apply no_collision_parts in N. destruct N as [N N'].
  pose proof (climb_valid _ _ _ V) as V'.
  assert (H' : seq_length (level l) <= 2 ^ N.of_nat k).
  { rewrite level_length. rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in H. set (m := 2 ^ N.of_nat k) in *. clearbody m.
    apply N.lt_succ_r. apply N.div_lt_upper_bound; lia. }
  assert (W' : place_width place / 2 + place_width place mod 2 = seq_length (level l)).
  { rewrite W, level_length. symmetry. apply half_width. }
  assert (I' : place_index place / 2 < seq_length (level l)).
  { rewrite level_length. apply N.lt_le_trans with (place_index place / 2 + 1); [lia|].
    replace (place_index place / 2 + 1) with ((place_index place + 1 * 2) / 2) by (rewrite N.div_add; lia).
    apply N.div_le_mono; lia. }
  specialize (IH (level l) (path_end_step place path) path (level_all_32 digest_length _ A)).
  destruct place as [d i w u v]. unfold path_end_step, step_inputs, is_carried, place_above in *.
  cbn [place_digest place_index place_width place_used place_valid] in *. subst w.
  destruct (even_or_odd i) as [j [[-> M]|[-> M]]]; rewrite M in *; destruct (half_of_double j) as (J1 & J2 & _).
  - change (0 =? 0) with true in *. cbn [andb] in *. rewrite J1 in *.
    destruct (N.leb_spec (seq_length l) (2 * j + 1)) as [C|C].
    + cbn [place_digest place_index place_width place_used place_valid] in *.
      rewrite IH; auto. apply level_at_last. lia.
    + destruct (u <? seq_length path); [|apply climb_valid in V; discriminate V].
      cbv zeta in *. cbn [place_digest place_index place_width place_used place_valid] in *.
      assert (G : node_digest d (seq_at path u) = seq_at (level l) j).
      { apply IH; auto. rewrite node_digest_input. apply digest_has_32_bytes; exact digest_length. }
      rewrite level_at_pair in G by lia. rewrite !node_digest_input in G.
      apply N in G; [|left; reflexivity|apply level_inputs_in; lia].
      apply node_binding_left in G; auto. apply all_32_at; auto.
  - change (1 =? 0) with false in *. cbn [andb] in *. rewrite J2 in *.
    destruct (u <? seq_length path); [|apply climb_valid in V; discriminate V].
    cbv zeta in *. cbn [place_digest place_index place_width place_used place_valid] in *.
    assert (G : node_digest (seq_at path u) d = seq_at (level l) j).
    { apply IH; auto. rewrite node_digest_input. apply digest_has_32_bytes; exact digest_length. }
    rewrite level_at_pair in G by lia. rewrite !node_digest_input in G.
    apply N in G; [|left; reflexivity|apply level_inputs_in; lia].
    apply node_binding_right in G; auto; apply all_32_at; auto; lia.
Qed.

Lemma some_injective : forall A (x y : A), Some x = Some y -> x = y.
Proof. congruence. Qed.

Lemma leaf_digest_at : forall leaves index, index < seq_length leaves ->
  seq_at (map leaf_digest leaves) index = leaf_digest (seq_at leaves index).
Proof.
  intros leaves index I. unfold seq_at. rewrite (nth_indep _ _ (leaf_digest default)) by (rewrite map_length; unfold seq_length in I; lia).
  apply map_nth.
Qed.

Lemma top_of_levels : forall k leaves, leaves <> [] ->
  top (levels k (map leaf_digest leaves)) = seq_at (levels k (map leaf_digest leaves)) 0.
Proof.
  intros k leaves NE. unfold top.
  assert (B : levels k (map leaf_digest leaves) <> []) by (apply levels_not_empty; destruct leaves; cbn; congruence).
  destruct (levels k (map leaf_digest leaves)); [contradiction|]. rewrite seq_length_cons.
  destruct (N.ltb_spec 0 (seq_length l + 1)); [reflexivity|lia].
Qed.

(** The heights of the tree are a parameter here, so that nothing computes with 64 of them. *)
Lemma binding_at_height : forall k leaves index leaf path,
  leaves <> [] -> seq_length leaves <= 2 ^ N.of_nat k ->
  place_valid (climb k (place_of_leaf (seq_length leaves) index leaf) path) = true ->
  place_digest (climb k (place_of_leaf (seq_length leaves) index leaf) path) = top (levels k (map leaf_digest leaves)) ->
  no_collision (leaf_input leaf :: climb_inputs k (place_of_leaf (seq_length leaves) index leaf) path)
    (map leaf_input leaves ++ levels_inputs k (map leaf_digest leaves)) ->
  index < seq_length leaves /\ leaf = seq_at leaves index.
Proof.
  intros k leaves index leaf path NE H V R N. rewrite top_of_levels in R by exact NE.
  pose proof (climb_valid _ _ _ V) as I. apply N.ltb_lt in I. split; [exact I|].
  pose proof (climb_binding k (map leaf_digest leaves) _ path (leaf_digests_all_32 digest_length leaves)
    (digest_length _ _ : seq_length (place_digest (place_of_leaf (seq_length leaves) index leaf)) = 32)) as G.
  cbn [place_digest place_index place_width place_of_leaf] in G. rewrite !map_seq_length in G.
  specialize (G eq_refl I H V). rewrite leaf_digest_at, !leaf_digest_input in G by exact I.
  assert (G' : digest (leaf_input leaf) = digest (leaf_input (seq_at leaves index))).
  { apply G; [|exact R]. intros p q Hp Hq. apply N; [right; exact Hp|]. apply in_or_app. right. exact Hq. }
  apply N in G'; [|left; reflexivity|apply in_or_app; left; apply in_map, seq_at_in, I].
  rewrite !preimage_leaf in G'. injection G' as G'. exact G'.
Qed.

Lemma accepted_at_height : forall k leaves index leaf path,
  leaves <> [] -> seq_length leaves <= 2 ^ N.of_nat k ->
  (if place_valid (climb k (place_of_leaf (seq_length leaves) index leaf) path) &&
      (place_used (climb k (place_of_leaf (seq_length leaves) index leaf) path) =? seq_length path)
   then Some (place_digest (climb k (place_of_leaf (seq_length leaves) index leaf) path)) else None)
    = Some (top (levels k (map leaf_digest leaves))) ->
  no_collision (leaf_input leaf :: climb_inputs k (place_of_leaf (seq_length leaves) index leaf) path)
    (map leaf_input leaves ++ levels_inputs k (map leaf_digest leaves)) ->
  index < seq_length leaves /\ leaf = seq_at leaves index.
Proof.
  intros k leaves index leaf path NE H R N.
  destruct (place_valid _) eqn:V; [|discriminate]. destruct (place_used _ =? _); [|discriminate].
  apply some_injective in R. eapply binding_at_height; eassumption.
Qed.

Lemma root_of_path_climb : forall width index leaf path, root_of_path width index leaf path =
  if place_valid (climb 64 (place_of_leaf width index leaf) path) &&
     (place_used (climb 64 (place_of_leaf width index leaf) path) =? seq_length path)
  then Some (place_digest (climb 64 (place_of_leaf width index leaf) path)) else None.
Proof. intros. unfold root_of_path. rewrite path_end_climb. reflexivity. Qed.

Lemma height : forall n, n <= 2 ^ 64 -> n <= 2 ^ N.of_nat 64.
Proof. intros n H. exact H. Qed.

(** From a path to the root of [leaves], the leaf is the element at its index, or a collision is at hand. *)
Theorem path_binding : forall leaves index leaf path,
  leaves <> [] -> seq_length leaves <= 2 ^ 64 ->
  root_of_path (seq_length leaves) index leaf path = Some (commitment_root leaves) ->
  no_collision (path_inputs (seq_length leaves) index leaf path) (root_inputs leaves) ->
  index < seq_length leaves /\ leaf = seq_at leaves index.
Proof.
  intros leaves index leaf path NE H R N. rewrite root_of_path_climb, commitment_root_top in R.
  exact (accepted_at_height 64 leaves index leaf path NE (height _ H) R N).
Qed.

(** ** The honest path *)

Fixpoint siblings (k : nat) (level_now : list ByteString) (index : N) : list ByteString :=
  match k with
  | O => []
  | S k => (if sibling_index index <? seq_length level_now then [seq_at level_now (sibling_index index)] else [])
      ++ siblings k (level level_now) (index / 2)
  end.

Lemma commitment_path_siblings : forall leaves index,
  commitment_path leaves index = siblings 64 (map leaf_digest leaves) index.
Proof.
  intros. unfold commitment_path. cbv zeta. change most_levels with (N.of_nat 64). rewrite leaf_digests_map.
  assert (G : forall k l i p, progress_path (fold_left (fun progress _i => commitment_path_step progress) (range 0 (N.of_nat k))
      {| progress_level := l; progress_index := i; progress_path := p |}) = p ++ siblings k l i).
  { induction k as [|k IH]; intros l i p; [cbn; now rewrite app_nil_r|].
    rewrite Nnat.Nat2N.inj_succ, <- N.add_1_r. rewrite range_cons by lia. cbn [fold_left siblings].
    rewrite range_shift, fold_left_map. unfold commitment_path_step at 2. cbv zeta.
    cbn [progress_level progress_index progress_path]. rewrite IH, level_above_is_level.
    destruct (sibling_index i <? seq_length l); cbn [app]; rewrite <- ?app_assoc; reflexivity. }
  apply (G 64%nat _ index []).
Qed.

Lemma climb_honest : forall k l place before,
  place_width place = seq_length l -> place_index place < seq_length l -> place_digest place = seq_at l (place_index place) ->
  place_used place = seq_length before -> place_valid place = true -> seq_length l <= 2 ^ N.of_nat k ->
  let path := before ++ siblings k l (place_index place) in
  let last := climb k place path in
  place_valid last = true /\ place_used last = seq_length path /\ place_digest last = seq_at (levels k l) 0.
Proof.
  induction k as [|k IH]; intros l place before W I D U V H; cbn [siblings climb levels]; cbv zeta.
  { rewrite app_nil_r. cbn in H. replace (place_index place) with 0 in D by lia. auto. }
  assert (H' : seq_length (level l) <= 2 ^ N.of_nat k).
  { rewrite level_length. rewrite Nnat.Nat2N.inj_succ, N.pow_succ_r' in H. set (m := 2 ^ N.of_nat k) in *. clearbody m.
    apply N.lt_succ_r. apply N.div_lt_upper_bound; lia. }
  assert (W' : place_width place / 2 + place_width place mod 2 = seq_length (level l)).
  { rewrite W, level_length. symmetry. apply half_width. }
  assert (I' : place_index place / 2 < seq_length (level l)).
  { rewrite level_length. apply N.lt_le_trans with (place_index place / 2 + 1); [lia|].
    replace (place_index place / 2 + 1) with ((place_index place + 1 * 2) / 2) by (rewrite N.div_add; lia).
    apply N.div_le_mono; lia. }
  destruct place as [d i w u v]. cbn [place_digest place_index place_width place_used place_valid] in *. subst w u v.
  assert (S : forall rest, seq_at (before ++ [seq_at l (sibling_index i)] ++ rest) (seq_length before) = seq_at l (sibling_index i)).
  { intros rest. rewrite seq_at_app. destruct (N.ltb_spec (seq_length before) (seq_length before)); [lia|].
    replace (seq_length before - seq_length before) with 0 by lia. reflexivity. }
  unfold path_end_step at 1 2 3, is_carried. cbn [place_digest place_index place_width place_used place_valid].
  destruct (even_or_odd i) as [j [[J M]|[J M]]]; rewrite M; destruct (half_of_double j) as (J1 & J2 & _);
    assert (X : sibling_index i = if i mod 2 =? 0 then i + 1 else i - 1) by reflexivity; rewrite M in X.
  - change (0 =? 0) with true in *. cbn [andb] in *. destruct (N.leb_spec (seq_length l) (i + 1)) as [C|C].
    + destruct (N.ltb_spec (sibling_index i) (seq_length l)); [lia|]. cbn [app].
      apply (IH (level l) (place_above {| place_digest := d; place_index := i; place_width := seq_length l;
        place_used := seq_length before; place_valid := true |} d (seq_length before)) before); auto; cbn.
      rewrite D, J, J1. symmetry. apply level_at_last. lia.
    + destruct (N.ltb_spec (sibling_index i) (seq_length l)); [|lia].
      rewrite S. destruct (N.ltb_spec (seq_length before) (seq_length (before ++ [seq_at l (sibling_index i)] ++ siblings k (level l) (i / 2)))) as [_|L];
        [|rewrite !seq_length_app, seq_length_cons in L; lia].
      cbv zeta. rewrite app_assoc.
      apply (IH (level l) (place_above {| place_digest := d; place_index := i; place_width := seq_length l;
        place_used := seq_length before; place_valid := true |} (node_digest d (seq_at l (sibling_index i))) (seq_length before + 1))
        (before ++ [seq_at l (sibling_index i)])); auto; cbn.
      * rewrite D, X, J, J1. symmetry. apply level_at_pair. lia.
      * rewrite seq_length_app, seq_length_cons, seq_length_nil. lia.
  - change (1 =? 0) with false in *. cbn [andb] in *.
    destruct (N.ltb_spec (sibling_index i) (seq_length l)); [|lia].
    rewrite S. destruct (N.ltb_spec (seq_length before) (seq_length (before ++ [seq_at l (sibling_index i)] ++ siblings k (level l) (i / 2)))) as [_|L];
      [|rewrite !seq_length_app, seq_length_cons in L; lia].
    cbv zeta. rewrite app_assoc.
    apply (IH (level l) (place_above {| place_digest := d; place_index := i; place_width := seq_length l;
      place_used := seq_length before; place_valid := true |} (node_digest (seq_at l (sibling_index i)) d) (seq_length before + 1))
      (before ++ [seq_at l (sibling_index i)])); auto; cbn.
    * rewrite D, X, J, J2. replace (2 * j + 1 - 1) with (2 * j) by lia. symmetry. apply level_at_pair. lia.
    * rewrite seq_length_app, seq_length_cons, seq_length_nil. lia.
Qed.

Lemma correct_at_height : forall k leaves index, index < seq_length leaves -> seq_length leaves <= 2 ^ N.of_nat k ->
  let last := climb k (place_of_leaf (seq_length leaves) index (seq_at leaves index)) (siblings k (map leaf_digest leaves) index) in
  place_valid last = true /\ place_used last = seq_length (siblings k (map leaf_digest leaves) index) /\
  place_digest last = top (levels k (map leaf_digest leaves)).
Proof.
  intros k leaves index I H.
  assert (NE : leaves <> []) by (intros ->; rewrite seq_length_nil in I; lia).
  pose proof (climb_honest k (map leaf_digest leaves) (place_of_leaf (seq_length leaves) index (seq_at leaves index)) []) as G.
  cbn [place_digest place_index place_width place_used place_valid place_of_leaf] in G. rewrite map_seq_length in G.
  rewrite top_of_levels by exact NE. cbn [app] in G. apply G; auto.
  - symmetry. apply leaf_digest_at, I.
  - apply N.ltb_lt. exact I.
Qed.

Theorem path_correct : forall leaves index, index < seq_length leaves -> seq_length leaves <= 2 ^ 64 ->
  root_of_path (seq_length leaves) index (seq_at leaves index) (commitment_path leaves index) = Some (commitment_root leaves).
Proof.
  intros leaves index I H. rewrite root_of_path_climb, commitment_path_siblings, commitment_root_top.
  destruct (correct_at_height 64 leaves index I (height _ H)) as (V & U & D). rewrite V, U, N.eqb_refl, D. reflexivity.
Qed.

End CommitmentPath.
