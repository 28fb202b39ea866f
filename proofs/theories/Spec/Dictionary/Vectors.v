(** The commitments that a validator moves forward are those of the whole array.

    - [updated_commitments_correct]: the commitments to the array before, moved by the writes, are the commitments to the
      array after: also when vectors appear or go;
    - [commitment_before_correct]: from the commitments after a version, its record gives those before it;
    - [commitment_at_correct]: the window gives, for each version that it reaches back to, the commitment of each vector at
      that version, or that the vector did not exist. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Dictionary.Writes
  Dictionary.Vectors Dictionary.Window.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Base.Scalar Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas
  Spec.Dictionary.Writes Lemmas.VectorLemmas Lemmas.History Spec.Dictionary.Window.
Import ListNotations.
Local Open Scope N_scope.

Section Vectors.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Lemma scalar_add_sub : forall a b : Scalar, a [+] (b [-] a) = b.
Proof. intros. ring. Qed.

Section Moves.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

(** ** One write *)

Lemma update_vector_commitment : forall slots p content,
  update_commitment setup (vector_commitment setup n slots (vector_of p n)) (index_of p n)
    (scalar_of_content content [-] content_scalar slots p) =
  vector_commitment setup n (put_slot slots p content) (vector_of p n).
Proof.
  intros slots p content. destruct (position_split p n positive) as [E L]. unfold vector_commitment.
  apply Scheme.update_commitment_correct; [assumption|rewrite sized; assumption|]. rewrite sized. intros k Hk.
  rewrite vector_scalars_put by assumption. rewrite scalar_at_scalars_updated by (rewrite seq_length_vector_scalars; assumption).
  destruct (N.eqb_spec k (index_of p n)) as [->|]; [|reflexivity].
  rewrite scalar_at_vector_scalars by assumption. rewrite <- E. symmetry. apply scalar_add_sub.
Qed.

Lemma put_vector_commitment_other : forall slots p content v,
  v <> vector_of p n -> vector_commitment setup n (put_slot slots p content) v = vector_commitment setup n slots v.
Proof. intros. unfold vector_commitment. rewrite vector_scalars_put_other by assumption. reflexivity. Qed.

(** A vector without slots has the identity as its commitment: a fresh vector costs nothing. *)
Lemma commit_zeros : forall m : list Scalar,
  (forall k, k < n -> scalar_at m k = scalar_zero) -> commit setup m = g1_identity.
Proof.
  intros m Hm. apply g1_ext. destruct setup as [kzg|ly]; cbn [Scheme.well_made setup_vector_size commit] in *.
  - destruct made as (k & tau & -> & legal). cbn in sized. subst k. rewrite Kzg.kzg_commit_sum.
    apply Scalar.sum_all_zero. intros i Hi. rewrite Hm by assumption. unfold scalar_zero. ring.
  - destruct made as (k & alpha & ->). cbn in sized. subst k. rewrite LibertYung.commit_sum.
    apply Scalar.sum_all_zero. intros i Hi. rewrite Hm by assumption. unfold scalar_zero. ring.
Qed.

Lemma empty_vector_commitment : forall slots v,
  (forall j, j < n -> slot_at slots (v * n + j) = None) -> vector_commitment setup n slots v = g1_identity.
Proof.
  intros slots v H. apply commit_zeros. intros k Hk. rewrite scalar_at_vector_scalars by assumption.
  unfold content_scalar. rewrite H by assumption. reflexivity.
Qed.

Lemma vector_commitment_same : forall slots slots' v,
  (forall j, j < n -> slot_at slots (v * n + j) = slot_at slots' (v * n + j)) ->
  vector_commitment setup n slots v = vector_commitment setup n slots' v.
Proof. intros slots slots' v H. unfold vector_commitment. rewrite (vector_scalars_same slots slots') by assumption. reflexivity. Qed.

(** ** All writes of a block *)

(** The commitments of [count] vectors of a map. *)
Definition commitments_of (slots : SlotMap) (count : N) (m : list G1) : Prop :=
  seq_length m = count /\ forall v, v < count -> g1_at m v = vector_commitment setup n slots v.

Lemma updated_commitments_step_correct : forall slots before count m w,
  commitments_of slots count m -> vector_of (write_position w) n < count ->
  slot_at before (write_position w) = slot_at slots (write_position w) ->
  commitments_of (put_slot slots (write_position w) (write_content w)) count (updated_commitments_step m setup n before w).
Proof.
  intros slots before count m w [L H] B E. unfold updated_commitments_step. cbv zeta. split.
  - rewrite g1_updated_length. assumption.
  - intros v Hv. rewrite g1_at_updated by lia. destruct (N.eqb_spec v (vector_of (write_position w) n)) as [->|N].
    + rewrite H, E by assumption. apply update_vector_commitment.
    + rewrite put_vector_commitment_other by assumption. apply H. assumption.
Qed.

Lemma updated_commitments_loop : forall writes slots before count m,
  commitments_of slots count m ->
  StronglySorted (fun v w => write_position v < write_position w) writes ->
  (forall w, In w writes -> vector_of (write_position w) n < count) ->
  (forall w, In w writes -> slot_at before (write_position w) = slot_at slots (write_position w)) ->
  commitments_of (lay_writes slots writes) count
    (fold_left (fun updated w => updated_commitments_step updated setup n before w) writes m).
Proof.
  induction writes as [|w writes IH]; intros slots before count m H S B E; [exact H|].
  inversion S as [|? ? S' Sw]; subst. rewrite lay_writes_fold. cbn [fold_left]. rewrite <- lay_writes_fold.
  apply IH; [|assumption| |].
  - unfold lay_writes_step. apply updated_commitments_step_correct; [assumption|apply B; left; reflexivity|].
    apply E. left. reflexivity.
  - intros v Hv. apply B. right. assumption.
  - intros v Hv. rewrite Forall_forall in Sw. specialize (Sw v Hv). unfold lay_writes_step.
    rewrite slot_at_put_slot_other by lia. apply E. right. assumption.
Qed.

Lemma array_commitments_of : forall a count,
  dense a -> vector_count (array_size a) n <= count ->
  commitments_of (array_slots a) count (g1_resized (array_commitments setup n a) count).
Proof.
  intros a count D L. rewrite g1_resized_map. split; [rewrite seq_length_map, seq_length_range; lia|].
  intros v Hv. rewrite g1_at_seq_at, (seq_at_map _ _ _ _ (g1_at (array_commitments setup n a)))
    by (rewrite seq_length_range; lia). rewrite seq_at_range by lia. rewrite N.add_0_l.
  destruct (N.ltb_spec v (vector_count (array_size a) n)) as [Hc|Hc].
  - apply g1_at_array_commitments. assumption.
  - rewrite g1_at_beyond by (rewrite seq_length_array_commitments; assumption). symmetry.
    apply empty_vector_commitment. intros j Hj.
    destruct (slot_at (array_slots a) (v * n + j)) as [x|] eqn:E; [|reflexivity]. exfalso.
    pose proof (dense_below a _ x D E). pose proof (below_vector_count v (array_size a) n positive). lia.
Qed.

(** The commitments to the array before, moved by the writes, are those to the array after. What is known of the array
    before need not be all of it: the contents at the written positions are enough. *)
Theorem updated_commitments_correct : forall a b before,
  dense a -> dense b ->
  (forall p, slot_at (array_slots a) p <> slot_at (array_slots b) p -> slot_at before p = slot_at (array_slots a) p) ->
  updated_commitments setup n (array_commitments setup n a) before
    (writes_between (array_slots a) (array_slots b)) (array_size b) =
  array_commitments setup n b.
Proof.
  intros a b before Da Db K. unfold updated_commitments. cbv zeta. rewrite seq_length_array_commitments.
  set (kept := vector_count (array_size b) n). set (old := vector_count (array_size a) n).
  set (widest := if old <? kept then kept else old).
  assert (W : old <= widest /\ kept <= widest) by (unfold widest; destruct (N.ltb_spec old kept); lia).
  rewrite (loop_over_elements _ _ _ (fun updated w => updated_commitments_step updated setup n before w)).
  set (writes := writes_between (array_slots a) (array_slots b)).
  destruct (updated_commitments_loop writes (array_slots a) before widest
    (g1_resized (array_commitments setup n a) widest)) as [L H].
  - apply array_commitments_of; [assumption|apply W].
  - apply writes_between_ascend.
  - intros w Hw. apply in_writes_between in Hw. destruct Hw as [Hd _].
    set (p := write_position w) in *. destruct (position_split p n positive) as [Ep Ip].
    assert (Hs : p < array_size a \/ p < array_size b).
    { destruct (N.ltb_spec p (array_size a)); [auto|]. destruct (N.ltb_spec p (array_size b)); [auto|]. exfalso. apply Hd.
      destruct (slot_at (array_slots a) p) as [x|] eqn:X; [pose proof (dense_below a p x Da X); lia|].
      destruct (slot_at (array_slots b) p) as [y|] eqn:Y; [pose proof (dense_below b p y Db Y); lia|]. reflexivity. }
    destruct Hs as [Hs|Hs].
    + apply N.lt_le_trans with old; [|apply W]. apply below_vector_count; [assumption|]. lia.
    + apply N.lt_le_trans with kept; [|apply W]. apply below_vector_count; [assumption|]. lia.
  - intros w Hw. apply in_writes_between in Hw. apply K. apply Hw.
  - rewrite g1_resized_map.
    apply elements_ext; rewrite seq_length_map, seq_length_range.
    + rewrite seq_length_array_commitments. fold kept. lia.
    + intros v Hv. rewrite g1_at_seq_at, (seq_at_map _ _ _ _ (g1_at _)) by (rewrite seq_length_range; lia).
      rewrite seq_at_range by lia. rewrite N.add_0_l, H by lia. rewrite g1_at_array_commitments by (fold kept; lia).
      apply vector_commitment_same. intros j Hj. unfold writes. rewrite lay_writes_between.
      destruct (differs (array_slots a) (array_slots b) (v * n + j)) eqn:D; [reflexivity|].
      apply differs_false in D. exact D.
Qed.

End Moves.

(** ** Undoing a version *)

Lemma last_is_vector_exists : forall previous v,
  last_is_vector previous v = true -> exists e, In e previous /\ previous_vector e = v.
Proof.
  intros previous v. unfold last_is_vector. rewrite andb_true_iff, N.ltb_lt, N.eqb_eq. intros [L E].
  exists (seq_at previous (seq_length previous - 1)). split; [apply seq_at_in; lia|assumption].
Qed.

Lemma previous_commitments_spec : forall commitments_now n writes,
  Forall (fun e => previous_commitment e = current_commitment commitments_now (previous_vector e))
    (previous_commitments commitments_now n writes) /\
  forall v, (exists e, In e (previous_commitments commitments_now n writes) /\ previous_vector e = v) <->
            (exists w, In w writes /\ vector_of (write_position w) n = v).
Proof.
  intros cs n writes. unfold previous_commitments.
  rewrite (loop_over_elements _ _ _ (fun previous w => previous_commitments_step previous cs n w)).
  assert (G : forall writes acc,
    Forall (fun e => previous_commitment e = current_commitment cs (previous_vector e)) acc ->
    let out := fold_left (fun previous w => previous_commitments_step previous cs n w) writes acc in
    Forall (fun e => previous_commitment e = current_commitment cs (previous_vector e)) out /\
    forall v, (exists e, In e out /\ previous_vector e = v) <->
      (exists e, In e acc /\ previous_vector e = v) \/ (exists w, In w writes /\ vector_of (write_position w) n = v)).
  { clear writes. induction writes as [|w writes IH]; intros acc H out.
    - split; [exact H|]. intros v. split; [left; assumption|]. intros [X|(w & [] & _)]. exact X.
    - unfold out. cbn [fold_left]. set (acc' := previous_commitments_step acc cs n w).
      assert (H' : Forall (fun e => previous_commitment e = current_commitment cs (previous_vector e)) acc' /\
        forall v, (exists e, In e acc' /\ previous_vector e = v) <->
          (exists e, In e acc /\ previous_vector e = v) \/ vector_of (write_position w) n = v).
      { unfold acc', previous_commitments_step. cbv zeta.
        destruct (last_is_vector acc (vector_of (write_position w) n)) eqn:Lv.
        - split; [exact H|]. intros v. split; [auto|]. intros [X|<-]; [exact X|]. apply last_is_vector_exists. assumption.
        - split; [apply Forall_app; split; [exact H|repeat constructor]|]. intros v. split.
          + intros (e & He & Ev). apply in_app_iff in He. destruct He as [He|[<-|[]]]; [left; exists e; auto|right; exact Ev].
          + intros [(e & He & Ev)|Ev]; [exists e; split; [apply in_app_iff; left|]; assumption|].
            eexists. split; [apply in_app_iff; right; left; reflexivity|]. exact Ev. }
      destruct H' as [H1 H2]. destruct (IH acc' H1) as [H3 H4]. split; [exact H3|]. intros v. rewrite H4, H2. split.
      + intros [[X|X]|(u & Hu & Eu)]; [auto|right; exists w; split; [left; reflexivity|assumption]|].
        right. exists u. split; [right; assumption|assumption].
      + intros [X|(u & [->|Hu] & Eu)]; [auto|auto|]. right. exists u. auto. }
  destruct (G writes [] (Forall_nil _)) as [G1 G2]. split; [exact G1|]. intros v. rewrite G2. split.
  - intros [(e & [] & _)|X]. exact X.
  - auto.
Qed.

Lemma commitment_before_spec : forall record v after (c : option G1),
  (forall e, In e (record_commitments record) -> previous_vector e = v -> previous_commitment e = c) ->
  commitment_before record v after =
  if existsb (fun e => previous_vector e =? v) (record_commitments record) then c else after.
Proof.
  intros record v after c. unfold commitment_before.
  rewrite (loop_over_elements _ _ _ (fun commitment e => commitment_before_step commitment e v)).
  generalize (record_commitments record). intros l. revert after.
  assert (G : forall l after, (forall e, In e l -> previous_vector e = v -> previous_commitment e = c) ->
    fold_left (fun commitment e => commitment_before_step commitment e v) l after =
    if existsb (fun e => previous_vector e =? v) l then c else after).
  { clear l. induction l as [|e l IH]; intros after H; [reflexivity|]. cbn [fold_left existsb].
    rewrite IH by (intros; apply H; [right|]; assumption). unfold commitment_before_step.
    destruct (N.eqb_spec (previous_vector e) v) as [E|E]; cbn [orb]; [|reflexivity].
    rewrite (H e (or_introl eq_refl) E). destruct (existsb _ l); reflexivity. }
  intros after H. apply G. exact H.
Qed.

Section Undo.

Variables (setup : Setup) (n : N).
Hypothesis positive : 1 <= n.

Theorem commitment_before_correct : forall a b v,
  dense a -> dense b ->
  commitment_before (record_between setup n a b) v (commitment_in setup n b v) = commitment_in setup n a v.
Proof.
  intros a b v Da Db. set (writes := writes_between (array_slots a) (array_slots b)).
  destruct (previous_commitments_spec (array_commitments setup n a) n writes) as [P V].
  rewrite (commitment_before_spec _ v _ (commitment_in setup n a v)).
  2:{ intros e He Ev. rewrite Forall_forall in P. cbn [record_between record_commitments] in He.
      rewrite (P e He), Ev. apply current_commitment_array. assumption. }
  destruct (existsb _ _) eqn:X; [reflexivity|].
  assert (Same : forall j, j < n -> slot_at (array_slots a) (v * n + j) = slot_at (array_slots b) (v * n + j)).
  { intros j Hj. destruct (differs (array_slots a) (array_slots b) (v * n + j)) eqn:D; [|apply differs_false; exact D].
    exfalso. apply not_true_iff_false in X. apply X. apply existsb_exists.
    destruct (proj2 (V v)) as (e & He & Ev).
    { exists (write_of (array_slots b) (v * n + j)). split; [|apply vector_of_position; assumption].
      apply in_writes_between. cbn. split; [apply differs_iff; exact D|reflexivity]. }
    exists e. split; [exact He|]. apply N.eqb_eq. assumption. }
  unfold commitment_in.
  assert (S : (v * n <? array_size b) = (v * n <? array_size a)).
  { specialize (Same 0). rewrite N.add_0_r in Same. apply eq_true_iff_eq. rewrite !N.ltb_lt.
    destruct Da as [_ Da], Db as [_ Db]. rewrite <- (Da (v * n)), <- (Db (v * n)). unfold live. rewrite Same by lia. reflexivity. }
  rewrite S. destruct (v * n <? array_size a); [|reflexivity]. f_equal. unfold vector_commitment.
  rewrite (vector_scalars_same (array_slots b) (array_slots a)); [reflexivity|]. intros j Hj. symmetry. apply Same. assumption.
Qed.

(** What the window and the current commitments say of version [v]. *)
Theorem commitment_at_correct : forall count h kept v vector,
  good_history h -> window_of_history setup n count h kept -> now h - seq_length kept <= v <= now h ->
  commitment_at kept (array_commitments setup n (latest h)) (now h) v vector =
  commitment_in setup n (array_at h v) vector.
Proof.
  intros count h kept v vector [Hne Hw] [L R] V. unfold commitment_at. cbv zeta.
  set (undone := if v <? now h then now h - v else 0).
  assert (U : undone = now h - v) by (unfold undone; destruct (N.ltb_spec v (now h)); lia).
  assert (D : forall u, u <= now h -> dense (array_at h u)).
  { intros u Hu. rewrite Forall_forall in Hw. destruct h as [|a h]; [contradiction|].
    destruct (Hw (array_at (a :: h) u)) as [Du _]; [|exact Du].
    unfold array_at. apply seq_at_in. unfold now in Hu. rewrite seq_length_cons in *. lia. }
  rewrite current_commitment_array by assumption.
  replace (array_at h v) with (array_at h (now h - undone)) by (f_equal; lia).
  apply (loop_invariant _ (fun i c => c = commitment_in setup n (array_at h (now h - i)) vector)).
  - lia.
  - rewrite N.sub_0_r. reflexivity.
  - intros i c Hi ->. unfold commitment_at_step.
    replace (i <? seq_length kept) with true by (symmetry; apply N.ltb_lt; lia).
    rewrite R by lia.
    replace (now h - seq_length kept + (seq_length kept - 1 - i)) with (now h - (i + 1)) by lia.
    replace (now h - (i + 1) + 1) with (now h - i) by lia.
    apply commitment_before_correct; apply D; lia.
Qed.

End Undo.

End Vectors.
