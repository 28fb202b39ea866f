(** Reading a genesis and starting from it never panic.

    - [genesis_legal_never_panics]: whatever the parameters are, for keys shorter than 2^32 bytes;
    - [genesis_state_never_panics]: for a legal genesis of fewer than 2^62 entries;
    - [genesis_array_fits]: the array of version 0 fits, and its values are of bytes when those of the entries are;
    - [apply_changes_of_bytes]: values of bytes stay so. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Genesis
  Dictionary.Changes Dictionary.Vectors Block.Tail Block.State Base.BytesSafe Dictionary.SlotMapSafe
  Dictionary.ArraySafe Dictionary.KeyMapSafe Commitment.SchemeSafe Dictionary.GenesisSafe
  Dictionary.VectorsSafe Block.TailSafe Block.StateSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.ChangeMaps
  Lemmas.VectorLemmas Spec.Dictionary.Genesis Lemmas.Lengths Safety.SlotMapSafe Safety.DictionarySafe
  Safety.WindowSafe Safety.AlgebraSafe Safety.BoundsSafe Safety.PhasesSafe Safety.ViewBoundsSafe
  Safety.RunSafe Safety.ApplySafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** Values of bytes *)

(** All values in the map are of bytes. *)
Definition values_of_bytes (slots : SlotMap) : Prop := forall p x, live slots p x -> of_bytes (value x).

Lemma values_put : forall slots p x, values_of_bytes slots -> of_bytes (value x) -> values_of_bytes (put_slot slots p (Some x)).
Proof.
  intros slots p x V B q y L. apply live_put_slot in L. destruct L as [[_ ->]|[_ L]]; [assumption|]. exact (V q y L).
Qed.

Lemma insert_of_bytes : forall a k v b,
  values_of_bytes (array_slots a) -> of_bytes v -> array_insert a k v = Some b -> values_of_bytes (array_slots b).
Proof.
  intros a k v b A V E. unfold array_insert in E. destruct (covering_position (array_slots a) k) as [q|]; [|discriminate].
  destruct (slot_at (array_slots a) q) as [x|] eqn:L; [|discriminate]. cbv zeta in E. injection E as <-. cbn [array_slots].
  apply values_put; [|assumption]. apply values_put; [assumption|]. exact (A q x L).
Qed.

Lemma delete_of_bytes : forall a k b,
  values_of_bytes (array_slots a) -> array_delete a k = Some b -> values_of_bytes (array_slots b).
Proof.
  intros a k b A E. unfold array_delete in E. destruct (covering_position (array_slots a) k) as [q|]; [|discriminate].
  destruct (slot_at (array_slots a) q) as [x|]; [|discriminate].
  destruct (preceding_position (array_slots a) k) as [r|]; [|discriminate].
  destruct (slot_at (array_slots a) r) as [y|] eqn:M; [|discriminate]. unfold swap_remove in E. cbv zeta in E.
  cbn [array_slots array_size] in E.
  assert (U : values_of_bytes (put_slot (array_slots a) r (Some (with_next y (next x)))))
    by (apply values_put; [assumption|exact (A r y M)]).
  match type of E with context [slot_at ?slots ?p] => destruct (slot_at slots p) as [z|] eqn:L; [|discriminate] end.
  injection E as <-. cbn [array_slots]. intros p w Lw. apply live_remove_slot in Lw. destruct Lw as [_ Lw]. revert p w Lw.
  apply values_put; [exact U|]. exact (U _ z L).
Qed.

(** What holds of an array, if there is one. *)
Definition of_bytes_if_some (a : option Array) : Prop :=
  match a with
  | Some known => values_of_bytes (array_slots known)
  | None => True
  end.

Lemma pass_of_bytes : forall (step : option Array -> Change -> option Array) changes start,
  Forall (fun c => content_of_bytes (change_after c)) changes -> of_bytes_if_some start ->
  (forall a c, of_bytes_if_some a -> content_of_bytes (change_after c) -> of_bytes_if_some (step a c)) ->
  of_bytes_if_some (fold_left (fun a i => step a (seq_at changes i)) (range 0 (seq_length changes)) start).
