(** Folded openings: many claims "the polynomial under C_i has the value y_i at z_i" in two points of G1.

    - [folded_opening_complete]: openings that show the claims one by one, folded, are accepted, whatever the context, under the
      challenges drawn for them, unless the second is one of the points z_i, where the prover can do nothing but refuse;
    - [quotient_opens], [kzg_open_folded]: quotients of polynomials are such openings, at any points, and so are a dictionary's;
    - [fold_seed_binds]: two folds with one seed for the second challenge have the same context, the same claims in the same order
      and the same first point, or two different strings with one digest are at hand;
    - [fold_challenges_differ], [fold_gammas_at]: each claim's challenge is drawn from a string of its own. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Opening Commitment.Kzg
  Commitment.FoldedOpening.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.KzgPolynomial.
From Aardvark Require Spec.Commitment.Kzg Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas
  Spec.Commitment.Challenge.
Import ListNotations.
Local Open Scope N_scope.

Section Fold.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** The two sides as sums *)

Lemma point_is_claimed_iff (folded : list FoldedClaim) (z : Scalar) :
  point_is_claimed folded z = true <-> exists i, i < seq_length folded /\ folded_point (seq_at folded i) = z.
Proof.
  unfold point_is_claimed. rewrite (fold_range_elements (fun found claim => point_is_claimed_step found claim z)).
  assert (general : forall l found, fold_left (fun found claim => point_is_claimed_step found claim z) l found = true <->
    found = true \/ exists claim, In claim l /\ folded_point claim = z).
  { induction l as [| claim l IH]; intros found; simpl.
    - split; [now left |]. intros [E | (claim & [] & _)]. exact E.
    - rewrite IH. unfold point_is_claimed_step. rewrite orb_true_iff, scalar_eqb_iff. split.
      + intros [[E | E] | (other & I & E)]; [now left | right; exists claim; auto | right; exists other; auto].
      + intros [E | (other & [<- | I] & E)]; [left; now left | left; now right | right; exists other; auto]. }
  rewrite general. split.
  - intros [E | (claim & I & E)]; [discriminate |]. destruct (in_seq_at folded claim I) as (i & L & <-). now exists i.
  - intros (i & L & E). right. exists (seq_at folded i). split; [now apply seq_at_in | exact E].
Qed.

Lemma fold_commitments_sum (folded : list FoldedClaim) (gammas : list Scalar) (z : Scalar) :
  g1_exponent (fold_commitments folded gammas z) = sum (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
    (folded_commitment (seq_at folded i) [-] folded_value (seq_at folded i))) (seq_length folded).
Proof. exact (g1_total_exponent (fun i => g1_scale (fold_factor (seq_at folded i) (scalar_at gammas i) z)
    (g1_subtract (folded_commitment (seq_at folded i)) (g1_multiple (folded_value (seq_at folded i))))) (seq_length folded)). Qed.

Lemma fold_witness_sum (folded : list FoldedClaim) (openings : list G1) (gammas : list Scalar) (z : Scalar) :
  g1_exponent (fold_witness folded openings gammas z) = sum (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
    g1_at openings i) (seq_length folded).
Proof. exact (g1_total_exponent (fun i => g1_scale (fold_factor (seq_at folded i) (scalar_at gammas i) z) (g1_at openings i))
    (seq_length folded)). Qed.

(** ** Completeness *)

(** The opening shows the claim by itself: C - y = (tau - z) opening. *)
Definition opens_claim (setup : KzgSetup) (claim : FoldedClaim) (opening : G1) : Prop :=
  g1_exponent (folded_commitment claim) [-] folded_value claim
  = (g2_exponent (kzg_key setup) [-] folded_point claim) [*] g1_exponent opening.

(** An opening for each claim. *)
Definition open_claims (setup : KzgSetup) (folded : list FoldedClaim) (openings : list G1) : Prop :=
  seq_length openings = seq_length folded /\
  forall i, i < seq_length folded -> opens_claim setup (seq_at folded i) (g1_at openings i).

Theorem fold_complete (setup : KzgSetup) (folded : list FoldedClaim) (openings : list G1) (gammas : list Scalar)
    (z : Scalar) :
  open_claims setup folded openings -> point_is_claimed folded z = false ->
  verify_fold setup folded gammas z
    {| folded_quotient := fold_quotient openings gammas; folded_witness := fold_witness folded openings gammas z |} = true.
