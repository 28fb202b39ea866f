(** The replay set is hashed in an order of its own: in whatever order its entries arrived, the sorted list is the same.

    - [sorted_replay_permuted]: permuted entries are sorted to one list;
    - [sorted_replay_ascends]: no entry of it stands before the one to its left. *)
From Coq Require Import NArith List Bool Lia Permutation Sorted.
From AardvarkSpec Require Import Prelude Base.Bytes Block.State Block.Root.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

(** What [insert_replay] does: the entry comes before the first that it stands before. *)
Fixpoint inserted (entry : ReplayEntry) (sorted : list ReplayEntry) : list ReplayEntry :=
  match sorted with
  | [] => [entry]
  | other :: rest => if replay_before entry other then entry :: other :: rest else other :: inserted entry rest
  end.

Lemma insert_replay_is : forall sorted entry, insert_replay sorted entry = inserted entry sorted.
Proof.
  intros sorted entry. unfold insert_replay. cbv zeta.
  rewrite (loop_over_elements _ _ _ (fun insertion other => insert_replay_step insertion entry other)).
  assert (D : forall l before, fold_left (fun i other => insert_replay_step i entry other) l
    {| insertion_list := before; insertion_done := true |} = {| insertion_list := before ++ l; insertion_done := true |}).
  { induction l as [|x l IH]; intros before; cbn [fold_left]; [rewrite app_nil_r; reflexivity|].
    unfold insert_replay_step at 2. cbn [insertion_done insertion_list negb andb]. rewrite IH, <- app_assoc. reflexivity. }
  enough (G : forall l before,
    let out := fold_left (fun i other => insert_replay_step i entry other) l
      {| insertion_list := before; insertion_done := false |} in
    (if insertion_done out then insertion_list out else insertion_list out ++ [entry]) = before ++ inserted entry l).
  { exact (G sorted []). }
  assert (O : forall x before, insert_replay_step {| insertion_list := before; insertion_done := false |} entry x =
    if replay_before entry x then {| insertion_list := before ++ [entry; x]; insertion_done := true |}
    else {| insertion_list := before ++ [x]; insertion_done := false |}) by reflexivity.
  induction l as [|x l IH]; intros before; cbn [fold_left inserted]; [reflexivity|]. rewrite O.
  destruct (replay_before entry x).
  - cbv zeta. rewrite D. cbn [insertion_done insertion_list]. rewrite <- app_assoc. reflexivity.
  - specialize (IH (before ++ [x])). cbv zeta in IH |- *. rewrite IH, <- app_assoc. reflexivity.
Qed.

Lemma replay_before_iff : forall a b, replay_before a b = true <->
  replay_last_valid a < replay_last_valid b \/
  replay_last_valid a = replay_last_valid b /\ bytes_less (replay_id a) (replay_id b) = true.
Proof.
  intros a b. unfold replay_before. rewrite orb_true_iff, andb_true_iff, N.ltb_lt, N.eqb_eq. reflexivity.
Qed.

Lemma replay_before_transitive : forall a b c,
  replay_before a b = true -> replay_before b c = true -> replay_before a c = true.
Proof.
  intros a b c. rewrite !replay_before_iff. intros [H|[H I]] [J|[J K]]; try (left; lia).
  right. split; [lia|]. exact (blt_transitive _ _ _ I K).
Qed.

Lemma replay_before_total : forall a b, replay_before a b = true \/ a = b \/ replay_before b a = true.
Proof.
  intros [i v] [j w]. rewrite !replay_before_iff. cbn [replay_id replay_last_valid].
  destruct (N.lt_trichotomy v w) as [H|[<-|H]]; [auto| |auto].
  destruct (bytes_dec i j) as [<-|D]; [auto|]. destruct (blt_total i j D); auto.
Qed.

Lemma replay_before_asymmetric : forall a b, replay_before a b = true -> replay_before b a = false.
Proof.
  intros a b H. destruct (replay_before b a) eqn:I; [|reflexivity]. rewrite replay_before_iff in H, I.
  destruct H as [H|[H J]], I as [I|[I K]]; try lia. destruct (blt_asymmetric _ _ J K).
Qed.

Lemma inserted_commute_before : forall a b l, replay_before a b = true -> inserted a (inserted b l) = inserted b (inserted a l).
Proof.
  intros a b l H. pose proof (replay_before_asymmetric a b H) as N. induction l as [|x l IH]; cbn [inserted].
  - rewrite H, N. reflexivity.
  - destruct (replay_before b x) eqn:B.
    + rewrite (replay_before_transitive a b x H B). cbn [inserted]. rewrite H, N, B. reflexivity.
    + destruct (replay_before a x) eqn:A; cbn [inserted]; rewrite ?A, ?N, ?B; [reflexivity|rewrite IH; reflexivity].
Qed.

Lemma inserted_commute : forall a b l, inserted a (inserted b l) = inserted b (inserted a l).
Proof.
  intros a b l. destruct (replay_before_total a b) as [H|[<-|H]]; [|reflexivity|symmetry]; apply inserted_commute_before, H.
Qed.

Lemma sorted_replay_is : forall entries, sorted_replay_set entries = fold_left (fun sorted e => inserted e sorted) entries [].
Proof.
  intros entries. unfold sorted_replay_set.
  rewrite (loop_over_elements _ _ _ (fun sorted e => sorted_replay_set_step sorted e)).
  generalize (@nil ReplayEntry) as start. induction entries as [|e l IH]; intros start; cbn [fold_left]; [reflexivity|].
  unfold sorted_replay_set_step at 2. rewrite insert_replay_is. apply IH.
Qed.

Theorem sorted_replay_permuted : forall entries entries',
  Permutation entries entries' -> sorted_replay_set entries = sorted_replay_set entries'.
Proof.
  intros entries entries' P. rewrite !sorted_replay_is. generalize (@nil ReplayEntry) as start.
  induction P as [|x l l' P IH|x y l|l l' l'' P IH Q IH']; intros start; cbn [fold_left]; [reflexivity|apply IH| |].
  - rewrite inserted_commute. reflexivity.
  - rewrite IH. apply IH'.
Qed.

(** ** Its order *)

Definition ascends (a b : ReplayEntry) : Prop := replay_before b a = false.

Lemma inserted_ascends : forall e l, Sorted ascends l -> Sorted ascends (inserted e l).
Proof.
  intros e l S. induction S as [|x l S IH H]; cbn [inserted]; [repeat constructor|].
  destruct (replay_before e x) eqn:B.
  - constructor; [constructor; assumption|]. constructor. apply replay_before_asymmetric, B.
  - constructor; [exact IH|]. destruct l as [|y l]; cbn [inserted]; [constructor; exact B|].
    destruct (replay_before e y); constructor; [exact B|inversion H; assumption].
Qed.

Theorem sorted_replay_ascends : forall entries, Sorted ascends (sorted_replay_set entries).
Proof.
  intros entries. rewrite sorted_replay_is. enough (G : forall l start, Sorted ascends start ->
    Sorted ascends (fold_left (fun sorted e => inserted e sorted) l start)) by (apply G; constructor).
  induction l as [|e l IH]; intros start S; cbn [fold_left]; [exact S|]. apply IH, inserted_ascends, S.
Qed.
