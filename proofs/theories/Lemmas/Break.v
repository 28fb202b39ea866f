(** Breaks of the cryptography, as data, and the function that finds one when a validator was made to believe a falsehood.

    [find_break] looks at received data, public parameters and the honest arrays only. It never sees a trapdoor: of the
    commitment scheme it gets two functions, those that commit to a vector and that open it, which everyone can compute from
    the public parameters.

    - [find_break_same]: it looks at nothing else: functions that commit and open alike find the same break;
    - [break_in_claim_is_break], [break_in_claim_none]: what it returns for an accepted claim is a break, and when it returns
      nothing the claim is true of the honest array;
    - [wrong_tail_is_a_break]: the same for slots that were accepted in the place of a vector;
    - [two_openings_give_missing_power]: a break of the last kind gives the power of the trapdoor that is not public.

    That what it returns for a whole accepted block is a break is said in Validator.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.Checks.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Lemmas.History
  Spec.Dictionary.Window Spec.Dictionary.Vectors Spec.Block.State.
Import ListNotations.
Local Open Scope N_scope.

Section Break.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What a break is *)

Inductive Break : Type :=
(** Two different slots with one scalar: a collision of the hash. *)
| SameScalar (x y : Slot)
(** A slot with the scalar of an unused position: a zero of the hash. *)
| ZeroScalar (x : Slot)
(** One commitment, opened at one index to two scalars. *)
| TwoOpenings (commitment : G1) (index : N) (m : Scalar) (opening : G1) (m' : Scalar) (opening' : G1).

(** What makes the data a break; [setup] is only asked to verify, as anyone can. *)
Definition is_break (setup : Setup) (b : Break) : Prop :=
  match b with
  | SameScalar x y => x <> y /\ scalar_of_slot x = scalar_of_slot y
  | ZeroScalar x => scalar_of_slot x = scalar_zero
  | TwoOpenings commitment index m opening m' opening' =>
      m <> m' /\
      verify setup commitment index m (Opening_Point opening) = true /\
      verify setup commitment index m' (Opening_Point opening') = true
  end.

(** ** Finding one *)

Section Find.

(** To commit to a vector, and to open it at an index: what the public parameters allow everyone to compute. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).

(** N *)
Variable n : N.

(** A position's content is [honest]; [claimed] was accepted in its place, with [opening']. The honest vector is [scalars],
    and the position has this index in it. *)
