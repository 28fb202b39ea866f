(** Folded openings are sound against algebraic provers, counted over their challenges.

    What is assumed of the prover is the algebraic group model, and nothing else: with each commitment C_i it knows a polynomial p_i,
    and with W and W' polynomials w and w', of at most [d] coefficients each (the ceremony's powers), of which they are the values
    at tau. p_i, z_i and y_i are fixed before the gammas are drawn, w may depend on the gammas, w' on these and on z. A claim
    is false when p_i(z_i) <> y_i.

    - [accepted_fold_decided]: an accepted folded opening with a false claim k hands over a polynomial that is not 0 and vanishes at
      tau ([fold_break]: who knows it finds tau among its roots), or the challenges are counted ([challenges_counted], a
      predicate that a program can decide);
    - [counted_challenges_few]: of the |S|^n |T| choices of challenges at most |S|^(n-1) |T| + |S|^n (d + n) are counted, whatever a
      prover makes of the first: gammas under which the false claims at the point z_k cancel, and points z at which a
      polynomial of at most d + n + 1 coefficients, which is not 0 at z_k, vanishes;
    - [folded_opening_sound]: so at most as many let a false claim pass without handing over such a polynomial. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Opening Commitment.Kzg
  Commitment.FoldedOpening.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch
  Lemmas.AggregationLemmas Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening.
Import ListNotations.
Local Open Scope N_scope.

Section Sound.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** The claims, and the polynomials under their commitments, of at most [d] coefficients. *)
Variables (folded : list FoldedClaim) (polynomials : N -> list Scalar) (d : nat).

Let n : N := seq_length folded.
Let z_of (i : N) : Scalar := folded_point (seq_at folded i).
Let y_of (i : N) : Scalar := folded_value (seq_at folded i).

(** By how much a claim is false. *)
Definition claim_error (i : N) : Scalar := polynomial_at (polynomials i) (z_of i) [-] y_of i.

(** The setup, of which only tau matters, and the commitments under it. *)
Variable setup : KzgSetup.
Let tau : Scalar := g2_exponent (kzg_key setup).

Definition commits_to_polynomials : Prop :=
  forall i, i < n -> folded_commitment (seq_at folded i) = polynomial_element setup (polynomials i).

(** ** The break *)

(** Σ γ_i / (z - z_i) (p_i(X) - y_i) *)
Definition combined_polynomial (gammas : list Scalar) (z : Scalar) : list Scalar :=
  fold_left (fun total i => added total (scaled (fold_factor (seq_at folded i) (scalar_at gammas i) z)
    (added (polynomials i) [scalar_of_N 0 [-] y_of i]))) (range 0 n) [].

(** By how much the equation of pairings is missed, as a polynomial: Σ γ_i / (z - z_i) (p_i(X) - y_i) - w(X) - (X - z) w'(X). *)
Definition fold_break (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) : list Scalar :=
  added (combined_polynomial gammas z)
    (scaled (scalar_of_N 0 [-] scalar_of_N 1) (added w (times_linear z w'))).

(** The polynomial has a coefficient that is not 0, and vanishes at tau. *)
Definition finds_tau (p : list Scalar) : bool := existsb (fun c => negb (c [=?] scalar_of_N 0)) p && is_root p tau.

Lemma combined_polynomial_at (gammas : list Scalar) (z x : Scalar) :
  polynomial_at (combined_polynomial gammas z) x
  = sum (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*] (polynomial_at (polynomials i) x [-] y_of i)) n.
Proof.
  unfold combined_polynomial, sum. generalize (range 0 n). intros indices.
  assert (general : forall total, polynomial_at (fold_left (fun total i =>
      added total (scaled (fold_factor (seq_at folded i) (scalar_at gammas i) z)
        (added (polynomials i) [scalar_of_N 0 [-] y_of i]))) indices total) x
    = fold_left (fun total i => total [+] fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
        (polynomial_at (polynomials i) x [-] y_of i)) indices (polynomial_at total x)).
  { induction indices as [| i indices IH]; intros total; [reflexivity |]. cbn [fold_left]. rewrite IH. f_equal.
    rewrite added_at, scaled_at, added_at. change (polynomial_at [scalar_of_N 0 [-] y_of i] x)
      with (scalar_of_N 0 [-] y_of i [+] x [*] scalar_of_N 0). ring. }
  apply general.
Qed.

Lemma fold_break_at (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) (x : Scalar) :
  polynomial_at (fold_break gammas z w w') x
  = polynomial_at (combined_polynomial gammas z) x [-] polynomial_at w x [-] (x [-] z) [*] polynomial_at w' x.
Proof. unfold fold_break. rewrite added_at, scaled_at, added_at, times_linear_at. ring. Qed.

(** It has at most one coefficient more than what the ceremony allows for. *)
Theorem fold_break_length (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  (forall i, i < n -> (length (polynomials i) <= d)%nat) -> (1 <= d)%nat -> (length w <= d)%nat -> (length w' <= d)%nat ->
  (length (fold_break gammas z w w') <= S d)%nat.
Proof.
  intros P D W W'. unfold fold_break. apply added_length.
  - unfold combined_polynomial. apply (fold_range_invariant _ (fun _ total => (length total <= S d)%nat)); [lia | simpl; lia |].
    intros i total L T. apply added_length; [exact T |]. rewrite scaled_length. specialize (P i). apply added_length; [lia | simpl; lia].
  - rewrite scaled_length. apply added_length; [lia |]. now apply times_linear_length.
Qed.

(** ** The challenges that are counted *)

(** The gammas make the false claims at the point of claim [k] cancel. *)
Definition first_counted (k : N) (gammas : list Scalar) : bool :=
  combination (fun i => if z_of i [=?] z_of k then claim_error i else scalar_of_N 0) gammas n [=?] scalar_of_N 0.

(** The point makes the false claims agree with w. *)
Definition second_counted (gammas w : list Scalar) (z : Scalar) : bool :=
  negb (point_is_claimed folded z) &&
  (sum (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*] (polynomial_at (polynomials i) z [-] y_of i)) n
    [=?] polynomial_at w z).

Definition challenges_counted (k : N) (gammas w : list Scalar) (z : Scalar) : bool :=
  first_counted k gammas || second_counted gammas w z.

Theorem accepted_fold_decided (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) (k : N) :
  commits_to_polynomials ->
  verify_fold setup folded gammas z
    {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |} = true ->
  finds_tau (fold_break gammas z w w') = true \/ challenges_counted k gammas w z = true.
Proof.
  intros committed accepted. unfold verify_fold in accepted. cbn [folded_quotient folded_witness] in accepted.
  apply andb_true_iff in accepted as [fresh equation]. apply pairings_equal_iff in equation.
  unfold polynomial_element in equation. group_exponents. fold tau in equation.
  rewrite fold_commitments_sum in equation. fold n in equation.
  rewrite (sum_ext _ (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
    (polynomial_at (polynomials i) tau [-] y_of i))) in equation by (intros i L; unfold tau; now rewrite committed by exact L).
  rewrite <- combined_polynomial_at in equation.
  assert (root : polynomial_at (fold_break gammas z w w') tau = scalar_of_N 0).
  { rewrite fold_break_at. transitivity (polynomial_at (combined_polynomial gammas z) tau [-] polynomial_at w tau
      [+] z [*] polynomial_at w' tau [-] tau [*] polynomial_at w' tau); [ring |]. rewrite equation. ring. }
  destruct (finds_tau (fold_break gammas z w w')) eqn:found; [now left | right].
  unfold finds_tau, is_root in found. rewrite root, (proj2 (scalar_eqb_iff _ _) eq_refl), andb_true_r in found.
  assert (zero : forall c, In c (fold_break gammas z w w') -> c = scalar_of_N 0).
  { intros c I. destruct (c [=?] scalar_of_N 0) eqn:E; [now apply scalar_eqb_iff |]. exfalso.
    apply not_true_iff_false in found. apply found. apply existsb_exists. exists c. split; [exact I | now rewrite E]. }
  pose proof (zero_coefficients _ z zero) as at_z. rewrite fold_break_at, combined_polynomial_at in at_z.
  unfold challenges_counted, second_counted. rewrite fresh. cbn [andb]. apply orb_true_iff. right. apply scalar_eqb_iff.
  apply scalar_sub_zero. rewrite <- at_z. ring.
Qed.

(** ** The second challenge *)

Section Second.

Variables (gammas w : list Scalar) (k : N).
Hypothesis bounded : forall i, i < n -> (length (polynomials i) <= d)%nat.
Hypothesis some_coefficient : (1 <= d)%nat.
Hypothesis w_bounded : (length w <= d)%nat.

Let t : Scalar := z_of k.
Let at_t (i : N) : bool := z_of i [=?] t.

(** The error at the point of the claim: Σ γ_i e_i over the claims there. *)
Let gap : Scalar := combination (fun i => if at_t i then claim_error i else scalar_of_N 0) gammas n.

(** Π (x - z_i) over the claims at other points, and the same without claim [i]. *)
Let others (x : Scalar) : Scalar := product (fun j => if at_t j then scalar_of_N 1 else x [-] z_of j) n.
Let others_without (i : N) (x : Scalar) : Scalar :=
  product (fun j => if (j =? i) || at_t j then scalar_of_N 1 else x [-] z_of j) n.

(** w(x) - Σ γ_i q_i(x) *)
Let remainder (x : Scalar) : Scalar :=
  polynomial_at w x [-] sum (fun i => scalar_at gammas i [*] polynomial_at (quotient (polynomials i) (z_of i)) x) n.

(** The polynomial whose roots are counted. *)
Let counted (x : Scalar) : Scalar :=
  gap [*] others x [+] (x [-] t) [*]
    (sum (fun i => if at_t i then scalar_of_N 0 else scalar_at gammas i [*] claim_error i [*] others_without i x) n
      [-] remainder x [*] others x).

Lemma counted_poly : is_poly (S (d + N.to_nat n)) counted.
Proof.
  assert (O : is_poly (1 + N.to_nat n) others).
  { apply (poly_ext _ (fun x => scalar_of_N 1 [*] others x)); [intros; ring |]. apply poly_product, poly_constant. }
  assert (R : is_poly d remainder).
  { apply poly_sub; [now apply poly_of |]. apply poly_sum. intros i L. apply poly_scale, poly_of.
    rewrite quotient_length. specialize (bounded i L). lia. }
  apply poly_add.
  - apply (poly_more (1 + N.to_nat n)); [lia |]. now apply poly_scale.
  - apply poly_linear. apply poly_sub; [| now apply poly_product].
    apply poly_sum. intros i L. destruct (at_t i).
    + exists []. split; [simpl; lia | reflexivity].
    + apply (poly_ext _ (fun x => scalar_at gammas i [*] claim_error i [*] others_without i x)); [reflexivity |].
      apply poly_scale. apply (poly_ext _ (fun x => scalar_of_N 1 [*] others_without i x)); [intros; ring |].
      apply (poly_more (1 + N.to_nat n)); [lia |].
      exact (poly_product 1 (fun _ => scalar_of_N 1) (fun j => (j =? i) || at_t j) z_of n (poly_constant _)).
Qed.

Lemma counted_at_point : gap <> scalar_of_N 0 -> counted t <> scalar_of_N 0.
Proof.
  intros nonzero. unfold counted. intros E. apply (scalar_mul_nonzero gap (others t) nonzero).
  - unfold others. apply product_nonzero. intros i _. destruct (at_t i) eqn:A; [exact scalar_one_nonzero |].
    apply scalar_sub_nonzero. intros Z. unfold at_t in A. rewrite <- Z in A at 1.
    rewrite (proj2 (scalar_eqb_iff _ _) eq_refl) in A. discriminate.
  - rewrite <- E. ring.
Qed.

Lemma counted_root (z : Scalar) : second_counted gammas w z = true -> counted z = scalar_of_N 0.
Proof.
  intros H. unfold second_counted in H. apply andb_true_iff in H as [fresh E]. apply scalar_eqb_iff in E.
  assert (away : forall i, i < n -> z [-] z_of i <> scalar_of_N 0).
  { intros i L. apply scalar_sub_nonzero. intros Z. apply negb_true_iff, not_true_iff_false in fresh. apply fresh.
    apply point_is_claimed_iff. exists i. split; [exact L | now symmetry]. }
  (* each claim: γ_i / (z - z_i) (p_i(z) - y_i) = γ_i q_i(z) + γ_i e_i / (z - z_i) *)
  assert (apart : sum (fun i => scalar_at gammas i [*] claim_error i [*] scalar_inv (z [-] z_of i)) n = remainder z).
  { unfold remainder. rewrite <- E.
    transitivity (sum (fun i => fold_factor (seq_at folded i) (scalar_at gammas i) z [*]
        (polynomial_at (polynomials i) z [-] y_of i)
      [+] (scalar_of_N 0 [-] scalar_of_N 1) [*]
        (scalar_at gammas i [*] polynomial_at (quotient (polynomials i) (z_of i)) z)) n).
    - apply sum_ext. intros i L. unfold fold_factor, scalar_inverse. fold (z_of i). unfold claim_error.
      assert (Q : polynomial_at (polynomials i) z = (z [-] z_of i) [*] polynomial_at (quotient (polynomials i) (z_of i)) z
        [+] polynomial_at (polynomials i) (z_of i)) by (rewrite <- quotient_correct; ring).
      rewrite Q. field. apply away. exact L.
    - rewrite sum_add, sum_scale. ring. }
  assert (cleared : (z [-] t) [*] others z [*]
      sum (fun i => scalar_at gammas i [*] claim_error i [*] scalar_inv (z [-] z_of i)) n
    = gap [*] others z [+] (z [-] t) [*]
      sum (fun i => if at_t i then scalar_of_N 0 else scalar_at gammas i [*] claim_error i [*] others_without i z) n).
  { unfold gap, combination. rewrite <- !sum_scale.
    transitivity (sum (fun i => others z [*] (scalar_at gammas i [*] (if at_t i then claim_error i else scalar_of_N 0))
      [+] (z [-] t) [*] (if at_t i then scalar_of_N 0 else scalar_at gammas i [*] claim_error i [*] others_without i z)) n).
    - apply sum_ext. intros i L. specialize (away i L). destruct (at_t i) eqn:A.
      + assert (Z : z_of i = t) by (unfold at_t in A; now apply scalar_eqb_iff). rewrite Z in *. field. exact away.
      + assert (W : others z = (z [-] z_of i) [*] others_without i z).
        { unfold others, others_without.
          rewrite <- (product_without (fun j => if at_t j then scalar_of_N 1 else z [-] z_of j) n i L), A. f_equal.
          apply product_ext. intros j _. destruct (j =? i); reflexivity. }
        rewrite W. field. exact away.
    - rewrite sum_add, !sum_scale. ring. }
  unfold counted. rewrite apart in cleared.
  transitivity (gap [*] others z [+] (z [-] t) [*]
      sum (fun i => if at_t i then scalar_of_N 0 else scalar_at gammas i [*] claim_error i [*] others_without i z) n
    [-] (z [-] t) [*] others z [*] remainder z); [ring |]. rewrite <- cleared. ring.
Qed.

Lemma few_second (s : list Scalar) : NoDup s -> first_counted k gammas = false ->
  (length (filter (second_counted gammas w) s) <= d + N.to_nat n)%nat.
Proof.
  intros distinct first. destruct counted_poly as (p & L & P).
  assert (nonzero : polynomial_at p t <> scalar_of_N 0).
  { rewrite P. apply counted_at_point. intros Z. unfold first_counted in first.
    change (combination _ gammas n) with gap in first. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in first. discriminate. }
  pose proof (few_roots p s t distinct nonzero) as few. transitivity (length (filter (is_root p) s)); [| lia].
  apply filter_length_monotone. intros z _ C. apply scalar_eqb_iff. rewrite P. now apply counted_root.
Qed.

End Second.

(** ** Both challenges *)

Theorem counted_challenges_few (k : N) (s t : list Scalar) (prover : list Scalar -> list Scalar) :
  NoDup s -> NoDup t -> k < n -> claim_error k <> scalar_of_N 0 ->
  (forall i, i < n -> (length (polynomials i) <= d)%nat) -> (forall gammas, (length (prover gammas) <= d)%nat) -> (1 <= d)%nat ->
  (length (filter (fun '(gammas, z) => challenges_counted k gammas (prover gammas) z) (list_prod (choices s (length folded)) t))
  <= length s ^ (length folded - 1) * length t + length s ^ length folded * (d + length folded))%nat.
Proof.
  intros distinct_s distinct_t L false_claim bounded short positive. rewrite filter_product_length. etransitivity.
  - apply (list_sum_two_bounds (first_counted k) _ _ (length t) (d + length folded)).
    intros gammas _. unfold challenges_counted. destruct (first_counted k gammas) eqn:first.
    + etransitivity; [apply filter_length_le | lia].
    + rewrite Nat.add_0_l. simpl. change (length folded) with (length folded).
      pose proof (few_second gammas (prover gammas) k bounded positive (short gammas) t distinct_t first) as few.
      unfold n in few. rewrite seq_length_nat in few. exact few.
  - rewrite choices_length. apply Nat.add_le_mono_r, Nat.mul_le_mono_r.
    apply (few_choices_vanish (fun i => if z_of i [=?] z_of k then claim_error i else scalar_of_N 0) s (length folded) distinct_s).
    exists k. split; [exact L |]. rewrite (proj2 (scalar_eqb_iff _ _) eq_refl). exact false_claim.
Qed.

(** A prover of the algebraic group model, who chooses w after the gammas and w' after z. *)
Theorem folded_opening_sound (k : N) (s t : list Scalar)
    (prover : list Scalar -> list Scalar) (prover' : list Scalar -> Scalar -> list Scalar) :
  commits_to_polynomials -> NoDup s -> NoDup t -> k < n -> polynomial_at (polynomials k) (z_of k) <> y_of k ->
  (forall i, i < n -> (length (polynomials i) <= d)%nat) -> (forall gammas, (length (prover gammas) <= d)%nat) -> (1 <= d)%nat ->
  (length (filter (fun '(gammas, z) =>
      let w := prover gammas in
      let w' := prover' gammas z in
      verify_fold setup folded gammas z
        {| folded_quotient := polynomial_element setup w; folded_witness := polynomial_element setup w' |}
      && negb (finds_tau (fold_break gammas z w w')))
    (list_prod (choices s (length folded)) t))
  <= length s ^ (length folded - 1) * length t + length s ^ length folded * (d + length folded))%nat.
Proof.
  intros committed distinct_s distinct_t L false_claim bounded short positive. etransitivity.
  - apply (filter_length_monotone _ (fun '(gammas, z) => challenges_counted k gammas (prover gammas) z)).
    intros [gammas z] _ H. apply andb_true_iff in H as [accepted unbroken].
    destruct (accepted_fold_decided gammas z (prover gammas) (prover' gammas z) k committed accepted) as [B | C]; [| exact C].
    rewrite B in unbroken. discriminate.
  - apply counted_challenges_few; try assumption. unfold claim_error. now apply scalar_sub_nonzero.
Qed.

End Sound.
