(** A block's net changes, applied to the whole array.

    - [apply_changes_succeeds]: changes in key order that are true of a well-formed array can be applied to it, and the
      array that comes out is well-formed;
    - [apply_changes_map]: the map after is the map before with each change made;
    - [apply_changes_size]: the number of slots after is [size_after] of the number before, whatever the order in which the
      changes were counted;
    - [apply_changes_lookup]: so the array answers for each key what its change says, and as before where there is none.

    What "in key order" and "true of the array" mean is said in ChangeMaps.v. That each change changes something is not
    needed here: a change that changes nothing does no harm to the map. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array
  Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

(** The content of a key after the changes, on top of a map. *)
Definition map_after (m : ByteString -> option ByteString) (changes : ChangeMap) (k : ByteString) : option ByteString :=
  match change_of changes k with
  | Some c => change_after c
  | None => m k
  end.

(** ** One pass over the changes *)

Section Pass.

(** The pass makes the changes of one kind, at the keys that are present, or at those that are absent. *)
Variable act : Array -> Change -> option Array.
Variable of_kind : Change -> bool.
Variable present : bool.
Variable resize : N -> N.

Hypothesis act_else : forall a c, of_kind c = false -> act a c = Some a.
Hypothesis act_kind : forall a c,
  of_kind c = true -> well_formed a -> change_key c <> [] -> is_present (map_of a (change_key c)) = present ->
  exists b, act a c = Some b /\ well_formed b /\ array_size b = resize (array_size a) /\
    forall k, map_of b k = if bytes_equal k (change_key c) then change_after c else map_of a k.

Definition pass_step (a : option Array) (c : Change) : option Array :=
  match a with
  | None => None
  | Some known => act known c
  end.

Definition pass_size (changes : ChangeMap) (s : N) : N :=
  fold_left (fun s c => if of_kind c then resize s else s) changes s.

(** Each change of the pass's kind finds its key present, or absent, as it should. *)
Definition pass_ready (a : Array) (changes : ChangeMap) : Prop :=
  forall c, In c changes -> of_kind c = true ->
    change_key c <> [] /\ is_present (map_of a (change_key c)) = present.

Lemma pass_spec : forall changes a,
  changes_ascend changes -> well_formed a -> pass_ready a changes ->
  exists b, fold_left pass_step changes (Some a) = Some b /\ well_formed b /\
    array_size b = pass_size changes (array_size a) /\
    forall k, map_of b k =
      match change_of changes k with
      | Some c => if of_kind c then change_after c else map_of a k
      | None => map_of a k
      end.
Proof.
  induction changes as [|c changes IH]; intros a S W R.
  - exists a. auto.
  - unfold changes_ascend in S. inversion S as [|? ? S' H]; subst. rewrite Forall_forall in H.
    assert (First : forall d, In d changes -> change_key d <> change_key c).
    { intros d I. apply not_eq_sym, blt_not_equal, H, I. }
    assert (Alone : change_of changes (change_key c) = None).
    { rewrite change_of_last. apply last_by_none. exact First. }
    assert (Step : exists b, act a c = Some b /\ well_formed b /\
      array_size b = (if of_kind c then resize (array_size a) else array_size a) /\
      forall k, map_of b k = if bytes_equal k (change_key c) && of_kind c then change_after c else map_of a k).
    { destruct (of_kind c) eqn:K.
      - destruct (R c (or_introl eq_refl) K) as [N P]. destruct (act_kind a c K W N P) as (b & E & Wb & Sb & M).
        exists b. repeat (split; [assumption|]). intros k. rewrite M, andb_true_r. reflexivity.
      - exists a. rewrite act_else by assumption. repeat (split; [auto|]).
        intros k. rewrite andb_false_r. reflexivity. }
    destruct Step as (b & E & Wb & Sb & M).
    destruct (IH b S' Wb) as (d & Ed & Wd & Sd & Md).
    { intros d I K. rewrite M. destruct (bytes_equal_spec (change_key d) (change_key c)) as [F|_].
      - destruct (First d I F).
      - apply R; [right; assumption|assumption]. }
    exists d. cbn [fold_left pass_step]. rewrite E. split; [assumption|]. split; [assumption|]. split.
    + rewrite Sd, Sb. unfold pass_size. cbn [fold_left]. destruct (of_kind c); reflexivity.
    + intros k. rewrite Md, !M. rewrite (change_of_last (c :: changes)), last_by_cons, <- change_of_last.
      rewrite (bytes_equal_sym k). destruct (bytes_equal_spec (change_key c) k) as [<-|N].
      * rewrite Alone. reflexivity.
      * cbn [andb]. destruct (change_of changes k); reflexivity.
Qed.

End Pass.

(** ** The three kinds *)

Definition is_update (c : Change) : bool := is_present (change_before c) && is_present (change_after c).
Definition is_insert (c : Change) : bool := negb (is_present (change_before c)) && is_present (change_after c).
Definition is_removal (c : Change) : bool := is_present (change_before c) && negb (is_present (change_after c)).

Lemma is_present_true : forall m, is_present m = true <-> m <> None.
Proof. intros [v|]; cbn; split; congruence. Qed.

Lemma is_present_false : forall m, is_present m = false <-> m = None.
Proof. intros [v|]; cbn; split; congruence. Qed.

Lemma apply_updates_pass : forall a changes, apply_updates a changes = fold_left (pass_step apply_update) changes (Some a).
Proof. intros. unfold apply_updates. exact (loop_over_elements _ _ _ apply_updates_step changes (Some a)). Qed.

Lemma apply_inserts_pass : forall a changes, apply_inserts a changes = fold_left (pass_step apply_insert) changes (Some a).
Proof. intros. unfold apply_inserts. exact (loop_over_elements _ _ _ apply_inserts_step changes (Some a)). Qed.

Lemma apply_deletes_pass : forall a changes, apply_deletes a changes = fold_left (pass_step apply_delete) changes (Some a).
Proof. intros. unfold apply_deletes. exact (loop_over_elements _ _ _ apply_deletes_step changes (Some a)). Qed.

Lemma apply_update_kind : forall a c,
  is_update c = true -> well_formed a -> change_key c <> [] -> is_present (map_of a (change_key c)) = true ->
  exists b, apply_update a c = Some b /\ well_formed b /\ array_size b = array_size a /\
    forall k, map_of b k = if bytes_equal k (change_key c) then change_after c else map_of a k.
Proof.
  unfold is_update, apply_update. intros a c K W N P. apply is_present_true in P.
  apply andb_true_iff in K. destruct K as [K1 K2]. rewrite K1. destruct (change_after c) as [v|]; [|discriminate].
  destruct (update_well_formed a (change_key c) v W P) as (b & E & Wb & Sb). exists b.
  repeat (split; [assumption|]). intros k. rewrite (update_map a b _ v W P E). reflexivity.
Qed.

Lemma apply_insert_kind : forall a c,
  is_insert c = true -> well_formed a -> change_key c <> [] -> is_present (map_of a (change_key c)) = false ->
  exists b, apply_insert a c = Some b /\ well_formed b /\ array_size b = array_size a + 1 /\
    forall k, map_of b k = if bytes_equal k (change_key c) then change_after c else map_of a k.
Proof.
  unfold is_insert, apply_insert. intros a c K W N P. apply is_present_false in P.
  apply andb_true_iff in K. destruct K as [K1 K2]. apply negb_true_iff in K1. rewrite K1.
  destruct (change_after c) as [v|]; [|discriminate].
  destruct (insert_well_formed a (change_key c) v W N P) as (b & E & Wb & Sb). exists b.
  repeat (split; [assumption|]). intros k. rewrite (insert_map a b _ v W N P E). reflexivity.
Qed.

Lemma apply_delete_kind : forall a c,
  is_removal c = true -> well_formed a -> change_key c <> [] -> is_present (map_of a (change_key c)) = true ->
  exists b, apply_delete a c = Some b /\ well_formed b /\ array_size b = array_size a - 1 /\
    forall k, map_of b k = if bytes_equal k (change_key c) then change_after c else map_of a k.
Proof.
  unfold is_removal, apply_delete. intros a c K W N P. apply is_present_true in P. rewrite K.
  apply andb_true_iff in K. destruct K as [_ K]. destruct (change_after c) as [v|]; [discriminate|].
  destruct (delete_well_formed a (change_key c) W P) as (b & E & Wb & Sb). exists b.
  repeat (split; [assumption|]). intros k. rewrite (delete_map a b _ W P E). reflexivity.
Qed.

Lemma apply_update_else : forall a c, is_update c = false -> apply_update a c = Some a.
Proof.
  unfold is_update, apply_update. intros a c K. destruct (change_after c); [|reflexivity].
  cbn in K. rewrite andb_true_r in K. rewrite K. reflexivity.
Qed.

Lemma apply_insert_else : forall a c, is_insert c = false -> apply_insert a c = Some a.
Proof.
  unfold is_insert, apply_insert. intros a c K. destruct (change_after c); [|reflexivity].
  cbn in K. rewrite andb_true_r in K. apply negb_false_iff in K. rewrite K. reflexivity.
Qed.

Lemma apply_delete_else : forall a c, is_removal c = false -> apply_delete a c = Some a.
Proof. unfold is_removal, apply_delete. intros a c K. rewrite K. reflexivity. Qed.

(** ** Counting *)

(** How many changes are of a kind. *)
Definition count_of (kind : Change -> bool) (changes : ChangeMap) : N := seq_length (filter kind changes).

Lemma count_of_cons : forall kind c changes,
  count_of kind (c :: changes) = if kind c then count_of kind changes + 1 else count_of kind changes.
Proof. intros. unfold count_of. cbn [filter]. destruct (kind c); [apply seq_length_cons|reflexivity]. Qed.

Lemma pass_size_same : forall kind changes s, pass_size kind (fun s => s) changes s = s.
Proof.
  unfold pass_size. induction changes as [|c changes IH]; intros s; [reflexivity|]. cbn [fold_left].
  rewrite IH. destruct (kind c); reflexivity.
Qed.

Lemma pass_size_grow : forall kind changes s, pass_size kind (fun s => s + 1) changes s = s + count_of kind changes.
Proof.
  unfold pass_size. induction changes as [|c changes IH]; intros s; cbn [fold_left].
  - unfold count_of. cbn. lia.
  - rewrite IH, count_of_cons. destruct (kind c); lia.
Qed.

Lemma pass_size_shrink : forall kind changes s, pass_size kind (fun s => s - 1) changes s = s - count_of kind changes.
Proof.
  unfold pass_size. induction changes as [|c changes IH]; intros s; cbn [fold_left].
  - unfold count_of. cbn. lia.
  - rewrite IH, count_of_cons. destruct (kind c); lia.
Qed.

(** [size_after] counts the inserts up and the removals down, as long as there are slots to remove. *)
Theorem size_after_counts : forall changes s,
  count_of is_removal changes <= s ->
  size_after s changes = s + count_of is_insert changes - count_of is_removal changes.
Proof.
  intros changes s. unfold size_after. rewrite (loop_over_elements _ _ _ size_after_step). revert s.
  induction changes as [|c changes IH]; intros s H; cbn [fold_left].
  - unfold count_of. cbn. lia.
  - rewrite !count_of_cons in *. unfold is_insert, is_removal in *. unfold size_after_step at 2.
    destruct (is_present (change_before c)), (is_present (change_after c)); cbn [negb andb] in *.
    + apply IH. assumption.
    + destruct (N.ltb_spec 0 s); [|lia]. rewrite IH by lia. lia.
    + rewrite IH by lia. lia.
    + apply IH. assumption.
Qed.

(** ** The passes together *)

Section Together.

Variables (a : Array) (changes : ChangeMap).
Hypothesis good : well_formed a.
Hypothesis ascend : changes_ascend changes.
Hypothesis true_of_array : changes_true a changes.

Lemma true_change : forall c, In c changes -> change_key c <> [] /\ change_before c = map_of a (change_key c).
Proof. intros c I. unfold changes_true in true_of_array. rewrite Forall_forall in true_of_array. auto. Qed.

(** The removals alone could be made first: so there are fewer of them than slots. *)
Lemma removals_fewer : count_of is_removal changes < array_size a.
Proof.
  destruct (pass_spec apply_delete is_removal true (fun s => s - 1) apply_delete_else apply_delete_kind changes a)
    as (b & _ & Wb & Sb & _); try assumption.
  - intros c I K. destruct (true_change c I) as [N B]. split; [assumption|]. rewrite <- B.
    apply andb_true_iff in K. tauto.
  - rewrite pass_size_shrink in Sb. destruct Wb as ([Z _] & _). lia.
Qed.

Lemma apply_changes_spec : exists b,
  apply_changes a changes = Some b /\ well_formed b /\
  array_size b = size_after (array_size a) changes /\ forall k, map_of b k = map_after (map_of a) changes k.
Proof.
  destruct (pass_spec apply_update is_update true (fun s => s) apply_update_else apply_update_kind changes a)
    as (b & Eb & Wb & Sb & Mb); try assumption.
  { intros c I K. destruct (true_change c I) as [N B]. split; [assumption|]. rewrite <- B.
    apply andb_true_iff in K. tauto. }
  destruct (pass_spec apply_insert is_insert false (fun s => s + 1) apply_insert_else apply_insert_kind changes b)
    as (d & Ed & Wd & Sd & Md); try assumption.
  { intros c I K. destruct (true_change c I) as [N B]. split; [assumption|].
    rewrite Mb, (change_of_in changes c ascend I). apply andb_true_iff in K. destruct K as [K1 K2].
    apply negb_true_iff in K1. unfold is_update. rewrite K1. cbn [andb]. rewrite <- B. assumption. }
  destruct (pass_spec apply_delete is_removal true (fun s => s - 1) apply_delete_else apply_delete_kind changes d)
    as (e & Ee & We & Se & Me); try assumption.
  { intros c I K. destruct (true_change c I) as [N B]. split; [assumption|].
    rewrite Md, Mb, (change_of_in changes c ascend I). apply andb_true_iff in K. destruct K as [K1 K2].
    apply negb_true_iff in K2. unfold is_update, is_insert. rewrite K2, !andb_false_r, <- B. assumption. }
  exists e. split; [|split; [assumption|split]].
  - unfold apply_changes. rewrite apply_updates_pass, Eb, apply_inserts_pass, Ed, apply_deletes_pass. assumption.
  - rewrite Se, Sd, Sb, pass_size_same, pass_size_grow, pass_size_shrink. symmetry. apply size_after_counts.
    apply N.lt_le_incl, removals_fewer.
  - intros k. rewrite Me, Md, Mb. unfold map_after. destruct (change_of changes k) as [c|] eqn:L; [|reflexivity].
    destruct (change_of_some _ _ _ L) as [I <-]. destruct (true_change c I) as [_ B]. rewrite <- B.
    unfold is_update, is_insert, is_removal. destruct (change_before c), (change_after c); reflexivity.
Qed.

End Together.

(** ** The theorems *)

Theorem apply_changes_succeeds : forall a changes,
  well_formed a -> changes_ascend changes -> changes_true a changes ->
  exists b, apply_changes a changes = Some b /\ well_formed b.
Proof.
  intros a changes W S T. destruct (apply_changes_spec a changes W S T) as (b & E & Wb & _). exists b. auto.
Qed.

Theorem apply_changes_map : forall a b changes,
  well_formed a -> changes_ascend changes -> changes_true a changes -> apply_changes a changes = Some b ->
  forall k, map_of b k = map_after (map_of a) changes k.
Proof.
  intros a b changes W S T H. destruct (apply_changes_spec a changes W S T) as (b' & E & _ & _ & M).
  assert (b' = b) as -> by congruence. assumption.
Qed.

Theorem apply_changes_size : forall a b changes,
  well_formed a -> changes_ascend changes -> changes_true a changes -> apply_changes a changes = Some b ->
  array_size b = size_after (array_size a) changes.
Proof.
  intros a b changes W S T H. destruct (apply_changes_spec a changes W S T) as (b' & E & _ & M & _).
  assert (b' = b) as -> by congruence. assumption.
Qed.

Theorem apply_changes_lookup : forall a b changes,
  well_formed a -> changes_ascend changes -> changes_true a changes -> apply_changes a changes = Some b ->
  forall k, k <> [] -> array_lookup b k = Some (map_after (map_of a) changes k).
Proof.
  intros a b changes W S T H k K. destruct (apply_changes_spec a changes W S T) as (b' & E & Wb & _ & M).
  assert (b' = b) as -> by congruence. rewrite lookup_correct by assumption. rewrite M. reflexivity.
Qed.
