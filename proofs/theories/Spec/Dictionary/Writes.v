(** The writes between two maps of slots, position by position.

    - [writes_between_same]: maps that differ at the same positions, and hold the same there afterwards, have the same writes;
    - [in_writes_between], [writes_between_ascend]: the writes are those of the positions that differ, in ascending order;
    - [is_written_between], [lay_writes_between]: what the specification's readers of writes make of them. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Writes Dictionary.Vectors Dictionary.Window.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

(** The maps hold different contents at the position. *)
Definition differs (before after : SlotMap) (p : N) : bool :=
  negb (slot_contents_equal (slot_at before p) (slot_at after p)).

Lemma differs_iff : forall before after p, differs before after p = true <-> slot_at before p <> slot_at after p.
Proof.
  intros. unfold differs. rewrite negb_true_iff, <- not_true_iff_false, slot_contents_equal_iff. reflexivity.
Qed.

Lemma differs_false : forall before after p, differs before after p = false <-> slot_at before p = slot_at after p.
Proof. intros. unfold differs. rewrite negb_false_iff. apply slot_contents_equal_iff. Qed.

Definition write_of (after : SlotMap) (p : N) : Write := {| write_position := p; write_content := slot_at after p |}.

(** The writes, as a list: those of the differing positions below any bound that lies beyond both maps. *)
Definition writes_upto (before after : SlotMap) (stop : N) : list Write :=
  map (write_of after) (filter (differs before after) (range 0 stop)).

Lemma range_split : forall a b c, a <= b -> b <= c -> range a c = range a b ++ range b c.
Proof.
  intros a b c Hab Hbc. replace c with (b + (c - b)) by lia. generalize (c - b). intros d. clear Hbc c.
  induction d as [|d IH] using N.peano_ind.
  - rewrite N.add_0_r, (range_empty b b) by lia. rewrite app_nil_r. reflexivity.
  - replace (b + N.succ d) with (b + d + 1) by lia. rewrite !range_snoc by lia. rewrite IH, app_assoc. reflexivity.
Qed.

Lemma writes_upto_more : forall before after m n,
  m <= n -> slot_map_end before <= m -> slot_map_end after <= m -> writes_upto before after n = writes_upto before after m.
Proof.
  intros before after m n L B A. unfold writes_upto. rewrite (range_split 0 m n) by lia. rewrite filter_app, map_app.
  assert (E : filter (differs before after) (range m n) = []).
  { assert (G : forall l, (forall p, In p l -> m <= p) -> filter (differs before after) l = []).
    { induction l as [|p l IH]; intros H; [reflexivity|]. cbn [filter].
      assert (D : differs before after p = false).
      { apply differs_false. assert (m <= p) by (apply H; left; reflexivity). rewrite !slot_at_beyond_end by lia. reflexivity. }
      rewrite D. apply IH. intros q Hq. apply H. right. assumption. }
    apply G. intros p Hp. apply in_range in Hp. lia. }
  rewrite E. apply app_nil_r.
Qed.

Lemma writes_between_upto : forall before after m,
  slot_map_end before <= m -> slot_map_end after <= m -> writes_between before after = writes_upto before after m.
Proof.
  intros before after m B A. unfold writes_between. cbv zeta.
  set (stop := if slot_map_end before <? slot_map_end after then slot_map_end after else slot_map_end before).
  assert (S : slot_map_end before <= stop /\ slot_map_end after <= stop /\ stop <= m).
  { unfold stop. destruct (N.ltb_spec (slot_map_end before) (slot_map_end after)); lia. }
  rewrite (writes_upto_more before after stop m) by lia.
  assert (G : forall l acc, fold_left (fun writes p => writes_between_step writes before after p) l acc =
    acc ++ map (write_of after) (filter (differs before after) l)).
  { induction l as [|p l IH]; intros acc; cbn [fold_left filter map]; [rewrite app_nil_r; reflexivity|].
    rewrite IH. unfold writes_between_step, differs. destruct (slot_contents_equal _ _); cbn [negb]; [reflexivity|].
    cbn [map]. rewrite <- app_assoc. reflexivity. }
  rewrite G. reflexivity.
Qed.

Theorem writes_between_same : forall before after before' after',
  (forall p, differs before after p = differs before' after' p) ->
  (forall p, differs before after p = true -> slot_at after p = slot_at after' p) ->
  writes_between before after = writes_between before' after'.
Proof.
  intros before after before' after' D C.
  set (m := N.max (N.max (slot_map_end before) (slot_map_end after)) (N.max (slot_map_end before') (slot_map_end after'))).
  rewrite (writes_between_upto before after m), (writes_between_upto before' after' m) by (unfold m; lia).
  unfold writes_upto. rewrite (filter_ext _ _ D).
  apply map_ext_in. intros p Hp. apply filter_In in Hp. destruct Hp as [_ Hp]. rewrite <- D in Hp.
  unfold write_of. rewrite (C p Hp). reflexivity.
Qed.

Theorem in_writes_between : forall before after w,
  In w (writes_between before after) <->
  slot_at before (write_position w) <> slot_at after (write_position w) /\
  write_content w = slot_at after (write_position w).
Proof.
  intros before after w. set (m := N.max (slot_map_end before) (slot_map_end after)).
  rewrite (writes_between_upto before after m) by (unfold m; lia). unfold writes_upto. rewrite in_map_iff. split.
  - intros (p & <- & H). apply filter_In in H. destruct H as [_ H]. apply differs_iff in H. cbn. auto.
  - intros [D C]. exists (write_position w). split; [destruct w; unfold write_of; cbn in *; congruence|].
    apply filter_In. split; [|apply differs_iff; assumption]. apply in_range. split; [lia|].
    destruct (N.ltb_spec (write_position w) m); [assumption|]. exfalso. apply D.
    rewrite !slot_at_beyond_end by (unfold m in *; lia). reflexivity.
Qed.

Lemma ascending_range : forall from to, StronglySorted N.lt (range from to).
Proof.
  intros from to. destruct (N.leb_spec from to) as [L|L]; [|rewrite range_empty by lia; constructor].
  replace to with (from + (to - from)) by lia. generalize (to - from). clear L to. intros d. revert from.
  induction d as [|d IH] using N.peano_ind; intros from.
  - rewrite N.add_0_r, range_empty by lia. constructor.
  - rewrite range_cons by lia. replace (from + N.succ d) with ((from + 1) + d) by lia. constructor; [apply IH|].
    apply Forall_forall. intros p Hp. apply in_range in Hp. lia.
Qed.

Theorem writes_between_ascend : forall before after,
  StronglySorted (fun v w => write_position v < write_position w) (writes_between before after).
Proof.
  intros before after. set (m := N.max (slot_map_end before) (slot_map_end after)).
  rewrite (writes_between_upto before after m) by (unfold m; lia). unfold writes_upto.
  pose proof (ascending_range 0 m) as S. induction S as [|p l Sl IH Hp]; [constructor|]. cbn [filter].
  destruct (differs before after p); [|assumption]. cbn [map]. constructor; [assumption|].
  apply Forall_forall. intros w Hw. apply in_map_iff in Hw. destruct Hw as (q & <- & Hq). apply filter_In in Hq.
  rewrite Forall_forall in Hp. apply Hp. tauto.
Qed.

Lemma write_eqb_position : forall w p, write_position w =? p = true -> write_position w = p.
Proof. intros w p. apply N.eqb_eq. Qed.

Section Readers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma is_written_iff : forall (writes : list Write) p,
  is_written writes p = true <-> exists w, In w writes /\ write_position w = p.
Proof.
  intros writes p. unfold is_written. rewrite (loop_over_elements _ _ _ (fun found w => is_written_step found w p)).
  assert (G : forall acc, fold_left (fun found w => is_written_step found w p) writes acc = true <->
    acc = true \/ exists w, In w writes /\ write_position w = p).
  { induction writes as [|w writes IH]; intros acc; cbn [fold_left].
    - split; [auto|]. intros [H|(w & [] & _)]. assumption.
    - rewrite IH. unfold is_written_step. rewrite orb_true_iff, N.eqb_eq. split.
      + intros [[H|H]|(v & I & E)]; [auto| |]; right; [exists w|exists v]; cbn; auto.
      + intros [H|(v & [->|I] & E)]; [auto|auto|]. right. exists v. auto. }
  rewrite G. split; [intros [|]; [discriminate|assumption]|auto].
Qed.

Theorem is_written_between : forall before after p, is_written (writes_between before after) p = differs before after p.
Proof.
  intros. apply eq_true_iff_eq. rewrite is_written_iff, differs_iff. split.
  - intros (w & I & <-). apply in_writes_between in I. apply I.
  - intros D. exists (write_of after p). split; [|reflexivity]. apply in_writes_between. cbn. auto.
Qed.

Lemma lay_writes_fold : forall below writes, lay_writes below writes = fold_left lay_writes_step writes below.
Proof. intros. unfold lay_writes. apply loop_over_elements. Qed.

(** Laying writes that agree with [after] at each position they name. *)
Lemma slot_at_lay_writes : forall writes below after p,
  (forall w, In w writes -> write_content w = slot_at after (write_position w)) ->
  slot_at (lay_writes below writes) p = if is_written writes p then slot_at after p else slot_at below p.
Proof.
  intros writes below after p H. rewrite lay_writes_fold. revert below.
  assert (N : is_written [] p = false) by reflexivity.
  induction writes as [|w writes IH]; intros below; cbn [fold_left]; [rewrite N; reflexivity|].
  rewrite IH by (intros; apply H; right; assumption). unfold lay_writes_step. rewrite slot_at_put_slot.
  assert (E : is_written (w :: writes) p = (write_position w =? p) || is_written writes p).
  { apply eq_true_iff_eq. rewrite orb_true_iff, N.eqb_eq, !is_written_iff. split.
    - intros (v & [->|I] & X); [auto|]. right. exists v. auto.
    - intros [X|(v & I & X)]; [exists w|exists v]; cbn; auto. }
  rewrite E. destruct (is_written writes p); [rewrite orb_true_r; reflexivity|]. rewrite orb_false_r, N.eqb_sym.
  destruct (N.eqb_spec (write_position w) p) as [<-|]; [|reflexivity]. apply H. left. reflexivity.
Qed.

Theorem lay_writes_between : forall below before after p,
  slot_at (lay_writes below (writes_between before after)) p =
  if differs before after p then slot_at after p else slot_at below p.
Proof.
  intros. rewrite (slot_at_lay_writes _ _ after).
  - rewrite is_written_between. reflexivity.
  - intros w I. apply in_writes_between in I. apply I.
Qed.

End Readers.
