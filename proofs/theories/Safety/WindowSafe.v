(** The maps of keys, the writes and the window never leave the range of their integers or sequences.

    - [key_map_get_never_panics], [key_map_put_never_panics];
    - [writes_between_never_panics], [lay_writes_never_panics];
    - [record_after_in_range], [size_at_never_panics], [is_current_never_panics], [commitment_at_never_panics],
      [lay_window_never_panics], [previous_commitments_never_panics], [slide_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.KeyMap Dictionary.Writes Dictionary.Vectors Dictionary.Window Base.BytesSafe Dictionary.SlotSafe
  Dictionary.SlotMapSafe Dictionary.KeyMapSafe Dictionary.WritesSafe Dictionary.VectorsSafe
  Dictionary.WindowSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Safety.SlotMapSafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** Maps of keys *)

(** All keys of the map are short. *)
Definition short_keys (entries : KeyMap) : Prop := Forall (fun e => short (entry_key e)) entries.

Lemma short_keys_at : forall entries i, short_keys entries -> i < seq_length entries -> short (entry_key (seq_at entries i)).
Proof. intros entries i S Hi. unfold short_keys in S. rewrite Forall_forall in S. apply S, seq_at_in, Hi. Qed.

Theorem key_map_get_never_panics : forall entries k, short_keys entries -> key_map_get_safe entries k = true.
Proof.
  intros entries k S. unfold key_map_get_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun found e => key_map_get_step_safe found e k)); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply bytes_equal_never_panics. apply short_keys_at; assumption.
Qed.

Theorem key_map_put_never_panics : forall entries k content,
  short_keys entries -> short k -> key_map_put_safe entries k content = true.
Proof.
  intros entries k content S Sk. unfold key_map_put_safe. apply andb_true_iff. split.
  - unfold entries_below_safe.
    apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun acc e => entries_below_step_safe acc e k)); [exact I|].
    intros i acc Hi _. split; [|exact I]. apply bytes_less_never_panics. apply short_keys_at; assumption.
  - unfold entries_above_safe.
    apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun acc e => entries_above_step_safe acc e k)); [exact I|].
    intros i acc Hi _. split; [|exact I]. apply bytes_less_never_panics. assumption.
Qed.

Section Window.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Writes *)

(** The positions written fit into 64 bits, with the one after them. *)
Definition positions_fit (writes : list Write) : Prop := Forall (fun w => write_position w + 1 < 2 ^ 64) writes.

Theorem writes_between_never_panics : forall before after, addressable before -> writes_between_safe before after = true.
Proof.
  intros before after A. unfold writes_between_safe. cbv zeta.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros p acc _ _. split; [|exact I].
  apply slot_contents_equal_never_panics. intros x E. exact (proj2 A p x E).
Qed.

Lemma put_slot_bounded : forall slots p content,
  seq_length slots < 2 ^ 64 -> p + 1 < 2 ^ 64 -> seq_length (put_slot slots p content) < 2 ^ 64.
Proof.
  intros slots p content B Hp. change (seq_length (put_slot slots p content)) with (slot_map_end (put_slot slots p content)).
  rewrite slot_map_end_put_slot. unfold slot_map_end. lia.
Qed.

Lemma lay_writes_bounded : forall below writes, seq_length below < 2 ^ 64 -> positions_fit writes ->
  lay_writes_safe below writes = true /\ seq_length (lay_writes below writes) < 2 ^ 64.
Proof.
  intros below writes B P. unfold positions_fit in P. rewrite Forall_forall in P.
  assert (Turn : forall i slots, i < seq_length writes -> seq_length slots < 2 ^ 64 ->
    lay_writes_step_safe slots (seq_at writes i) = true /\ seq_length (lay_writes_step slots (seq_at writes i)) < 2 ^ 64).
  { intros i slots Hi Bs. split; [apply put_slot_never_panics; assumption|].
    apply put_slot_bounded; [assumption|]. apply P, seq_at_in. assumption. }
  split.
  - apply (loop_over_elements_safe _ _ _ (fun slots => seq_length slots < 2 ^ 64) _ lay_writes_step_safe); [exact B|exact Turn].
  - unfold lay_writes. apply (loop_invariant _ (fun _ slots => seq_length slots < 2 ^ 64)); [lia|exact B|].
    intros i slots Hi Bs. apply Turn; [lia|assumption].