Proof.
  intros [same opened] fresh. unfold verify_fold. rewrite fresh. simpl negb. cbn [andb folded_quotient folded_witness].
  apply pairings_equal_iff. group_exponents. rewrite fold_commitments_sum, fold_witness_sum. unfold fold_quotient.
  rewrite g1_combination_exponent, same.
  set (n := seq_length folded) in *. set (tau := g2_exponent (kzg_key setup)).
  assert (each : forall i, i < n ->
    fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
      (folded_commitment (seq_at folded i) [-] folded_value (seq_at folded i))
    = scalar_at gammas i [*] g1_at openings i
      [+] (tau [-] z) [*] (fold_factor (seq_at folded i) (scalar_at gammas i) z [*] g1_at openings i)).
  { intros i L. rewrite (opened i L). unfold fold_factor, scalar_inverse. fold tau.
    assert (D : z [-] folded_point (seq_at folded i) <> scalar_of_N 0).
    { apply scalar_sub_nonzero. intros E. apply not_true_iff_false in fresh. apply fresh, point_is_claimed_iff.
      exists i. split; [exact L | now symmetry]. }
    field. exact D. }
  rewrite (sum_ext _ _ n each), sum_add, sum_scale. ring.
Qed.

(** The challenges as they are drawn. *)
Theorem folded_opening_complete (setup : KzgSetup) (context : ByteString) (bound_claims : list FoldedClaimBytes)
    (folded : list FoldedClaim) (openings : list G1) (quotient_bytes : ByteString) :
  let gammas := fold_gammas (fold_claims_seed context bound_claims) (seq_length folded) in
  let z := fold_point (fold_claims_seed context bound_claims) quotient_bytes in
  open_claims setup folded openings -> point_is_claimed folded z = false ->
  verify_folded setup context bound_claims folded quotient_bytes
    {| folded_quotient := fold_quotient openings gammas; folded_witness := fold_witness folded openings gammas z |} = true.
Proof. intros gammas z. apply fold_complete. Qed.

(** The commitment to a polynomial: the element whose exponent is its value at the trapdoor. *)
Definition polynomial_element (setup : KzgSetup) (p : list Scalar) : G1 :=
  g1_multiple (polynomial_at p (g2_exponent (kzg_key setup))).

(** The quotient of a polynomial opens its value at any point. *)
Theorem quotient_opens (setup : KzgSetup) (p : list Scalar) (z : Scalar) :
  opens_claim setup {| folded_commitment := polynomial_element setup p; folded_point := z; folded_value := polynomial_at p z |}
    (polynomial_element setup (quotient p z)).
Proof. unfold opens_claim. cbn [folded_commitment folded_point folded_value]. apply quotient_correct. Qed.

(** What [open_folded_claim] computes with the trapdoor is the one opening of a claim. *)
Theorem open_folded_claim_opens (setup : KzgSetup) (claim : FoldedClaim) :
  g2_exponent (kzg_key setup) <> folded_point claim ->
  opens_claim setup claim (open_folded_claim (g2_exponent (kzg_key setup)) claim).
Proof.
  intros D. unfold opens_claim, open_folded_claim, scalar_inverse. group_exponents. apply scalar_sub_nonzero in D.
  field. exact D.
Qed.

Section Dictionary.

Context {root : PrimitiveRoot scalar_given}.

Variables (n : N) (tau : Scalar).
Hypothesis legal : Kzg.kzg_legal n tau.

(** The claim that a vector has an element. *)
Definition element_claim (vector : list Scalar) (i : N) : FoldedClaim :=
  {| folded_commitment := kzg_commit (kzg_setup n tau) vector; folded_point := scalar_pow (root_of_unity n) i;
     folded_value := scalar_at vector i |}.

(** A dictionary's openings open the claims of its vectors' elements. *)
Theorem kzg_open_folded (vector : list Scalar) (i : N) :
  i < n -> opens_claim (kzg_setup n tau) (element_claim vector i) (kzg_open (kzg_setup n tau) vector i).
Proof.
  intros L. unfold opens_claim, element_claim. cbn [folded_commitment folded_point folded_value].
  rewrite Kzg.kzg_key_exponent, Kzg.open_value, Kzg.kzg_open_commitment_value by assumption.
  pose proof (Kzg.tau_outside legal i) as D. field. exact D.
Qed.

End Dictionary.

(** ** The challenges bind *)

(** Lengths that the encodings have. *)
Definition fits_folded (c : FoldedClaimBytes) : Prop :=
  seq_length (bound_commitment c) = 48 /\ seq_length (bound_point c) = 32 /\ seq_length (bound_value c) = 32.

