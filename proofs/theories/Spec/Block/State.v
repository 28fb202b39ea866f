(** A validator's state is that of the history of whole arrays.

    - [genesis_state_honest]: it is so at version 0;
    - [advance_honest]: one more version keeps it so, and what a validator computes from what it knows of the arrays is what
      it would compute from the whole arrays: provided it knows the positions that change, and the new tail. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Dictionary.Genesis Commitment.Opening Commitment.Scheme Dictionary.Writes
  Dictionary.Vectors Dictionary.Window Block.Tail Block.State Block.BlockData Block.Transaction Block.Checks
  Block.Execution Block.Phases Block.Validator.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas
  Lemmas.ChangeMaps Spec.Dictionary.Genesis Spec.Dictionary.Writes Spec.Block.Tail Lemmas.History
  Spec.Dictionary.Window Spec.Dictionary.Vectors.
Import ListNotations.
Local Open Scope N_scope.

Section State.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Lemma array_at_append_old : forall (h : History) a v, v < seq_length h -> array_at (h ++ [a]) v = array_at h v.
Proof.
  intros h a v H. unfold array_at. rewrite seq_at_app. apply N.ltb_lt in H. rewrite H. reflexivity.
Qed.

Lemma latest_append : forall (h : History) a, latest (h ++ [a]) = a.
Proof.
  intros h a. unfold latest, array_at, now. rewrite seq_length_app, seq_at_app. change (seq_length [a]) with 1.
  replace (seq_length h + 1 - 1) with (seq_length h) by lia. rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
Qed.

Lemma now_append : forall (h : History) a, h <> [] -> now (h ++ [a]) = now h + 1.
Proof.
  intros [|b h] a N; [contradiction|]. unfold now. rewrite seq_length_app, seq_length_cons. change (seq_length [a]) with 1. lia.
Qed.

Lemma array_at_good : forall h v, good_history h -> v <= now h -> well_formed (array_at h v).
Proof.
  intros h v [N W] H. rewrite Forall_forall in W. apply W. unfold array_at. apply seq_at_in. unfold now in H.
  destruct h as [|a h]; [contradiction|]. rewrite seq_length_cons in *. lia.
Qed.

Lemma latest_good : forall h, good_history h -> well_formed (latest h).
Proof. intros h H. apply array_at_good; [assumption|lia]. Qed.

Lemma good_history_append : forall h a, good_history h -> well_formed a -> good_history (h ++ [a]).
Proof.
  intros h a [N W] G. split; [destruct h; discriminate|]. apply Forall_app. split; [assumption|]. constructor; [assumption|constructor].
Qed.

(** The tail that is cut from a whole array. *)
Lemma slots_from_tail : forall n a start,
  1 <= n -> dense a -> (exists k, start = n * k) -> start <= array_size a -> tail_floor (array_size a) n <= start ->
  exists taken, slots_from (array_slots a) start (array_size a) = Some taken /\ tail_of_array n a start taken.
Proof.
  intros n a start Hn D M L Fl. destruct (slots_from_some (array_slots a) start (array_size a)) as [taken E].
  - intros p Hp. destruct (dense_live a p D) as [x Lx]; [lia|]. unfold live in Lx. congruence.
  - exists taken. split; [assumption|]. pose proof (slots_from_spec (array_slots a) start (array_size a)) as S.
    rewrite E in S. destruct S as [Sl Sc]. repeat split; assumption.
Qed.

Theorem genesis_state_honest : forall setup genesis,
  good_entries (genesis_entries genesis) -> 1 <= vector_size (genesis_parameters genesis) ->
  honest_state setup [genesis_array (genesis_entries genesis)] (genesis_state setup genesis).
Proof.
  intros setup genesis G Hn. destruct (genesis_array_well_formed _ G) as [W _].
  set (a := genesis_array (genesis_entries genesis)) in *. set (n := vector_size (genesis_parameters genesis)) in *.
  constructor; try reflexivity.
  - split; [discriminate|]. constructor; [assumption|constructor].
  - exact Hn.
  - apply empty_window.
  - change (latest [a]) with a. destruct (tail_floor_spec (array_size a) n Hn) as [M L].
    destruct (slots_from_tail n a (tail_floor (array_size a) n) Hn (proj1 W) M L (N.le_refl _)) as (taken & E & T).
    cbn [genesis_state tail tail_start parameters]. fold a n. unfold whole_tail. rewrite E. exact T.
Qed.

Theorem advance_honest : forall setup h state a before after remembered,
  Scheme.well_made setup -> setup_vector_size setup = vector_size (parameters state) ->
  honest_state setup h state -> well_formed a ->
  array_size after = array_size a ->
  (forall p, slot_at (array_slots (latest h)) p <> slot_at (array_slots a) p ->
     slot_at before p = slot_at (array_slots (latest h)) p) ->
  (forall p, tail_start_after (tail_start state) (array_size a) (vector_size (parameters state)) <= p < array_size a ->
     slot_at (array_slots after) p = slot_at (array_slots a) p) ->
  let writes := writes_between (array_slots (latest h)) (array_slots a) in
  exists state',
    advance setup state before after writes remembered = Some state' /\
    advance setup state (array_slots (latest h)) a writes remembered = Some state' /\
    honest_state setup (h ++ [a]) state'.
Proof.
  intros setup h state a before after remembered Made Sized Honest W Sz Kb Ka writes.
  destruct Honest as [Hh Hn Hv Hs Hc Hw Ht].
  set (n := vector_size (parameters state)) in *. destruct Ht as (M & Lt & Fl & _).
  destruct (tail_start_after_spec (tail_start state) (array_size a) n Hn M) as (M' & L' & Fl' & _).
  set (start := tail_start_after (tail_start state) (array_size a) n) in *.
  destruct (slots_from_tail n a start Hn (proj1 W) M' L' Fl') as (taken & E & T).
  pose proof (latest_good h Hh) as Wl.
  assert (C : forall before', (forall p, slot_at (array_slots (latest h)) p <> slot_at (array_slots a) p ->
      slot_at before' p = slot_at (array_slots (latest h)) p) ->
    updated_commitments setup n (commitments state) before' writes (array_size a) = array_commitments setup n a).
  { intros before' K. rewrite Hc. apply updated_commitments_correct; try assumption; [apply Wl|apply W]. }
  assert (R : record_between setup n (latest h) a =
    {| record_writes := writes; record_size := size state;
       record_commitments := previous_commitments (commitments state) n writes |}).
  { unfold record_between. cbv zeta. rewrite Hs, Hc. reflexivity. }
  unfold advance. cbv zeta. fold n. rewrite Sz. fold start.
  rewrite (slots_from_same (array_slots after) (array_slots a)) by assumption. rewrite E.
  rewrite (C before Kb), (C (array_slots (latest h))) by reflexivity.
  eexists. split; [reflexivity|]. split; [reflexivity|].
  constructor; cbn [parameters version size commitments window tail_start tail].
  - apply good_history_append; assumption.
  - exact Hn.
  - rewrite Hv. symmetry. apply now_append. apply Hh.
  - rewrite latest_append. reflexivity.
  - rewrite latest_append. reflexivity.
  - fold n. rewrite <- R. apply slide_keeps_window; [apply Hh|assumption].
  - rewrite latest_append. exact T.
Qed.

(** What [advance] leaves as it is, and what it takes over. *)
Lemma advance_fields : forall setup state before after writes remembered state',
  advance setup state before after writes remembered = Some state' ->
  parameters state' = parameters state /\ dictionary_id state' = dictionary_id state /\
  version state' = version state + 1 /\ size state' = array_size after /\
  tail_start state' = tail_start_after (tail_start state) (array_size after) (vector_size (parameters state)) /\
  replay_set state' = replay_set_at remembered (version state + 1).
Proof.
  intros setup state before after writes remembered state' E. unfold advance in E. cbv zeta in E.
  destruct (slots_from _ _ _); [|discriminate]. injection E as <-. cbn. auto 10.
Qed.

End State.