Qed.

Theorem lay_writes_never_panics : forall below writes,
  seq_length below < 2 ^ 64 -> positions_fit writes -> lay_writes_safe below writes = true.
Proof. intros. apply lay_writes_bounded; assumption. Qed.

(** ** The window *)

(** The place that is found lies in the window. *)
Theorem record_after_in_range : forall kept t v i, record_after kept t v = Some i -> i < seq_length kept.
Proof.
  intros kept t v i E. unfold record_after in E. destruct (N.ltb_spec v t); [|discriminate].
  destruct (N.leb_spec (t - v) (seq_length kept)); [|discriminate]. cbn [andb] in E. injection E as <-. lia.
Qed.

Theorem size_at_never_panics : forall kept t s v, size_at_safe kept t s v = true.
Proof.
  intros kept t s v. unfold size_at_safe. destruct (v =? t); [reflexivity|].
  destruct (record_after kept t v) as [i|] eqn:E; [|reflexivity]. apply N.ltb_lt. eapply record_after_in_range; exact E.
Qed.

Theorem is_written_never_panics : forall (writes : list Write) p, is_written_safe writes p = true.
Proof.
  intros writes p. unfold is_written_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply N.ltb_lt. lia.
Qed.

Theorem is_current_never_panics : forall kept t v p, is_current_safe kept t v p = true.
Proof.
  intros kept t v p. unfold is_current_safe. cbv zeta. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
  intros i acc Hi _. split; [|exact I]. destruct (N.ltb_spec i (seq_length kept)); [|lia]. cbn [andb].
  unfold is_current_step_safe. destruct acc; [apply is_written_never_panics|reflexivity].
Qed.

Theorem commitment_at_never_panics : forall kept commitments_now t v vector,
  commitment_at_safe kept commitments_now t v vector = true.
Proof.
  intros kept commitments_now t v vector. unfold commitment_at_safe. cbv zeta.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
  unfold commitment_at_step_safe. destruct (N.ltb_spec i (seq_length kept)); [|reflexivity].
  rewrite !andb_true_iff, !N.leb_le, N.ltb_lt. split; [lia|].
  unfold commitment_before_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
  intros j c Hj _. split; [|exact I]. apply N.ltb_lt. lia.
Qed.

Theorem lay_window_never_panics : forall below kept,
  seq_length below < 2 ^ 64 -> Forall (fun r => positions_fit (record_writes r)) kept -> lay_window_safe below kept = true.
Proof.
  intros below kept B P. rewrite Forall_forall in P. unfold lay_window_safe.
  apply (loop_over_elements_safe _ _ _ (fun slots => seq_length slots < 2 ^ 64) _ lay_window_step_safe); [exact B|].
  intros i slots Hi Bs. apply lay_writes_bounded; [assumption|]. apply P, seq_at_in. assumption.
Qed.

Theorem previous_commitments_never_panics : forall commitments_now n writes,
  1 <= n -> previous_commitments_safe commitments_now n writes = true.
Proof.
  intros commitments_now n writes Hn. unfold previous_commitments_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _
    (fun previous w => previous_commitments_step_safe previous commitments_now n w)); [exact I|].
  intros i previous Hi _. split; [|exact I]. unfold previous_commitments_step_safe, vector_of_safe. cbv zeta.
  destruct (N.eqb_spec n 0); [lia|]. cbn [negb andb]. unfold last_is_vector_safe.
  destruct (N.ltb_spec 0 (seq_length previous)); [|reflexivity]. rewrite andb_true_iff, N.leb_le, N.ltb_lt. lia.
Qed.

Theorem slide_never_panics : forall kept count record, slide_safe kept count record = true.
Proof.
  intros kept count record. unfold slide_safe. cbv zeta.
  destruct (N.ltb_spec count (seq_length (kept ++ [record]))); [|reflexivity]. apply N.leb_le. lia.
Qed.

End Window.