Definition break_in_slot (scalars : list Scalar) (index : N) (honest : option Slot) (claimed : Slot) (opening' : G1)
    : option Break :=
  if slot_contents_equal honest (Some claimed) then None
  else if scalar_of_content honest [=?] scalar_of_slot claimed then
    match honest with
    | Some x => Some (SameScalar x claimed)
    | None => Some (ZeroScalar claimed)
    end
  else
    Some (TwoOpenings (commit_to scalars) index (scalar_of_content honest) (open_at scalars index)
      (scalar_of_slot claimed) opening').

(** A claim, for a version with this honest array. *)
Definition break_in_claim (a : Array) (claim : Claim) : option Break :=
  let p := claim_position claim in
  match claim_opening claim with
  | Opening_Malformed => None
  | Opening_Point opening' =>
      break_in_slot (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) (slot_at (array_slots a) p)
        (claim_slot claim) opening'
  end.

(** Slots that were accepted as vector [number] of this honest array. *)
Definition break_in_vector (a : Array) (number : N) (slots : list Slot) (index : N) : option Break :=
  break_in_slot (vector_scalars (array_slots a) n number) index (slot_at (array_slots a) (number * n + index))
    (seq_at slots index) (open_at (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) index).

(** The first break in a list. *)
Fixpoint first_break {A : Type} (look : A -> option Break) (items : list A) : option Break :=
  match items with
  | [] => None
  | x :: rest => match look x with Some b => Some b | None => first_break look rest end
  end.

Definition break_in_claims (h : History) (tx : Transaction) : option Break :=
  first_break (break_in_claim (array_at h (claims_version tx))) (claims tx).

Definition break_in_tail_vector (a : Array) (start : N) (vectors : list (list Slot)) (i : N) : option Break :=
  match tail_vector_number start n i with
  | None => None
  | Some number => first_break (break_in_vector a number (seq_at vectors i)) (range 0 n)
  end.

Definition break_in_tail (a : Array) (start : N) (vectors : list (list Slot)) : option Break :=
  first_break (break_in_tail_vector a start vectors) (range 0 (seq_length vectors)).

(** The first break in a block: in its claims, then in its tail vectors. [start] is where the validators' tail starts. *)
Definition find_break (h : History) (start : N) (block : Block) : option Break :=
  match first_break (break_in_claims h) (transactions block) with
  | Some b => Some b
  | None => break_in_tail (latest h) start (tail_vectors block)
  end.

Lemma first_break_some : forall A (look : A -> option Break) items b,
  first_break look items = Some b -> exists x, In x items /\ look x = Some b.
Proof.
  intros A look items b. induction items as [|x items IH]; [discriminate|]. cbn [first_break].
  destruct (look x) as [c|] eqn:E.
  - intros H. injection H as <-. exists x. split; [left; reflexivity|assumption].
  - intros H. destruct (IH H) as (y & Hy & Ey). exists y. split; [right|]; assumption.
Qed.

Lemma first_break_none : forall A (look : A -> option Break) items,
  first_break look items = None -> forall x, In x items -> look x = None.
Proof.
  intros A look items. induction items as [|y items IH]; [intros _ x []|]. cbn [first_break].
  destruct (look y) as [c|] eqn:E; [discriminate|]. intros H x [<-|Hx]; [assumption|]. apply IH; assumption.
Qed.

Lemma break_in_slot_none : forall scalars index honest claimed opening',
  break_in_slot scalars index honest claimed opening' = None -> honest = Some claimed.
Proof.
  intros scalars index honest claimed opening'. unfold break_in_slot.
  destruct (slot_contents_equal honest (Some claimed)) eqn:E; [intros _; apply slot_contents_equal_iff; assumption|].
  destruct (_ [=?] _); [destruct honest|]; discriminate.
Qed.

End Find.

(** Functions that commit and open alike find the same. *)
Section Same.

Variables (commit_to commit_to' : list Scalar -> G1) (open_at open_at' : list Scalar -> N -> G1) (size : N).
Hypothesis positive_size : 1 <= size.
Hypothesis same_commit : forall vector, commit_to vector = commit_to' vector.
Hypothesis same_open : forall vector i, i < size -> open_at vector i = open_at' vector i.

Lemma first_break_same : forall A (look look' : A -> option Break) items,
  (forall x, In x items -> look x = look' x) -> first_break look items = first_break look' items.
Proof.
  intros A look look' items. induction items as [|x items IH]; intros H; [reflexivity|]. cbn [first_break].
  rewrite (H x (or_introl eq_refl)). destruct (look' x); [reflexivity|]. apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma break_in_slot_same : forall scalars index honest claimed opening opening',
  index < size -> opening = opening' ->
  break_in_slot commit_to open_at scalars index honest claimed opening =
  break_in_slot commit_to' open_at' scalars index honest claimed opening'.
Proof. intros. subst. unfold break_in_slot. rewrite same_commit, same_open by assumption. reflexivity. Qed.

Theorem find_break_same : forall h start block,
  find_break commit_to open_at size h start block = find_break commit_to' open_at' size h start block.
Proof.
  intros h start block. unfold find_break.
  rewrite (first_break_same _ (break_in_claims commit_to open_at size h) (break_in_claims commit_to' open_at' size h)).
  2:{ intros tx _. unfold break_in_claims. apply first_break_same. intros c _. unfold break_in_claim. cbv zeta.
      destruct (claim_opening c); [reflexivity|]. apply break_in_slot_same; [|reflexivity].
      apply position_split. assumption. }
  destruct (first_break _ (transactions block)); [reflexivity|].
  unfold break_in_tail. apply first_break_same. intros i _. unfold break_in_tail_vector.
  destruct (tail_vector_number start size i) as [number|]; [|reflexivity]. apply first_break_same. intros j Hj.
  apply in_range in Hj. unfold break_in_vector. apply break_in_slot_same; [lia|]. apply same_open. lia.
Qed.

End Same.

(** ** What it finds *)

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Let break_in_slot' := break_in_slot (commit setup) (open setup).

Lemma break_in_slot_is_break : forall scalars index honest claimed opening' b,
  index < n -> scalar_at scalars index = scalar_of_content honest ->
  verify setup (commit setup scalars) index (scalar_of_slot claimed) (Opening_Point opening') = true ->
  break_in_slot' scalars index honest claimed opening' = Some b -> is_break setup b.
Proof.
  intros scalars index honest claimed opening' b Hi Hm V. unfold break_in_slot', break_in_slot.
  destruct (slot_contents_equal honest (Some claimed)) eqn:E; [discriminate|].
  assert (D : honest <> Some claimed).
  { intros X. apply slot_contents_equal_iff in X. congruence. }
  destruct (scalar_of_content honest [=?] scalar_of_slot claimed) eqn:S.
  - apply scalar_eqb_iff in S. destruct honest as [x|]; intros H; injection H as <-; cbn [is_break].
    + split; [congruence|exact S].
    + symmetry. exact S.
  - intros H. injection H as <-. cbn [is_break]. split; [|split; [|exact V]].
    + intros X. apply scalar_eqb_iff in X. congruence.
    + rewrite <- Hm. apply Scheme.open_correct; [assumption|]. rewrite sized. assumption.
Qed.

Definition claim_true (a : Array) (claim : Claim) : Prop :=
  slot_at (array_slots a) (claim_position claim) = Some (claim_slot claim).

(** The claim's opening is accepted under the commitment to the honest vector. *)
Definition claim_accepted (a : Array) (claim : Claim) : Prop :=
  verify setup (vector_commitment setup n (array_slots a) (vector_of (claim_position claim) n))
    (index_of (claim_position claim) n) (scalar_of_slot (claim_slot claim)) (claim_opening claim) = true.

Theorem break_in_claim_is_break : forall a claim b,
  claim_accepted a claim -> break_in_claim (commit setup) (open setup) n a claim = Some b -> is_break setup b.
Proof.
  intros a claim b V. unfold break_in_claim. unfold claim_accepted in V. cbv zeta.
  destruct (position_split (claim_position claim) n positive) as [E L].
  destruct (claim_opening claim) as [|opening']; [discriminate|]. apply break_in_slot_is_break; [assumption| |exact V].
  rewrite scalar_at_vector_scalars by assumption. unfold content_scalar. rewrite <- E. reflexivity.
Qed.

Theorem break_in_claim_none : forall a claim,
  claim_accepted a claim -> break_in_claim (commit setup) (open setup) n a claim = None -> claim_true a claim.
Proof.
  intros a claim V. unfold break_in_claim, claim_accepted in *. cbv zeta.
  destruct (claim_opening claim) as [|opening']; [discriminate|]. intros H. apply break_in_slot_none in H. exact H.
Qed.

(** The slots are as many as a vector has, and their commitment is that of the honest vector. *)
Definition vector_accepted (a : Array) (number : N) (slots : list Slot) : Prop :=
  seq_length slots = n /\
  commit setup (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) = vector_commitment setup n (array_slots a) number.

(** Slots that were accepted in the place of a vector, and are not its content, are a break. *)
Theorem wrong_tail_is_a_break : forall a number slots,
  vector_accepted a number slots ->
  match first_break (break_in_vector (commit setup) (open setup) n a number slots) (range 0 n) with
  | Some b => is_break setup b
  | None => forall j, j < n -> slot_at (array_slots a) (number * n + j) = Some (seq_at slots j)
  end.
Proof.
  intros a number slots [L C].
  destruct (first_break (break_in_vector (commit setup) (open setup) n a number slots) (range 0 n)) as [b|] eqn:E.
  - destruct (first_break_some _ _ _ _ E) as (j & Hj & Ej). apply in_range in Hj.
    assert (Hj' : j < n) by lia. unfold break_in_vector in Ej.
    eapply break_in_slot_is_break; [exact Hj'| | |exact Ej].
    + rewrite scalar_at_vector_scalars by assumption. reflexivity.
    + change (commit setup (vector_scalars (array_slots a) n number)) with (vector_commitment setup n (array_slots a) number).
      rewrite <- C.
      assert (S : scalar_of_slot (seq_at slots j) = scalar_at (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) j).
      { rewrite scalar_at_vector_scalars by assumption. unfold content_scalar. rewrite slot_at_lay_slots, L, N.mul_0_l, !N.add_0_l.
        replace (0 <=? j) with true by (symmetry; apply N.leb_le; lia).
        replace (j <? n) with true by (symmetry; apply N.ltb_lt; assumption). cbn [andb]. rewrite N.sub_0_r. reflexivity. }
      rewrite S. apply Scheme.open_correct; [assumption|]. rewrite sized. assumption.
  - intros j Hj. pose proof (first_break_none _ _ _ E j) as X. unfold break_in_vector in X.
    eapply break_in_slot_none. apply X. apply in_range. lia.
Qed.

(** A break of the last kind gives the power of the trapdoor that is missing among the public parameters. *)
Theorem two_openings_give_missing_power : forall commitment index m opening m' opening',
  is_break setup (TwoOpenings commitment index m opening m' opening') ->
  Scheme.extract m m' opening opening' = Scheme.missing_power setup index.
Proof.
  intros commitment index m opening m' opening' (D & V & V').
  exact (Scheme.position_binding setup commitment index m m' opening opening' made V V' D).
Qed.

End Break.
