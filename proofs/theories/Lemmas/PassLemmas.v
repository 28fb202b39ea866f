(** The three passes of [apply_changes], on the whole array and on a view that follows it.

    Each pass, on a well-formed whole array where the changes tell the truth: it succeeds and keeps the array well-formed;
    a view's pass, if it succeeds, ends in a view that follows; and it does succeed when the view knows the slots that cover
    the changed keys, and for deletes the preceding ones and the last positions. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.SlotMap
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps
  Lemmas.SimulationLemmas.
Import ListNotations.
Local Open Scope N_scope.

Fixpoint pass (step : Array -> Change -> option Array) (changes : list Change) (a : Array) : option Array :=
  match changes with
  | [] => Some a
  | c :: rest => match step a c with Some b => pass step rest b | None => None end
  end.

Lemma fold_left_pass : forall (step : Array -> Change -> option Array) (f : option Array -> Change -> option Array),
  (forall a c, f (Some a) c = step a c) -> (forall c, f None c = None) ->
  forall changes a, fold_left f changes (Some a) = pass step changes a.
Proof.
  intros step f H N changes. induction changes as [|c changes IH]; intros a; [reflexivity|].
  cbn [fold_left pass]. rewrite H. destruct (step a c) as [b|]; [apply IH|].
  clear IH. induction changes as [|d changes IH]; [reflexivity|]. cbn [fold_left]. rewrite N. assumption.
Qed.

Lemma apply_updates_pass : forall a changes, apply_updates a changes = pass apply_update changes a.
Proof.
  intros. unfold apply_updates. rewrite (loop_over_elements _ _ _ apply_updates_step). apply fold_left_pass; reflexivity.
Qed.

Lemma apply_inserts_pass : forall a changes, apply_inserts a changes = pass apply_insert changes a.
Proof.
  intros. unfold apply_inserts. rewrite (loop_over_elements _ _ _ apply_inserts_step). apply fold_left_pass; reflexivity.
Qed.

Lemma apply_deletes_pass : forall a changes, apply_deletes a changes = pass apply_delete changes a.
Proof.
  intros. unfold apply_deletes. rewrite (loop_over_elements _ _ _ apply_deletes_step). apply fold_left_pass; reflexivity.
Qed.

(** The kinds of changes. *)
Definition is_insertion (c : Change) : bool := negb (is_present (change_before c)) && is_present (change_after c).
Definition is_deletion (c : Change) : bool := is_present (change_before c) && negb (is_present (change_after c)).

Section Passes.

Variables (view0 : SlotMap) (start : Array).
Hypothesis start_good : well_formed start.

Notation follows_it := (follows_array view0 start).

(** What a view must know at the start for a change. *)
Definition knows_for (c : Change) : Prop :=
  knows_covering view0 (array_slots start) (change_key c) /\
  (is_deletion c = true -> knows_preceding view0 (array_slots start) (change_key c)).

(** The view knows all positions from the array's end on. *)
Definition knows_end (a : Array) : Prop := forall p, array_size a <= p -> knows view0 (array_slots start) p.

(** ** A pass, whatever the operation *)

Section Pass.

Variable step : Array -> Change -> option Array.

(** What the changes still to come suppose of the array; how arrays before and after relate; what must be known at the end. *)
Variable fit : Array -> list Change -> Prop.
Variable relates : Array -> Array -> Prop.
Variable end_known : Array -> Prop.

Hypothesis relates_refl : forall a, relates a a.
Hypothesis relates_trans : forall a b c, relates a b -> relates b c -> relates a c.
Hypothesis end_known_before : forall a b, relates a b -> end_known b -> end_known a.

Definition step_good (c : Change) (a b : Array) : Prop :=
  forall view, follows_it view a ->
  (forall view', step view c = Some view' -> follows_it view' b) /\
  (knows_for c -> end_known b -> exists view', step view c = Some view').

Hypothesis step_fits : forall c rest a,
  well_formed a -> fit a (c :: rest) ->
  exists b, step a c = Some b /\ well_formed b /\ fit b rest /\ relates a b /\ step_good c a b.

Lemma pass_good : forall changes a,
  well_formed a -> fit a changes ->
  exists b, pass step changes a = Some b /\ well_formed b /\ relates a b /\
    forall view, follows_it view a ->
    (forall view', pass step changes view = Some view' -> follows_it view' b) /\
    (Forall knows_for changes -> end_known b -> exists view', pass step changes view = Some view').
Proof.
  induction changes as [|c changes IH]; intros a W P.
  - exists a. split; [reflexivity|]. split; [assumption|]. split; [apply relates_refl|]. intros view H. split.
    + intros view' E. injection E as <-. assumption.
    + intros _ _. exists view. reflexivity.
  - destruct (step_fits c changes a W P) as (b & E & Wb & Pb & R & G). destruct (IH b Wb Pb) as (d & Ed & Wd & Rd & Gd).
    exists d. cbn [pass]. rewrite E. split; [assumption|]. split; [assumption|]. split; [eapply relates_trans; eassumption|].
    intros view H. destruct (G view H) as [G1 G2]. split.
    + intros view' V. destruct (step view c) as [view1|]; [|discriminate].
      destruct (Gd view1 (G1 view1 eq_refl)) as [G3 _]. auto.
    + intros K L. inversion K as [|? ? Kc Kr]; subst. destruct (G2 Kc (end_known_before _ _ Rd L)) as [view1 V1].
      rewrite V1 in *. destruct (Gd view1 (G1 view1 eq_refl)) as [_ G4]. auto.
Qed.

(** A step that does nothing. *)
Lemma step_nothing : forall c a, (forall x, step x c = Some x) -> step_good c a a.
Proof.
  intros c a N view H. rewrite N. split.
  - intros view' E. injection E as <-. assumption.
  - intros _ _. exists view. reflexivity.
Qed.

End Pass.

(** ** Updates *)

Definition same_keys (a b : Array) : Prop :=
  array_size a = array_size b /\ forall k, map_of a k = None <-> map_of b k = None.

Lemma updates_pass : forall changes a,
  well_formed a ->
  Forall (fun c => is_present (change_before c) = true -> map_of a (change_key c) <> None) changes ->
  exists b, pass apply_update changes a = Some b /\ well_formed b /\ same_keys a b /\
    forall view, follows_it view a ->
    (forall view', pass apply_update changes view = Some view' -> follows_it view' b) /\
    (Forall knows_for changes -> True -> exists view', pass apply_update changes view = Some view').
Proof.
  apply (pass_good apply_update
    (fun a changes => Forall (fun c => is_present (change_before c) = true -> map_of a (change_key c) <> None) changes)
    same_keys (fun _ => True)).
  - split; reflexivity.
  - intros a b c [S1 M1] [S2 M2]. split; [congruence|]. intros k. rewrite M1. apply M2.
  - auto.
  - intros c rest a W P. inversion P as [|? ? Pc Pr]; subst.
    assert (Nothing : (forall x, apply_update x c = Some x) ->
      exists b, apply_update a c = Some b /\ well_formed b /\
        Forall (fun d => is_present (change_before d) = true -> map_of b (change_key d) <> None) rest /\
        same_keys a b /\ step_good apply_update (fun _ => True) c a b).
    { intros N. exists a. split; [apply N|]. split; [assumption|]. split; [assumption|]. split; [split; reflexivity|].
      apply step_nothing. assumption. }
    destruct (change_after c) as [v|] eqn:A; [|apply Nothing; intros x; unfold apply_update; rewrite A; reflexivity].
    destruct (is_present (change_before c)) eqn:B;
      [|apply Nothing; intros x; unfold apply_update; rewrite A, B; reflexivity]. clear Nothing.
    assert (U : forall x, apply_update x c = array_update x (change_key c) v).
    { intros x. unfold apply_update. rewrite A, B. reflexivity. }
    destruct (update_well_formed a (change_key c) v W (Pc eq_refl)) as (b & E & W' & S).
    assert (M : same_keys a b).
    { split; [congruence|]. intros k. rewrite (update_map a b _ v W (Pc eq_refl) E).
      destruct (bytes_equal_spec k (change_key c)) as [->|]; [|reflexivity].
      specialize (Pc eq_refl). split; intros X; [contradiction|discriminate]. }
    exists b. rewrite U. split; [assumption|]. split; [assumption|]. split; [|split; [assumption|]].
    + apply Forall_forall. rewrite Forall_forall in Pr. intros d Hd Bd Ed. apply M in Ed. exact (Pr d Hd Bd Ed).
    + intros view H. rewrite U. split.
      * intros view' V. destruct (update_follows view0 start view a _ v view' W H V) as (b' & E' & F).
        assert (b' = b) as -> by congruence. exact F.
      * intros [K _] _. apply (update_possible view0 start start_good view a); assumption. 
Qed.

(** ** Inserts *)

Definition more_keys (a b : Array) : Prop := forall k, map_of a k <> None -> map_of b k <> None.

Lemma inserts_pass : forall changes a,
  well_formed a ->
  changes_ascend changes /\
    Forall (fun c => change_key c <> [] /\ (is_present (change_before c) = false -> map_of a (change_key c) = None)) changes ->
  exists b, pass apply_insert changes a = Some b /\ well_formed b /\ more_keys a b /\
    forall view, follows_it view a ->
    (forall view', pass apply_insert changes view = Some view' -> follows_it view' b) /\
    (Forall knows_for changes -> True -> exists view', pass apply_insert changes view = Some view').
Proof.
  apply (pass_good apply_insert
    (fun a changes => changes_ascend changes /\
      Forall (fun c => change_key c <> [] /\ (is_present (change_before c) = false -> map_of a (change_key c) = None)) changes)
    more_keys (fun _ => True)).
  - intros a k H. exact H.
  - intros a b c M1 M2 k H. apply M2, M1, H.
  - auto.
  - intros c rest a W [S P]. inversion P as [|? ? [Kc Pc] Pr]; subst. inversion S as [|? ? Sr Sc]; subst.
    assert (Nothing : (forall x, apply_insert x c = Some x) ->
      exists b, apply_insert a c = Some b /\ well_formed b /\
        (changes_ascend rest /\
         Forall (fun d => change_key d <> [] /\ (is_present (change_before d) = false -> map_of b (change_key d) = None)) rest) /\
        more_keys a b /\ step_good apply_insert (fun _ => True) c a b).
    { intros N. exists a. split; [apply N|]. split; [assumption|]. split; [split; assumption|]. split; [intros k H; exact H|].
      apply step_nothing. assumption. }
    destruct (change_after c) as [v|] eqn:A; [|apply Nothing; intros x; unfold apply_insert; rewrite A; reflexivity].
    destruct (is_present (change_before c)) eqn:B;
      [apply Nothing; intros x; unfold apply_insert; rewrite A, B; reflexivity|]. clear Nothing.
    assert (U : forall x, apply_insert x c = array_insert x (change_key c) v).
    { intros x. unfold apply_insert. rewrite A, B. reflexivity. }
    specialize (Pc eq_refl).
    destruct (insert_well_formed a (change_key c) v W Kc Pc) as (b & E & W' & Sz).
    pose proof (insert_map a b _ v W Kc Pc E) as M.
    exists b. rewrite U. split; [assumption|]. split; [assumption|]. split; [split; [assumption|]|split].
    + rewrite Forall_forall in *. intros d Hd. destruct (Pr d Hd) as [Kd Pd]. split; [assumption|]. intros Bd.
      rewrite M, Pd by assumption. destruct (bytes_equal_spec (change_key d) (change_key c)) as [Q|]; [|reflexivity].
      specialize (Sc d Hd). rewrite Q in Sc. destruct (blt_irreflexive _ Sc).
    + intros k Hk. rewrite M. destruct (bytes_equal k (change_key c)); [discriminate|assumption].
    + intros view H. rewrite U. split.
      * intros view' V. destruct (insert_follows view0 start view a _ v view' W H V) as (b' & E' & F).
        assert (b' = b) as -> by congruence. exact F.
      * intros [K _] _. apply (insert_possible view0 start start_good view a); assumption.
Qed.

(** ** Deletes *)

Definition shorter (a b : Array) : Prop := array_size b <= array_size a.

Lemma deletes_pass : forall changes a,
  well_formed a ->
  changes_ascend changes /\ Forall (fun c => is_present (change_before c) = true -> map_of a (change_key c) <> None) changes ->
  exists b, pass apply_delete changes a = Some b /\ well_formed b /\ shorter a b /\
    forall view, follows_it view a ->
    (forall view', pass apply_delete changes view = Some view' -> follows_it view' b) /\
    (Forall knows_for changes -> knows_end b -> exists view', pass apply_delete changes view = Some view').
Proof.
  apply (pass_good apply_delete
    (fun a changes => changes_ascend changes /\
      Forall (fun c => is_present (change_before c) = true -> map_of a (change_key c) <> None) changes)
    shorter knows_end).
  - unfold shorter. lia.
  - unfold shorter. lia.
  - unfold shorter, knows_end. intros a b L K p Hp. apply K. lia.
  - intros c rest a W [S P]. inversion P as [|? ? Pc Pr]; subst. inversion S as [|? ? Sr Sc]; subst.
    destruct (is_deletion c) eqn:B.
    + assert (U : forall x, apply_delete x c = array_delete x (change_key c)).
      { intros x. unfold apply_delete. unfold is_deletion in B. rewrite B. reflexivity. }
      assert (Bp : is_present (change_before c) = true).
      { unfold is_deletion in B. apply andb_true_iff in B. tauto. }
      specialize (Pc Bp). destruct (delete_well_formed a (change_key c) W Pc) as (b & E & W' & Sz).
      pose proof (delete_map a b _ W Pc E) as M.
      exists b. rewrite U. split; [assumption|]. split; [assumption|]. split; [split; [assumption|]|split].
      * rewrite Forall_forall in *. intros d Hd Bd. rewrite M.
        destruct (bytes_equal_spec (change_key d) (change_key c)) as [Q|]; [|apply Pr; assumption].
        specialize (Sc d Hd). rewrite Q in Sc. destruct (blt_irreflexive _ Sc).
      * unfold shorter. lia.
      * intros view H. rewrite U. split.
        -- intros view' V. destruct (delete_follows view0 start view a _ view' W H V) as (b' & E' & F).
           assert (b' = b) as -> by congruence. exact F.
        -- intros [Kc Kp] L. apply (delete_possible view0 start start_good view a); try assumption; [apply Kp; assumption|]. apply L. lia.
    + exists a. assert (N : forall x, apply_delete x c = Some x).
      { intros x. unfold apply_delete. unfold is_deletion in B. rewrite B. reflexivity. }
      split; [apply N|]. split; [assumption|]. split; [split; assumption|]. split; [unfold shorter; lia|].
      apply step_nothing. assumption.
Qed.

(** ** All three *)

Lemma apply_changes_passes : forall a changes,
  apply_changes a changes =
  match pass apply_update changes a with
  | Some b => match pass apply_insert changes b with Some d => pass apply_delete changes d | None => None end
  | None => None
  end.
Proof.
  intros. unfold apply_changes. rewrite apply_updates_pass. destruct (pass apply_update changes a) as [b|]; [|reflexivity].
  rewrite apply_inserts_pass. destruct (pass apply_insert changes b) as [d|]; [|reflexivity]. apply apply_deletes_pass.
Qed.

Lemma changes_good : forall changes,
  changes_ascend changes -> changes_true start changes ->
  exists b, apply_changes start changes = Some b /\ well_formed b /\
    forall view, follows_it view start ->
    (forall view', apply_changes view changes = Some view' -> follows_it view' b) /\
    (Forall knows_for changes -> knows_end b -> exists view', apply_changes view changes = Some view').
Proof.
  intros changes S T. unfold changes_true in T.
  assert (P0 : Forall (fun c => is_present (change_before c) = true -> map_of start (change_key c) <> None) changes).
  { rewrite Forall_forall in *. intros c Hc B. destruct (T c Hc) as [_ <-]. destruct (change_before c); [discriminate|discriminate B]. }
  destruct (updates_pass changes start start_good P0) as (b & Eb & Wb & [_ Mb] & Gb).
  destruct (inserts_pass changes b Wb) as (d & Ed & Wd & Md & Gd).
  { split; [assumption|]. rewrite Forall_forall in *. intros c Hc. destruct (T c Hc) as [K B]. split; [assumption|].
    intros N. apply Mb. rewrite <- B. destruct (change_before c); [discriminate N|reflexivity]. }
  destruct (deletes_pass changes d Wd) as (e & Ee & We & _ & Ge).
  { split; [assumption|]. rewrite Forall_forall in *. intros c Hc B. apply Md. intros N. apply Mb in N. exact (P0 c Hc B N). }
  exists e. rewrite apply_changes_passes, Eb, Ed. split; [assumption|]. split; [assumption|].
  intros view H. rewrite apply_changes_passes. destruct (Gb view H) as [Gb1 Gb2].
  split.
  - intros view' V. destruct (pass apply_update changes view) as [view1|]; [|discriminate].
    destruct (Gd view1 (Gb1 view1 eq_refl)) as [Gd1 _].
    destruct (pass apply_insert changes view1) as [view2|]; [|discriminate].
    destruct (Ge view2 (Gd1 view2 eq_refl)) as [Ge1 _]. auto.
  - intros K L. destruct (Gb2 K I) as [view1 V1]. rewrite V1 in *. destruct (Gd view1 (Gb1 view1 eq_refl)) as [Gd1 Gd2].
    destruct (Gd2 K I) as [view2 V2]. rewrite V2 in *. destruct (Ge view2 (Gd1 view2 eq_refl)) as [_ Ge2]. auto.
Qed.

End Passes.
