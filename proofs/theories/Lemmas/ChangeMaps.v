(** What a good sequence of net changes is, and that the change map is a map.

    - [change_of_put_change]: after a change is put, its key has it, and no other key's change is touched;
    - [put_change_ascends]: the keys stay strictly ascending;
    - [net_changes_ascend], [net_changes_net], [change_of_net_changes]: what is left when the changes that change nothing
      are dropped. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

(** ** Definitions *)

(** The keys stand in strictly ascending order. *)
Definition changes_ascend (changes : ChangeMap) : Prop :=
  StronglySorted (fun c d => blt (change_key c) (change_key d)) changes.

(** Each change changes something. *)
Definition changes_net (changes : ChangeMap) : Prop :=
  Forall (fun c => change_before c <> change_after c) changes.

(** Each change is of a legal key, and starts from the key's content in the array. *)
Definition changes_true (a : Array) (changes : ChangeMap) : Prop :=
  Forall (fun c => change_key c <> [] /\ change_before c = map_of a (change_key c)) changes.

(** ** Sequences in ascending order of a key *)

Section Ascending.

Context {A : Type} (key_of : A -> ByteString).

Definition ascends_by : list A -> Prop := StronglySorted (fun a b => blt (key_of a) (key_of b)).

Definition below_by (k : ByteString) : A -> bool := fun a => bytes_less (key_of a) k.

Definition above_by (k : ByteString) : A -> bool := fun a => bytes_less k (key_of a).

(** The last element of a key: what the maps of the specification look up. *)
Definition last_by_step (k : ByteString) (found : option A) (a : A) : option A :=
  if bytes_equal (key_of a) k then Some a else found.

Definition last_by (k : ByteString) (l : list A) : option A := fold_left (last_by_step k) l None.

Lemma last_by_start : forall k l start,
  fold_left (last_by_step k) l start = match last_by k l with Some a => Some a | None => start end.
Proof.
  unfold last_by. intros k l. induction l as [|a l IH]; intros start; [reflexivity|]. cbn [fold_left].
  rewrite IH, (IH (last_by_step k None a)). unfold last_by_step.
  destruct (fold_left _ l None); [reflexivity|]. destruct (bytes_equal (key_of a) k); reflexivity.
Qed.

Lemma last_by_cons : forall k a l,
  last_by k (a :: l) = match last_by k l with
                       | Some b => Some b
                       | None => if bytes_equal (key_of a) k then Some a else None
                       end.
Proof. intros. unfold last_by at 1. cbn [fold_left]. rewrite last_by_start. reflexivity. Qed.

Lemma last_by_app : forall k l m,
  last_by k (l ++ m) = match last_by k m with Some a => Some a | None => last_by k l end.
Proof. intros. unfold last_by at 1. rewrite fold_left_app. apply last_by_start. Qed.

Lemma last_by_some : forall k l a, last_by k l = Some a -> In a l /\ key_of a = k.
Proof.
  intros k l. induction l as [|b l IH]; intros a; [discriminate|]. rewrite last_by_cons.
  destruct (last_by k l) as [c|].
  - intros E. destruct (IH a E). split; [right|]; assumption.
  - destruct (bytes_equal (key_of b) k) eqn:B; [|discriminate]. intros E. injection E as <-.
    apply bytes_equal_iff in B. split; [left; reflexivity|assumption].
Qed.

Lemma last_by_none : forall k l, last_by k l = None <-> (forall a, In a l -> key_of a <> k).
Proof.
  intros k l. induction l as [|b l IH].
  - split; [intros _ a []|reflexivity].
  - rewrite last_by_cons. destruct (last_by k l) as [c|] eqn:E.
    + split; [discriminate|]. intros H. destruct (last_by_some _ _ _ E). exfalso. apply (H c); [right|]; assumption.
    + destruct (bytes_equal (key_of b) k) eqn:B.
      * apply bytes_equal_iff in B. split; [discriminate|]. intros H. exfalso. apply (H b); [left; reflexivity|assumption].
      * apply bytes_equal_false in B. split; [|reflexivity]. intros _ a [<-|Ha]; [assumption|].
        apply IH; [reflexivity|assumption].
Qed.

Lemma last_by_filter : forall (f : A -> bool) k (l : list A),
  (forall a, In a l -> key_of a = k -> f a = true) -> last_by k (filter f l) = last_by k l.
Proof.
  intros f k l. induction l as [|b l IH]; intros H; [reflexivity|]. cbn [filter].
  assert (Hl : last_by k (filter f l) = last_by k l) by (apply IH; intros; apply H; [right|]; assumption).
  destruct (f b) eqn:F; rewrite !last_by_cons, Hl; [reflexivity|].
  destruct (last_by k l); [reflexivity|]. destruct (bytes_equal (key_of b) k) eqn:B; [|reflexivity].
  apply bytes_equal_iff in B. rewrite H in F; [discriminate|left; reflexivity|assumption].
Qed.

Lemma last_by_filter_none : forall (f : A -> bool) k (l : list A),
  (forall a, In a l -> key_of a = k -> f a = false) -> last_by k (filter f l) = None.
Proof.
  intros f k l H. apply last_by_none. intros a Ha E. apply filter_In in Ha. destruct Ha as [Ha F].
  rewrite (H a Ha E) in F. discriminate.
Qed.

Lemma ascends_filter : forall (f : A -> bool) (l : list A), ascends_by l -> ascends_by (filter f l).
Proof.
  intros f l H. induction H as [|a l Hl IH Ha]; [constructor|]. cbn [filter]. destruct (f a); [|assumption].
  constructor; [assumption|]. apply Forall_forall. intros b Hb. apply filter_In in Hb.
  rewrite Forall_forall in Ha. apply Ha. tauto.
Qed.

Lemma ascends_app : forall l m,
  ascends_by l -> ascends_by m -> (forall a b, In a l -> In b m -> blt (key_of a) (key_of b)) -> ascends_by (l ++ m).
Proof.
  intros l m Hl Hm H. induction Hl as [|a l Hl IH Ha]; [assumption|]. cbn [app]. constructor.
  - apply IH. intros. apply H; [right|]; assumption.
  - apply Forall_app. split; [assumption|]. apply Forall_forall. intros b Hb. apply H; [left; reflexivity|assumption].
Qed.

(** What both maps of the specification do to put: the elements below, the new ones of that key, the elements above. *)
Lemma ascends_put : forall l k m,
  ascends_by l -> ascends_by m -> (forall a, In a m -> key_of a = k) ->
  ascends_by (filter (below_by k) l ++ m ++ filter (above_by k) l).
Proof.
  intros l k m Hl Hm Hk. apply ascends_app; [apply ascends_filter; assumption| |].
  - apply ascends_app; [assumption|apply ascends_filter; assumption|].
    intros a b Ha Hb. apply filter_In in Hb. rewrite (Hk a Ha). apply Hb.
  - intros a b Ha Hb. apply filter_In in Ha. destruct Ha as [_ Ha]. apply in_app_iff in Hb. destruct Hb as [Hb|Hb].
    + rewrite (Hk b Hb). exact Ha.
    + apply filter_In in Hb. exact (blt_transitive _ _ _ Ha (proj2 Hb)).
Qed.

Lemma last_by_put : forall l k m q,
  (forall a, In a m -> key_of a = k) ->
  last_by q (filter (below_by k) l ++ m ++ filter (above_by k) l) =
  if bytes_equal k q then last_by q m else last_by q l.
Proof.
  intros l k m q Hk. rewrite !last_by_app. destruct (bytes_equal_spec k q) as [<-|N].
  - rewrite !last_by_filter_none; [destruct (last_by k m); reflexivity| |];
      unfold above_by, below_by; intros a _ ->; apply bytes_less_false, blt_irreflexive.
  - assert (Hm : last_by q m = None) by (apply last_by_none; intros a Ha; rewrite (Hk a Ha); assumption).
    rewrite Hm. destruct (blt_total _ _ N) as [B|B].
    + rewrite (last_by_filter (above_by k)).
      * rewrite last_by_filter_none; [destruct (last_by q l); reflexivity|].
        unfold below_by. intros a _ ->. apply bytes_less_false, blt_asymmetric. assumption.
      * unfold above_by. intros a _ ->. exact B.
    + rewrite (last_by_filter (below_by k)).
      * rewrite last_by_filter_none; [destruct (last_by q l); reflexivity|].
        unfold above_by. intros a _ ->. apply bytes_less_false, blt_asymmetric. assumption.
      * unfold below_by. intros a _ ->. exact B.
Qed.

(** In ascending order an element is what its key looks up. *)
Lemma last_by_in : forall l a, ascends_by l -> In a l -> last_by (key_of a) l = Some a.
Proof.
  intros l a H. induction H as [|b l Hl IH Hb]; intros Ha; [destruct Ha|]. rewrite last_by_cons. destruct Ha as [->|Ha].
  - assert (E : last_by (key_of a) l = None).
    { apply last_by_none. rewrite Forall_forall in Hb. intros c Hc E. specialize (Hb c Hc). rewrite E in Hb.
      exact (blt_irreflexive _ Hb). }
    rewrite E, bytes_equal_refl. reflexivity.
  - rewrite (IH Ha). reflexivity.
Qed.

(** Ascending sequences that look up the same are the same. *)
Lemma ascends_ext : forall l m,
  ascends_by l -> ascends_by m -> (forall k, last_by k l = last_by k m) -> l = m.
Proof.
  intros l m Hl. revert m. induction Hl as [|a l Hl IH Ha]; intros m Hm E.
  - destruct m as [|b m]; [reflexivity|]. specialize (E (key_of b)).
    rewrite (last_by_in (b :: m) b Hm (or_introl eq_refl)) in E. discriminate.
  - destruct m as [|b m].
    { specialize (E (key_of a)). rewrite (last_by_in (a :: l) a) in E; [discriminate| |left; reflexivity].
      constructor; assumption. }
    assert (Hal : ascends_by (a :: l)) by (constructor; assumption).
    assert (La : last_by (key_of a) (b :: m) = Some a) by (rewrite <- E; apply last_by_in; [assumption|left; reflexivity]).
    assert (Lb : last_by (key_of b) (a :: l) = Some b) by (rewrite E; apply last_by_in; [assumption|left; reflexivity]).
    destruct (last_by_some _ _ _ La) as [Ia _], (last_by_some _ _ _ Lb) as [Ib _].
    inversion Hm as [|? ? Hm' Hb]; subst. rewrite Forall_forall in Ha, Hb.
    assert (a = b) as <-.
    { destruct Ia as [->|Ia]; [reflexivity|]. destruct Ib as [->|Ib]; [reflexivity|].
      exfalso. exact (blt_asymmetric _ _ (Ha _ Ib) (Hb _ Ia)). }
    f_equal. apply IH; [assumption|]. intros k. specialize (E k). rewrite !last_by_cons in E.
    destruct (bytes_equal_spec (key_of a) k) as [X|N].
    + subst k. rewrite (proj2 (last_by_none (key_of a) l)), (proj2 (last_by_none (key_of a) m)); [reflexivity| |].
      * intros c Hc X. specialize (Hb c Hc). rewrite X in Hb. exact (blt_irreflexive _ Hb).
      * intros c Hc X. specialize (Ha c Hc). rewrite X in Ha. exact (blt_irreflexive _ Ha).
    + destruct (last_by k l), (last_by k m); congruence.
Qed.

(** The loops that collect the elements with a property are filters. *)
Lemma fold_left_filter : forall (f : A -> bool) (l start : list A),
  fold_left (fun acc a => if f a then acc ++ [a] else acc) l start = start ++ filter f l.
Proof.
  intros f l. induction l as [|a l IH]; intros start; cbn [fold_left filter]; [rewrite app_nil_r; reflexivity|].
  rewrite IH. destruct (f a); [|reflexivity]. rewrite <- app_assoc. reflexivity.
Qed.

End Ascending.

(** ** The change map *)

Lemma change_of_last : forall changes k, change_of changes k = last_by change_key k changes.
Proof.
  intros. unfold change_of, last_by.
  exact (loop_over_elements _ _ _ (fun found c => change_of_step found c k) changes None).
Qed.

Lemma changes_below_filter : forall changes k, changes_below changes k = filter (below_by change_key k) changes.
Proof.
  intros. unfold changes_below. rewrite (loop_over_elements _ _ _ (fun acc c => changes_below_step acc c k)).
  apply (fold_left_filter (below_by change_key k) changes []).
Qed.

Lemma changes_above_filter : forall changes k, changes_above changes k = filter (above_by change_key k) changes.
Proof.
  intros. unfold changes_above. rewrite (loop_over_elements _ _ _ (fun acc c => changes_above_step acc c k)).
  apply (fold_left_filter (above_by change_key k) changes []).
Qed.

Lemma put_change_filters : forall changes c,
  put_change changes c =
  filter (below_by change_key (change_key c)) changes ++ [c] ++ filter (above_by change_key (change_key c)) changes.
Proof. intros. unfold put_change. rewrite changes_below_filter, changes_above_filter. reflexivity. Qed.

Theorem change_of_put_change : forall changes c k,
  change_of (put_change changes c) k = if bytes_equal (change_key c) k then Some c else change_of changes k.
Proof.
  intros. rewrite !change_of_last, put_change_filters, last_by_put.
  - destruct (bytes_equal (change_key c) k) eqn:E; [|reflexivity]. rewrite last_by_cons. cbn. rewrite E. reflexivity.
  - intros a [<-|[]]. reflexivity.
Qed.

Theorem put_change_ascends : forall changes c, changes_ascend changes -> changes_ascend (put_change changes c).
Proof.
  intros changes c H. rewrite put_change_filters. apply (ascends_put change_key); [assumption| |].
  - repeat constructor.
  - intros a [<-|[]]. reflexivity.
Qed.

(** Whatever holds of all changes and of the new one holds of all after it was put. *)
Lemma put_change_forall : forall (P : Change -> Prop) changes c,
  Forall P changes -> P c -> Forall P (put_change changes c).
Proof.
  intros P changes c H Hc. rewrite put_change_filters. rewrite Forall_forall in *. intros a Ha.
  rewrite !in_app_iff, !filter_In in Ha. destruct Ha as [[Ha _]|[[<-|[]]|[Ha _]]]; auto.
Qed.

Lemma change_of_in : forall changes c, changes_ascend changes -> In c changes -> change_of changes (change_key c) = Some c.
Proof. intros. rewrite change_of_last. apply last_by_in; assumption. Qed.

Lemma change_of_some : forall changes k c, change_of changes k = Some c -> In c changes /\ change_key c = k.
Proof. intros changes k c. rewrite change_of_last. apply last_by_some. Qed.

Definition changes_something (c : Change) : bool := negb (contents_equal (change_before c) (change_after c)).

Lemma net_changes_filter : forall changes, net_changes changes = filter changes_something changes.
Proof.
  intros. unfold net_changes. rewrite (loop_over_elements _ _ _ net_changes_step).
  transitivity (fold_left (fun acc c => if changes_something c then acc ++ [c] else acc) changes []).
  - apply fold_left_same. intros acc c _. unfold net_changes_step, changes_something.
    destruct (contents_equal _ _); reflexivity.
  - apply (fold_left_filter changes_something changes []).
Qed.

Theorem net_changes_ascend : forall changes, changes_ascend changes -> changes_ascend (net_changes changes).
Proof. intros. rewrite net_changes_filter. apply (ascends_filter change_key). assumption. Qed.

Theorem net_changes_net : forall changes, changes_net (net_changes changes).
Proof.
  intros. rewrite net_changes_filter. apply Forall_forall. intros c Hc. apply filter_In in Hc.
  destruct Hc as [_ Hc]. unfold changes_something in Hc. apply negb_true_iff, contents_equal_false in Hc. exact Hc.
Qed.

Lemma net_changes_forall : forall (P : Change -> Prop) changes, Forall P changes -> Forall P (net_changes changes).
Proof.
  intros P changes H. rewrite net_changes_filter. rewrite Forall_forall in *. intros c Hc. apply filter_In in Hc.
  apply H. tauto.
Qed.

Lemma changes_true_net : forall a changes, changes_true a changes -> changes_true a (net_changes changes).
Proof. intros. apply net_changes_forall. assumption. Qed.

Theorem change_of_net_changes : forall changes k,
  changes_ascend changes ->
  change_of (net_changes changes) k =
  match change_of changes k with
  | Some c => if contents_equal (change_before c) (change_after c) then None else Some c
  | None => None
  end.
Proof.
  intros changes k H. rewrite net_changes_filter, !change_of_last.
  destruct (last_by change_key k changes) as [c|] eqn:E.
  - destruct (last_by_some _ _ _ _ E) as [I K]. destruct (contents_equal (change_before c) (change_after c)) eqn:Q.
    + apply last_by_filter_none. intros d Hd Kd. assert (d = c) as ->.
      { pose proof (last_by_in change_key _ d H Hd) as L. rewrite Kd in L. congruence. }
      unfold changes_something. rewrite Q. reflexivity.
    + rewrite last_by_filter; [assumption|]. intros d Hd Kd. assert (d = c) as ->.
      { pose proof (last_by_in change_key _ d H Hd) as L. rewrite Kd in L. congruence. }
      unfold changes_something. rewrite Q. reflexivity.
  - apply last_by_none. rewrite last_by_none in E. intros a Ha. apply filter_In in Ha. apply E. tauto.
Qed.
