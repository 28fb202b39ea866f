(** The claims of an aggregated block, as a validator collects them: each once, with its version's commitment, and without
    its opening.

    - [unopened_claims_spec]: each claim of the block is among them, and each of them is of the block, with the commitment that
      the state has for its version;
    - [batch_of_unopened_map]: how the scheme takes them. *)

From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Dictionary.Slot Commitment.Opening
  Commitment.Scheme Block.Rejection Dictionary.Vectors Dictionary.Window Block.Transaction Block.State
  Block.BlockData Block.AggregatedBlock.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar
  Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section MergedClaims.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** All claims of a block, each with the version that it speaks of. *)
Definition claims_of (block : Block) : list (N * Claim) :=
  flat_map (fun tx => map (pair (claims_version tx)) tx.(claims)) block.(transactions).

(** The claims as the scheme takes them, with openings. *)
Definition opened (openings : MergedClaim -> G1) (n : N) (item : MergedClaim) : BatchClaim :=
  {| batch_commitment := item.(merged_commitment);
     batch_index := index_of item.(merged_position) n;
     batch_scalar := item.(merged_scalar);
     batch_opening := openings item |}.

Lemma fold_or {A : Type} (p : A -> bool) (l : list A) (b : bool) :
  fold_left (fun found x => found || p x) l b = b || existsb p l.
Proof.
  revert b. induction l as [| x l IH]; intros b; simpl; [now rewrite orb_false_r |]. now rewrite IH, orb_assoc.
Qed.

Lemma seq_at_map {A B : Type} `{Default A} `{Default B} (f : A -> B) (l : list A) (j : N) :
  j < seq_length l -> seq_at (map f l) j = f (seq_at l j).
Proof.
  intros L. unfold seq_length in L. rewrite <- (N2Nat.id j), !seq_at_nat.
  rewrite (nth_indep _ default (f default)) by (rewrite map_length; lia). apply map_nth.
Qed.

Definition unopened (n : N) : MergedClaim -> BatchClaim := opened (fun _ => g1_identity) n.

Lemma batch_of_unopened_map (items : list MergedClaim) (n : N) : batch_of_unopened items n = map (unopened n) items.
Proof.
  unfold batch_of_unopened. rewrite (fold_range_elements (fun batch claim => batch_of_unopened_step batch claim n)).
  exact (fold_append (unopened n) items []).
Qed.

Lemma claims_of_in (block : Block) (tx : Transaction) (claim : Claim) :
  In tx block.(transactions) -> In claim tx.(claims) -> In (claims_version tx, claim) (claims_of block).
Proof. intros member claimed. apply in_flat_map. exists tx. split; [exact member | now apply in_map]. Qed.

(** ** What is collected *)

Context {lawful : LawfulScalars F}.

Definition speaks_for (item : MergedClaim) (claim : N * Claim) : Prop :=
  merged_version item = fst claim /\ merged_position item = claim_position (snd claim) /\
  merged_scalar item = scalar_of_slot (claim_slot (snd claim)).

Definition has_commitment (state : ValidatorState) (item : MergedClaim) : Prop :=
  commitment_at (window state) (commitments state) (version state) (merged_version item)
    (vector_of (merged_position item) (vector_size (parameters state))) = Some (merged_commitment item).

Lemma is_among_some : forall items item, is_among items item = true ->
  exists other, In other items /\ merged_version other = merged_version item /\
    merged_position other = merged_position item /\ merged_scalar other = merged_scalar item.
Proof.
  intros items item E. set (same := fun other =>
    (merged_version other =? merged_version item) && (merged_position other =? merged_position item) &&
    g1_equal (merged_commitment other) (merged_commitment item) && (merged_scalar other [=?] merged_scalar item)).
  assert (X : is_among items item = existsb same items).
  { unfold is_among. rewrite (fold_range_elements (fun found other => is_among_step found other item)).
    exact (fold_or same items false). }
  rewrite X in E. apply existsb_exists in E. destruct E as (other & I & E). unfold same in E.
  rewrite !andb_true_iff, !N.eqb_eq, g1_equal_iff, scalar_eqb_iff in E. exists other. tauto.
Qed.

