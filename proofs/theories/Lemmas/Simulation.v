(** A view does what the whole array does.

    - [view_simulates_dictionary]: when a view holds only what is true of the whole array, and the changes of a block can be
      applied to it, then the changes applied to the whole array give an array of the same size, of which the new view again
      holds only what is true, and the writes are the same;
    - [view_never_stuck]: they can be applied when the view knows the slots that cover the changed keys, those that precede
      the deleted keys, and all positions from the new end on;
    - [simulation_knows_as_much]: the positions that the view knows afterwards are those that it knew before. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes Dictionary.Writes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.ChangeMaps
  Lemmas.SimulationLemmas Lemmas.PassLemmas Spec.Dictionary.Writes.
Import ListNotations.
Local Open Scope N_scope.

(** The view knows all that the changes need: [knows view whole p] says that both hold the same at position [p]. *)
Definition knows_enough (view : SlotMap) (a : Array) (changes : ChangeMap) (new_size : N) : Prop :=
  (forall c p, In c changes -> covering_position (array_slots a) (change_key c) = Some p -> knows view (array_slots a) p) /\
  (forall c p, In c changes -> change_before c <> None -> change_after c = None ->
     preceding_position (array_slots a) (change_key c) = Some p -> knows view (array_slots a) p) /\
  (forall p, new_size <= p -> knows view (array_slots a) p).

Theorem view_simulates_dictionary : forall view a changes view' a',
  well_formed a -> contained view (array_slots a) ->
  changes_ascend changes -> changes_true a changes ->
  apply_changes {| array_size := array_size a; array_slots := view |} changes = Some view' ->
  apply_changes a changes = Some a' ->
  array_size view' = array_size a' /\
  contained (array_slots view') (array_slots a') /\
  writes_between view (array_slots view') = writes_between (array_slots a) (array_slots a').
Proof.
  intros view a changes view' a' W C S T V E.
  destruct (changes_good view a W changes S T) as (b & E' & _ & G). assert (b = a') as -> by congruence.
  destruct (G {| array_size := array_size a; array_slots := view |}) as [G1 _].
  { split; [reflexivity|]. apply follows_refl. exact C. }
  destruct (G1 view' V) as [Sz H]. split; [assumption|]. split; [eapply follows_contained; eassumption|].
  apply writes_between_same.
  - intros p. destruct (differs (array_slots a) (array_slots a') p) eqn:D.
    + apply differs_iff in D. apply differs_iff. destruct (H p) as [[K0 K]|(_ & _ & U)]; [|congruence].
      unfold knows in *. congruence.
    + apply differs_false in D. apply differs_false. destruct (H p) as [[K0 K]|(U0 & U & _)]; [|congruence].
      unfold knows in *. congruence.
  - intros p D. apply differs_iff in D. destruct (H p) as [[_ K]|(U0 & U & _)]; [exact K|congruence].
Qed.

(** The view's positions that are not known afterwards were not known before, and have not changed. *)
Theorem simulation_knows_as_much : forall view a changes view' a' p,
  well_formed a -> contained view (array_slots a) ->
  changes_ascend changes -> changes_true a changes ->
  apply_changes {| array_size := array_size a; array_slots := view |} changes = Some view' ->
  apply_changes a changes = Some a' ->
  (knows view (array_slots a) p <-> knows (array_slots view') (array_slots a') p).
Proof.
  intros view a changes view' a' p W C S T V E.
  destruct (changes_good view a W changes S T) as (b & E' & _ & G). assert (b = a') as -> by congruence.
  destruct (G {| array_size := array_size a; array_slots := view |}) as [G1 _].
  { split; [reflexivity|]. apply follows_refl. exact C. }
  destruct (G1 view' V) as [_ H]. apply follows_known. exact H.
Qed.

Theorem view_never_stuck : forall view a changes a',
  well_formed a -> contained view (array_slots a) ->
  changes_ascend changes -> changes_true a changes ->
  apply_changes a changes = Some a' ->
  knows_enough view a changes (array_size a') ->
  exists view', apply_changes {| array_size := array_size a; array_slots := view |} changes = Some view'.
Proof.
  intros view a changes a' W C S T E (Kc & Kp & Kl).
  destruct (changes_good view a W changes S T) as (b & E' & _ & G). assert (b = a') as -> by congruence.
  destruct (G {| array_size := array_size a; array_slots := view |}) as [_ G2].
  { split; [reflexivity|]. apply follows_refl. exact C. }
  apply G2; [|exact Kl]. apply Forall_forall. intros c Hc. split.
  - intros p Hp. eapply Kc; eassumption.
  - intros D p Hp. unfold is_deletion in D. apply andb_true_iff in D. destruct D as [D1 D2].
    apply (Kp c p Hc); [|destruct (change_after c); [discriminate|reflexivity]|assumption].
    intros N. rewrite N in D1. discriminate.
Qed.
