(** The specification's entry points never panic in any reachable state.

    Where a twin `f_safe` is true, the Rust function returns, and what it returns is what the theorems about [f] speak of. The
    blocks, transactions and imports below are arbitrary: claims, openings and tail vectors may be false, lengths and counts
    beyond the maxima. The premises say what holds of everything that a machine can receive or store:

    - bytes are below 256 ([genesis_of_bytes], [block_of_bytes], [transaction_of_bytes], [import_of_bytes]);
    - an encoding has fewer than 2^64 bytes, a digest fewer than 2^32, an import fewer than 2^62 changes;
    - there are fewer than 2^64 versions, and no array has 2^63 slots or more ([in_memory]).

    The theorems:

    - [apply_block_never_panics], [check_transaction_never_panics]: for a validator;
    - [apply_import_never_panics], [archive_claims_never_panic], [archive_tail_vectors_never_panic],
      [archive_lookup_never_panics]: for an archive on its whole array;
    - [reachable_bounded]: what they rest on: all numbers in a reachable state fit. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.Checks Block.Execution Block.Phases Block.Validator
  Block.Import Block.AggregatedBlock Block.Prover Dictionary.ArraySafe Block.ValidatorSafe Block.ImportSafe
  Block.ProverSafe.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas
  Lemmas.ChangeMaps Spec.Dictionary.Writes Lemmas.VectorLemmas Spec.Dictionary.Genesis Lemmas.Ideal
  Lemmas.History Lemmas.PhaseLemmas Spec.Block.State Spec.Block.Import Spec.Block.Validator Spec.Block.Checks
  Lemmas.BlockChecks Lemmas.ReplayLemmas Lemmas.Reachable Safety.SlotMapSafe Safety.DictionarySafe
  Safety.BoundsSafe Safety.ViewBoundsSafe Safety.RunSafe Lemmas.AnyBlock Lemmas.AggregatedBreak
  Safety.AggregatedSafe Safety.ApplySafe Safety.ImportsSafe Safety.GenesisStateSafe.
Import ListNotations.
Local Open Scope N_scope.

Section Safe.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The values of the import are of bytes, and there are fewer than 2^62 of them. *)
Definition import_of_bytes (block : ImportBlock) : Prop :=
  (forall c, In c (import_changes block) -> content_of_bytes (import_content c)) /\
  seq_length (import_changes block) < 2 ^ 62.

(** Fewer than 2^64 versions, and fewer than 2^63 slots in each. *)
Definition in_memory (h : History) : Prop := seq_length h < 2 ^ 64 /\ forall a, In a h -> array_size a < 2 ^ 63.

(** [reachable] (Validator.v), where all that was received was of bytes: what a machine reaches. *)
Inductive received (setup : Setup) (genesis : Genesis) : History -> ValidatorState -> Prop :=
| received_genesis :
    genesis_of_bytes genesis ->
    received setup genesis [genesis_array (genesis_entries genesis)] (genesis_state setup genesis)
