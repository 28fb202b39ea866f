(** Imports, and what an honest archive computes, never panic on an array that fits.

    - [check_import_never_panics]: whatever the changes are;
    - [apply_import_never_panics_from]: on a bounded state, and an array of fewer than 2^63 slots, for fewer than 2^62
      changes;
    - [honest_claims_never_panics], [honest_tail_vectors_never_panics]: what an archive says about its array. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Operation Dictionary.Genesis Dictionary.Changes
  Dictionary.Writes Dictionary.Vectors Block.Tail Block.Transaction Block.State Block.Validator Block.Import
  Block.Prover Base.BytesSafe Dictionary.SlotMapSafe Dictionary.ArraySafe Commitment.OpeningSafe
  Commitment.SchemeSafe Block.OperationSafe Dictionary.ChangesSafe Dictionary.WritesSafe
  Dictionary.VectorsSafe Block.TailSafe Block.TransactionSafe Block.ValidatorSafe Block.ImportSafe
  Block.ProverSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.ChangeMaps
  Lemmas.PhaseLemmas Spec.Block.Import Safety.SlotMapSafe Safety.DictionarySafe Safety.AlgebraSafe
  Safety.WindowSafe Safety.BoundsSafe Safety.PhasesSafe Safety.ViewBoundsSafe Safety.RunSafe Safety.ApplySafe.
Import ListNotations.
Local Open Scope N_scope.

Section Imports.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (setup : Setup) (state : ValidatorState).
Hypothesis bounds : state_bounded setup state.

Lemma import_good_short : forall c, import_good (parameters state) c ->
  short (import_key c) /\ short_content (import_content c).
Proof.
  intros c (_ & K & V). pose proof (bounded_parameters _ _ bounds) as L. split; [eapply legal_short; eauto|].
  destruct (import_content c) as [v|]; [|exact I]. eapply legal_short; [exact L|right; apply V; reflexivity].
Qed.

Theorem check_import_never_panics : forall block, check_import_safe state block = true.
Proof.
  intros block. unfold check_import_safe. apply andb_true_iff.
  split; [apply N.ltb_lt, (bounded_version _ _ bounds)|].
  set (items := import_changes block). set (p := parameters state).
  apply (loop_is_safe _ (fun i checked => checked = Ok tt -> forall j, j < i -> import_good p (seq_at items j))).
  - intros _ j Hj. lia.
  - intros i checked [_ Hi] K. destruct checked as [[]|e].
    + specialize (K eq_refl). cbn [check_import_step check_import_step_safe]. split.
      * unfold check_import_change_safe, import_ascends_safe. pose proof Hi as Li. apply N.ltb_lt in Li. rewrite Li. clear Li. cbn [andb].
        destruct (_ =? 0); [reflexivity|]. destruct (_ <? _); [reflexivity|].
        destruct (import_value_too_long _ _); [reflexivity|]. destruct (N.ltb_spec 0 i) as [P|]; [|reflexivity].
        rewrite !andb_true_iff, N.leb_le, N.ltb_lt. split; [lia|]. apply bytes_less_never_panics.
        apply (import_good_short _ (K (i - 1) ltac:(lia))).
      * intros E j Hj. destruct (N.eq_dec j i) as [->|]; [|apply K; lia]. apply (check_import_change_passed p items i E).
    + split; [reflexivity|]. discriminate.
Qed.

Section OfArray.

Variables (block : ImportBlock) (array : Array).
Hypothesis few_slots : array_size array < 2 ^ 63.
Hypothesis array_addressable : addressable (array_slots array).
Hypothesis few_changes : seq_length (import_changes block) < 2 ^ 62.

Lemma array_fits : fits (4096 + seq_length (import_changes block)) array.
Proof.
  split; [|exact array_addressable]. pose proof few_slots as S. pose proof few_changes as C.
  change (2 ^ 63) with 9223372036854775808 in S. change (2 ^ 62) with 4611686018427387904 in C.
  change (2 ^ 64) with 18446744073709551616. lia.
Qed.

(** The changes that an import makes are short, and no more than the block names. *)
Lemma import_changes_sound :
  (forall c, In c (import_changes block) -> import_good (parameters state) c) ->
  import_changes_in_safe array (import_changes block) = true /\
  forall changes, import_changes_in array (import_changes block) = Some changes ->
    short_changes changes /\ seq_length changes <= seq_length (import_changes block).
Proof.
  intros G. set (items := import_changes block) in *.
  assert (R : import_changes_in_safe array items = true /\
    match import_changes_in array items with
    | Some changes => short_changes changes /\ seq_length changes <= seq_length items
    | None => True
    end).
  { apply (loop_keeps _ (fun i found => match found with
      | Some changes => short_changes changes /\ seq_length changes <= i
      | None => True
      end)); [split; [constructor|reflexivity]|].
    intros i found Hi K. destruct (import_good_short _ (G _ (seq_at_in _ _ items i Hi))) as [Sk Sc].
    apply N.ltb_lt in Hi. rewrite Hi. destruct found as [changes|]; [|auto]. destruct K as [S L].
    cbn [import_changes_in_step import_changes_in_step_safe andb]. unfold import_change_in_safe, import_change_in.
    rewrite array_lookup_never_panics; [|apply (fits_less (4096 + seq_length items)); [lia|exact array_fits]|exact Sk].
    split; [reflexivity|]. destruct (array_lookup array (import_key (seq_at items i))) as [before|] eqn:E; [|exact I]. split.
    - apply Forall_app. split; [exact S|]. constructor; [|constructor]. split; [exact Sk|]. split; [|exact Sc].
      cbn [change_before]. unfold array_lookup in E.
      destruct (covering_slot (array_slots array) (import_key (seq_at items i))) as [x|] eqn:C; [|discriminate].
      injection E as <-. unfold content_in_slot. destruct (Bytes.bytes_equal _ _); [|exact I].
      unfold covering_slot in C. destruct (covering_position _ _) as [q|]; [|discriminate].
      apply (proj2 array_addressable q x C).
    - rewrite seq_length_app. change (seq_length [_]) with 1. lia. }
  destruct R as [S M]. split; [exact S|]. intros changes E. rewrite E in M. exact M.
Qed.

Theorem apply_import_never_panics_from : apply_import_safe setup state array block = true.
Proof.
  unfold apply_import_safe. rewrite check_import_never_panics. cbn [andb].
  destruct (check_import state block) as [[]|] eqn:C; [|reflexivity].
  destruct (import_changes_sound (fun c I => import_all_good state block c C I)) as [S M].
  unfold import_state_safe, import_into_safe, import_into. rewrite S. cbn [andb].
  destruct (import_changes_in array (import_changes block)) as [changes|]; [|reflexivity].
  destruct (M changes eq_refl) as [Sc L]. rewrite net_changes_never_panics by exact Sc. cbn [andb].
  assert (Sn : short_changes (net_changes changes)) by (apply net_changes_forall; exact Sc).
  pose proof (net_changes_fewer changes) as Ln.
  assert (Fa : fits (4096 + seq_length (net_changes changes)) array)
    by (apply (fits_less (4096 + seq_length (import_changes block))); [lia|exact array_fits]).
  rewrite apply_changes_never_panics; [|eapply fits_less; [|exact Fa]; lia|exact Sn]. cbn [andb].
  destruct (apply_changes array (net_changes changes)) as [after|] eqn:A; [|reflexivity].
  rewrite writes_between_never_panics by exact array_addressable. cbn [andb]. cbv zeta.
  apply (advance_never_panics setup state bounds). exact (proj1 (apply_changes_fits 4096 array _ after Fa Sn A)).
Qed.

End OfArray.

(** ** What an archive says *)

Lemma honest_claim_never_panics : forall slots p,
  (forall x, live slots p x -> p < 2 ^ 63) -> setup_vector_size setup = vector_size (parameters state) ->
  honest_claim_safe setup slots p = true.
Proof.
  intros slots p L E. destruct (legal_bounds _ (bounded_parameters _ _ bounds)) as ([V V'] & _).
  unfold honest_claim_safe. destruct (slot_at slots p) as [x|] eqn:Lp; [|reflexivity]. cbv zeta. rewrite E.
  set (n := vector_size (parameters state)) in *.
  rewrite vector_of_never_panics, index_of_never_panics, open_never_panics, vector_scalars_never_panics; try assumption.
  - reflexivity.
  - specialize (L x Lp). change (vector_of p n * n) with (p / n * n). pose proof (N.mul_div_le p n ltac:(lia)).
    rewrite N.mul_comm. change (2 ^ 63) with 9223372036854775808 in L. change (2 ^ 64) with 18446744073709551616. lia.
  - eapply legal_small; [exact (bounded_parameters _ _ bounds)|exact E].
Qed.

Theorem honest_claims_never_panics : forall array (items : list Operation),
  addressable (array_slots array) -> (forall p x, live (array_slots array) p x -> p < 2 ^ 63) ->
  (forall op, In op items -> short (operation_key op)) ->
  honest_claims_safe setup array items = true.
Proof.
  intros array items A L K. pose proof (bounded_setup _ _ bounds) as E.
  assert (Add : forall claims p, add_claim_safe claims setup (array_slots array) p = true).
  { intros claims p. unfold add_claim_safe. rewrite claimed_before_never_panics by lia. cbn [andb].
    destruct (claimed_before _ _ _); [reflexivity|]. apply honest_claim_never_panics; [apply L|exact E]. }
  unfold honest_claims_safe. each_check Hj. in_range Hj.
  pose proof (K _ (seq_at_in _ _ items i Hj)) as Sk. unfold honest_claims_step_safe. cbv zeta.
  set (op := seq_at items i) in *.
  assert (Cover : add_covering_claim_safe checked setup (array_slots array) (operation_key op) = true).
  { unfold add_covering_claim_safe. rewrite covering_position_never_panics by assumption.
    destruct (covering_position _ _); [apply Add|reflexivity]. }
  assert (Has : has_key_safe (array_slots array) (operation_key op) = true).
  { unfold has_key_safe. rewrite covering_slot_never_panics by assumption. cbn [andb].
    destruct (covering_slot (array_slots array) (operation_key op)) as [x|] eqn:C; [|reflexivity].
    unfold covering_slot in C. destruct (covering_position _ _) as [q|]; [|discriminate].
    apply bytes_equal_never_panics. apply (proj2 A q x C). }
  rewrite Cover, Has. destruct (is_delete (action op)); cbn [andb]; [|reflexivity].
  destruct (has_key _ _); [|reflexivity]. unfold add_preceding_claim_safe.
  rewrite preceding_position_never_panics by assumption. destruct (preceding_position _ _); [apply Add|reflexivity].
Qed.

Theorem honest_tail_vectors_never_panics : forall array start n count,
  1 <= n -> (exists k, start = n * k) -> start < 2 ^ 64 -> honest_tail_vectors_safe array start n count = true.
Proof.
  intros array start n count Hn M L. unfold honest_tail_vectors_safe. each_check Hi.
  unfold honest_tail_vectors_step_safe. rewrite tail_vector_number_never_panics by exact Hn. cbn [andb].
  pose proof (Tail.tail_vector_number_spec start n i Hn M) as T.
  destruct (tail_vector_number start n i) as [number|]; [|reflexivity]. unfold within_usize.
  rewrite !andb_true_iff, !N.ltb_lt. nia.
Qed.

End Imports.
