(** The ordinary map that a whole array stands for.

    - [map_of_array_correct]: in a well-formed array, the map that the specification collects from the positions is the
      abstract map of the array;
    - [map_of_array_ascends]: it stands in strictly ascending order of keys;
    - [map_of_array_unique]: it is the only such sequence, so that arrays of one abstract map have one [map_of_array]. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Block.Map.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Lemmas.ChangeMaps Spec.Dictionary.KeyMap Spec.Block.Execution.
Import ListNotations.
Local Open Scope N_scope.

Section Map.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The loop over the positions from 1 on knows the keys of those it has passed. *)
Lemma map_of_array_live : forall a k,
  keys_distinct a ->
  match key_map_get (map_of_array a) k with
  | Some v => exists p x, 1 <= p < array_size a /\ live (array_slots a) p x /\ key x = k /\ value x = v
  | None => forall p x, 1 <= p < array_size a -> live (array_slots a) p x -> key x <> k
  end.
Proof.
  intros a k D. unfold map_of_array.
  set (P := fun i entries =>
    match key_map_get entries k with
    | Some v => exists p x, 1 <= p < i /\ live (array_slots a) p x /\ key x = k /\ value x = v
    | None => forall p x, 1 <= p < i -> live (array_slots a) p x -> key x <> k
    end).
  destruct (N.leb_spec 1 (array_size a)) as [Hs|Hs].
  - apply (loop_invariant _ P); [assumption| |].
    + intros p x Hp. lia.
    + intros i entries Hi H. unfold map_of_array_step. destruct (slot_at (array_slots a) i) as [y|] eqn:E.
      * unfold P in *. rewrite key_map_get_put. destruct (bytes_equal_spec (key y) k) as [<-|N].
        -- exists i, y. repeat split; try lia. exact E.
        -- destruct (key_map_get entries k) as [v|].
           ++ destruct H as (p & x & Hp & R). exists p, x. split; [lia|assumption].
           ++ intros p x Hp L. destruct (N.eq_dec p i) as [->|Hne]; [|apply (H p); [lia|assumption]].
              rewrite (live_unique _ _ _ _ L E). assumption.
      * unfold P in *. destruct (key_map_get entries k) as [v|].
        -- destruct H as (p & x & Hp & R). exists p, x. split; [lia|assumption].
        -- intros p x Hp L. destruct (N.eq_dec p i) as [->|Hne]; [|apply (H p); [lia|assumption]].
           unfold live in L. congruence.
  - rewrite range_empty by lia. intros p x Hp. lia.
Qed.

Theorem map_of_array_correct : forall a, well_formed a -> is_map_of (map_of_array a) a.
Proof.
  intros a (Hd & (s & Ls & Ks & Vs) & D & _) k. pose proof (map_of_array_live a k D) as H.
  assert (B : forall p x, live (array_slots a) p x -> p < array_size a) by (intros p x L; apply Hd; exists x; exact L).
  destruct (key_map_get (map_of_array a) k) as [v|].
  - destruct H as (p & x & Hp & L & <- & <-). symmetry. apply map_of_entry; [assumption| |exists p, x; auto].
    intros E. rewrite <- Ks in E. pose proof (D _ _ _ _ L Ls E). lia.
  - destruct (bytes_dec k []) as [->|N]; [reflexivity|]. symmetry. apply map_of_absent. intros (p & x & L & E). revert E.
    destruct (N.eq_dec p 0) as [->|Hp].
    + rewrite (live_unique _ _ _ _ L Ls), Ks. congruence.
    + apply (H p x); [|assumption]. specialize (B p x L). lia.
Qed.

Theorem map_of_array_ascends : forall a, entries_ascend (map_of_array a).
Proof.
  intros a. unfold map_of_array. destruct (N.leb_spec 1 (array_size a)).
  - apply (loop_invariant _ (fun _ => entries_ascend)); [assumption|constructor|].
    intros i entries _ H'. unfold map_of_array_step. destruct (slot_at (array_slots a) i); [|assumption].
    apply key_map_put_ascends. assumption.
  - rewrite range_empty by lia. constructor.
Qed.

Theorem map_of_array_unique : forall a entries,
  well_formed a -> entries_ascend entries -> is_map_of entries a -> map_of_array a = entries.
Proof.
  intros a entries W A M. apply key_map_ext; [apply map_of_array_ascends|assumption|].
  intros k. rewrite M. apply map_of_array_correct. assumption.
Qed.

Lemma map_operations_ascend : forall items entries x after,
  entries_ascend entries -> map_operations entries items x = Ok after -> entries_ascend after.
Proof.
  intros items entries x after A E.
  set (Q := fun run : Result KeyMap Rejection => match run with Ok m => entries_ascend m | Err _ => True end).
  assert (Q (map_operations entries items x)) as G.
  { unfold map_operations. apply (loop_invariant _ (fun _ => Q)); [lia|exact A|].
    intros j acc Hj H. unfold map_operations_step, map_operation. destruct acc as [m|]; [|exact I].
    destruct (run_action _ _); [|exact I]. apply key_map_put_ascends. exact H. }
  rewrite E in G. exact G.
Qed.

Lemma map_transactions_ascend : forall items entries after,
  entries_ascend entries -> map_transactions entries items = Ok after -> entries_ascend after.
Proof.
  intros items entries after A E.
  set (Q := fun run : Result KeyMap Rejection => match run with Ok m => entries_ascend m | Err _ => True end).
  assert (Q (map_transactions entries items)) as G.
  { unfold map_transactions. apply (loop_invariant _ (fun _ => Q)); [lia|exact A|].
    intros x acc Hx H. unfold map_transactions_step. destruct acc as [m|]; [|exact I].
    destruct (map_operations m _ x) as [m'|] eqn:R; [|exact I]. exact (map_operations_ascend _ _ _ _ H R). }
  rewrite E in G. exact G.
Qed.

End Map.
