(** What it means that a phase of a block's check passed, item by item. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis
  Dictionary.Changes Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction Block.State
  Block.BlockData Block.View Block.Checks Block.Execution Block.Phases.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** ** Loops of checks *)

Section Checks.

Context {E : Type}.
Variables (check : N -> Result unit E) (f : Result unit E -> N -> Result unit E).
Hypothesis f_checks : forall c i, f c i = match c with Err e => Err e | Ok tt => check i end.

Lemma checks_passed : forall l start,
  fold_left f l start = Ok tt <-> start = Ok tt /\ forall i, In i l -> check i = Ok tt.
Proof.
  induction l as [|i l IH]; intros start; cbn [fold_left].
  - split; [intros ->; split; [reflexivity|intros i []]|intros [H _]; exact H].
  - rewrite IH, f_checks. split.
    + intros [H G]. destruct start as [[]|e]; [|discriminate]. split; [reflexivity|]. intros j [<-|Hj]; [exact H|apply G, Hj].
    + intros [-> H]. split; [apply H; left; reflexivity|]. intros j Hj. apply H. right. exact Hj.
Qed.

Lemma checks_failed : forall l start e,
  fold_left f l start = Err e -> start = Err e \/ exists i, In i l /\ check i = Err e.
Proof.
  induction l as [|i l IH]; intros start e; cbn [fold_left]; [auto|]. intros H. apply IH in H. destruct H as [H|(j & Hj & H)].
  - rewrite f_checks in H. destruct start as [[]|e']; [|left; exact H]. right. exists i. split; [left; reflexivity|exact H].
  - right. exists j. split; [right; exact Hj|exact H].
Qed.

Lemma checks_passed_elements : forall count,
  fold_left f (range 0 count) (Ok tt) = Ok tt <-> forall i, i < count -> check i = Ok tt.
Proof.
  intros count. rewrite checks_passed. split.
  - intros [_ H] i Hi. apply H, in_range. lia.
  - intros H. split; [reflexivity|]. intros i Hi. apply in_range in Hi. apply H. lia.
Qed.

Lemma checks_failed_elements : forall count e,
  fold_left f (range 0 count) (Ok tt) = Err e -> exists i, i < count /\ check i = Err e.
Proof.
  intros count e H. apply checks_failed in H. destruct H as [H|(i & Hi & H)]; [discriminate|]. apply in_range in Hi.
  exists i. split; [lia|exact H].
Qed.

End Checks.

Lemma passed_each : forall E (check : N -> Result unit E) (f : Result unit E -> N -> Result unit E) count,
  fold_left f (range 0 count) (Ok tt) = Ok tt ->
  (forall c i, f c i = match c with Err e => Err e | Ok tt => check i end) ->
  forall i, i < count -> check i = Ok tt.
Proof. intros E check f count H C. apply (checks_passed_elements check f C). exact H. Qed.

Lemma failed_one : forall E (check : N -> Result unit E) (f : Result unit E -> N -> Result unit E) count e,
  fold_left f (range 0 count) (Ok tt) = Err e ->
  (forall c i, f c i = match c with Err e => Err e | Ok tt => check i end) ->
  exists i, i < count /\ check i = Err e.
Proof. intros E check f count e H C. apply (checks_failed_elements check f C). exact H. Qed.

(** A loop that appends the results of a step, and stops at the first refusal. *)
Section Collects.

Context {A E : Type} {D : Default A}.
Variables (step : N -> Result A E) (f : Result (list A) E -> N -> Result (list A) E).
Hypothesis f_collects : forall c i,
  f c i = match c with Err e => Err e | Ok l => match step i with Ok x => Ok (l ++ [x]) | Err e => Err e end end.

Lemma collects_ok : forall count out,
  fold_left f (range 0 count) (Ok []) = Ok out ->
  seq_length out = count /\ forall i, i < count -> step i = Ok (seq_at out i).
Proof.
  intros count out H.
  assert (G : match fold_left f (range 0 count) (Ok []) with
    | Ok l => seq_length l = count /\ forall i, i < count -> step i = Ok (seq_at l i)
    | Err _ => True end).
  { apply (loop_invariant _ (fun k c => match c with
      | Ok l => seq_length l = k /\ forall i, i < k -> step i = Ok (seq_at l i)
      | Err _ => True end)); [lia| |].
    - split; [reflexivity|]. intros i Hi. lia.
    - intros i c Hi Hc. rewrite f_collects. destruct c as [l|]; [|exact I]. destruct Hc as [L Hc].
      destruct (step i) as [x|] eqn:S; [|exact I]. split; [rewrite seq_length_app, L; reflexivity|]. intros j Hj.
      rewrite seq_at_app, L. destruct (N.ltb_spec j i); [apply Hc; assumption|].
      replace j with i by lia. rewrite N.sub_diag. exact S. }
  rewrite H in G. exact G.
Qed.

Lemma collects_failed : forall count e,
  fold_left f (range 0 count) (Ok []) = Err e -> exists i, i < count /\ step i = Err e.
Proof.
  intros count e H.
  assert (G : match fold_left f (range 0 count) (Ok []) with
    | Ok _ => True
    | Err e' => exists i, i < count /\ step i = Err e' end).
  { apply (loop_invariant _ (fun k c => match c with
      | Ok _ => True | Err e' => exists i, i < k /\ step i = Err e' end)); [lia|exact I|].
    intros i c Hi Hc. rewrite f_collects. destruct c as [l|].
    - destruct (step i) as [x|] eqn:S; [exact I|]. exists i. split; [lia|exact S].
    - destruct Hc as (j & Hj & Hc). exists j. split; [lia|exact Hc]. }
  rewrite H in G. exact G.
Qed.

End Collects.

(** ** The phases *)

Section Phases.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (setup : Setup) (state : ValidatorState) (block : Block).

Definition tx_at (x : N) : Transaction := seq_at (transactions block) x.
Definition tx_count : N := seq_length (transactions block).

Lemma phase_interval_passed : phase_interval state block = Ok tt ->
  forall x, x < tx_count -> check_interval (parameters state) (tx_at x) (version state + 1) x = Ok tt.
Proof.
  unfold phase_interval, phase_interval_step, tx_at, tx_count. intros H.
  refine (passed_each _ (fun x => check_interval (parameters state) (seq_at (transactions block) x)
    (version state + 1) x) _ _ H _); reflexivity.
Qed.

Lemma phase_shape_passed : phase_shape state block = Ok tt ->
  forall x, x < tx_count -> check_shape (parameters state) (tx_at x) x = Ok tt.
Proof.
  unfold phase_shape, phase_shape_step, tx_at, tx_count. intros H.
  refine (passed_each _ (fun x => check_shape (parameters state) (seq_at (transactions block) x) x) _ _ H _); reflexivity.
Qed.

Lemma phase_position_passed : phase_position state block = Ok tt ->
  forall x c, x < tx_count -> c < seq_length (claims (tx_at x)) ->
  check_position state (seq_at (claims (tx_at x)) c) (claims_version (tx_at x)) x c = Ok tt.
Proof.
  unfold phase_position, phase_position_step, tx_at, tx_count. intros H x c Hx Hc.
  assert (P : check_positions state (seq_at (transactions block) x) x = Ok tt).
  { refine (passed_each _ (fun x => check_positions state (seq_at (transactions block) x) x) _ _ H _ x Hx); reflexivity. }
  unfold check_positions, check_positions_step in P.
  refine (passed_each _ (fun c => check_position state (seq_at (claims (seq_at (transactions block) x)) c)
    (claims_version (seq_at (transactions block) x)) x c) _ _ P _ c Hc); reflexivity.
Qed.

Lemma all_verify_iff : forall tx, all_verify setup state tx = true <->
  forall c, In c (claims tx) -> claim_verifies setup state c (claims_version tx) = true.
Proof.
  intros tx. unfold all_verify.
  rewrite (loop_over_elements _ _ _ (fun hold c => all_verify_step hold setup state c (claims_version tx))).
  assert (G : forall l start, fold_left (fun hold c => all_verify_step hold setup state c (claims_version tx)) l start = true <->
    start = true /\ forall c, In c l -> claim_verifies setup state c (claims_version tx) = true).
  { induction l as [|c l IH]; intros start; cbn [fold_left].
    - split; [intros ->; split; [reflexivity|intros c []]|intros [H _]; exact H].
    - rewrite IH. unfold all_verify_step. rewrite andb_true_iff. split.
      + intros [[H1 H2] H3]. split; [exact H1|]. intros d [<-|Hd]; [exact H2|apply H3, Hd].
      + intros [H1 H2]. split; [split; [exact H1|apply H2; left; reflexivity]|]. intros d Hd. apply H2. right. exact Hd. }
  rewrite G. split; [intros [_ H]; exact H|auto].
Qed.

Lemma phase_openings_passed : phase_openings setup state block = Ok tt ->
  forall x, x < tx_count -> forall c, In c (claims (tx_at x)) ->
  claim_verifies setup state c (claims_version (tx_at x)) = true.
Proof.
  unfold phase_openings, phase_openings_step, tx_at, tx_count. intros H x Hx.
  assert (P : check_openings setup state (seq_at (transactions block) x) x = Ok tt).
  { refine (passed_each _ (fun x => check_openings setup state (seq_at (transactions block) x) x) _ _ H _ x Hx); reflexivity. }
  unfold check_openings in P. destruct (has_malformed _); [discriminate|].
  destruct (all_verify setup state (seq_at (transactions block) x)) eqn:V; [|discriminate]. apply all_verify_iff. exact V.
Qed.

Lemma phase_tail_passed : phase_tail setup state block = Ok tt ->
  forall i, i < seq_length (tail_vectors block) ->
  check_tail_vector setup (parameters state) (commitments state) (tail_start state) (seq_at (tail_vectors block) i) i = Ok tt.
Proof.
  unfold phase_tail. destruct (phase_tail_number state block) as [_|]; [|discriminate].
  unfold check_tail_vectors, check_tail_vectors_step. intros H.
  refine (passed_each _ (fun i => check_tail_vector setup (parameters state) (commitments state) (tail_start state)
    (seq_at (tail_vectors block) i) i) _ _ H _); reflexivity.
Qed.

Lemma check_shape_operations : forall p tx x, check_shape p tx x = Ok tt ->
  forall j, j < seq_length (operations tx) -> check_operation_shape p (seq_at (operations tx) j) x j = Ok tt.
Proof.
  intros p tx x H. unfold check_shape in H. destruct (negb _); [discriminate|].
  destruct (seq_length (operations tx) =? 0); [discriminate|].
  destruct (check_operation_shapes p tx x) as [[]|] eqn:P; [|discriminate]. clear H.
  unfold check_operation_shapes, check_operation_shapes_step in P.
  refine (passed_each _ (fun j => check_operation_shape p (seq_at (operations tx) j) x j) _ _ P _); reflexivity.
Qed.

Lemma check_shape_claims : forall p tx x, check_shape p tx x = Ok tt ->
  forall c, c < seq_length (claims tx) -> check_claim_shape p tx x c = Ok tt.
Proof.
  intros p tx x H. unfold check_shape in H. destruct (negb _); [discriminate|].
  destruct (seq_length (operations tx) =? 0); [discriminate|].
  destruct (check_operation_shapes p tx x) as [[]|]; [|discriminate].
  unfold check_claim_shapes, check_claim_shapes_step in H.
  refine (passed_each _ (fun c => check_claim_shape p tx x c) _ _ H _); reflexivity.
Qed.

(** The keys of a block whose shapes passed are not empty. *)
Lemma shapes_keys : phase_shape state block = Ok tt ->
  forall tx op, In tx (transactions block) -> In op (operations tx) -> operation_key op <> [].
Proof.
  intros H tx op Htx Hop. destruct (in_seq_at _ _ _ _ Htx) as (x & Hx & <-). destruct (in_seq_at _ _ _ _ Hop) as (j & Hj & <-).
  pose proof (check_shape_operations _ _ _ (phase_shape_passed H x Hx) j Hj) as P. unfold check_operation_shape in P.
  destruct (N.eqb_spec (seq_length (operation_key (seq_at (operations (tx_at x)) j))) 0) as [|N]; [discriminate|].
  intros Z. apply N. unfold tx_at. rewrite Z. reflexivity.
Qed.

(** A transaction's claims are for a version that the window may reach. *)
Lemma interval_version : forall p tx b x, check_interval p tx b x = Ok tt ->
  claims_version tx + 1 = first_valid tx /\ claims_version tx + 1 <= b /\ b <= claims_version tx + 1 + window_length p.
Proof.
  intros p tx b x. unfold check_interval, claims_version.
  destruct (N.eqb_spec (first_valid tx) 0); [discriminate|]. cbn [orb].
  destruct (N.ltb_spec (last_valid tx) (first_valid tx)); [discriminate|].
  destruct (N.ltb_spec (window_length p) (last_valid tx - first_valid tx)); [discriminate|].
  destruct (N.ltb_spec b (first_valid tx)); [discriminate|]. destruct (N.ltb_spec (last_valid tx) b); [discriminate|].
  intros _. replace (0 <? first_valid tx) with true by (symmetry; apply N.ltb_lt; lia). lia.
Qed.

Lemma check_tail_vector_passed : forall p cs start slots i,
  check_tail_vector setup p cs start slots i = Ok tt ->
  exists number, tail_vector_number start (vector_size p) i = Some number /\ seq_length slots = vector_size p /\
    slots_fit p slots = true /\ vector_matches setup (vector_size p) (g1_at cs number) slots = true.
Proof.
  intros p cs start slots i. unfold check_tail_vector. destruct (tail_vector_number _ _ _) as [number|]; [|discriminate].
  destruct (N.eqb_spec (seq_length slots) (vector_size p)); [|discriminate]. cbn [negb].
  destruct (slots_fit p slots); [|discriminate]. cbn [negb]. destruct (vector_matches _ _ _ _) eqn:V; [|discriminate].
  intros _. exists number. auto.
Qed.

(** ** Resolution *)

Lemma resolve_operations_ok : forall known items x contents,
  resolve_operations known items x = Ok contents ->
  seq_length contents = seq_length items /\
  forall j, j < seq_length items -> resolve_operation known (seq_at items j) x j = Ok (seq_at contents j).
Proof.
  intros known items x contents H. unfold resolve_operations in H.
  eapply (collects_ok (fun j => resolve_operation known (seq_at items j) x j)); [|exact H].
  intros c j. unfold resolve_operations_step, resolve_next. destruct c; [|reflexivity].
  destruct (resolve_operation _ _ _ _); reflexivity.
Qed.

Lemma resolve_operations_failed : forall known items x e,
  resolve_operations known items x = Err e ->
  exists j, j < seq_length items /\ resolve_operation known (seq_at items j) x j = Err e.
Proof.
  intros known items x e H. unfold resolve_operations in H.
  eapply (collects_failed (fun j => resolve_operation known (seq_at items j) x j)); [|exact H].
  intros c j. unfold resolve_operations_step, resolve_next. destruct c; [|reflexivity].
  destruct (resolve_operation _ _ _ _); reflexivity.
Qed.

Lemma resolve_block_ok : forall resolved,
  resolve_block state block = Ok resolved ->
  seq_length resolved = tx_count /\
  forall x, x < tx_count -> resolve_transaction state (tx_at x) x = Ok (seq_at resolved x).
Proof.
  intros resolved H. unfold resolve_block in H.
  eapply (collects_ok (fun x => resolve_transaction state (tx_at x) x)); [|exact H].
  intros c x. unfold resolve_block_step, resolve_next_transaction, tx_at. destruct c; [|reflexivity].
  destruct (resolve_transaction _ _ _); reflexivity.
Qed.

Lemma resolve_block_failed : forall e,
  resolve_block state block = Err e ->
  exists x, x < tx_count /\ resolve_transaction state (tx_at x) x = Err e.
Proof.
  intros e H. unfold resolve_block in H.
  eapply (collects_failed (fun x => resolve_transaction state (tx_at x) x)); [|exact H].
  intros c x. unfold resolve_block_step, resolve_next_transaction, tx_at. destruct c; [|reflexivity].
  destruct (resolve_transaction _ _ _); reflexivity.
Qed.

(** ** The block *)

(** What a block that was executed went through, but for its size and its openings: in these two, plain blocks and aggregated
    ones differ. *)
Record passed (e : Execution) : Prop := {
  passed_interval : phase_interval state block = Ok tt;
  passed_replay : phase_replay state (execution_ids e) = Ok tt;
  passed_shape : phase_shape state block = Ok tt;
  passed_position : phase_position state block = Ok tt;
  passed_tail : phase_tail setup state block = Ok tt;
  passed_resolution : resolve_block state block = Ok (execution_contents e);
  passed_operations : exists changes,
    run_block block (execution_contents e) = Ok changes /\ execution_changes e = net_changes changes;
  passed_tail_count : phase_tail_count state block (size_after (size state) (execution_changes e)) = Ok tt;
  passed_changes :
    apply_changes {| array_size := size state; array_slots := block_view state block |} (execution_changes e) =
    Some (execution_after e);
  passed_ids : execution_ids e = transaction_ids (dictionary_id state) (transactions block);
  passed_before : execution_before e = block_view state block;
}.

(** What follows the openings, with the ids and what was found before them. *)
Lemma execute_proved_passed : forall e,
  phase_interval state block = Ok tt ->
  phase_replay state (transaction_ids (dictionary_id state) (transactions block)) = Ok tt ->
  phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  execute_proved setup state block (transaction_ids (dictionary_id state) (transactions block)) = Ok e -> passed e.
Proof.
  intros e P2 P3 P4 P5 H. unfold execute_proved in H.
  destruct (phase_tail setup state block) as [[]|] eqn:P7; [|discriminate].
  destruct (resolve_block state block) as [contents|] eqn:P8; [|discriminate].
  destruct (run_block block contents) as [changes|] eqn:P9; [|discriminate].
  destruct (phase_tail_count state block _) as [[]|] eqn:P10; [|discriminate].
  unfold change_view in H. destruct (apply_changes _ _) as [after|] eqn:P11; [|discriminate].
  injection H as <-. constructor; cbn; auto. exists changes. auto.
Qed.

Theorem execute_block_passed : forall e, execute_block setup state block = Ok e ->
  passed e /\ phase_size state block = Ok tt /\ phase_openings setup state block = Ok tt.
Proof.
  intros e H. unfold execute_block in H.
  destruct (phase_size state block) as [[]|] eqn:P1; [|discriminate].
  destruct (phase_interval state block) as [[]|] eqn:P2; [|discriminate]. cbv zeta in H.
  destruct (phase_replay state _) as [[]|] eqn:P3; [|discriminate].
  destruct (phase_shape state block) as [[]|] eqn:P4; [|discriminate].
  destruct (phase_position state block) as [[]|] eqn:P5; [|discriminate].
  destruct (phase_openings setup state block) as [[]|] eqn:P6; [|discriminate].
  split; [exact (execute_proved_passed e P2 P3 P4 P5 H)|auto].
Qed.

End Phases.