Proof.
  intros step changes start C S H. rewrite loop_over_elements. revert start S.
  induction C as [|c changes B C IH]; intros start S; [exact S|]. cbn [fold_left]. apply IH, H; assumption.
Qed.

Theorem apply_changes_of_bytes : forall a changes b,
  values_of_bytes (array_slots a) -> Forall (fun c => content_of_bytes (change_after c)) changes ->
  apply_changes a changes = Some b -> values_of_bytes (array_slots b).
Proof.
  intros a changes b A C E. unfold apply_changes in E.
  assert (U : of_bytes_if_some (apply_updates a changes)).
  { apply pass_of_bytes; [assumption|exact A|]. intros [known|] c K Hv; [|exact I].
    cbn [apply_updates_step]. unfold apply_update. destruct (change_after c) as [v|]; [|exact K].
    destruct (is_present (change_before c)); [|exact K]. unfold array_update.
    destruct (covering_position (array_slots known) (change_key c)) as [q|]; [|exact I].
    destruct (slot_at (array_slots known) q); [|exact I]. apply values_put; [exact K|]. apply Hv. reflexivity. }
  destruct (apply_updates a changes) as [u|]; [|discriminate].
  assert (Is : of_bytes_if_some (apply_inserts u changes)).
  { apply pass_of_bytes; [assumption|exact U|]. intros [known|] c K Hv; [|exact I].
    cbn [apply_inserts_step]. unfold apply_insert. destruct (change_after c) as [v|]; [|exact K].
    destruct (is_present (change_before c)); [exact K|].
    destruct (array_insert known (change_key c) v) as [d|] eqn:Ed; [|exact I].
    eapply insert_of_bytes; [exact K|apply Hv; reflexivity|exact Ed]. }
  destruct (apply_inserts u changes) as [i|]; [|discriminate].
  assert (D : of_bytes_if_some (apply_deletes i changes)).
  { apply pass_of_bytes; [assumption|exact Is|]. intros [known|] c K Hv; [|exact I].
    cbn [apply_deletes_step]. unfold apply_delete. destruct (_ && _); [|exact K].
    destruct (array_delete known (change_key c)) as [d|] eqn:Ed; [|exact I]. eapply delete_of_bytes; [exact K|exact Ed]. }
  rewrite E in D. exact D.
Qed.

(** ** Genesis *)

Section Genesis.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The first values are of bytes. *)
Definition genesis_of_bytes (genesis : Genesis) : Prop :=
  forall e, In e (genesis_entries genesis) -> of_bytes (entry_value e).

Lemma lengths_legal_never_panics : forall p, layout_legal p && counts_legal p = true -> lengths_legal_safe p = true.
Proof.
  intros p E. unfold layout_legal, counts_legal, fits_u16 in E. rewrite !andb_true_iff, !N.leb_le, N.eqb_eq in E.
  assert (V : 1 <= vector_size p <= 4096).
  { split; [tauto|]. assert (D : MAX_VECTOR_SIZE mod vector_size p = 0) by tauto. apply N.mod_divide in D; [|lia].
    apply N.divide_pos_le in D; [exact D|reflexivity]. }
  assert (B : max_key_length p <= 255 /\ max_value_length p <= 1024 /\ transaction_operations p <= 65535) by tauto. clear E.
  assert (T : widest_tail p <= 69631).
  { unfold widest_tail. rewrite N.mul_comm.
    pose proof (N.mul_div_le (transaction_operations p + vector_size p - 1) (vector_size p) ltac:(lia)). lia. }
  unfold lengths_legal_safe, widest_tail_safe, within_usize, fits_u32. cbv zeta. fold (widest_tail p).
  change (2 ^ 64) with 18446744073709551616.
  rewrite !andb_true_iff, !N.ltb_lt. repeat split; try lia. destruct (_ && _) eqn:L; [|reflexivity].
  rewrite !andb_true_iff, !N.leb_le in L. rewrite !andb_true_iff, !N.ltb_lt, N.leb_le, negb_true_iff, N.eqb_neq.
  assert (P : widest_tail p * (6 + (2 * max_key_length p + max_value_length p)) <= 69631 * 1540) by (apply N.mul_le_mono; lia).
  repeat split; lia.
