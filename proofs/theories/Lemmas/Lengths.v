(** Keys and values stay within the dictionary's maxima.

    - [apply_changes_lengths]: when all slots of an array, or of a view, have legal lengths, and so have the keys and new
      values of the changes, then so have all slots afterwards;
    - [genesis_lengths]: so they have at version 0 of a legal genesis;
    - [honest_claims_lengths]: so an honest archive's claims have legal lengths. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Dictionary.Changes Commitment.Scheme Block.Operation Dictionary.Genesis
  Block.Transaction Block.Tail Block.Prover.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Lemmas.ChangeMaps Spec.Dictionary.Genesis Lemmas.History
  Spec.Block.Checks Lemmas.BlockChecks Spec.Block.Prover.
Import ListNotations.
Local Open Scope N_scope.

Section Lengths.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable p : Parameters.

(** All slots have legal lengths. *)
Definition all_fit (slots : SlotMap) : Prop := forall q x, live slots q x -> slot_fits p x = true.

(** The keys and the new values have legal lengths. *)
Definition changes_fit (changes : ChangeMap) : Prop :=
  Forall (fun c => seq_length (change_key c) <= max_key_length p /\
    forall v, change_after c = Some v -> seq_length v <= max_value_length p) changes.

Lemma slot_fits_iff : forall x, slot_fits p x = true <-> slot_lengths_good p x.
Proof. intros x. unfold slot_fits, slot_lengths_good. rewrite !andb_true_iff, !N.leb_le. tauto. Qed.

Lemma all_fit_put : forall slots q x, all_fit slots -> slot_fits p x = true -> all_fit (put_slot slots q (Some x)).
Proof.
  intros slots q x A Fx r y L. apply live_put_slot in L. destruct L as [[_ ->]|[_ L]]; [assumption|]. exact (A r y L).
Qed.

Lemma all_fit_remove : forall slots q, all_fit slots -> all_fit (put_slot slots q None).
Proof. intros slots q A r y L. apply live_remove_slot in L. destruct L as [_ L]. exact (A r y L). Qed.

(** ** The operations *)

Lemma update_lengths : forall a k v b, all_fit (array_slots a) -> seq_length v <= max_value_length p ->
  array_update a k v = Some b -> all_fit (array_slots b).
Proof.
  intros a k v b A V E. unfold array_update in E.
  destruct (covering_position (array_slots a) k) as [q|]; [|discriminate].
  destruct (slot_at (array_slots a) q) as [x|] eqn:L; [|discriminate]. injection E as <-. cbn [array_slots].
  apply all_fit_put; [assumption|]. apply A in L. apply slot_fits_iff in L. apply slot_fits_iff.
  destruct L as (? & ? & ?). split; [assumption|]. split; assumption.
Qed.

Lemma insert_lengths : forall a k v b, all_fit (array_slots a) ->
  seq_length k <= max_key_length p -> seq_length v <= max_value_length p ->
  array_insert a k v = Some b -> all_fit (array_slots b).
Proof.
  intros a k v b A K V E. unfold array_insert in E.
  destruct (covering_position (array_slots a) k) as [q|]; [|discriminate].
  destruct (slot_at (array_slots a) q) as [x|] eqn:L; [|discriminate]. cbv zeta in E. injection E as <-. cbn [array_slots].
  apply A in L. apply slot_fits_iff in L. destruct L as (? & ? & ?).
  apply all_fit_put; [apply all_fit_put; [assumption|]|]; apply slot_fits_iff;
    (split; [assumption|]; split; assumption).
Qed.

Lemma swap_remove_lengths : forall a q b, all_fit (array_slots a) -> swap_remove a q = Some b -> all_fit (array_slots b).
Proof.
  intros a q b A E. unfold swap_remove in E. cbv zeta in E.
  destruct (slot_at (array_slots a) _) as [z|] eqn:L; [|discriminate]. injection E as <-. cbn [array_slots].
  apply all_fit_remove, all_fit_put; [assumption|]. exact (A _ _ L).
Qed.

Lemma delete_lengths : forall a k b, all_fit (array_slots a) -> array_delete a k = Some b -> all_fit (array_slots b).
Proof.
  intros a k b A E. unfold array_delete in E.
  destruct (covering_position (array_slots a) k) as [q|]; [|discriminate].
  destruct (slot_at (array_slots a) q) as [x|] eqn:L; [|discriminate].
  destruct (preceding_position (array_slots a) k) as [r|]; [|discriminate].
  destruct (slot_at (array_slots a) r) as [y|] eqn:M; [|discriminate]. cbv zeta in E.
  eapply swap_remove_lengths; [|exact E]. cbn [array_slots]. apply all_fit_put; [assumption|].
  apply A in L, M. apply slot_fits_iff in L, M. apply slot_fits_iff. destruct L as (? & ? & ?), M as (? & ? & ?).
  split; [assumption|]. split; assumption.
Qed.

(** ** A block's changes *)

Definition fit_if_some (a : option Array) : Prop :=
  match a with
  | Some known => all_fit (array_slots known)
  | None => True
  end.

Lemma pass_lengths : forall (step : option Array -> Change -> option Array) changes start,
  changes_fit changes -> fit_if_some start ->
  (forall a c, fit_if_some a -> seq_length (change_key c) <= max_key_length p ->
     (forall v, change_after c = Some v -> seq_length v <= max_value_length p) -> fit_if_some (step a c)) ->
  fit_if_some (fold_left (fun a i => step a (seq_at changes i)) (range 0 (seq_length changes)) start).
Proof.
  intros step changes start C S H. rewrite loop_over_elements. revert start S.
  induction C as [|c changes [K V] C IH]; intros start S; [exact S|]. cbn [fold_left]. apply IH. apply H; assumption.
Qed.

Theorem apply_changes_lengths : forall a changes b,
  all_fit (array_slots a) -> changes_fit changes -> apply_changes a changes = Some b -> all_fit (array_slots b).
Proof.
  intros a changes b A C E. unfold apply_changes in E.
  assert (U : fit_if_some (apply_updates a changes)).
  { apply pass_lengths; [assumption|exact A|]. intros [known|] c K Hk Hv; [|exact I].
    cbn [apply_updates_step]. unfold apply_update. destruct (change_after c) as [v|] eqn:Ev; [|exact K].
    destruct (is_present (change_before c)); [|exact K].
    destruct (array_update known (change_key c) v) as [d|] eqn:Ed; [|exact I]. eapply update_lengths; [exact K|auto|exact Ed]. }
  destruct (apply_updates a changes) as [u|]; [|discriminate].
  assert (Is : fit_if_some (apply_inserts u changes)).
  { apply pass_lengths; [assumption|exact U|]. intros [known|] c K Hk Hv; [|exact I].
    cbn [apply_inserts_step]. unfold apply_insert. destruct (change_after c) as [v|] eqn:Ev; [|exact K].
    destruct (is_present (change_before c)); [exact K|].
    destruct (array_insert known (change_key c) v) as [d|] eqn:Ed; [|exact I].
    eapply insert_lengths; [exact K|exact Hk|auto|exact Ed]. }
  destruct (apply_inserts u changes) as [i|]; [|discriminate].
  assert (D : fit_if_some (apply_deletes i changes)).
  { apply pass_lengths; [assumption|exact Is|]. intros [known|] c K Hk Hv; [|exact I].
    cbn [apply_deletes_step]. unfold apply_delete. destruct (_ && _); [|exact K].
    destruct (array_delete known (change_key c)) as [d|] eqn:Ed; [|exact I]. eapply delete_lengths; [exact K|exact Ed]. }
  rewrite E in D. exact D.
Qed.

(** ** Genesis *)

Lemma empty_array_lengths : all_fit (array_slots empty_array).
Proof.
  intros q x L. unfold empty_array in L. cbn [array_slots] in L. apply live_put_slot in L.
  destruct L as [[_ ->]|[_ L]]; [|unfold live in L; rewrite slot_at_empty in L; discriminate].
  apply slot_fits_iff. unfold slot_lengths_good. change (seq_length (key lone_sentinel)) with 0.
  change (seq_length (next lone_sentinel)) with 0. change (seq_length (value lone_sentinel)) with 0. lia.
Qed.

Theorem genesis_lengths : forall entries, entries_legal p entries = true -> all_fit (array_slots (genesis_array entries)).
Proof.
  intros entries H. rewrite genesis_array_fold.
  assert (G : forall start a, fold_left (fun legal e => entries_legal_step legal p e) entries start = true ->
    all_fit (array_slots a) -> start = true /\ all_fit (array_slots (fold_left genesis_array_step entries a))).
  { clear H. induction entries as [|e entries IH]; intros start a L A; [auto|]. cbn [fold_left] in *.
    assert (L' : entries_legal_step start p e = true).
    { apply (IH _ a) in L; [|assumption]. apply L. }
    unfold entries_legal_step in L'. rewrite !andb_true_iff, !N.leb_le in L'. destruct L' as [[[S K0] K] V].
    split; [assumption|]. apply (IH (entries_legal_step start p e)); [assumption|].
    unfold genesis_array_step. destruct (array_insert a (entry_key e) (entry_value e)) as [b|] eqn:E; [|assumption].
    eapply insert_lengths; eassumption. }
  apply (G true empty_array); [|apply empty_array_lengths].
  unfold entries_legal in H. rewrite (loop_over_elements _ _ _ (fun legal e => entries_legal_step legal p e)) in H. exact H.
Qed.

(** ** Claims *)

Theorem honest_claims_lengths : forall setup a items c,
  well_formed a -> all_fit (array_slots a) -> In c (honest_claims setup a items) -> slot_fits p (claim_slot c) = true.
Proof. intros setup a items c W A I. destruct (honest_claims_true setup a W items c I) as [L _]. exact (A _ _ L). Qed.

(** What is true of a view that holds true slots only. *)
Theorem contained_lengths : forall view whole, contained view whole -> all_fit whole -> all_fit view.
Proof. intros view whole C A q x L. apply (A q). apply C. exact L. Qed.

End Lengths.
