(** Theorems for auditors: breaks of the cryptography, and the functions that find one in a received block.

    To understand a statement of this file you need this file, the generated definitions, and of Commitments.v
    [aggregated_break]. What is found is data; the functions get received data, honest arrays, and two functions that commit
    to vectors and open them, which everyone can compute ([kzg_commit_is_public], [kzg_open_is_public]). Definitions, mostly:
    that what is found in an accepted block is a break, and where nothing is found the block is what its transactions do, is
    said in Blocks.v.

    - [wrong_tail_is_a_break]: accepted tail vectors are the array's, or a break is found in them.
    - [find_break_same], [find_in_aggregated_same]: these are the functions of the other theories. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Block.Operation
  Block.Rejection Dictionary.KeyMap Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.View Block.Checks
  Block.Execution Block.Phases Block.Validator Block.AggregatedBlock Block.Import Block.Map.
From Aardvark Require Lemmas.Field Spec.Dictionary.Genesis Lemmas.LoopLemmas Lemmas.Break
  Lemmas.AggregatedBreak.
From Aardvark Require Import Theorems.Commitments.
Import ListNotations.
Local Open Scope N_scope.

Section Breaks.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** To commit to a vector, and to open it at an index: [find_break] and [find_in_aggregated] use these, and nothing else of a
    dictionary's setup. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).

(** ** Breaks *)
Inductive Break : Type :=
(** Two different slots with one scalar. *)
| SameScalar (x y : Slot)
(** A slot with the scalar of an unused position. *)
| ZeroScalar (x : Slot)
(** One commitment, opened at one index to two scalars; what that gives: [kzg_position_binding] and its like. *)
| TwoOpenings (commitment : G1) (index : N) (m : Scalar) (opening : G1) (m' : Scalar) (opening' : G1).

Definition is_break (setup : Setup) (b : Break) : Prop :=
  match b with
  | SameScalar x y => x <> y /\ scalar_of_slot x = scalar_of_slot y
  | ZeroScalar x => scalar_of_slot x = scalar_zero
  | TwoOpenings commitment index m opening m' opening' =>
      m <> m' /\ verify setup commitment index m (Opening_Point opening) = true /\
      verify setup commitment index m' (Opening_Point opening') = true
  end.
(** The whole arrays from version 0 on; the last is that of the current version t. *)
Definition array_at (h : list Array) (v : N) : Array := seq_at h v.
Definition now (h : list Array) : N := seq_length h - 1.
Definition latest (h : list Array) : Array := array_at h (now h).

(** The honest content of a position is [honest]; [claimed] was accepted in its place with [opening']. The honest vector is
    [scalars], and the position has this index in it. *)
Definition break_in_slot (scalars : list Scalar) (index : N) (honest : option Slot) (claimed : Slot) (opening' : G1)
    : option Break :=
  if slot_contents_equal honest (Some claimed) then None
  else if scalar_of_content honest [=?] scalar_of_slot claimed then
    match honest with Some x => Some (SameScalar x claimed) | None => Some (ZeroScalar claimed) end
  else
    Some (TwoOpenings (commit_to scalars) index (scalar_of_content honest) (open_at scalars index)
      (scalar_of_slot claimed) opening').
(** The first break in a list. *)
Fixpoint first_break {A : Type} (look : A -> option Break) (items : list A) : option Break :=
  match items with
  | [] => None
  | x :: rest => match look x with Some b => Some b | None => first_break look rest end
  end.

(** In a claim for a version with this honest array. *)
Definition break_in_claim (n : N) (a : Array) (claim : Claim) : option Break :=
  let p := claim_position claim in
  match claim_opening claim with
  | Opening_Malformed => None
  | Opening_Point opening' =>
      break_in_slot (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) (slot_at (array_slots a) p)
        (claim_slot claim) opening'
  end.

(** In slots that were accepted as vector [number] of this honest array. *)
Definition break_in_vector (n : N) (a : Array) (number : N) (slots : list Slot) (index : N) : option Break :=
  break_in_slot (vector_scalars (array_slots a) n number) index (slot_at (array_slots a) (number * n + index))
    (seq_at slots index) (open_at (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) index).

(** In item [i] of a block's tail. [start] is where the validators' tail starts. *)
Definition break_in_tail_vector (n : N) (a : Array) (start : N) (vectors : list (list Slot)) (i : N) : option Break :=
  match tail_vector_number start n i with
  | None => None
  | Some number => first_break (break_in_vector n a number (seq_at vectors i)) (range 0 n)
  end.

(** In a block: in its claims, then in its tail. *)
Definition find_break (n : N) (h : list Array) (start : N) (block : Block) : option Break :=
  match first_break (fun tx => first_break (break_in_claim n (array_at h (claims_version tx))) (claims tx))
    (transactions block) with
  | Some b => Some b
  | None =>
      first_break (break_in_tail_vector n (latest h) start (tail_vectors block)) (range 0 (seq_length (tail_vectors block)))
  end.

(** ** Breaks in aggregated blocks: honest openings stand in for those that they lack *)

Inductive Finding : Type :=
(** A break as above. *)
| InSlots (b : Break)
(** Claim [j] of those that the points are to prove is false; and what the points and the honest openings give. *)
| InPoints (j : N) (power : option G1).

(** The distinct claims of an aggregated block, as a validator with this state collects them, and as the verifier takes them. *)
Definition merged_claims (state : ValidatorState) (block : Block) : list MergedClaim :=
  match unopened_claims state block with Some items => items | None => [] end.
Definition claimed (n : N) (state : ValidatorState) (block : Block) : list BatchClaim :=
  batch_of_unopened (merged_claims state block) n.

(** What the honest arrays have in their places: the content of the position at the version, and the opening that shows it. *)
Definition honest_claim (n : N) (h : list Array) (item : MergedClaim) : BatchClaim :=
  let a := array_at h (merged_version item) in
  let p := merged_position item in
  {| batch_commitment := merged_commitment item;
     batch_index := index_of p n;
     batch_scalar := scalar_of_content (slot_at (array_slots a) p);
     batch_opening := open_at (vector_scalars (array_slots a) n (vector_of p n)) (index_of p n) |}.
Definition honest_in_place (n : N) (h : list Array) (state : ValidatorState) (block : Block) : list BatchClaim :=
  map (honest_claim n h) (merged_claims state block).

(** The points of the block, each at the index for which the verifier takes it. *)
Definition points_of (n : N) (state : ValidatorState) (aggregated : AggregatedBlock) : list AggregatedOpening :=
  indexed_points (claimed n state (plain_block aggregated)) (block_points aggregated) n.

(** A claimed slot that is not the position's content, but has its scalar. *)
Definition hash_break (a : Array) (claim : Claim) : option Break :=
  let honest := slot_at (array_slots a) (claim_position claim) in
  if slot_contents_equal honest (Some (claim_slot claim)) then None
  else if scalar_of_content honest [=?] scalar_of_slot (claim_slot claim) then
    match honest with Some x => Some (SameScalar x (claim_slot claim)) | None => Some (ZeroScalar (claim_slot claim)) end
  else None.

(** The first claim whose scalar is not the honest one. *)
Definition first_false (batch honest : list BatchClaim) : option N :=
  find (fun j => negb (batch_scalar (seq_at batch j) [=?] batch_scalar (seq_at honest j))) (range 0 (seq_length batch)).

(** In an aggregated block, with the coefficients of the first challenge: first a break of the hash in its claims; then a false
    claim, with what the points give ([aggregated_break], Commitments.v); then a break in its tail. *)
Definition find_in_aggregated (n : N) (h : list Array) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients : list Scalar) : option Finding :=
  let block := plain_block aggregated in
  let batch := claimed n state block in
  let honest := honest_in_place n h state block in
  match first_break (fun tx => first_break (hash_break (array_at h (claims_version tx))) (claims tx)) (transactions block) with
  | Some b => Some (InSlots b)
  | None =>
      match first_false batch honest with
      | Some j =>
          let i := batch_index (seq_at batch j) in
          Some (InPoints j (aggregated_break batch honest coefficients (points_of n state aggregated) i))
      | None =>
          option_map InSlots (first_break (break_in_tail_vector n (latest h) (tail_start state) (tail_vectors block))
            (range 0 (seq_length (tail_vectors block))))
      end
  end.

(** ** These are the definitions of the other theories *)

Definition image (b : Break) : Aardvark.Lemmas.Break.Break :=
  match b with
  | SameScalar x y => Aardvark.Lemmas.Break.SameScalar x y | ZeroScalar x => Aardvark.Lemmas.Break.ZeroScalar x
  | TwoOpenings c i m o m' o' => Aardvark.Lemmas.Break.TwoOpenings c i m o m' o'
  end.
Lemma first_break_same : forall A (look : A -> option Break) look' items,
  (forall x, option_map image (look x) = look' x) ->
  option_map image (first_break look items) = Aardvark.Lemmas.Break.first_break look' items.
Proof.
  intros A look look' items same. induction items as [|x items IH]; [reflexivity|]. cbn [first_break Aardvark.Lemmas.Break.first_break].
  rewrite <- same. destruct (look x); [reflexivity|exact IH].
Qed.
Lemma break_in_slot_same : forall scalars index honest claimed opening',
  option_map image (break_in_slot scalars index honest claimed opening') =
  Aardvark.Lemmas.Break.break_in_slot commit_to open_at scalars index honest claimed opening'.
Proof.
  intros. unfold break_in_slot, Aardvark.Lemmas.Break.break_in_slot. destruct (slot_contents_equal _ _); [reflexivity|].
  destruct (_ [=?] _); [destruct honest|]; reflexivity.
Qed.
Lemma tail_same : forall n a start vectors,
  option_map image (first_break (break_in_tail_vector n a start vectors) (range 0 (seq_length vectors))) =
  Aardvark.Lemmas.Break.break_in_tail commit_to open_at n a start vectors.
Proof.
  intros n a start vectors. apply first_break_same. intros i.
  unfold break_in_tail_vector, Aardvark.Lemmas.Break.break_in_tail_vector. destruct (tail_vector_number _ _ _); [|reflexivity].
  apply first_break_same. intros j. apply break_in_slot_same.
Qed.
Lemma find_break_same : forall n h start block,
  option_map image (find_break n h start block) = Aardvark.Lemmas.Break.find_break commit_to open_at n h start block.
Proof.
  intros n h start block. unfold find_break, Aardvark.Lemmas.Break.find_break.
  rewrite <- (first_break_same _ (fun tx => first_break (break_in_claim n (array_at h (claims_version tx))) (claims tx))).
  2:{ intros tx. apply first_break_same. intros c. unfold break_in_claim, Aardvark.Lemmas.Break.break_in_claim. cbv zeta.
      destruct (claim_opening c); [reflexivity|]. apply break_in_slot_same. }
  destruct (first_break _ (transactions block)); [reflexivity|]. apply tail_same.
Qed.
Definition image_found (f : Finding) : Aardvark.Lemmas.AggregatedBreak.Finding :=
  match f with InSlots b => Aardvark.Lemmas.AggregatedBreak.Found (image b) | InPoints j p => Aardvark.Lemmas.AggregatedBreak.FalseClaim j p end.
Lemma find_in_aggregated_same : forall n h state aggregated rho,
  option_map image_found (find_in_aggregated n h state aggregated rho) =
  Aardvark.Lemmas.AggregatedBreak.find_in_aggregated commit_to open_at n h state aggregated rho.
Proof.
  intros n h state aggregated rho. unfold find_in_aggregated, Aardvark.Lemmas.AggregatedBreak.find_in_aggregated. cbv zeta.
  rewrite <- (first_break_same _ (fun tx => first_break (hash_break (array_at h (claims_version tx))) (claims tx))).
  2:{ intros tx. apply first_break_same. intros c. unfold hash_break, Aardvark.Lemmas.AggregatedBreak.hash_break_in_claim,
      Aardvark.Lemmas.AggregatedBreak.hash_break. cbv zeta. destruct (slot_contents_equal _ _); [reflexivity|].
      destruct (_ [=?] _); [destruct (slot_at _ _)|]; reflexivity. }
  destruct (first_break _ (transactions _)); [reflexivity|]. cbn [option_map].
  change (Aardvark.Lemmas.AggregatedBreak.first_false _ _) with
    (first_false (claimed n state (plain_block aggregated)) (honest_in_place n h state (plain_block aggregated))).
  destruct (first_false _ _) as [j|]; [reflexivity|].
  change (Aardvark.Lemmas.Break.break_in_tail _ _ _ _ _ _) with (Aardvark.Lemmas.Break.break_in_tail commit_to open_at n (latest h)
    (tail_start state) (tail_vectors (plain_block aggregated))).
  rewrite <- tail_same. destruct (first_break _ _); reflexivity.
Qed.
(** ** Wrong tails *)

Section Tail.

(** ** Assumptions *)
(** The scalars are a field whose equality is decided, numbers are sums of ones in it, and the given root of unity has order
    4096. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.

(** A setup, of either scheme, of vectors of [n] elements. *)
Variables (setup : Setup) (n : N).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open setup vector i.
Lemma lawful_scalars : Aardvark.Lemmas.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** Slots, as many as a vector has, whose commitment is that of an array's vector: the first break found in them is one,
    and where none is found they are that vector's content. *)
Theorem wrong_tail_is_a_break : forall a number slots,
  seq_length slots = n ->
  commit setup (vector_scalars (lay_slots empty_slot_map 0 slots) n 0) = commit setup (vector_scalars (array_slots a) n number) ->
  match first_break (break_in_vector n a number slots) (range 0 n) with
  | Some b => is_break setup b
  | None => forall j, j < n -> slot_at (array_slots a) (number * n + j) = Some (seq_at slots j)
  end.
Proof.
  intros a number slots L C.
  pose proof (Aardvark.Lemmas.Break.wrong_tail_is_a_break setup n made sized positive a number slots (conj L C)) as W.
  rewrite (Aardvark.Lemmas.Break.first_break_same _ _ (Aardvark.Lemmas.Break.break_in_vector commit_to open_at n a number slots)),
    <- (first_break_same _ (break_in_vector n a number slots)) in W.
  - destruct (first_break _ _) as [b|]; [destruct b; exact W|exact W].
  - intros j. apply break_in_slot_same.
  - intros j J. apply Aardvark.Lemmas.LoopLemmas.in_range in J. unfold Aardvark.Lemmas.Break.break_in_vector. symmetry.
    apply (Aardvark.Lemmas.Break.break_in_slot_same _ _ _ _ n); auto; [tauto|]. apply opens. tauto.
Qed.

End Tail.

End Breaks.
