(** A validator never panics, even where the cryptography is broken.

    The states here are all that a legal genesis and accepted blocks, plain and aggregated ones in any order, lead to: what was
    accepted may be false, and the state then is that of no array at all. Still every number in it fits, and no block, whatever
    is in it, makes the specification panic. Nothing is asked of the setup but its vector size, and of the hash but that
    digests are short.

    - [accepted_bounded]: all numbers in such a state fit;
    - [validator_never_panics], [mempool_never_panics]: so applying a block and checking a transaction return. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.ValidatorSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.ChangeMaps
  Lemmas.PassLemmas Spec.Dictionary.Changes Spec.Dictionary.Writes Lemmas.VectorLemmas Spec.Block.Tail
  Spec.Dictionary.Genesis Lemmas.PhaseLemmas Spec.Block.State Spec.Block.Checks Lemmas.BlockChecks
  Lemmas.ReplayLemmas Safety.SlotMapSafe Safety.DictionarySafe Safety.BoundsSafe Safety.PhasesSafe
  Safety.ViewBoundsSafe Safety.RunSafe Lemmas.AnyBlock Safety.AggregatedSafe Safety.ApplySafe
  Safety.GenesisStateSafe
  Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

(** ** Changes on a sound array *)

(** With [room] more slots there are still fewer than 2^63; no position lies beyond; all slots are sound. *)
Definition holds (room : N) (a : Array) : Prop := array_size a + room < 2 ^ 63 /\ sound_map (array_slots a).

Lemma holds_less : forall room room' a, room' <= room -> holds room a -> holds room' a.
Proof. intros room room' a L [S M]. split; [lia|exact M]. Qed.

Lemma live_half : forall slots p x, sound_map slots -> live slots p x -> p < 2 ^ 63.
Proof. intros slots p x [L _] E. pose proof (live_below_end _ _ _ E) as B. unfold slot_map_end in B. lia. Qed.

Lemma sound_replace : forall slots p x y,
  sound_map slots -> live slots p x -> sound_slot y -> sound_map (put_slot slots p (Some y)).
Proof.
  intros slots p x y M L S. apply sound_map_put; [exact M|exact (live_half _ _ _ M L)|]. intros z E. injection E as <-. exact S.
Qed.

Lemma sound_with_value : forall x v, sound_slot x -> sound_content (Some v) -> sound_slot (with_value x v).
Proof. intros x v ((K & _ & N) & _) [S B]. split; [repeat split; assumption|]. apply B. reflexivity. Qed.

Lemma sound_with_next : forall x k, sound_slot x -> short k -> sound_slot (with_next x k).
Proof. intros x k ((K & V & _) & B) S. split; [repeat split; assumption|exact B]. Qed.

Lemma update_holds : forall room a k v b,
  holds room a -> sound_content (Some v) -> array_update a k v = Some b -> holds room b.
Proof.
  intros room a k v b [L M] S E. unfold array_update in E. destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:X; [|discriminate]. injection E as <-. split; [exact L|].
  apply (sound_replace _ p x); [exact M|exact X|]. apply sound_with_value; [exact (proj2 M p x X)|exact S].
Qed.

Lemma insert_holds : forall room a k v b,
  holds (room + 1) a -> short k -> sound_content (Some v) -> array_insert a k v = Some b -> holds room b.
Proof.
  intros room a k v b [L M] K S E. unfold array_insert in E. destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:X; [|discriminate]. cbv zeta in E. injection E as <-.
  pose proof (proj2 M p x X) as Sx. split; cbn [array_size array_slots]; [lia|].
  apply sound_map_put; [|lia|].
  - apply (sound_replace _ p x); [exact M|exact X|]. apply sound_with_next; assumption.
  - intros y Y. injection Y as <-. destruct Sx as ((Kx & Vx & Nx) & _), S as [Sv Bv].
    split; [repeat split; assumption|]. apply Bv. reflexivity.
Qed.

Lemma delete_holds : forall room a k b, holds room a -> array_delete a k = Some b -> holds room b.
Proof.
  intros room a k b [L M] E. unfold array_delete in E. destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:X; [|discriminate].
  destruct (preceding_position (array_slots a) k) as [r|]; [|discriminate].
  destruct (slot_at (array_slots a) r) as [y|] eqn:Y; [|discriminate]. unfold swap_remove in E. cbv zeta in E.
  cbn [array_slots array_size] in E.
  assert (U : sound_map (put_slot (array_slots a) r (Some (with_next y (next x))))).
  { apply (sound_replace _ r y); [exact M|exact Y|]. apply sound_with_next; [exact (proj2 M r y Y)|apply (proj2 M p x X)]. }
  assert (Z : (if 0 <? array_size a then array_size a - 1 else 0) <= array_size a) by (destruct (0 <? array_size a); lia).
  match type of E with context [slot_at ?slots ?q] => destruct (slot_at slots q) as [z|] eqn:Lz; [|discriminate] end.
  injection E as <-. split; cbn [array_size array_slots]; [lia|]. apply sound_map_put; [|lia|discriminate].
  apply sound_map_put; [exact U|exact (live_half _ _ _ M X)|]. intros w W. injection W as <-. exact (proj2 U _ z Lz).
Qed.

(** What holds of an array, if there is one. *)
Definition holds_if_some (room : N) (a : option Array) : Prop :=
  match a with
  | Some known => holds room known
  | None => True
  end.

Lemma pass_holds : forall (apply : Array -> Change -> option Array) (cost : N) changes room start,
  (forall room a c, holds (room + cost) a -> sound_change c -> holds_if_some room (apply a c)) ->
  Forall sound_change changes -> holds_if_some (room + cost * seq_length changes) start ->
  holds_if_some room (fold_left (pass_step apply) changes start).
Proof.
  intros apply cost changes room start H S. revert start. induction S as [|c changes Sc S IH]; intros start Hs; cbn [fold_left].
  - rewrite seq_length_nil, N.mul_0_r, N.add_0_r in Hs. exact Hs.
  - apply IH. rewrite seq_length_cons in Hs. destruct start as [a|]; [|exact I]. cbn [pass_step holds_if_some] in *.
    apply H; [|exact Sc]. eapply holds_less; [|exact Hs]. lia.
Qed.

Theorem apply_changes_holds : forall room a changes b,
  holds (room + seq_length changes) a -> Forall sound_change changes -> apply_changes a changes = Some b -> holds room b.
Proof.
  intros room a changes b Ha S E. unfold apply_changes in E. rewrite apply_updates_pass in E.
  assert (U : holds_if_some (room + seq_length changes) (fold_left (pass_step apply_update) changes (Some a))).
  { apply (pass_holds apply_update 0); [|exact S|rewrite N.mul_0_l, N.add_0_r; exact Ha].
    intros room' known c K (_ & _ & Sa). rewrite N.add_0_r in K. unfold apply_update.
    destruct (change_after c) as [v|]; [|exact K]. destruct (is_present (change_before c)); [|exact K].
    destruct (array_update known (change_key c) v) eqn:D; [|exact I]. eapply update_holds; eassumption. }
  destruct (fold_left (pass_step apply_update) changes (Some a)) as [u|]; [|discriminate]. rewrite apply_inserts_pass in E.
  assert (N : holds_if_some room (fold_left (pass_step apply_insert) changes (Some u))).
  { apply (pass_holds apply_insert 1); [|exact S|rewrite N.mul_1_l; exact U].
    intros room' known c K (Sk & _ & Sa). unfold apply_insert.
    assert (Less : holds room' known) by (eapply holds_less; [|exact K]; lia).
    destruct (change_after c) as [v|]; [|exact Less]. destruct (is_present (change_before c)); [exact Less|].
    destruct (array_insert known (change_key c) v) eqn:D; [|exact I]. eapply insert_holds; eassumption. }
  destruct (fold_left (pass_step apply_insert) changes (Some u)) as [i|]; [|discriminate]. rewrite apply_deletes_pass in E.
  assert (D : holds_if_some room (fold_left (pass_step apply_delete) changes (Some i))).
  { apply (pass_holds apply_delete 0); [|exact S|rewrite N.mul_0_l, N.add_0_r; exact N].
    intros room' known c K _. rewrite N.add_0_r in K. unfold apply_delete. destruct (_ && _); [|exact K].
    destruct (array_delete known (change_key c)) eqn:D; [|exact I]. eapply delete_holds; eassumption. }
  rewrite E in D. exact D.
Qed.

(** ** The next state *)

Section Accepted.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma slide_in : forall (kept : Window) count record r, In r (slide kept count record) -> In r kept \/ r = record.
Proof.
  intros kept count record r I. unfold slide in I. cbv zeta in I.
  assert (J : In r (kept ++ [record])).
  { destruct (_ <? _) eqn:B in I; [|exact I]. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). apply N.ltb_lt in B.
    rewrite seq_length_slice in Hi by lia. rewrite seq_at_slice by exact Hi. apply seq_at_in. lia. }
  apply in_app_iff in J. destruct J as [J|[J|[]]]; auto.
Qed.

Lemma writes_bounded : forall before after w,
  sound_map before -> sound_map after -> In w (writes_between before after) -> write_bounded w.
Proof.
  intros before after w B A I. apply in_writes_between in I. destruct I as [D C]. split.
  - destruct (slot_at before (write_position w)) as [x|] eqn:X; [exact (live_half _ _ x B X)|].
    destruct (slot_at after (write_position w)) as [y|] eqn:Y; [exact (live_half _ _ y A Y)|congruence].
  - intros x E. rewrite C in E. exact (proj2 A _ x E).
Qed.

Lemma advance_bounded : forall setup state before after remembered state',
  state_bounded setup state -> sound_map before -> holds 0 after ->
  (forall e, In e remembered -> short (replay_id e)) -> version state + 1 + 1 < 2 ^ 64 ->
  advance setup state before after (writes_between before (array_slots after)) remembered = Some state' ->
  state_bounded setup state'.
Proof.
  intros setup state before after remembered state' Bs Sb [La Sa] R V E.
  destruct (legal_bounds _ (bounded_parameters _ _ Bs)) as ([N1 N2] & _). set (n := vector_size (parameters state)) in *.
  destruct (tail_start_after_spec (tail_start state) (array_size after) n N1 (bounded_tail_start _ _ Bs)) as (Mu & Le & _).
  unfold advance in E. cbv zeta in E. fold n in E. set (start := tail_start_after _ _ n) in *.
  pose proof (slots_from_spec (array_slots after) start (array_size after)) as T.
  destruct (slots_from _ start _) as [taken|]; [|discriminate]. destruct T as [Lt Ct]. injection E as <-.
  rewrite N.add_0_r in La.
  assert (C : array_size after + n < 2 ^ 64).
  { change (2 ^ 63) with 9223372036854775808 in La. change (2 ^ 64) with 18446744073709551616. lia. }
  constructor; cbn [parameters version size commitments window tail_start tail replay_set].
  - exact (bounded_parameters _ _ Bs).
  - exact (bounded_setup _ _ Bs).
  - exact V.
  - exact La.
  - unfold updated_commitments. cbv zeta. rewrite g1_resized_map, seq_length_map, seq_length_range.
    destruct (vector_count_never_panics _ _ N1 C). lia.
  - exact Mu.
  - lia.
  - intros x I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). exact (proj2 Sa _ _ (Ct i Hi)).
  - intros r I. apply slide_in in I. destruct I as [I| ->]; [exact (bounded_window _ _ Bs r I)|]. split.
    + exact (bounded_size _ _ Bs).
    + intros w. apply writes_bounded; assumption.
  - intros e I. apply in_replay_set_at in I. apply R, I.
