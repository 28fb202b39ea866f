(** All that a block does once its claims are proved, it does whatever its openings are.

    - [reopen]: a block with other openings in its claims, and nothing else changed;
    - [execute_proved_ignores_openings], [phases_ignore_openings]: every phase but that of the openings, and the state after,
      are the same for both;
    - [execute_aggregated_ignores_openings]: an aggregated block's openings are of no meaning at all;
    - [aggregated_does_as_plain]: so an accepted aggregated block does what any plain block with its transactions and tail
      vectors does, whatever openings that one has, as soon as it is not too long and its openings are accepted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View Block.Checks
  Block.Execution Block.Phases Block.Validator Block.AggregatedBlock.
From Aardvark Require Import Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Openings.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The opening that a claim of a version is to have. *)
Variable opening_for : N -> Claim -> Opening.

Definition reopen_claim (v : N) (claim : Claim) : Claim :=
  {| claim_position := claim_position claim; claim_slot := claim_slot claim; claim_opening := opening_for v claim |}.

Definition reopen_transaction (tx : Transaction) : Transaction :=
  {| first_valid := first_valid tx; last_valid := last_valid tx; nonce := nonce tx; operations := operations tx;
     claims := map (reopen_claim (claims_version tx)) (claims tx) |}.

Definition reopen (block : Block) : Block :=
  {| block_version := block_version block; transactions := map reopen_transaction (transactions block);
     tail_vectors := tail_vectors block |}.

(** ** Loops over elements that were changed *)

Lemma length_mapped : forall A B (f : A -> B) (l : list A), seq_length (map f l) = seq_length l.
Proof. intros. unfold seq_length. rewrite map_length. reflexivity. Qed.

Lemma element_mapped : forall A B (D : Default A) (E : Default B) (f : A -> B) (l : list A) i,
  i < seq_length l -> seq_at (map f l) i = f (seq_at l i).
Proof.
  intros A B D E f l i L. unfold seq_at, seq_length in *. rewrite (nth_indep _ default (f default)) by (rewrite map_length; lia).
  apply map_nth.
Qed.

