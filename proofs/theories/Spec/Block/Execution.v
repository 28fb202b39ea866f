(** Running a block's operations on resolved contents is running them on a map.

    - [block_refines_sequential_map]: when the contents that a block's keys resolved to are those of a map, [run_block] does
      what [map_transactions] does on that map: it fails exactly when that fails, for the same reason at the same item; and
      when it succeeds, the contents after are the map's after, the changes stand in key order, and each starts from the
      map's content before;
    - [block_changes_apply_to_array]: for the map of a whole array, the net changes are then in order, net, and true of the
      array: what [apply_changes] asks for;
    - [net_changes_lead_to_map]: a key's content after the net changes is its content in the map after. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap Block.Rejection
  Block.Operation Dictionary.Array Dictionary.Changes Block.Transaction Block.BlockData Block.Execution
  Block.Map.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap.
Import ListNotations.
Local Open Scope N_scope.

(** ** What the theorems say *)

Section Execution.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The content of each operation's key, by transaction and operation, is what the map says. *)
Definition contents_of_map (entries : KeyMap) (block : Block) (resolved : list Contents) : Prop :=
  resolved =
  map (fun tx => map (fun op => key_map_get entries (operation_key op)) (operations tx)) (transactions block).

(** The content of a key after the changes, when it was [before] without them. *)
Definition content_after (changes : ChangeMap) (k : ByteString) (before : option ByteString) : option ByteString :=
  match change_of changes k with
  | Some c => change_after c
  | None => before
  end.

(** The changes lead from one map to the other. *)
Definition changes_lead (entries after : KeyMap) (changes : ChangeMap) : Prop :=
  changes_ascend changes /\
  Forall (fun c => change_before c = key_map_get entries (change_key c)) changes /\
  forall k, key_map_get after k = content_after changes k (key_map_get entries k).

(** ** One operation, one transaction, one block *)

Section Refinement.

Variable entries : KeyMap.

(** Both sides have gone equally far. *)
Definition refines (changed : Result ChangeMap Rejection) (run : Result KeyMap Rejection) : Prop :=
  match changed, run with
  | Ok changes, Ok after => changes_lead entries after changes
  | Err e, Err e' => e = e'
  | _, _ => False
  end.

Lemma run_operation_refines : forall changes after op x j,
  changes_lead entries after changes ->
  refines (run_operation changes op (key_map_get entries (operation_key op)) x j) (map_operation after op x j).
Proof.
  intros changes after op x j (Ha & Hb & Hc). unfold run_operation, map_operation.
  set (k := operation_key op). set (c := change_so_far changes k (key_map_get entries k)).
  assert (Hk : change_key c = k).
  { unfold c, change_so_far. destruct (change_of changes k) as [d|] eqn:E; [|reflexivity].
    apply change_of_some in E. tauto. }
  assert (Hbefore : change_before c = key_map_get entries k).
  { unfold c, change_so_far. destruct (change_of changes k) as [d|] eqn:E; [|reflexivity].
    apply change_of_some in E. destruct E as [I <-]. rewrite Forall_forall in Hb. apply Hb. assumption. }
  assert (Hafter : change_after c = key_map_get after k).
  { rewrite Hc. unfold c, change_so_far, content_after. destruct (change_of changes k); reflexivity. }
  rewrite Hafter. destruct (run_action (key_map_get after k) (action op)) as [content|why]; cbn [refines]; [|reflexivity].
  split; [apply put_change_ascends; assumption|]. split.
  - apply put_change_forall; [assumption|]. cbn [change_before change_key]. rewrite Hk. assumption.
  - intros q. rewrite key_map_get_put. unfold content_after. rewrite change_of_put_change. cbn [change_key].
    rewrite Hk. destruct (bytes_equal k q) eqn:E; [reflexivity|]. apply Hc.
Qed.

Lemma content_at_map : forall (items : list Operation) j,
  j < seq_length items ->
  content_at (map (fun op => key_map_get entries (operation_key op)) items) j =
  key_map_get entries (operation_key (seq_at items j)).
Proof.
  intros items j Hj. unfold content_at, seq_length in *. rewrite map_length.
  replace (j <? N.of_nat (length items)) with true by (symmetry; apply N.ltb_lt; assumption).
  unfold seq_at. set (f := fun op => key_map_get entries (operation_key op)).
  rewrite (nth_indep _ _ (f default)); [|rewrite map_length; lia]. apply (map_nth f).
Qed.

Lemma contents_at_map : forall (f : Transaction -> Contents) (items : list Transaction) x,
  x < seq_length items -> contents_at (map f items) x = f (seq_at items x).
Proof.
  intros f items x Hx. unfold contents_at, seq_length in *. rewrite map_length.
  replace (x <? N.of_nat (length items)) with true by (symmetry; apply N.ltb_lt; assumption).
  unfold seq_at. rewrite (nth_indep _ _ (f default)); [|rewrite map_length; lia]. apply map_nth.
Qed.

Lemma run_operations_refines : forall items changes after x,
  changes_lead entries after changes ->
  refines
    (run_operations changes items (map (fun op => key_map_get entries (operation_key op)) items) x)
    (map_operations after items x).
Proof.
  intros items changes after x H. unfold run_operations, map_operations.
  set (f := fun changed j => run_operations_step changed (seq_at items j) _ x j).
  set (g := fun run j => map_operations_step run (seq_at items j) x j).
  assert (G : forall l changed run, (forall j, In j l -> j < seq_length items) -> refines changed run ->
    refines (fold_left f l changed) (fold_left g l run)).
  { induction l as [|j l IH]; intros changed run Hl R; [exact R|]. cbn [fold_left]. apply IH; [intros; apply Hl; right; assumption|].
    unfold f, g, run_operations_step, map_operations_step. destruct changed, run; cbn [refines] in R; try contradiction.
    - rewrite content_at_map by (apply Hl; left; reflexivity). apply run_operation_refines. assumption.
    - cbn [refines]. assumption. }
  apply G; [|exact H]. intros j Hj. apply in_range in Hj. lia.
Qed.

Lemma changes_lead_none : changes_lead entries entries [].
Proof. split; [constructor|]. split; [constructor|]. reflexivity. Qed.

End Refinement.

Theorem block_refines_sequential_map : forall entries block resolved,
  contents_of_map entries block resolved ->
  match run_block block resolved, map_transactions entries (transactions block) with
  | Ok changes, Ok after => changes_lead entries after changes
  | Err rejection, Err rejection' => rejection = rejection'
  | _, _ => False
  end.
Proof.
  intros entries block resolved ->. unfold run_block, map_transactions.
  set (items := transactions block).
  set (own := fun tx => map (fun op => key_map_get entries (operation_key op)) (operations tx)).
  set (f := fun changed x => run_block_step changed (seq_at items x) (contents_at (map own items) x) x).
  set (g := fun run x => map_transactions_step run (seq_at items x) x).
  assert (G : forall l changed run, (forall x, In x l -> x < seq_length items) -> refines entries changed run ->
    refines entries (fold_left f l changed) (fold_left g l run)).
  { induction l as [|x l IH]; intros changed run Hl R; [exact R|]. cbn [fold_left]. apply IH; [intros; apply Hl; right; assumption|].
    unfold f, g, run_block_step, map_transactions_step. destruct changed, run; cbn [refines] in R; try contradiction.
    - rewrite contents_at_map by (apply Hl; left; reflexivity). apply run_operations_refines. assumption.
    - cbn [refines]. assumption. }
  apply (G (range 0 (seq_length items)) (Ok []) (Ok entries)).
  - intros x Hx. apply in_range in Hx. lia.
  - apply changes_lead_none.
Qed.

(** ** The changes name the keys of the block's operations only *)

Definition names (block : Block) (k : ByteString) : Prop :=
  exists tx op, In tx (transactions block) /\ In op (operations tx) /\ operation_key op = k.

Lemma run_operation_named : forall (P : ByteString -> Prop) changes op content x j changes',
  Forall (fun c => P (change_key c)) changes -> P (operation_key op) ->
  run_operation changes op content x j = Ok changes' -> Forall (fun c => P (change_key c)) changes'.
Proof.
  intros P changes op content x j changes' H Hop. unfold run_operation.
  destruct (run_action _ _) as [after|]; [|discriminate]. intros E. injection E as <-.
  apply put_change_forall; [assumption|]. cbn [change_key]. unfold change_so_far.
  destruct (change_of changes (operation_key op)) as [d|] eqn:D; [|assumption].
  apply change_of_some in D. destruct D as [_ ->]. assumption.
Qed.

Lemma run_operations_named : forall (P : ByteString -> Prop) items changes contents x changes',
  Forall (fun c => P (change_key c)) changes -> (forall op, In op items -> P (operation_key op)) ->
  run_operations changes items contents x = Ok changes' -> Forall (fun c => P (change_key c)) changes'.
Proof.
  intros P items changes contents x changes' H Hops E.
  set (Q := fun changed : Result ChangeMap Rejection =>
    match changed with Ok cs => Forall (fun c => P (change_key c)) cs | Err _ => True end).
  assert (Q (run_operations changes items contents x)) as G.
  { unfold run_operations. apply (loop_invariant _ (fun _ => Q)); [lia|exact H|].
    intros j acc Hj Hacc. unfold run_operations_step. destruct acc as [cs|]; [|exact I].
    destruct (run_operation _ _ _ _ _) as [cs'|] eqn:R; [|exact I].
    refine (run_operation_named P _ _ _ _ _ _ Hacc _ R). apply Hops, seq_at_in. lia. }
  rewrite E in G. exact G.
Qed.

Theorem run_block_named : forall block resolved changes,
  run_block block resolved = Ok changes -> Forall (fun c => names block (change_key c)) changes.
Proof.
  intros block resolved changes E.
  set (P := names block).
  set (Q := fun changed : Result ChangeMap Rejection =>
    match changed with Ok cs => Forall (fun c => P (change_key c)) cs | Err _ => True end).
  assert (Q (run_block block resolved)) as G.
  { unfold run_block. apply (loop_invariant _ (fun _ => Q)); [lia|constructor|].
    intros x acc Hx Hacc. unfold run_block_step. destruct acc as [cs|]; [|exact I].
    destruct (run_operations _ _ _ _) as [cs'|] eqn:R; [|exact I].
    refine (run_operations_named P _ _ _ _ _ Hacc _ R). intros op Hop.
    exists (seq_at (transactions block) x), op. split; [apply seq_at_in; lia|]. split; [assumption|reflexivity]. }
  rewrite E in G. exact G.
Qed.

(** A key that was present and ends absent is the key of a delete. *)
Definition deletes (block : Block) (k : ByteString) : Prop :=
  exists tx op, In tx (transactions block) /\ In op (operations tx) /\ operation_key op = k /\ is_delete (action op) = true.

Lemma run_action_absent : forall content act, run_action content act = Ok None -> content = None \/ is_delete act = true.
Proof.
  intros content act. destruct act; cbn [run_action is_delete]; auto.
  - unfold run_require. destruct (contents_equal content None); [|discriminate]. intros E. injection E as ->. auto.
  - unfold run_require. destruct (contents_equal content (Some b)); [|discriminate]. intros E. injection E as ->. auto.
  - discriminate.
  - unfold run_add. destruct (number_or_zero content); [|discriminate]. destruct (_ <? _); discriminate.
  - unfold run_sub. destruct (number_present content); [|discriminate]. destruct (_ <? _); discriminate.
Qed.

Lemma run_operation_deletes : forall (P : ByteString -> Prop) changes op content x j changes',
  Forall (fun c => change_before c <> None -> change_after c = None -> P (change_key c)) changes ->
  (is_delete (action op) = true -> P (operation_key op)) ->
  run_operation changes op content x j = Ok changes' ->
  Forall (fun c => change_before c <> None -> change_after c = None -> P (change_key c)) changes'.
Proof.
  intros P changes op content x j changes' H Hop. unfold run_operation.
  destruct (run_action _ _) as [after|] eqn:R; [|discriminate]. intros E. injection E as <-.
  apply put_change_forall; [assumption|]. cbn [change_key change_before change_after]. unfold change_so_far in *.
  destruct (change_of changes (operation_key op)) as [d|] eqn:D.
  - apply change_of_some in D. destruct D as [I K]. intros B A. subst after. apply run_action_absent in R.
    destruct R as [R|R]; [|rewrite K; auto]. rewrite Forall_forall in H. exact (H d I B R).
  - cbn [change_key change_before change_after] in *. intros B A. subst after. apply run_action_absent in R.
    destruct R as [R|R]; [contradiction|auto].
Qed.

Theorem run_block_deletes : forall block resolved changes,
  run_block block resolved = Ok changes ->
  Forall (fun c => change_before c <> None -> change_after c = None -> deletes block (change_key c)) changes.
Proof.
  intros block resolved changes E.
  set (P := deletes block).
  set (Q := fun changed : Result ChangeMap Rejection => match changed with
    | Ok cs => Forall (fun c => change_before c <> None -> change_after c = None -> P (change_key c)) cs
    | Err _ => True end).
  assert (Q (run_block block resolved)) as G.
  { unfold run_block. apply (loop_invariant _ (fun _ => Q)); [lia|constructor|].
    intros x acc Hx Hacc. unfold run_block_step. destruct acc as [cs|]; [|exact I].
    set (tx := seq_at (transactions block) x). assert (It : In tx (transactions block)) by (apply seq_at_in; lia).
    change (Q (run_operations cs (operations tx) (contents_at resolved x) x)).
    unfold run_operations. apply (loop_invariant _ (fun _ => Q)); [lia|exact Hacc|].
    intros j acc Hj Hj'. unfold run_operations_step. destruct acc as [ds|]; [|exact I].
    destruct (run_operation _ _ _ _ _) as [ds'|] eqn:R; [|exact I].
    refine (run_operation_deletes P _ _ _ _ _ _ Hj' _ R). intros D.
    exists tx, (seq_at (operations tx) j). split; [assumption|]. split; [apply seq_at_in; lia|]. split; [reflexivity|assumption]. }
  rewrite E in G. exact G.
Qed.

(** ** What the net changes are for a whole array *)

(** The map is that of the array. *)
Definition is_map_of (entries : KeyMap) (a : Array) : Prop := forall k, key_map_get entries k = map_of a k.

Theorem block_changes_apply_to_array : forall entries a block resolved changes,
  is_map_of entries a -> contents_of_map entries block resolved ->
  (forall k, names block k -> k <> []) ->
  run_block block resolved = Ok changes ->
  changes_ascend (net_changes changes) /\ changes_net (net_changes changes) /\ changes_true a (net_changes changes).
Proof.
  intros entries a block resolved changes M C K R.
  pose proof (block_refines_sequential_map entries block resolved C) as H. rewrite R in H.
  destruct (map_transactions entries (transactions block)) as [after|]; [|contradiction].
  destruct H as (Ha & Hb & _). split; [apply net_changes_ascend; assumption|]. split; [apply net_changes_net|].
  apply changes_true_net. pose proof (run_block_named _ _ _ R) as Hn. unfold changes_true.
  rewrite Forall_forall in *. intros c Hc. split; [apply K, Hn; assumption|]. rewrite <- M. apply Hb. assumption.
Qed.

Theorem net_changes_lead_to_map : forall entries after changes,
  changes_lead entries after changes ->
  forall k, key_map_get after k = content_after (net_changes changes) k (key_map_get entries k).
Proof.
  intros entries after changes (Ha & Hb & Hc) k. rewrite Hc. unfold content_after.
  rewrite change_of_net_changes by assumption. destruct (change_of changes k) as [c|] eqn:E; [|reflexivity].
  destruct (contents_equal (change_before c) (change_after c)) eqn:Q; [|reflexivity].
  apply contents_equal_iff in Q. apply change_of_some in E. destruct E as [I <-]. rewrite Forall_forall in Hb.
  rewrite <- Hb by assumption. symmetry. assumption.
Qed.

End Execution.
