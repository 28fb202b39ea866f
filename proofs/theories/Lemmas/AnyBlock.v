(** A block in either form: plain, each claim with its opening, or aggregated, as the blocks of the chain are.

    The challenges of an aggregated block are given with it: they are drawn from the block's bytes, which lie outside of these
    theories, and no theorem here asks how.

    - [execute_any_passed]: whichever the form, a block that is executed passed its size, the proof of its claims, and all
      phases that do not look at openings ([passed], PhaseLemmas.v);
    - [execute_any_only_stuck]: when no phase refuses it, all that can lack is a slot;
    - [any_size_good]: what the two checks of sizes have in common. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.SlotMap Dictionary.Array
  Commitment.Opening Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Changes Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.ChecksLemmas Lemmas.PhaseLemmas Spec.Block.Checks.
Import ListNotations.
Local Open Scope N_scope.

Section AnyBlock.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Inductive AnyBlock : Type :=
| Plain (block : Block)
| Aggregated (aggregated : AggregatedBlock) (coefficients combiners : list Scalar).

(** Its version, transactions and tail vectors; the openings of an aggregated one are of no meaning. *)
Definition block_in (any : AnyBlock) : Block :=
  match any with Plain block => block | Aggregated aggregated _ _ => plain_block aggregated end.

Definition apply_any (setup : Setup) (state : ValidatorState) (any : AnyBlock) : Result (ValidatorState * Effects) Rejection :=
  match any with
  | Plain block => apply_block setup state block
  | Aggregated aggregated coefficients combiners => apply_challenged_block setup state aggregated coefficients combiners
  end.

Definition execute_any (setup : Setup) (state : ValidatorState) (any : AnyBlock) : Result Execution Rejection :=
  match any with
  | Plain block => execute_block setup state block
  | Aggregated aggregated coefficients combiners => execute_challenged_block setup state aggregated coefficients combiners
  end.

(** Phase 1, for either form. *)
Definition phase_any_size (state : ValidatorState) (any : AnyBlock) : Result unit Rejection :=
  match any with
  | Plain block => phase_size state block
  | Aggregated aggregated _ _ => phase_aggregated_size state aggregated
  end.

(** Phase 6, for either form. *)
Definition phase_proofs (setup : Setup) (state : ValidatorState) (any : AnyBlock) : Result unit Rejection :=
  match any with
  | Plain block => phase_openings setup state block
  | Aggregated aggregated coefficients combiners => phase_points setup state aggregated coefficients combiners
  end.

Variables (setup : Setup) (state : ValidatorState).

Lemma apply_any_executed : forall any state' effects,
  apply_any setup state any = Ok (state', effects) ->
  exists e, execute_any setup state any = Ok e /\
    apply_executed setup state e (transactions (block_in any)) = Ok (state', effects).
Proof.
  intros [block|aggregated rho gamma] state' effects E; cbn [apply_any execute_any block_in] in *.
  - unfold apply_block in E. destruct (execute_block setup state block) as [e|]; [|discriminate]. exists e. auto.
  - unfold apply_challenged_block in E.
    destruct (execute_challenged_block setup state aggregated rho gamma) as [e|]; [|discriminate]. exists e. auto.
Qed.

Theorem execute_any_passed : forall any e,
  execute_any setup state any = Ok e ->
  passed setup state (block_in any) e /\ phase_any_size state any = Ok tt /\ phase_proofs setup state any = Ok tt.
Proof.
  intros [block|aggregated rho gamma] e E; cbn [execute_any block_in phase_any_size phase_proofs] in *.
  - exact (execute_block_passed setup state block e E).
  - unfold execute_challenged_block in E. cbv zeta in E.
    destruct (phase_aggregated_size state aggregated) as [[]|]; [|discriminate].
    destruct (phase_interval state (plain_block aggregated)) as [[]|] eqn:P2; [|discriminate].
    destruct (phase_replay state _) as [[]|] eqn:P3; [|discriminate].
    destruct (phase_shape state (plain_block aggregated)) as [[]|] eqn:P4; [|discriminate].
    destruct (phase_position state (plain_block aggregated)) as [[]|] eqn:P5; [|discriminate].
    destruct (phase_points setup state aggregated rho gamma) as [[]|]; [|discriminate].
    split; [exact (execute_proved_passed setup state _ e P2 P3 P4 P5 E)|auto].
Qed.

(** No phase refuses the block. *)
Record no_phase_refuses (any : AnyBlock) (contents : list Contents) (changes : ChangeMap) : Prop := {
  size_passes : phase_any_size state any = Ok tt;
  interval_passes : phase_interval state (block_in any) = Ok tt;
  replay_passes : phase_replay state (transaction_ids (dictionary_id state) (transactions (block_in any))) = Ok tt;
  shape_passes : phase_shape state (block_in any) = Ok tt;
  position_passes : phase_position state (block_in any) = Ok tt;
  proofs_pass : phase_proofs setup state any = Ok tt;
  tail_passes : phase_tail setup state (block_in any) = Ok tt;
  resolution_passes : resolve_block state (block_in any) = Ok contents;
  operations_pass : run_block (block_in any) contents = Ok changes;
  tail_count_passes : phase_tail_count state (block_in any) (size_after (size state) (net_changes changes)) = Ok tt;
}.

(** Then all that is left is that a slot is missing. *)
Theorem execute_any_only_stuck : forall any contents changes,
  no_phase_refuses any contents changes ->
  let block := block_in any in
  execute_any setup state any =
  match apply_changes {| array_size := size state; array_slots := block_view state block |} (net_changes changes) with
  | Some after => Ok {| execution_ids := transaction_ids (dictionary_id state) (transactions block);
                        execution_contents := contents;
                        execution_changes := net_changes changes;
                        execution_before := block_view state block;
                        execution_after := after |}
  | None => Err (reject_block Reason_TailMissing)
  end.
Proof.
  intros [block|aggregated rho gamma] contents changes [P1 P2 P3 P4 P5 P6 P7 P8 P9 P10]; cbn [block_in phase_any_size phase_proofs] in *.
  - unfold execute_any, execute_block, execute_proved. cbv zeta. rewrite P1, P2, P3, P4, P5, P6, P7, P8, P9, P10.
    unfold change_view. destruct (apply_changes _ _); reflexivity.
  - unfold execute_any, execute_challenged_block, execute_proved. cbv zeta. rewrite P1, P2, P3, P4, P5, P6, P7, P8, P9, P10.
    unfold change_view. destruct (apply_changes _ _); reflexivity.
Qed.

Lemma apply_any_unfold : forall any,
  apply_any setup state any =
  match execute_any setup state any with
  | Ok e => apply_executed setup state e (transactions (block_in any))
  | Err e => Err e
  end.
Proof. intros [block|aggregated rho gamma]; reflexivity. Qed.

(** An accepted block was executed, and the state advanced to what it leads to. *)
Lemma apply_any_passed : forall any state' effects,
  apply_any setup state any = Ok (state', effects) ->
  exists e, passed setup state (block_in any) e /\ phase_any_size state any = Ok tt /\
    phase_proofs setup state any = Ok tt /\
    apply_executed setup state e (transactions (block_in any)) = Ok (state', effects).
Proof.
  intros any state' effects E. destruct (apply_any_executed any state' effects E) as (e & X & A).
  exists e. destruct (execute_any_passed any e X) as (P & S & Q). auto.
Qed.

Definition any_size_good (block : Block) : Prop :=
  seq_length (transactions block) <= block_transactions (parameters state) /\
  total_operations (block_totals block) <= block_operations (parameters state) /\
  forall tx, In tx (transactions block) -> transaction_size_good (parameters state) tx.

Lemma any_size_passed : forall any, phase_any_size state any = Ok tt -> any_size_good (block_in any).
Proof.
  intros [block|aggregated rho gamma] E; cbn [phase_any_size block_in] in *.
  - apply phase_size_ok in E. destruct E as [(_ & T & O & _) S]. split; [exact T|]. split; [exact O|exact S].
  - unfold phase_aggregated_size in E. set (block := plain_block aggregated) in *.
    change (fold_left _ _ _) with (checks
      (fun x => check_transaction_size (parameters state) (seq_at (transactions block) x) x)
      (seq_length (transactions block)) (check_aggregated_size state aggregated)) in E.
    rewrite checks_pass in E. destruct E as [S E].
    assert (L : seq_length (transactions block) <= block_transactions (parameters state) /\
      total_operations (block_totals block) <= block_operations (parameters state)).
    { unfold check_aggregated_size in S. cbv zeta in S. fold block in S. destruct (negb _); [discriminate|].
      destruct (N.ltb_spec (block_transactions (parameters state)) (seq_length (transactions block))); [discriminate|].
      destruct (N.ltb_spec (block_operations (parameters state)) (total_operations (block_totals block))); [discriminate|].
      split; assumption. }
    destruct L as [T O]. split; [exact T|]. split; [exact O|]. apply (all_elements _ Default_Transaction). intros x Hx.
    apply check_transaction_size_ok with (x := x), E, Hx.
Qed.

End AnyBlock.