Lemma loop_mapped : forall A B S (D : Default A) (E : Default B) (f : A -> B) (g : S -> B -> N -> S) (g' : S -> A -> N -> S)
    (l : list A) start,
  (forall acc x i, g acc (f x) i = g' acc x i) ->
  fold_left (fun acc i => g acc (seq_at (map f l) i) i) (range 0 (seq_length (map f l))) start =
  fold_left (fun acc i => g' acc (seq_at l i) i) (range 0 (seq_length l)) start.
Proof.
  intros A B S D E f g g' l start same. rewrite length_mapped. apply fold_left_same. intros acc i I. apply in_range in I.
  rewrite (element_mapped _ _ D E) by lia. apply same.
Qed.

(** ** One transaction *)

Lemma claims_length_reopened : forall tx, claims_length (claims (reopen_transaction tx)) = claims_length (claims tx).
Proof.
  intros tx. exact (loop_mapped _ _ _ Default_Claim Default_Claim (reopen_claim (claims_version tx))
    (fun acc c _ => claims_length_step acc c) (fun acc c _ => claims_length_step acc c)
    (claims tx) 0 (fun _ _ _ => eq_refl)).
Qed.

Lemma transaction_length_reopened : forall tx, transaction_length (reopen_transaction tx) = transaction_length tx.
Proof. intros tx. unfold transaction_length. rewrite claims_length_reopened. reflexivity. Qed.

Lemma check_transaction_size_reopened : forall p tx x,
  check_transaction_size p (reopen_transaction tx) x = check_transaction_size p tx x.
Proof.
  intros p tx x. unfold check_transaction_size. rewrite transaction_length_reopened. unfold reopen_transaction at 1 2.
  cbn [operations claims]. rewrite length_mapped. reflexivity.
Qed.

Lemma check_shape_reopened : forall p tx x, check_shape p (reopen_transaction tx) x = check_shape p tx x.
Proof.
  intros p tx x. unfold check_shape. change (operations (reopen_transaction tx)) with (operations tx).
  change (check_operation_shapes p (reopen_transaction tx) x) with (check_operation_shapes p tx x).
  change (nonce (reopen_transaction tx)) with (nonce tx). destruct (negb _); [reflexivity|].
  destruct (_ =? 0); [reflexivity|]. destruct (check_operation_shapes p tx x) as [[]|]; [|reflexivity].
  unfold check_claim_shapes. change (claims (reopen_transaction tx)) with (map (reopen_claim (claims_version tx)) (claims tx)).
  rewrite length_mapped. apply fold_left_same. intros acc c I. apply in_range in I. unfold check_claim_shapes_step.
  destruct acc as [[]|]; [|reflexivity]. unfold check_claim_shape. cbv zeta.
  change (claims (reopen_transaction tx)) with (map (reopen_claim (claims_version tx)) (claims tx)).
  rewrite (element_mapped _ _ Default_Claim) by lia. set (claim := seq_at (claims tx) c).
  assert (B : forall p', claimed_before (map (reopen_claim (claims_version tx)) (claims tx)) c p' = claimed_before (claims tx) c p').
  { intros p'. unfold claimed_before. apply fold_left_same. intros found i J. apply in_range in J.
    rewrite (element_mapped _ _ Default_Claim) by lia. reflexivity. }
  rewrite B. reflexivity.
Qed.

Lemma check_positions_reopened : forall state tx x, check_positions state (reopen_transaction tx) x = check_positions state tx x.
Proof.
  intros state tx x. unfold check_positions. change (claims_version (reopen_transaction tx)) with (claims_version tx).
  exact (loop_mapped _ _ _ Default_Claim Default_Claim (reopen_claim (claims_version tx))
    (fun acc claim c => check_positions_step acc state claim (claims_version tx) x c)
    (fun acc claim c => check_positions_step acc state claim (claims_version tx) x c) (claims tx) (Ok tt) (fun _ _ _ => eq_refl)).
Qed.

Lemma lay_claims_reopened : forall below tx, lay_claims below (claims (reopen_transaction tx)) = lay_claims below (claims tx).
Proof.
  intros below tx. exact (loop_mapped _ _ _ Default_Claim Default_Claim (reopen_claim (claims_version tx))
    (fun acc c _ => lay_claims_step acc c) (fun acc c _ => lay_claims_step acc c)
    (claims tx) below (fun _ _ _ => eq_refl)).
Qed.

Lemma unopened_reopened : forall collected state tx,
  unopened_of_transaction collected state (reopen_transaction tx) = unopened_of_transaction collected state tx.
Proof.
  intros collected state tx. unfold unopened_of_transaction. change (claims_version (reopen_transaction tx)) with (claims_version tx).
  exact (loop_mapped _ _ _ Default_Claim Default_Claim (reopen_claim (claims_version tx))
    (fun acc c _ => unopened_of_transaction_step acc state c (claims_version tx))
    (fun acc c _ => unopened_of_transaction_step acc state c (claims_version tx)) (claims tx) collected (fun _ _ _ => eq_refl)).
Qed.

(** ** A block *)

(** A loop over the transactions whose turns are the same for both. *)
Lemma block_loop : forall S (g g' : S -> Transaction -> N -> S) block start,
  (forall acc tx x, g acc (reopen_transaction tx) x = g' acc tx x) ->
  fold_left (fun acc x => g acc (seq_at (transactions (reopen block)) x) x) (range 0 (seq_length (transactions (reopen block)))) start =
  fold_left (fun acc x => g' acc (seq_at (transactions block) x) x) (range 0 (seq_length (transactions block))) start.
Proof.
  intros S g g' block start same.
  exact (loop_mapped _ _ _ Default_Transaction Default_Transaction reopen_transaction g g' (transactions block) start same).
Qed.

Lemma totals_reopened : forall block, block_totals (reopen block) = block_totals block.
Proof.
  intros block. unfold block_totals.
  apply (block_loop _ (fun acc tx _ => block_totals_step acc tx) (fun acc tx _ => block_totals_step acc tx)).
  intros acc tx _. unfold block_totals_step. rewrite transaction_length_reopened. unfold reopen_transaction.
  cbn [operations claims]. rewrite length_mapped. reflexivity.
Qed.

Lemma length_reopened : forall block, block_length (reopen block) = block_length block.
Proof. intros block. unfold block_length. rewrite totals_reopened. reflexivity. Qed.

Lemma ids_reopened : forall dictionary block,
  transaction_ids dictionary (transactions (reopen block)) = transaction_ids dictionary (transactions block).
Proof.
  intros dictionary block. unfold transaction_ids.
  apply (block_loop _ (fun acc tx _ => transaction_ids_step acc dictionary tx) (fun acc tx _ => transaction_ids_step acc dictionary tx)).
  reflexivity.
Qed.

Lemma block_view_reopened : forall state block, block_view state (reopen block) = block_view state block.
Proof.
  intros state block. unfold block_view, lay_block_claims. cbv zeta. f_equal.
  change (tail_vectors (reopen block)) with (tail_vectors block).
  apply (block_loop _ (fun acc tx _ => lay_block_claims_step acc tx) (fun acc tx _ => lay_block_claims_step acc tx)).
  intros acc tx _. apply lay_claims_reopened.
Qed.

(** The phases before the openings. *)
Theorem phases_ignore_openings : forall state block,
  phase_size state (reopen block) = phase_size state block /\
  phase_interval state (reopen block) = phase_interval state block /\
  phase_shape state (reopen block) = phase_shape state block /\
  phase_position state (reopen block) = phase_position state block.
Proof.
  intros state block. split; [|split; [|split]].
  - unfold phase_size. replace (check_block_size state (reopen block)) with (check_block_size state block).
    + apply (block_loop _ (fun acc tx x => phase_size_step acc (parameters state) tx x)
        (fun acc tx x => phase_size_step acc (parameters state) tx x)).
      intros [[]|] tx x; [|reflexivity]. apply check_transaction_size_reopened.
    + unfold check_block_size. rewrite totals_reopened, length_reopened. cbn [reopen block_version transactions].
      rewrite length_mapped. reflexivity.
  - apply (block_loop _ (fun acc tx x => phase_interval_step acc (parameters state) tx (version state + 1) x)
      (fun acc tx x => phase_interval_step acc (parameters state) tx (version state + 1) x)). reflexivity.
  - apply (block_loop _ (fun acc tx x => phase_shape_step acc (parameters state) tx x)
      (fun acc tx x => phase_shape_step acc (parameters state) tx x)).
    intros [[]|] tx x; [|reflexivity]. apply check_shape_reopened.
  - apply (block_loop _ (fun acc tx x => phase_position_step acc state tx x) (fun acc tx x => phase_position_step acc state tx x)).
    intros [[]|] tx x; [|reflexivity]. apply check_positions_reopened.
Qed.

Lemma phase_tail_reopened : forall setup state block, phase_tail setup state (reopen block) = phase_tail setup state block.
Proof.
  intros setup state block. unfold phase_tail, phase_tail_number. cbv zeta.
  replace (least_size (size state) (reopen block)) with (least_size (size state) block); [reflexivity|].
  symmetry. apply (block_loop _ (fun acc tx _ => least_size_of_transaction acc tx) (fun acc tx _ => least_size_of_transaction acc tx)).
  reflexivity.
Qed.

(** All that follows the openings. *)
Theorem execute_proved_ignores_openings : forall setup state block ids,
  execute_proved setup state (reopen block) ids = execute_proved setup state block ids.
Proof.
  intros setup state block ids. unfold execute_proved. cbv zeta. rewrite block_view_reopened.
  rewrite phase_tail_reopened.
  assert (R : resolve_block state (reopen block) = resolve_block state block).
  { apply (block_loop _ (fun acc tx x => resolve_block_step acc state tx x) (fun acc tx x => resolve_block_step acc state tx x)).
    intros [acc|] tx x; [|reflexivity]. unfold resolve_block_step, resolve_next_transaction, resolve_transaction, transaction_view.
    rewrite lay_claims_reopened. reflexivity. }
  assert (O : forall contents, run_block (reopen block) contents = run_block block contents).
  { intros contents. apply (block_loop _ (fun acc tx x => run_block_step acc tx (contents_at contents x) x)
      (fun acc tx x => run_block_step acc tx (contents_at contents x) x)). reflexivity. }
  rewrite R. destruct (phase_tail setup state block); [|reflexivity]. destruct (resolve_block state block); [|reflexivity].
  rewrite O. reflexivity.
Qed.

(** And the state after. *)
Lemma apply_executed_reopened : forall setup state e block,
  apply_executed setup state e (transactions (reopen block)) = apply_executed setup state e (transactions block).
Proof.
  intros setup state e block. unfold apply_executed. cbv zeta.
  replace (replay_entries (replay_set state) (execution_ids e) (transactions (reopen block)))
    with (replay_entries (replay_set state) (execution_ids e) (transactions block)); [reflexivity|].
  symmetry. apply (block_loop _ (fun acc tx x => replay_entries_step acc (seq_at (execution_ids e) x) tx)
    (fun acc tx x => replay_entries_step acc (seq_at (execution_ids e) x) tx)). reflexivity.
Qed.

(** The same aggregated block, its meaningless openings others. *)
Definition reopen_aggregated (aggregated : AggregatedBlock) : AggregatedBlock :=
  {| plain_block := reopen (plain_block aggregated); block_points := block_points aggregated |}.

Theorem execute_aggregated_ignores_openings : forall setup state aggregated coefficients combiners,
  execute_challenged_block setup state (reopen_aggregated aggregated) coefficients combiners =
  execute_challenged_block setup state aggregated coefficients combiners.
Proof.
  intros setup state aggregated rho gamma. unfold execute_challenged_block. cbv zeta.
  change (plain_block (reopen_aggregated aggregated)) with (reopen (plain_block aggregated)).
  set (block := plain_block aggregated).
  destruct (phases_ignore_openings state block) as (_ & -> & -> & ->). rewrite ids_reopened, execute_proved_ignores_openings.
  replace (phase_aggregated_size state (reopen_aggregated aggregated)) with (phase_aggregated_size state aggregated).
  2:{ unfold phase_aggregated_size. change (plain_block (reopen_aggregated aggregated)) with (reopen block). fold block.
      replace (check_aggregated_size state (reopen_aggregated aggregated)) with (check_aggregated_size state aggregated).
      - symmetry. apply (block_loop _ (fun acc tx x => phase_size_step acc (parameters state) tx x)
          (fun acc tx x => phase_size_step acc (parameters state) tx x)).
        intros [[]|] tx x; [|reflexivity]. apply check_transaction_size_reopened.
      - unfold check_aggregated_size, aggregated_length. change (plain_block (reopen_aggregated aggregated)) with (reopen block).
        fold block. rewrite totals_reopened, length_reopened. cbn [reopen block_version transactions reopen_aggregated block_points].
        rewrite length_mapped. reflexivity. }
  replace (phase_points setup state (reopen_aggregated aggregated) rho gamma) with (phase_points setup state aggregated rho gamma).
  2:{ unfold phase_points. change (plain_block (reopen_aggregated aggregated)) with (reopen block). fold block.
      replace (unopened_claims state (reopen block)) with (unopened_claims state block); [reflexivity|]. symmetry.
      apply (block_loop _ (fun acc tx _ => unopened_of_transaction acc state tx) (fun acc tx _ => unopened_of_transaction acc state tx)).
      intros acc tx _. apply unopened_reopened. }
  reflexivity.
Qed.

Theorem apply_aggregated_ignores_openings : forall setup state aggregated coefficients combiners,
  apply_challenged_block setup state (reopen_aggregated aggregated) coefficients combiners =
  apply_challenged_block setup state aggregated coefficients combiners.
Proof.
  intros setup state aggregated rho gamma. unfold apply_challenged_block. rewrite execute_aggregated_ignores_openings.
  destruct (execute_challenged_block setup state aggregated rho gamma) as [e|]; [|reflexivity].
  exact (apply_executed_reopened setup state e (plain_block aggregated)).
Qed.

(** An accepted aggregated block does what the plain block does, with whatever openings that one is proved. *)
Theorem aggregated_does_as_plain : forall setup state aggregated coefficients combiners after effects,
  apply_challenged_block setup state aggregated coefficients combiners = Ok (after, effects) ->
  phase_size state (plain_block aggregated) = Ok tt ->
  phase_openings setup state (reopen (plain_block aggregated)) = Ok tt ->
  apply_block setup state (reopen (plain_block aggregated)) = Ok (after, effects).
Proof.
  intros setup state aggregated rho gamma after effects E S O. unfold apply_challenged_block, execute_challenged_block in E.
  cbv zeta in E. set (block := plain_block aggregated) in *. unfold apply_block, execute_block. cbv zeta.
  destruct (phases_ignore_openings state block) as (-> & -> & -> & ->).
  rewrite ids_reopened, execute_proved_ignores_openings, S, O.
  destruct (phase_aggregated_size state aggregated); [|discriminate]. destruct (phase_interval state block); [|discriminate].
  destruct (phase_replay state _); [|discriminate]. destruct (phase_shape state block); [|discriminate].
  destruct (phase_position state block); [|discriminate]. destruct (phase_points _ _ _ _ _); [|discriminate].
  destruct (execute_proved _ _ _ _) as [e|]; [|discriminate]. rewrite apply_executed_reopened. exact E.
Qed.

End Openings.
