(** A view of sound slots is sound: whatever of the claims and tail vectors is false, all that a validator knows fits.

    - [transaction_view_sound], [block_view_sound]: building the view does not panic; it has at most 2^63 positions, and all
      its slots are of short strings and of bytes. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis Dictionary.Writes
  Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View
  Block.Checks Block.Phases Dictionary.SlotMapSafe Dictionary.WritesSafe Dictionary.WindowSafe Block.TailSafe
  Block.ViewSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Safety.SlotMapSafe
  Spec.Block.Tail Spec.Block.Checks Lemmas.BlockChecks Safety.BoundsSafe Safety.PhasesSafe.
Import ListNotations.
Local Open Scope N_scope.

(** A loop whose turns are safe and keep what holds. *)
Lemma loop_keeps : forall B (P : N -> B -> Prop) (f : B -> N -> B) (safe : B -> N -> bool) count a,
  P 0 a -> (forall i acc, i < count -> P i acc -> safe acc i = true /\ P (i + 1) (f acc i)) ->
  loop_safe f safe (range 0 count) a = true /\ P count (fold_left f (range 0 count) a).
Proof.
  intros B P f safe count a H0 Hstep. split.
  - apply (loop_is_safe _ P); [exact H0|]. intros i acc Hi. apply Hstep. lia.
  - apply loop_invariant; [lia|exact H0|]. intros i acc Hi K. apply Hstep; [lia|exact K].
Qed.

(** At most 2^63 positions, and sound slots. *)
Definition sound_map (slots : SlotMap) : Prop := seq_length slots <= 2 ^ 63 /\ sound_slots slots.

Lemma half_of_all : forall x, x <= 2 ^ 63 -> x < 2 ^ 64.
Proof. intros x L. change (2 ^ 63) with 9223372036854775808 in L. change (2 ^ 64) with 18446744073709551616. lia. Qed.

Lemma sound_addressable : forall slots, sound_map slots -> addressable slots.
Proof. intros slots [L S]. split; [apply half_of_all, L|]. intros p x E. apply (S p x E). Qed.

Lemma sound_map_empty : sound_map empty_slot_map.
Proof. split; [rewrite seq_length_nil; lia|apply sound_empty]. Qed.

Lemma sound_map_put : forall slots p content,
  sound_map slots -> p < 2 ^ 63 -> (forall x, content = Some x -> sound_slot x) ->
  put_slot_safe slots p content = true /\ sound_map (put_slot slots p content).
Proof.
  intros slots p content [L S] Hp C. split; [apply put_slot_never_panics, half_of_all, L|]. split.
  - change (seq_length (put_slot slots p content)) with (slot_map_end (put_slot slots p content)).
    rewrite slot_map_end_put_slot. unfold slot_map_end. lia.
  - intros q x E. unfold live in E. rewrite slot_at_put_slot in E. destruct (q =? p); [auto|]. exact (S q x E).
Qed.

Section View.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Claims *)

(** A claim below position 2^63, of a sound slot. *)
Definition claim_bounded (c : Claim) : Prop := claim_position c < 2 ^ 63 /\ sound_slot (claim_slot c).

Lemma lay_claims_sound : forall below items,
  sound_map below -> (forall c, In c items -> claim_bounded c) ->
  lay_claims_safe below items = true /\ sound_map (lay_claims below items).
Proof.
  intros below items B C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i slots Hi S.
  destruct (C (seq_at items i) (seq_at_in _ _ items i Hi)) as [P G]. apply N.ltb_lt in Hi. rewrite Hi.
  apply sound_map_put; [assumption|assumption|]. intros x E. injection E as <-. exact G.
Qed.

Lemma lay_block_claims_sound : forall below items,
  sound_map below -> (forall tx c, In tx items -> In c (claims tx) -> claim_bounded c) ->
  lay_block_claims_safe below items = true /\ sound_map (lay_block_claims below items).
Proof.
  intros below items B C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i slots Hi S.
  pose proof (seq_at_in _ _ items i Hi) as I. apply N.ltb_lt in Hi. rewrite Hi.
  apply lay_claims_sound; [assumption|]. intros c. apply C. exact I.
Qed.

(** ** The tail *)

Lemma lay_slots_sound : forall below start slots,
  sound_map below -> start + seq_length slots <= 2 ^ 63 -> (forall x, In x slots -> sound_slot x) ->
  lay_slots_safe below start slots = true /\ sound_map (lay_slots below start slots).
Proof.
  intros below start slots B L C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i laid Hi S.
  assert (G : sound_slot (seq_at slots i)) by (apply C, seq_at_in; assumption).
  assert (W : within_usize (start + i) = true) by (apply N.ltb_lt, half_of_all; lia).
  pose proof Hi as Lt. apply N.ltb_lt in Lt. rewrite Lt, W. apply sound_map_put; [assumption|lia|].
  intros x E. injection E as <-. exact G.
Qed.

Lemma lay_tail_vectors_sound : forall below start n vectors,
  sound_map below -> 1 <= n -> (exists k, start = n * k) -> start <= 2 ^ 63 ->
  (forall i, i < seq_length vectors -> seq_length (seq_at vectors i) = n) ->
  (forall vector x, In vector vectors -> In x vector -> sound_slot x) ->
  lay_tail_vectors_safe below start n vectors = true /\ sound_map (lay_tail_vectors below start n vectors).