Definition collect (state : ValidatorState) (collected : option (list MergedClaim)) (claim : N * Claim) :
    option (list MergedClaim) :=
  unopened_of_transaction_step collected state (snd claim) (fst claim).

Lemma unopened_claims_collects : forall state block,
  unopened_claims state block = fold_left (collect state) (claims_of block) (Some []).
Proof.
  intros state block. unfold unopened_claims, claims_of.
  rewrite (fold_range_elements (fun collected tx => unopened_of_transaction collected state tx)).
  generalize (Some (@nil MergedClaim)). induction (transactions block) as [|tx items IH]; intros start; [reflexivity|].
  cbn [fold_left flat_map]. rewrite IH, fold_left_app. f_equal. unfold unopened_of_transaction.
  rewrite (fold_range_elements (fun collected c => unopened_of_transaction_step collected state c (claims_version tx))).
  rewrite fold_left_map. reflexivity.
Qed.

Lemma collect_spec : forall state l start out,
  fold_left (collect state) l start = Some out ->
  exists items, start = Some items /\ (forall item, In item items -> In item out) /\
    (forall claim, In claim l -> exists item, In item out /\ speaks_for item claim) /\
    (forall item, In item out -> In item items \/
      (has_commitment state item /\ exists claim, In claim l /\ speaks_for item claim)).
Proof.
  intros state l. induction l as [|[v c] l IH]; intros start out E; cbn [fold_left] in E.
  - exists out. split; [exact E|]. split; [auto|]. split; [intros claim []|auto].
  - destruct (IH _ _ E) as (items & S & Keep & Each & From). clear IH E. unfold collect in S. cbn [fst snd] in S.
    unfold unopened_of_transaction_step in S. destruct start as [before|]; [|discriminate]. cbv zeta in S.
    exists before. split; [reflexivity|].
    destruct (commitment_at _ _ _ _ _) as [commitment|] eqn:C in S; [|discriminate]. injection S as <-.
    set (new := {| merged_version := v; merged_position := claim_position c; merged_commitment := commitment;
      merged_scalar := scalar_of_slot (claim_slot c) |}) in *.
    assert (K : forall item, In item before -> In item (add_unopened before new)).
    { intros item I. unfold add_unopened. destruct (is_among before new); [exact I|]. apply in_or_app. left. exact I. }
    assert (N : exists item, In item (add_unopened before new) /\ speaks_for item (v, c)).
    { unfold add_unopened. destruct (is_among before new) eqn:A.
      - destruct (is_among_some _ _ A) as (other & I & V & P & Sc). exists other. split; [exact I|]. repeat split; assumption.
      - exists new. split; [apply in_or_app; right; left; reflexivity|]. repeat split. }
    split; [auto|]. split.
    + intros claim [<-|I]; [|auto]. destruct N as (item & I & Sp). exists item. auto.
    + intros item I. destruct (From item I) as [J|(H & claim & J & Sp)].
      * unfold add_unopened in J. destruct (is_among before new); [left; exact J|].
        apply in_app_or in J. destruct J as [J|[<-|[]]]; [left; exact J|]. right. split; [exact C|].
        exists (v, c). split; [left; reflexivity|]. repeat split.
      * right. split; [exact H|]. exists claim. split; [right; exact J|exact Sp].
Qed.

Theorem unopened_claims_spec : forall state block items,
  unopened_claims state block = Some items ->
  (forall tx c, In tx (transactions block) -> In c (claims tx) ->
    exists item, In item items /\ speaks_for item (claims_version tx, c)) /\
  (forall item, In item items -> has_commitment state item /\
    exists tx, In tx (transactions block) /\ merged_version item = claims_version tx).
Proof.
  intros state block items E. rewrite unopened_claims_collects in E. destruct (collect_spec _ _ _ _ E) as (none & S & _ & Each & From).
  injection S as <-. split.
  - intros tx c It Ic. apply Each. exact (claims_of_in block tx c It Ic).
  - intros item I. destruct (From item I) as [[]|(C & claim & J & V & _)]. split; [exact C|].
    apply in_flat_map in J. destruct J as (tx & It & J). apply in_map_iff in J. destruct J as (c & <- & _). exists tx. auto.
Qed.

End MergedClaims.