Qed.

Theorem genesis_legal_never_panics : forall genesis,
  (forall e, In e (genesis_entries genesis) -> short (entry_key e)) -> genesis_legal_safe genesis = true.
Proof.
  intros genesis K. unfold genesis_legal_safe. rewrite !andb_true_iff. split; [split|].
  - unfold parameters_legal_safe. apply andb_true_iff. split.
    + unfold layout_legal_safe. destruct (_ && _) eqn:E; [|reflexivity]. rewrite !andb_true_iff, N.leb_le in E.
      apply negb_true_iff, N.eqb_neq. lia.
    + destruct (layout_legal _ && counts_legal _) eqn:E; [|reflexivity]. set (p := genesis_parameters genesis) in *.
      apply lengths_legal_never_panics. exact E.
  - destruct (_ && _); [|reflexivity]. unfold key_map_ascends_safe. each_check Hi. unfold key_map_ascends_step_safe.
    destruct (N.ltb_spec 0 i); [|reflexivity]. destruct checked; [|reflexivity].
    rewrite !andb_true_iff, N.leb_le, !N.ltb_lt. repeat split; try lia.
    apply bytes_less_never_panics, K, seq_at_in. lia.
  - destruct (_ && _); [|reflexivity]. unfold entries_legal_safe. each_check Hi. apply N.ltb_lt. lia.
Qed.

Variable genesis : Genesis.
Hypothesis legal : genesis_legal genesis = true.

Lemma legal_parameters : parameters_legal (genesis_parameters genesis) = true.
Proof. unfold genesis_legal in legal. rewrite !andb_true_iff in legal. apply legal. Qed.

Lemma legal_entry : forall e, In e (genesis_entries genesis) -> short (entry_key e) /\ short (entry_value e).
Proof.
  intros e I. pose proof legal_parameters as L. unfold genesis_legal in legal. rewrite !andb_true_iff in legal.
  destruct legal as [_ E]. unfold entries_legal in E.
  rewrite (loop_over_elements _ _ _ (fun legal e => entries_legal_step legal _ e)) in E.
  assert (G : forall l start, fold_left (fun legal e => entries_legal_step legal (genesis_parameters genesis) e) l start = true ->
    start = true /\ forall e, In e l -> seq_length (entry_key e) <= max_key_length (genesis_parameters genesis) /\
      seq_length (entry_value e) <= max_value_length (genesis_parameters genesis)).
  { induction l as [|x l IH]; intros start H; cbn [fold_left] in H; [split; [exact H|intros d []]|].
    destruct (IH _ H) as [S T]. unfold entries_legal_step in S. rewrite !andb_true_iff, !N.leb_le in S.
    split; [tauto|]. intros d [<-|J]; [tauto|apply T; exact J]. }
  destruct (G _ _ E) as [_ T]. destruct (T e I). split; eapply legal_short; eauto.
Qed.

Theorem genesis_array_fits : forall room,
  1 + seq_length (genesis_entries genesis) + room < 2 ^ 64 ->
  genesis_array_safe (genesis_entries genesis) = true /\ fits room (genesis_array (genesis_entries genesis)).