| received_block : forall h state any state' effects a',
    received setup genesis h state -> block_of_bytes (block_in any) ->
    apply_any setup state any = Ok (state', effects) ->
    find_break_in setup h state any = None ->
    ideal_array (latest h) (block_in any) = Some a' ->
    received setup genesis (h ++ [a']) state'
| received_import : forall h state block state' a',
    received setup genesis h state -> import_of_bytes block ->
    apply_import setup state (latest h) block = Ok (state', a') ->
    received setup genesis (h ++ [a']) state'.

Lemma received_reachable : forall setup genesis h state, received setup genesis h state -> reachable setup genesis h state.
Proof.
  intros setup genesis h state R. induction R.
  - apply reachable_genesis.
  - eapply reachable_block; eassumption.
  - eapply reachable_import; eassumption.
Qed.

Variables (setup : Setup) (genesis : Genesis).
Hypothesis made : Scheme.well_made setup.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis digests : digests_short.

(** ** The arrays of the history *)

(** The array's positions fit into 64 bits, its strings are short, and its values are of bytes. *)
Definition array_sound (a : Array) : Prop := addressable (array_slots a) /\ values_of_bytes (array_slots a).

Lemma in_memory_before : forall h a, in_memory (h ++ [a]) -> in_memory h /\ array_size a < 2 ^ 63.
Proof.
  intros h a [L B]. rewrite seq_length_app in L. change (seq_length [a]) with 1 in L. split.
  - split; [lia|]. intros b I. apply B, in_app_iff. left. exact I.
  - apply B, in_app_iff. right. left. reflexivity.
Qed.

Lemma latest_in : forall (h : History), h <> [] -> In (latest h) h.
Proof.
  intros h N. unfold latest, array_at, now. apply seq_at_in. destruct h as [|a h]; [contradiction|]. rewrite seq_length_cons. lia.
Qed.

Lemma map_of_sound : forall a k, array_sound a -> sound_content (map_of a k).
Proof.
  intros a k [[_ S] B]. destruct (map_of a k) as [v|] eqn:E; [|apply sound_absent]. apply map_of_some in E.
  destruct E as (_ & p & x & L & _ & <-). apply sound_value; [apply (S p x L)|exact (B p x L)].
Qed.

(** Sound changes, not too many, make a sound array from a sound one. *)
Lemma changed_array_sound : forall a changes a',
  array_sound a -> array_size a < 2 ^ 63 -> seq_length changes < 2 ^ 62 -> Forall sound_change changes ->
  apply_changes a (net_changes changes) = Some a' -> array_sound a'.
Proof.
  intros a changes a' [A B] L C S E. pose proof (net_changes_forall _ _ S) as Sn. pose proof (net_changes_fewer changes) as Ln.
  change (2 ^ 63) with 9223372036854775808 in L. change (2 ^ 62) with 4611686018427387904 in C. split.
  - apply (apply_changes_fits 0 a (net_changes changes) a'); [|apply sound_changes_short; exact Sn|exact E].
    split; [change (2 ^ 64) with 18446744073709551616; lia|exact A].
  - apply (apply_changes_of_bytes a (net_changes changes) a' B); [|exact E]. rewrite Forall_forall in *.
    intros c I. apply (Sn c I).
Qed.

Section OfReceived.

Variables (h : History) (state : ValidatorState).
Hypothesis received_h : received setup genesis h state.

Lemma received_honest : honest_state setup h state.
Proof. apply (reachable_honest setup genesis made legal sized). apply received_reachable. exact received_h. Qed.

Lemma received_parameters : parameters state = genesis_parameters genesis.
Proof. apply (reachable_parameters setup genesis made legal sized h). apply received_reachable. exact received_h. Qed.

Lemma received_legal : parameters_legal (parameters state) = true.
Proof. rewrite received_parameters. apply legal_parameters. exact legal. Qed.

End OfReceived.

Lemma ideal_array_sound : forall h state any state' effects a',
  received setup genesis h state -> block_of_bytes (block_in any) -> apply_any setup state any = Ok (state', effects) ->
  ideal_array (latest h) (block_in any) = Some a' -> array_sound (latest h) -> array_size (latest h) < 2 ^ 63 -> array_sound a'.
Proof.
  intros h state any state' effects a' R B E I S L. unfold ideal_array, ideal_changes in I.
  destruct (apply_any_passed setup state any state' effects E) as (e & P & P1 & _).
  destruct (any_size_passed state any P1) as (Lt & _ & St). set (block := block_in any) in *.
  destruct (run_block block (whole_contents (latest h) (transactions block))) as [changes|] eqn:Run; [|discriminate].
  pose proof (proj1 (phase_shape_ok state block) (passed_shape _ _ _ _ P)) as Sh.
  destruct (run_block_never_panics (parameters state) (received_legal h state R) block
    (whole_contents (latest h) (transactions block)) Lt) as [_ M].
  - intros tx J. apply (St tx J).
  - intros tx op J K. destruct (Sh tx J) as (_ & G & _). split; [apply G, K|]. apply (proj1 B tx J), K.
  - intros contents content J K. apply in_map_iff in J. destruct J as (tx & <- & _). apply in_map_iff in K.
    destruct K as (op & <- & _). apply map_of_sound. exact S.
  - destruct (M changes Run) as [C Sc]. apply (changed_array_sound (latest h) changes a' S L); [|exact Sc|exact I].
    change (2 ^ 48) with 281474976710656 in C. change (2 ^ 62) with 4611686018427387904. lia.
Qed.

Lemma imported_array_sound : forall h state block state' a',
  received setup genesis h state -> import_of_bytes block -> apply_import setup state (latest h) block = Ok (state', a') ->
  array_sound (latest h) -> array_size (latest h) < 2 ^ 63 -> array_sound a'.
Proof.
  intros h state block state' a' R [B C] E S L. pose proof (received_honest h state R) as H.
  assert (Sz : setup_vector_size setup = vector_size (parameters state)) by (rewrite (received_parameters h state R); exact sized).
  destruct (applied_import_honest setup h state made Sz H block state' a' E) as (Ck & I & _).
  pose proof (latest_good h (honest_history _ _ _ H)) as W.
  unfold import_into in I. rewrite (imported_changes state block (latest h) Ck W) in I.
  refine (changed_array_sound (latest h) _ a' S L _ _ I); [rewrite seq_length_map; exact C|].
  apply Forall_forall. intros d J. apply in_map_iff in J. destruct J as (c & <- & J).
  destruct (import_all_good state block c Ck J) as (_ & K & V). pose proof (received_legal h state R) as Lp.
  split; [eapply PhasesSafe.legal_short; [exact Lp|left; exact K]|]. split; [apply map_of_sound; exact S|].
  cbn [imported change_after]. destruct (import_content c) as [v|] eqn:Ec; [|apply sound_absent].
  apply sound_value; [eapply PhasesSafe.legal_short; [exact Lp|right; apply V; reflexivity]|apply (B c J); exact Ec].
Qed.

Theorem received_arrays_sound : forall h state,
  received setup genesis h state -> in_memory h -> forall a, In a h -> array_sound a.
Proof.
  intros h state R. induction R as [B|h state any state' effects a' R IH B E Bq I|h state block state' a' R IH B E]; intros M a J.
  - destruct J as [<-|[]]. split; [|apply genesis_array_of_bytes; exact B].
    destruct (genesis_legal_entries genesis legal) as [G _]. destruct (genesis_array_well_formed _ G) as [_ Z].
    pose proof (proj2 M _ (or_introl eq_refl)) as L. rewrite Z in L.
    apply (genesis_array_fits genesis legal 0). change (2 ^ 63) with 9223372036854775808 in L.
    change (2 ^ 64) with 18446744073709551616. lia.
  - destruct (in_memory_before h a' M) as [Mh _]. pose proof (received_honest h state R) as H.
    pose proof (latest_in h (proj1 (honest_history _ _ _ H))) as Li. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [auto|].
    apply (ideal_array_sound h state any state' effects a' R B E I (IH Mh _ Li)). apply Mh. exact Li.
  - destruct (in_memory_before h a' M) as [Mh _]. pose proof (received_honest h state R) as H.
    pose proof (latest_in h (proj1 (honest_history _ _ _ H))) as Li. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [auto|].
    apply (imported_array_sound h state block state' a' R B E (IH Mh _ Li)). apply Mh. exact Li.
Qed.

(** ** The replay set *)

Lemma received_replays_short : forall h state,
  received setup genesis h state -> forall e, In e (replay_set state) -> short (replay_id e).
Proof.
  intros h state R. induction R as [B|h state any state' effects a' R IH B E Bq I|h state block state' a' R IH B E]; intros e J.
  - destruct J.
  - destruct (applied_block_fields setup state any state' effects E) as (_ & _ & _ & Rs & _). rewrite Rs in J.
    apply in_replay_set_at in J. destruct J as [J _]. apply in_app_iff in J. destruct J as [J|J]; [auto|].
    apply in_map_iff in J. destruct J as (tx & <- & _). apply digests.
  - destruct (applied_import_fields setup state _ block state' a' E) as (_ & _ & _ & Rs). rewrite Rs in J.
    apply in_replay_set_at in J. apply IH, J.
Qed.

(** ** The state *)

Section OfState.

Variables (h : History) (state : ValidatorState).
Hypothesis received_h : received setup genesis h state.
Hypothesis memory : in_memory h.

Let honest : honest_state setup h state := received_honest h state received_h.

Lemma array_of_version : forall v, v <= now h ->
  array_sound (array_at h v) /\ well_formed (array_at h v) /\ array_size (array_at h v) < 2 ^ 63.
Proof.
  intros v V. pose proof (honest_history _ _ _ honest) as G.
  assert (I : In (array_at h v) h).
  { unfold array_at. apply seq_at_in. destruct G as [Ne _]. unfold now in V. destruct h; [contradiction|].
    rewrite seq_length_cons in *. lia. }
  split; [exact (received_arrays_sound h state received_h memory _ I)|]. split; [apply array_at_good; assumption|].
  apply memory. exact I.
Qed.

Lemma live_sound : forall a p x, array_sound a -> live (array_slots a) p x -> sound_slot x.
Proof. intros a p x [[_ S] B] L. split; [exact (S p x L)|exact (B p x L)]. Qed.

Lemma record_between_bounded : forall n a b,
  array_sound a -> array_sound b -> well_formed a -> well_formed b -> array_size a < 2 ^ 63 -> array_size b < 2 ^ 63 ->
  record_bounded (record_between setup n a b).
Proof.
  intros n a b Sa Sb Wa Wb La Lb. split; [exact La|]. cbn [record_between record_writes]. intros w I.
  apply in_writes_between in I. destruct I as [D C]. split.
  - destruct (slot_at (array_slots a) (write_position w)) as [x|] eqn:X.
    + pose proof (dense_below a _ x (proj1 Wa) X). lia.
    + destruct (slot_at (array_slots b) (write_position w)) as [y|] eqn:Y; [|congruence].
      pose proof (dense_below b _ y (proj1 Wb) Y). lia.
  - intros x E. rewrite C in E. exact (live_sound b _ x Sb E).
Qed.

Theorem reachable_bounded : state_bounded setup state.
Proof.
  pose proof (received_legal h state received_h) as Lp. destruct (legal_bounds _ Lp) as ([V V'] & _).
  destruct (array_of_version (now h) (N.le_refl _)) as (Sl & Wl & Ll). change (array_at h (now h)) with (latest h) in *.
  destruct (honest_tail _ _ _ honest) as (Mu & Ls & _ & Lt & Ct).
  constructor.
  - exact Lp.
  - rewrite (received_parameters h state received_h). exact sized.
  - rewrite (honest_version _ _ _ honest). destruct memory as [Lh _]. destruct (honest_history _ _ _ honest) as [Ne _].
    unfold now. destruct h; [contradiction|]. rewrite seq_length_cons in *. lia.
  - rewrite (honest_size _ _ _ honest). exact Ll.
  - rewrite (honest_commitments _ _ _ honest), seq_length_array_commitments.
    assert (C : array_size (latest h) + vector_size (parameters state) < 2 ^ 64).
    { change (2 ^ 63) with 9223372036854775808 in Ll. change (2 ^ 64) with 18446744073709551616. lia. }
    destruct (vector_count_never_panics _ _ V C) as [_ B]. lia.
  - exact Mu.
  - rewrite Lt. lia.
  - intros x I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). exact (live_sound _ _ _ Sl (Ct i Hi)).
  - intros r I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). destruct (honest_window _ _ _ honest) as [Lw Rw].
    rewrite Rw by exact Hi.
    destruct (array_of_version (now h - seq_length (window state) + i) ltac:(lia)) as (S1 & W1 & L1).
    destruct (array_of_version (now h - seq_length (window state) + i + 1) ltac:(lia)) as (S2 & W2 & L2).
    apply record_between_bounded; assumption.
  - exact (received_replays_short h state received_h).
Qed.

(** ** The entry points *)

Theorem apply_block_never_panics : forall any,
  block_of_bytes (block_in any) -> any_fits any -> apply_any_safe setup state any = true.
Proof. intros any B L. exact (apply_any_never_panics_from setup state reachable_bounded digests any B L). Qed.

Theorem check_transaction_never_panics : forall tx,
  transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true.
Proof. intros tx B L. exact (check_transaction_never_panics_from setup state reachable_bounded digests tx B L). Qed.

Theorem apply_import_never_panics : forall block,
  seq_length (import_changes block) < 2 ^ 62 -> apply_import_safe setup state (latest h) block = true.
Proof.
  intros block L. destruct (array_of_version (now h) (N.le_refl _)) as ((A & _) & _ & Ll).
  exact (apply_import_never_panics_from setup state reachable_bounded block (latest h) Ll A L).
Qed.

Theorem archive_claims_never_panic : forall items v,
  v <= now h -> (forall op, In op items -> short (operation_key op)) ->
  honest_claims_safe setup (array_at h v) items = true.
Proof.
  intros items v V K. destruct (array_of_version v V) as ((A & _) & W & L).
  apply (honest_claims_never_panics setup state reachable_bounded); [exact A| |exact K].
  intros p x Lx. pose proof (dense_below _ p x (proj1 W) Lx). lia.
Qed.

Theorem archive_tail_vectors_never_panic : forall v count,
  honest_tail_vectors_safe (array_at h v) (tail_start state) (vector_size (parameters state)) count = true.
Proof.
  intros v count. destruct (legal_bounds _ (bounded_parameters _ _ reachable_bounded)) as ([V _] & _).
  apply honest_tail_vectors_never_panics; [exact V|exact (bounded_tail_start _ _ reachable_bounded)|].
  pose proof (bounded_tail _ _ reachable_bounded) as T. apply half_of_all. lia.
Qed.

Theorem archive_lookup_never_panics : forall v k, v <= now h -> short k -> array_lookup_safe (array_at h v) k = true.
Proof.
  intros v k V K. destruct (array_of_version v V) as ((A & _) & _ & L). apply array_lookup_never_panics; [|exact K].
  split; [|exact A]. rewrite N.add_0_r. apply half_of_all. lia.
Qed.

End OfState.

End Safe.