Qed.

(** ** Every accepted state *)

Variables (setup : Setup) (genesis : Genesis).
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis digests : digests_short.

(** The state's version is not the last that a machine can count to, and the array has fewer than 2^62 slots. *)
Definition state_in_memory (state : ValidatorState) : Prop := version state + 1 < 2 ^ 64 /\ size state < 2 ^ 62.

(** The states that accepted blocks lead to, whether what they claim is true or not. *)
Inductive accepted : ValidatorState -> Prop :=
| accepted_genesis :
    genesis_of_bytes genesis -> state_in_memory (genesis_state setup genesis) -> accepted (genesis_state setup genesis)
| accepted_block : forall state any state' effects,
    accepted state -> block_of_bytes (block_in any) -> apply_any setup state any = Ok (state', effects) ->
    state_in_memory state' -> accepted state'.

Lemma accepted_in_memory : forall state, accepted state -> state_in_memory state.
Proof. intros state A. destruct A; assumption. Qed.

Lemma genesis_bounded : genesis_of_bytes genesis -> state_in_memory (genesis_state setup genesis) ->
  state_bounded setup (genesis_state setup genesis).
Proof.
  intros B [V L]. pose proof (legal_parameters genesis legal) as Lp. destruct (legal_bounds _ Lp) as ([N1 N2] & _).
  set (a := genesis_array (genesis_entries genesis)) in *. set (n := vector_size (genesis_parameters genesis)) in *.
  change (size (genesis_state setup genesis)) with (array_size a) in L.
  change (2 ^ 62) with 4611686018427387904 in L.
  assert (L63 : array_size a < 2 ^ 63) by (change (2 ^ 63) with 9223372036854775808; lia).
  destruct (genesis_legal_entries genesis legal) as [G _]. destruct (genesis_array_well_formed _ G) as [W Z]. fold a in W, Z.
  destruct (genesis_array_fits genesis legal 0) as [_ [_ [_ Ss]]].
  { rewrite N.add_0_r, <- Z. apply half_of_all. lia. }
  pose proof (genesis_array_of_bytes genesis B) as Bs. fold a in Ss, Bs.
  destruct (tail_floor_spec (array_size a) n N1) as [Mu Le].
  constructor; cbn [genesis_state parameters version size commitments window tail_start tail replay_set]; fold a n.
  - exact Lp.
  - exact sized.
  - exact V.
  - exact L63.
  - rewrite seq_length_array_commitments.
    assert (C : array_size a + n < 2 ^ 64) by (change (2 ^ 64) with 18446744073709551616; lia).
    destruct (vector_count_never_panics _ _ N1 C). lia.
  - exact Mu.
  - unfold whole_tail. pose proof (slots_from_spec (array_slots a) (tail_floor (array_size a) n) (array_size a)) as T.
    destruct (slots_from _ _ _) as [taken|]; [destruct T; lia|rewrite seq_length_nil; lia].
  - unfold whole_tail. pose proof (slots_from_spec (array_slots a) (tail_floor (array_size a) n) (array_size a)) as T.
    destruct (slots_from _ _ _) as [taken|]; [|intros x []]. destruct T as [_ T]. intros x I.
    destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). split; [exact (Ss _ _ (T i Hi))|exact (Bs _ _ (T i Hi))].
  - intros r [].
  - intros e [].
Qed.

Theorem accepted_bounded : forall state, accepted state -> state_bounded setup state.
Proof.
  intros state A. induction A as [B M|state any state' effects A Bs B E M]; [apply genesis_bounded; assumption|].
  pose proof (accepted_in_memory state A) as [_ Ls]. destruct M as [V _].
  destruct (applied_block_fields setup state any state' effects E) as (_ & _ & Vs & _). rewrite Vs in V.
  destruct (apply_any_passed setup state any state' effects E) as (e & P & P1 & _ & X). clear E. rename X into E.
  unfold apply_executed in E. cbv zeta in E. unfold advance_or_reject in E.
  destruct (advance _ _ _ _ _ _) as [s|] eqn:Adv; [|discriminate]. injection E as <- _.
  pose proof (passed_shape _ _ _ _ P) as P4. pose proof (passed_position _ _ _ _ P) as P5.
  pose proof (block_view_sound setup state Bs _ B P4 P5 (passed_tail _ _ _ _ P)) as [_ View].
  pose proof (resolve_block_never_panics setup state Bs _ B P4 P5) as [_ C].
  specialize (C _ (passed_resolution _ _ _ _ P)).
  destruct (any_size_passed state any P1) as (Lt & _ & St). set (block := block_in any) in *.
  destruct (passed_operations _ _ _ _ P) as (changes & Run & Net).
  pose proof (proj1 (phase_shape_ok state block) P4) as Sh.
  destruct (run_block_never_panics (parameters state) (bounded_parameters _ _ Bs) block _ Lt
    (fun tx I => proj1 (St tx I))
    (fun tx op I J => conj (proj1 (proj2 (Sh tx I)) op J) (proj1 (proj1 B tx I) op J)) C) as [_ R].
  destruct (R changes Run) as [Lc Sc]. pose proof (passed_changes _ _ _ _ P) as Ch. rewrite Net in Ch.
  rewrite (passed_before _ _ _ _ P), (passed_ids _ _ _ _ P), replay_entries_map in Adv.
  refine (advance_bounded setup state _ _ _ s Bs View _ _ V Adv).
  - refine (apply_changes_holds 0 _ _ _ _ (net_changes_forall _ _ Sc) Ch). split; [|exact View]. cbn [array_size].
    pose proof (net_changes_fewer changes). change (2 ^ 48) with 281474976710656 in Lc.
    change (2 ^ 62) with 4611686018427387904 in Ls. change (2 ^ 63) with 9223372036854775808. lia.
  - intros d I. apply in_app_iff in I. destruct I as [I|I]; [exact (bounded_replays _ _ Bs d I)|].
    apply in_map_iff in I. destruct I as (tx & <- & _). apply digests.
Qed.

Theorem validator_never_panics : forall state any,
  accepted state -> block_of_bytes (block_in any) -> any_fits any -> apply_any_safe setup state any = true.
Proof. intros state any A B L. exact (apply_any_never_panics_from setup state (accepted_bounded state A) digests any B L). Qed.

Theorem mempool_never_panics : forall state tx,
  accepted state -> transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true.
Proof.
  intros state tx A B L. exact (check_transaction_never_panics_from setup state (accepted_bounded state A) digests tx B L).
Qed.

End Accepted.