Proof.
  intros room B. set (count := seq_length (genesis_entries genesis)) in *.
  assert (R : genesis_array_safe (genesis_entries genesis) = true /\
    fits (room + (count - count)) (genesis_array (genesis_entries genesis))).
  { unfold genesis_array_safe. change empty_array_safe with true. cbn [andb].
    apply (loop_keeps _ (fun i a => fits (room + (count - i)) a)).
    - split; [cbn [empty_array array_size]; lia|]. split; [reflexivity|]. intros p x L.
      unfold empty_array in L. cbn [array_slots] in L. apply live_put_slot in L. destruct L as [[_ ->]|[_ L]]; [|].
      + repeat split.
      + unfold live in L. rewrite slot_at_empty in L. discriminate.
    - intros i a Hi Fa. destruct (legal_entry _ (seq_at_in _ _ _ i Hi)) as [Sk Sv].
      set (e := seq_at (genesis_entries genesis) i) in *. pose proof Hi as Li. apply N.ltb_lt in Li. unfold count in Li. rewrite Li. cbn [andb].
      assert (Fr : fits (room + (count - (i + 1)) + 1) a) by (eapply fits_less; [|exact Fa]; fold count in Hi; lia).
      split; [apply array_insert_never_panics; [eapply fits_less; [|exact Fr]; lia|exact Sk]|].
      unfold genesis_array_step. destruct (array_insert a (entry_key e) (entry_value e)) as [b|] eqn:E.
      + apply (insert_fits _ a _ _ b Fr Sk Sv E).
      + eapply fits_less; [|exact Fr]. lia. }
  destruct R as [S R]. split; [exact S|]. eapply fits_less; [|exact R]. lia.
Qed.

Theorem genesis_array_of_bytes : genesis_of_bytes genesis ->
  values_of_bytes (array_slots (genesis_array (genesis_entries genesis))).
Proof.
  intros B. rewrite genesis_array_fold. unfold genesis_of_bytes in B. revert B.
  assert (S : values_of_bytes (array_slots empty_array)).
  { intros p x L. unfold empty_array in L. cbn [array_slots] in L. apply live_put_slot in L.
    destruct L as [[_ ->]|[_ L]]; [constructor|]. unfold live in L. rewrite slot_at_empty in L. discriminate. }
  revert S. generalize empty_array as a.
  induction (genesis_entries genesis) as [|e entries IH]; intros a S B; [exact S|]. cbn [fold_left]. apply IH.
  - unfold genesis_array_step. destruct (array_insert _ _ _) as [b|] eqn:E; [|exact S].
    eapply insert_of_bytes; [exact S|apply B; left; reflexivity|exact E].
  - intros d I. apply B. right. exact I.
Qed.

Theorem genesis_state_never_panics : forall setup,
  setup_vector_size setup = vector_size (genesis_parameters genesis) ->
  seq_length (genesis_entries genesis) < 2 ^ 62 -> genesis_state_safe setup genesis = true.
Proof.
  intros setup E B. pose proof legal_parameters as L. destruct (legal_bounds _ L) as ([V V'] & _).
  change (2 ^ 62) with 4611686018427387904 in B.
  assert (B64 : forall x, x < 4611686018427387904 + 5000 -> x < 2 ^ 64).
  { intros x H. change (2 ^ 64) with 18446744073709551616. lia. }
  destruct (genesis_legal_entries genesis legal) as [G _].
  destruct (genesis_array_well_formed _ G) as [_ Z].
  destruct (genesis_array_fits 0) as [S _]; [apply B64; lia|].
  unfold genesis_state_safe. cbv zeta. rewrite S, Z. cbn [andb]. set (n := vector_size (genesis_parameters genesis)) in *.
  rewrite tail_floor_never_panics by (assumption || apply B64; lia). cbn [andb]. apply andb_true_iff. split.
  - unfold id_of_dictionary_safe, identity_bytes_safe, content_digest_safe, encode_entries_safe. each_check Hi. apply N.ltb_lt. lia.
  - unfold array_commitments_safe. rewrite Z.
    assert (C : 1 + seq_length (genesis_entries genesis) + n < 2 ^ 64) by (apply B64; lia).
    rewrite (proj1 (vector_count_never_panics _ n V C)). cbn [andb].
    each_check Hv. unfold array_commitments_step_safe. destruct Hv as [_ Hv]. apply (below_vector_count _ _ n V) in Hv.
    rewrite vector_scalars_never_panics by (apply B64; lia). apply commit_never_panics.
    eapply legal_small; [exact L|exact E].
Qed.

End Genesis.