Proof.
  intros below start n vectors B Hn M L Len C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i laid Hi S.
  unfold lay_tail_vector_safe, lay_tail_vector. rewrite tail_vector_number_never_panics by assumption.
  pose proof (tail_vector_number_spec start n i Hn M) as T. destruct (tail_vector_number start n i) as [number|]; [|auto].
  assert (W : within_usize (number * n) = true) by (apply N.ltb_lt, half_of_all; lia).
  pose proof Hi as Lt. apply N.ltb_lt in Lt. rewrite Lt, W. apply lay_slots_sound; [assumption| |].
  - rewrite Len by assumption. nia.
  - intros x. apply C, seq_at_in. assumption.
Qed.

(** ** The state *)

Lemma lay_writes_sound : forall below writes,
  sound_map below -> (forall w, In w writes -> write_bounded w) ->
  lay_writes_safe below writes = true /\ sound_map (lay_writes below writes).
Proof.
  intros below writes B C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i slots Hi S.
  destruct (C (seq_at writes i) (seq_at_in _ _ writes i Hi)) as [P G]. apply N.ltb_lt in Hi. rewrite Hi.
  apply sound_map_put; assumption.
Qed.

Lemma lay_window_sound : forall below kept,
  sound_map below -> (forall r, In r kept -> record_bounded r) ->
  lay_window_safe below kept = true /\ sound_map (lay_window below kept).
Proof.
  intros below kept B C. apply (loop_keeps _ (fun _ => sound_map)); [exact B|]. intros i slots Hi S.
  destruct (C (seq_at kept i) (seq_at_in _ _ kept i Hi)) as [_ G]. apply N.ltb_lt in Hi. rewrite Hi.
  apply lay_writes_sound; assumption.
Qed.

Variables (setup : Setup) (state : ValidatorState).
Hypothesis bounds : state_bounded setup state.

Lemma lay_state_sound : forall below, sound_map below ->
  lay_state_safe below state = true /\ sound_map (lay_state below state).
Proof.
  intros below B. unfold lay_state_safe, lay_state.
  destruct (lay_slots_sound below (tail_start state) (tail state) B) as [-> S].
  - pose proof (bounded_tail _ _ bounds). lia.
  - exact (bounded_tail_slots _ _ bounds).
  - apply lay_window_sound; [exact S|exact (bounded_window _ _ bounds)].
Qed.

(** ** Claims that passed phases 4 and 5 *)

Lemma size_at_bounded : forall v s, size_at (window state) (version state) (size state) v = Some s -> s < 2 ^ 63.
Proof.
  intros v s E. unfold size_at in E. destruct (v =? version state).
  - injection E as <-. exact (bounded_size _ _ bounds).
  - destruct (record_after (window state) (version state) v) as [i|] eqn:R; [|discriminate]. injection E as <-.
    apply WindowSafe.record_after_in_range in R. apply (bounded_window _ _ bounds). apply seq_at_in. exact R.
Qed.

Lemma lengths_sound : forall x, slot_lengths_good (parameters state) x -> of_bytes (value x) -> sound_slot x.
Proof.
  intros x L B. split; [|assumption]. apply (good_lengths_short (parameters state)); [|assumption].
  exact (bounded_parameters _ _ bounds).
Qed.

Lemma checked_claims : forall tx c,
  transaction_of_bytes tx -> shape_good (parameters state) tx -> positions_good state tx -> In c (claims tx) ->
  claim_bounded c.
Proof.
  intros tx c [_ B] (_ & _ & S & _) P I. split.
  - destruct (P c I) as (s & E & L). apply size_at_bounded in E. lia.
  - apply lengths_sound; [apply (S c I)|apply B, I].
Qed.

Theorem transaction_view_sound : forall tx,
  transaction_of_bytes tx -> shape_good (parameters state) tx -> positions_good state tx ->
  transaction_view_safe state tx = true /\ sound_map (transaction_view state tx).
Proof.
  intros tx B S P. unfold transaction_view_safe, transaction_view.
  destruct (lay_claims_sound empty_slot_map (claims tx) sound_map_empty) as [-> G].
  - intros c. apply checked_claims; assumption.
  - apply lay_state_sound. exact G.
Qed.

Theorem block_view_sound : forall block,
  block_of_bytes block -> phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  phase_tail setup state block = Ok tt ->
  block_view_safe state block = true /\ sound_map (block_view state block).
Proof.
  intros block [Bt Bv] S P T. rewrite phase_shape_ok in S. rewrite phase_position_ok in P. rewrite phase_tail_ok in T. destruct T as [_ T].
  destruct (legal_bounds _ (bounded_parameters _ _ bounds)) as ([V _] & _).
  unfold block_view_safe, block_view. cbv zeta.
  destruct (lay_tail_vectors_sound empty_slot_map (tail_start state) (vector_size (parameters state)) (tail_vectors block)
    sound_map_empty V (bounded_tail_start _ _ bounds)) as [-> G1].
  - pose proof (bounded_tail _ _ bounds). lia.
  - intros i Hi. destruct (T i Hi) as (number & _ & L & _). exact L.
  - intros vector x I J. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). destruct (T i Hi) as (number & _ & _ & L & _).
    apply lengths_sound; [apply L, J|apply (Bv _ x I J)].
  - destruct (lay_block_claims_sound _ (transactions block) G1) as [-> G2].
    + intros tx c I J. apply (checked_claims tx); auto.
    + apply lay_state_sound. exact G2.
Qed.

End View.