(** What is hashed for the first seed. *)
Definition fold_string (context : ByteString) (bound_claims : list FoldedClaimBytes) : ByteString :=
  context ++ u64_bytes (seq_length bound_claims) ++ flat_map encode_folded_claim bound_claims.

Lemma fold_claims_seed_string (context : ByteString) (bound_claims : list FoldedClaimBytes) :
  fold_claims_seed context bound_claims = tagged_hash tag_fold_claims (fold_string context bound_claims).
Proof.
  unfold fold_claims_seed, fold_claims_seed_step, fold_string. cbv zeta.
  rewrite (fold_range_elements (fun bound claim => bound ++ encode_folded_claim claim)), RootLemmas.fold_append, <- app_assoc.
  reflexivity.
Qed.

Lemma folded_claim_splits : RootLemmas.splits fits_folded encode_folded_claim.
Proof.
  intros [c p v] [c' p' v'] x y (C & P & V) (C' & P' & V') E. unfold encode_folded_claim in E. cbn in *.
  rewrite <- !app_assoc in E. apply Bytes.app_split in E; [| congruence]. destruct E as [-> E].
  apply Bytes.app_split in E; [| congruence]. destruct E as [-> E]. apply Bytes.app_split in E; [| congruence].
  destruct E as [-> ->]. auto.
Qed.

(** The first seed binds the context and all claims. *)
Theorem fold_claims_seed_binds (context context' : ByteString) (claims claims' : list FoldedClaimBytes) :
  seq_length context = 32 -> seq_length context' = 32 ->
  RootLemmas.fits_list fits_folded claims -> RootLemmas.fits_list fits_folded claims' ->
  fold_claims_seed context claims = fold_claims_seed context' claims' ->
  (context = context' /\ claims = claims') \/
  Challenge.tag_collision tag_fold_claims (fold_string context claims) (fold_string context' claims').
Proof.
  intros L L' C C' E. rewrite !fold_claims_seed_string in E.
  destruct (Bytes.bytes_dec (fold_string context claims) (fold_string context' claims')) as [S | S];
    [left | right; now split].
  unfold fold_string in S. apply Bytes.app_split in S; [| congruence]. destruct S as [-> S]. split; [reflexivity |].
  apply (f_equal (fun x => x ++ [])) in S. apply (RootLemmas.list_splits _ _ _ folded_claim_splits) in S; tauto.
Qed.

(** The second seed binds the first point, and through the first seed all that it binds. *)
Theorem fold_seed_binds (context context' : ByteString) (claims claims' : list FoldedClaimBytes) (w w' : ByteString) :
  let seed := fold_claims_seed context claims in
  let seed' := fold_claims_seed context' claims' in
  seq_length context = 32 -> seq_length context' = 32 -> seq_length seed = seq_length seed' ->
  RootLemmas.fits_list fits_folded claims -> RootLemmas.fits_list fits_folded claims' ->
  fold_point_seed seed w = fold_point_seed seed' w' ->
  (context = context' /\ claims = claims' /\ w = w') \/
  Challenge.tag_collision tag_fold_claims (fold_string context claims) (fold_string context' claims') \/
  Challenge.tag_collision tag_fold (seed ++ w) (seed' ++ w').
Proof.
  intros seed seed' L L' S C C' E. unfold fold_point_seed in E.
  destruct (Bytes.bytes_dec (seed ++ w) (seed' ++ w')) as [D | D]; [| right; right; now split].
  apply Bytes.app_split in D; [| exact S]. destruct D as [D ->].
  destruct (fold_claims_seed_binds context context' claims claims' L L' C C' D) as [[-> ->] | K]; auto.
Qed.

(** Challenge [i] is drawn from the seed followed by the eight bytes of [i]: a string of its own. *)
Theorem fold_challenges_differ (seed : ByteString) (i j : N) : i < 2 ^ 64 -> j < 2 ^ 64 ->
  fold_challenge seed i = hash_to_scalar (seed ++ big_endian i 8) tag_challenge /\
  (seed ++ big_endian i 8 = seed ++ big_endian j 8 -> i = j).
Proof.
  intros I J. split; [reflexivity |]. intros E. apply app_inv_head in E. now apply Bytes.big_endian_injective in E.
Qed.

(** Each claim has its own. *)
Theorem fold_gammas_at (seed : ByteString) (count i : N) :
  i < count -> scalar_at (fold_gammas seed count) i = fold_challenge seed i.
Proof.
  intros L. unfold fold_gammas, fold_gammas_step. rewrite fold_range_append. now apply scalar_at_map.
Qed.

End Fold.
