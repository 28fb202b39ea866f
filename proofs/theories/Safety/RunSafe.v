(** Phases 8 and 9 never leave the range of their integers or sequences.

    - [resolve_transaction_never_panics], [resolve_block_never_panics]: on sound views; the contents found are sound;
    - [run_action_never_panics]: on a sound content; what comes out is sound;
    - [run_block_never_panics]: for operations that passed phase 4; fewer than 2^48 changes come out, and they are sound. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation
  Dictionary.Genesis Dictionary.Changes Block.Transaction Block.State Block.BlockData Block.View Block.Checks
  Block.Execution Block.Phases Base.BytesSafe Dictionary.SlotMapSafe Dictionary.ArraySafe Block.OperationSafe
  Dictionary.ChangesSafe Block.ViewSafe Block.ExecutionSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Safety.SlotMapSafe Safety.DictionarySafe Lemmas.ChangeMaps Lemmas.PhaseLemmas Spec.Block.Checks
  Lemmas.BlockChecks Safety.BoundsSafe Safety.PhasesSafe Safety.ViewBoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

(** A content that is absent, or a short value of bytes. *)
Definition sound_content (content : option ByteString) : Prop := short_content content /\ content_of_bytes content.

Lemma sound_value : forall v, short v -> of_bytes v -> sound_content (Some v).
Proof. intros v S B. split; [exact S|]. intros w E. injection E as <-. exact B. Qed.

Lemma sound_absent : sound_content None.
Proof. split; [exact I|discriminate]. Qed.

(** ** Actions *)

Lemma big_endian_of_bytes : forall number width, of_bytes (big_endian number width).
Proof.
  intros number width. unfold big_endian.
  apply (loop_invariant _ (fun _ digits => of_bytes (digits_written digits))); [lia|constructor|].
  intros i digits _ B. cbn [big_endian_step digits_written single_byte app]. constructor; [|exact B].
  unfold u8_of_u128. apply N.mod_lt. discriminate.
Qed.

Lemma value_of_number_sound : forall number, sound_content (Some (value_of_number number)).
Proof.
  intros number. apply sound_value; [|apply big_endian_of_bytes]. unfold short, value_of_number.
  rewrite big_endian_length. reflexivity.
Qed.

Lemma number_of_value_never_panics : forall v, of_bytes v -> number_of_value_safe v = true.
Proof.
  intros v B. unfold number_of_value_safe. destruct (N.eqb_spec (seq_length v) 8) as [E|]; [|reflexivity].
  apply number_of_bytes_never_panics; [lia|exact B].
Qed.

Lemma number_of_value_most : forall v number, number_of_value v = Ok number -> number <= MAX_NUMBER.
Proof.
  intros v number E. unfold number_of_value in E. destruct (_ =? 8); [|discriminate]. injection E as <-.
  unfold u64_of_u128. pose proof (N.mod_lt (number_of_bytes v mod 18446744073709551616) (2 ^ 64) ltac:(discriminate)) as M.
  change MAX_NUMBER with 18446744073709551615. change (2 ^ 64) with 18446744073709551616 in M at 2. lia.
Qed.

Section Actions.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable p : Parameters.
Hypothesis legal : parameters_legal p = true.

Theorem run_action_never_panics : forall content act,
  sound_content content -> action_of_bytes act -> action_too_long p act = false ->
  run_action_safe content act = true /\
  forall after, run_action content act = Ok after -> sound_content after.
Proof.
  intros content act [S B] A T.
  assert (Put : forall v, of_bytes v -> (max_value_length p <? seq_length v) = false -> sound_content (Some v)).
  { intros v Bv Lv. apply N.ltb_ge in Lv. apply sound_value; [|exact Bv]. eapply legal_short; [exact legal|right; exact Lv]. }
  assert (Require : forall required, run_require_safe content required = true /\
    forall after, run_require content required = Ok after -> sound_content after).
  { intros required. split; [apply contents_equal_never_panics; exact S|]. intros after E. unfold run_require in E.
    destruct (contents_equal content required); [|discriminate]. injection E as <-. split; assumption. }
  destruct act as [|required|v| |amount|amount]; cbn [run_action_safe run_action action_too_long action_of_bytes] in *.
  - apply Require.
  - apply Require.
  - split; [reflexivity|]. intros after E. injection E as <-. apply Put; assumption.
  - split; [reflexivity|]. intros after E. injection E as <-. apply sound_absent.
  - split.
    + unfold run_add_safe. destruct content as [v|].
      * cbn [number_or_zero_safe number_or_zero]. rewrite number_of_value_never_panics by (apply B; reflexivity).
        destruct (number_of_value v) as [number|] eqn:E; [|reflexivity]. apply number_of_value_most in E.
        cbn [andb]. apply N.leb_le in E. rewrite E. apply N.leb_le in E. cbn [andb].
        destruct (N.ltb_spec (MAX_NUMBER - number) amount); [reflexivity|]. apply N.ltb_lt.
        change MAX_NUMBER with 18446744073709551615 in *. change (2 ^ 64) with 18446744073709551616. lia.
      * cbn [number_or_zero_safe number_or_zero andb]. change (0 <=? MAX_NUMBER) with true. cbn [andb].
        destruct (N.ltb_spec (MAX_NUMBER - 0) amount); [reflexivity|]. apply N.ltb_lt.
        change MAX_NUMBER with 18446744073709551615 in *. change (2 ^ 64) with 18446744073709551616. lia.
    + intros after E. unfold run_add in E. destruct (number_or_zero content) as [number|]; [|discriminate].
      destruct (MAX_NUMBER - number <? amount); [discriminate|]. injection E as <-. apply value_of_number_sound.
  - split.
    + unfold run_sub_safe. destruct content as [v|]; [|reflexivity]. apply number_of_value_never_panics, B. reflexivity.
    + intros after E. unfold run_sub in E. destruct (number_present content) as [number|]; [|discriminate].
      destruct (number <? amount); [discriminate|]. injection E as <-. apply value_of_number_sound.
Qed.

(** ** Changes *)

(** A change of a short key, whose contents are sound. *)
Definition sound_change (c : Change) : Prop :=
  short (change_key c) /\ sound_content (change_before c) /\ sound_content (change_after c).

Lemma sound_changes_short : forall changes, Forall sound_change changes -> short_changes changes.
Proof.
  intros changes S. unfold short_changes. rewrite Forall_forall in *. intros c I.
  destruct (S c I) as (K & [B _] & [A _]). repeat split; assumption.
Qed.

Lemma put_change_length : forall changes c, seq_length (put_change changes c) <= seq_length changes + 1.
Proof.
  intros changes c. rewrite put_change_filters, !seq_length_app. change (seq_length [c]) with 1.
  assert (G : seq_length (filter (below_by change_key (change_key c)) changes) +
    seq_length (filter (above_by change_key (change_key c)) changes) <= seq_length changes); [|lia].
  induction changes as [|d changes IH]; [reflexivity|]. cbn [filter].
  assert (N : below_by change_key (change_key c) d = true -> above_by change_key (change_key c) d = true -> False).
  { intros B A. exact (blt_asymmetric _ _ B A). }
  destruct (below_by change_key (change_key c) d), (above_by change_key (change_key c) d);
    rewrite ?seq_length_cons; try lia.
Qed.

Lemma net_changes_fewer : forall changes, seq_length (net_changes changes) <= seq_length changes.
Proof.
  intros changes. rewrite net_changes_filter. induction changes as [|c changes IH]; [reflexivity|]. cbn [filter].
  destruct (changes_something c); rewrite !seq_length_cons; lia.
Qed.

(** [count] changes at most, all sound, unless an operation failed. *)
Definition changed_soundly (count : N) (changed : Result ChangeMap Rejection) : Prop :=
  match changed with
  | Ok changes => seq_length changes <= count /\ Forall sound_change changes
  | Err _ => True
  end.

Lemma run_operation_sound : forall count changes op content x j,
  seq_length changes <= count -> Forall sound_change changes -> operation_good p op -> action_of_bytes (action op) ->
  sound_content content ->
  run_operation_safe changes op content x j = true /\ changed_soundly (count + 1) (run_operation changes op content x j).
Proof.
  intros count changes op content x j L S G B C. unfold run_operation_safe, run_operation. cbv zeta.
  unfold change_so_far_safe. rewrite change_of_never_panics by (apply sound_changes_short; assumption). cbn [andb].
  set (change := change_so_far changes (operation_key op) content).
  assert (Sc : sound_change change).
  { unfold change, change_so_far. destruct (change_of changes (operation_key op)) as [c|] eqn:E.
    - apply change_of_some in E. destruct E as [I _]. rewrite Forall_forall in S. exact (S c I).
    - split; [|split; exact C]. eapply good_operation_short; eassumption. }
  destruct Sc as (K & Be & Af).
  destruct (run_action_never_panics (change_after change) (action op) Af B ltac:(apply G)) as [-> R]. cbn [andb].
  destruct (run_action (change_after change) (action op)) as [after|why]; [|split; [reflexivity|exact I]].
  specialize (R after eq_refl).
  set (new := {| change_key := change_key change; change_before := change_before change; change_after := after |}).
  assert (Sn : sound_change new) by (split; [exact K|split; [exact Be|exact R]]). split.
  - apply put_change_never_panics; [apply sound_changes_short; assumption|].
    destruct Sn as (K' & [Be' _] & [Af' _]). repeat split; assumption.
  - split; [pose proof (put_change_length changes new); lia|]. apply put_change_forall; assumption.
Qed.

Lemma run_operations_sound : forall count items contents x changes,
  seq_length changes <= count -> Forall sound_change changes ->
  (forall op, In op items -> operation_good p op /\ action_of_bytes (action op)) ->
  (forall content, In content contents -> sound_content content) ->
  run_operations_safe changes items contents x = true /\
  changed_soundly (count + seq_length items) (run_operations changes items contents x).
Proof.
  intros count items contents x changes L S G C.
  apply (loop_keeps _ (fun j => changed_soundly (count + j))); [rewrite N.add_0_r; split; assumption|].
  intros j changed Hj K. pose proof (G _ (seq_at_in _ _ items j Hj)) as [Go Bo]. apply N.ltb_lt in Hj. rewrite Hj. cbn [andb].
  destruct changed as [known|e]; [|split; [reflexivity|exact I]]. destruct K as [Lk Sk].
  rewrite N.add_assoc. apply run_operation_sound; try assumption.
  unfold content_at. destruct (N.ltb_spec j (seq_length contents)); [apply C, seq_at_in; assumption|apply sound_absent].
Qed.

Theorem run_block_never_panics : forall block resolved,
  seq_length (transactions block) <= block_transactions p ->
  (forall tx, In tx (transactions block) -> seq_length (operations tx) <= transaction_operations p) ->
  (forall tx op, In tx (transactions block) -> In op (operations tx) -> operation_good p op /\ action_of_bytes (action op)) ->
  (forall contents content, In contents resolved -> In content contents -> sound_content content) ->
  run_block_safe block resolved = true /\
  forall changes, run_block block resolved = Ok changes -> seq_length changes < 2 ^ 48 /\ Forall sound_change changes.
Proof.
  intros block resolved Lt Lo G C. destruct (legal_bounds p legal) as (_ & _ & _ & O & T).
  assert (R : run_block_safe block resolved = true /\
    changed_soundly (seq_length (transactions block) * 2 ^ 16) (run_block block resolved)).
  { apply (loop_keeps _ (fun x => changed_soundly (x * 2 ^ 16))); [split; [reflexivity|constructor]|].
    intros x changed Hx K. pose proof (seq_at_in _ _ _ x Hx) as I. apply N.ltb_lt in Hx. rewrite Hx. cbn [andb].
    destruct changed as [known|e]; [|split; [reflexivity|exact Logic.I]]. destruct K as [Lk Sk].
    destruct (run_operations_sound (x * 2 ^ 16) (operations (seq_at (transactions block) x)) (contents_at resolved x) x known
      Lk Sk) as [S M].
    - intros op. apply G. exact I.
    - intros content. unfold contents_at. destruct (N.ltb x (@seq_length Contents resolved)) eqn:B; [|intros []].
      apply C, seq_at_in, N.ltb_lt. exact B.
    - split; [exact S|]. cbn [run_block_step]. destruct (run_operations _ _ _ _) as [changes|]; [|exact Logic.I].
      destruct M as [M Ms]. split; [|exact Ms]. specialize (Lo _ I). nia. }
  destruct R as [S M]. split; [exact S|]. intros changes E. rewrite E in M. destruct M as [M Ms]. split; [|exact Ms].
  change (2 ^ 48) with (2 ^ 32 * 2 ^ 16). nia.
Qed.

(** ** Resolution *)

Lemma content_in_slot_sound : forall x k, sound_slot x -> sound_content (content_in_slot x k).
Proof.
  intros x k ((_ & V & _) & B). unfold content_in_slot. destruct (bytes_equal _ _); [apply sound_value; assumption|].
  apply sound_absent.
Qed.

Lemma resolve_operation_sound : forall known op x j,
  sound_map known -> short (operation_key op) ->
  resolve_operation_safe known op x j = true /\
  forall content, resolve_operation known op x j = Ok content -> sound_content content.
Proof.
  intros known op x j S K. pose proof (sound_addressable known S) as A. unfold resolve_operation_safe, resolve_operation.
  rewrite covering_slot_never_panics, preceding_position_never_panics by assumption. cbn [andb].
  destruct (covering_slot known (operation_key op)) as [c|] eqn:E; [|split; [reflexivity|discriminate]].
  assert (Sc : sound_slot c).
  { unfold covering_slot in E. destruct (covering_position known (operation_key op)) as [q|]; [|discriminate].
    exact (proj2 S q c E). }
  assert (Ke : forall k, bytes_equal_safe (key c) k = true) by (intros k; apply bytes_equal_never_panics, Sc).
  unfold needs_predecessor_safe, content_in_slot_safe. rewrite Ke.
  assert (D : (if is_delete (action op) then true else true) = true) by (destruct (is_delete _); reflexivity). rewrite D.
  cbn [andb]. destruct (preceding_position known (operation_key op)).
  - split; [reflexivity|]. intros content Ec. injection Ec as <-. apply content_in_slot_sound. exact Sc.
  - destruct (needs_predecessor op c); [split; [reflexivity|discriminate]|]. split; [reflexivity|].
    intros content Ec. injection Ec as <-. apply content_in_slot_sound. exact Sc.
Qed.

Lemma resolve_operations_sound : forall known items x,
  sound_map known -> (forall op, In op items -> short (operation_key op)) ->
  resolve_operations_safe known items x = true /\
  forall contents, resolve_operations known items x = Ok contents ->
  forall content, In content contents -> sound_content content.
Proof.
  intros known items x S K. split.
  - unfold resolve_operations_safe. each_check Hj. in_range Hj. destruct checked as [contents|]; [|reflexivity].
    apply resolve_operation_sound; [assumption|]. apply K, seq_at_in. assumption.
  - intros contents E content I. destruct (resolve_operations_ok _ _ _ _ E) as [L R].
    destruct (in_seq_at _ _ _ _ I) as (j & Hj & <-). rewrite L in Hj.
    apply (resolve_operation_sound known (seq_at items j) x j S); [apply K, seq_at_in; assumption|apply R; assumption].
Qed.

End Actions.

Section Resolution.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (setup : Setup) (state : ValidatorState).
Hypothesis bounds : state_bounded setup state.

Theorem resolve_transaction_never_panics : forall tx x,
  transaction_of_bytes tx -> shape_good (parameters state) tx -> positions_good state tx ->
  resolve_transaction_safe state tx x = true /\
  forall contents, resolve_transaction state tx x = Ok contents ->
  forall content, In content contents -> sound_content content.
Proof.
  intros tx x B S P. destruct (transaction_view_sound setup state bounds tx B S P) as [V M].
  unfold resolve_transaction_safe, resolve_transaction. rewrite V. cbn [andb]. apply resolve_operations_sound; [exact M|].
  intros op I. apply (good_operation_short (parameters state)); [exact (bounded_parameters _ _ bounds)|].
  destruct S as (_ & S & _). apply S. exact I.
Qed.

Theorem resolve_block_never_panics : forall block,
  block_of_bytes block -> phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  resolve_block_safe state block = true /\
  forall resolved, resolve_block state block = Ok resolved ->
  forall contents content, In contents resolved -> In content contents -> sound_content content.
Proof.
  intros block [B _] S P. rewrite phase_shape_ok in S. rewrite phase_position_ok in P. split.
  - unfold resolve_block_safe. each_check Hx. in_range Hx. destruct checked as [resolved|]; [|reflexivity].
    pose proof (seq_at_in _ _ (transactions block) i Hx) as M. apply resolve_transaction_never_panics; auto.
  - intros resolved E contents content I J. destruct (resolve_block_ok state block resolved E) as [L R].
    destruct (in_seq_at _ _ _ _ I) as (x & Hx & <-). rewrite L in Hx. specialize (R x Hx).
    pose proof (seq_at_in _ _ (transactions block) x Hx) as M.
    refine (proj2 (resolve_transaction_never_panics (tx_at block x) x _ _ _) _ R content J); unfold tx_at; auto.
Qed.

End Resolution.
