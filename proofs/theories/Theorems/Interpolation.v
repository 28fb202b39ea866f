(** Theorems for auditors: accepted openings bind a commitment, whoever made them.

    To understand a statement of this file you need this file, the generated definitions, [polynomial_at] of Lemmas/Polynomials.v,
    [opens_claim] and [polynomial_element] of Spec/Commitment/FoldedOpening.v, and of Commitments.v [extract]. Nothing is assumed of
    a prover, no algebraic group model either: commitments and openings are any elements. What is returned is computed from
    what was received alone. A setup is any record: its points are those that its domain says, and tau is its key's exponent.

    - [evaluation_binding]: two values that were accepted at one point give 1 / (tau - z).
    - [openings_interpolate]: n accepted openings at different points: the commitment is that of the one polynomial of at most n
      coefficients with these values, or they give (C - L(tau)) / Z(tau).
    - [vector_openings_interpolate]: accepted openings at all indices of a dictionary's setup: the commitment is that of the
      vector of the values, or they give such a quotient.
    - [forked_folds_open]: the same of folds of one claim that were accepted for one first challenge and one W at several second
      challenges: W / gamma is the claim's opening, or they give an element with the product of (tau - z_j) below a numerator
      that is not 0.
    - [fold_evaluation_binding]: so two values at one point, both folded, give 1 / (tau - z) or such an element. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Commitment.Opening Commitment.Kzg Commitment.FoldedOpening.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening.
From Aardvark Require Spec.Commitment.Kzg Lemmas.KzgPolynomial Lemmas.ColumnCount.
From Aardvark Require Import Theorems.Commitments.
Import ListNotations.
Local Open Scope N_scope.

Section Interpolation.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven}.

Add Field scalars : scalar_field.

(** ** What is computed *)

(** (v - y) / (p - z) for each point [p] with its value [v]. *)
Fixpoint divided (z y : Scalar) (points values : list Scalar) : list Scalar :=
  match points, values with
  | p :: points', v :: values' => (v [-] y) [*] scalar_inv (p [-] z) :: divided z y points' values'
  | _, _ => []
  end.

(** The same of openings. *)
Fixpoint divided_openings (z : Scalar) (opening : G1) (points : list Scalar) (openings : list G1) : list G1 :=
  match points, openings with
  | p :: points', o :: openings' =>
      g1_scale (scalar_inv (p [-] z)) (g1_subtract o opening) :: divided_openings z opening points' openings'
  | _, _ => []
  end.

(** Newton's form of the polynomial with these values at these points. *)
Fixpoint interpolating (points values : list Scalar) : list Scalar :=
  match points, values with
  | z :: points', y :: values' => added [y] (times_linear z (interpolating points' (divided z y points' values')))
  | _, _ => []
  end.

(** The last divided difference of a commitment and its openings. *)
Fixpoint last_difference (commitment : G1) (points : list Scalar) (openings : list G1) : G1 :=
  match points, openings with
  | z :: points', opening :: openings' => last_difference opening points' (divided_openings z opening points' openings')
  | _, _ => commitment
  end.

(** Z(x): the product of x - z over the points. *)
Definition vanishing_at (points : list Scalar) (x : Scalar) : Scalar :=
  fold_right (fun z rest => (x [-] z) [*] rest) (scalar_of_N 1) points.

(** ** Divided differences *)

(** Each is an opening of the commitment at its point, with its value. *)
Fixpoint all_open (tau : Scalar) (commitment : G1) (points values : list Scalar) (openings : list G1) : Prop :=
  match points, values, openings with
  | z :: points', y :: values', opening :: openings' =>
      commitment [-] y = (tau [-] z) [*] opening /\ all_open tau commitment points' values' openings'
  | [], [], [] => True
  | _, _, _ => False
  end.

Lemma divided_open (tau z y : Scalar) (commitment opening : G1) (points values : list Scalar) (openings : list G1) :
  commitment [-] y = (tau [-] z) [*] opening -> ~ In z points -> all_open tau commitment points values openings ->
  all_open tau opening points (divided z y points values) (divided_openings z opening points openings).
Proof.
  intros first. revert values openings.
  induction points as [| p points IH]; intros [| v values] [| o openings] fresh H; try contradiction; [exact I |].
  destruct H as [here rest]. split; [| apply IH; [intros M; apply fresh; now right | exact rest]].
  assert (D : p [-] z <> scalar_of_N 0) by (apply scalar_sub_nonzero; intros E; apply fresh; now left).
  group_exponents. apply (scalar_mul_cancel _ _ (p [-] z) D).
  transitivity ((commitment [-] y) [-] (tau [-] p) [*] opening [-] (v [-] y)); [rewrite first; field; exact D |].
  transitivity ((commitment [-] v) [-] (tau [-] p) [*] opening); [ring |]. rewrite here. field. exact D.
Qed.

Lemma last_difference_exponent (tau : Scalar) (points : list Scalar) : forall commitment values openings,
  NoDup points -> all_open tau commitment points values openings ->
  last_difference commitment points openings [*] vanishing_at points tau
  = commitment [-] polynomial_at (interpolating points values) tau.
Proof.
  induction points as [| z points IH]; intros commitment [| y values] [| opening openings] distinct H; try contradiction.
  - simpl. ring.
  - apply NoDup_cons_iff in distinct as [fresh distinct]. destruct H as [first rest].
    specialize (IH opening _ _ distinct (divided_open _ _ _ _ _ _ _ _ first fresh rest)).
    cbn [last_difference interpolating]. rewrite added_at, times_linear_at.
    change (vanishing_at (z :: points) tau) with ((tau [-] z) [*] vanishing_at points tau).
    change (polynomial_at [y] tau) with (y [+] tau [*] scalar_of_N 0).
    transitivity ((tau [-] z) [*] (last_difference opening points (divided_openings z opening points openings)
      [*] vanishing_at points tau)); [ring |].
    rewrite IH.
    transitivity ((tau [-] z) [*] opening
      [-] (tau [-] z) [*] polynomial_at (interpolating points (divided z y points values)) tau); [ring |].
    rewrite <- first. ring.
Qed.

Lemma interpolating_length (points : list Scalar) : forall values,
  (length (interpolating points values) <= length points)%nat.
Proof.
  induction points as [| z points IH]; intros [| y values]; cbn [interpolating length]; try lia.
  apply added_length; [simpl; lia |]. now apply times_linear_length.
Qed.

Lemma interpolating_values (points : list Scalar) : forall values,
  NoDup points -> length values = length points ->
  Forall2 (fun z y => polynomial_at (interpolating points values) z = y) points values.
Proof.
  induction points as [| z points IH]; intros [| y values] distinct same; try discriminate; [constructor |].
  apply NoDup_cons_iff in distinct as [fresh distinct]. cbn [interpolating]. constructor.
  - rewrite added_at, times_linear_at. change (polynomial_at [y] z) with (y [+] z [*] scalar_of_N 0). ring.
  - assert (many : forall ps vs, length vs = length ps -> length (divided z y ps vs) = length ps).
    { induction ps as [| p ps IHp]; intros [| v vs] E; try discriminate; [reflexivity |].
      injection E as E. cbn. f_equal. now apply IHp. }
    injection same as same. specialize (IH _ distinct (many _ _ same)).
    set (rest := interpolating points (divided z y points values)) in *. clearbody rest. clear distinct many.
    revert values same IH. induction points as [| p points IHp]; intros [| v values] same taken; try discriminate; [constructor |].
    cbn [divided] in taken. inversion taken as [| ? ? ? ? here others E1 E2]. subst. injection same as same. constructor.
    + assert (D : p [-] z <> scalar_of_N 0) by (apply scalar_sub_nonzero; intros E; apply fresh; now left).
      rewrite added_at, times_linear_at, here. change (polynomial_at [y] p) with (y [+] p [*] scalar_of_N 0). field. exact D.
    + apply IHp; [intros M; apply fresh; now right | exact same | exact others].
Qed.

(** ** Single openings *)

(** The point of an index, as the verifier takes it. *)
Definition point_of (setup : KzgSetup) (i : N) : Scalar := scalar_at (kzg_domain setup) i.

Lemma kzg_verify_equation (setup : KzgSetup) (commitment : G1) (i : N) (m : Scalar) (opening : G1) :
  kzg_verify setup commitment i m opening = true ->
  commitment [-] m = (g2_exponent (kzg_key setup) [-] point_of setup i) [*] opening.
Proof.
  intros V. apply andb_true_iff in V as [_ V]. apply pairings_equal_iff in V. unfold kzg_left_side in V. group_exponents.
  fold (point_of setup i) in V.
  transitivity (commitment [-] m [+] point_of setup i [*] opening [-] point_of setup i [*] opening); [ring |].
  rewrite V. ring.
Qed.

Lemma two_values (tau z m m' : Scalar) (commitment opening opening' : G1) :
  commitment [-] m = (tau [-] z) [*] opening -> commitment [-] m' = (tau [-] z) [*] opening' -> m <> m' ->
  tau <> z /\ extract m m' opening opening' = g1_multiple (scalar_inv (tau [-] z)).
Proof.
  intros V V' D.
  assert (E : (tau [-] z) [*] (opening [-] opening') = m' [-] m).
  { transitivity ((tau [-] z) [*] opening [-] (tau [-] z) [*] opening'); [ring |]. rewrite <- V, <- V'. ring. }
  assert (M : m' [-] m <> scalar_of_N 0) by (apply scalar_sub_nonzero; congruence).
  assert (T : tau [-] z <> scalar_of_N 0) by (intros Z; apply M; rewrite <- E, Z; ring).
  split; [intros Z; apply T; now apply scalar_sub_zero |].
  apply g1_ext. unfold extract. group_exponents. apply (scalar_mul_cancel _ _ ((m' [-] m) [*] (tau [-] z))).
  - now apply scalar_mul_nonzero.
  - transitivity ((tau [-] z) [*] (opening [-] opening')); [field; exact M | rewrite E; field; exact T].
Qed.

(** Two accepted openings of one commitment at one point to different values give 1 / (tau - z), and tau is not the point. *)
Theorem evaluation_binding (setup : KzgSetup) (commitment : G1) (i : N) (m m' : Scalar) (opening opening' : G1) :
  let tau := g2_exponent (kzg_key setup) in
  kzg_verify setup commitment i m opening = true -> kzg_verify setup commitment i m' opening' = true -> m <> m' ->
  tau <> point_of setup i /\ extract m m' opening opening' = g1_multiple (scalar_inv (tau [-] point_of setup i)).
Proof. intros tau V V'. apply (two_values tau _ m m' commitment); now apply kzg_verify_equation. Qed.

(** What was received with a commitment: at each index a value and an opening. *)
Definition points_of (setup : KzgSetup) (received : list (N * Scalar * G1)) : list Scalar :=
  map (fun '(i, _, _) => point_of setup i) received.
Definition values_of (received : list (N * Scalar * G1)) : list Scalar := map (fun '(_, m, _) => m) received.
Definition openings_of (received : list (N * Scalar * G1)) : list G1 := map (fun '(_, _, opening) => opening) received.

(** The polynomial L through the values, and the element that openings give where it is not under the commitment. *)
Definition received_polynomial (setup : KzgSetup) (received : list (N * Scalar * G1)) : list Scalar :=
  interpolating (points_of setup received) (values_of received).
Definition received_break (setup : KzgSetup) (commitment : G1) (received : list (N * Scalar * G1)) : G1 :=
  last_difference commitment (points_of setup received) (openings_of received).

Lemma difference_decided (setup : KzgSetup) (commitment missing : G1) (p points : list Scalar) :
  let tau := g2_exponent (kzg_key setup) in
  missing [*] vanishing_at points tau = commitment [-] polynomial_at p tau ->
  commitment = polynomial_element setup p \/
  (commitment <> polynomial_element setup p /\ vanishing_at points tau <> scalar_of_N 0 /\
   missing = g1_multiple ((commitment [-] polynomial_at p tau) [*] scalar_inv (vanishing_at points tau))).
Proof.
  intros tau E. destruct (scalar_eq_dec commitment (polynomial_at p tau)) as [S | D]; [left; now apply g1_ext |].
  right. assert (nonzero : vanishing_at points tau <> scalar_of_N 0).
  { intros Z. apply D, scalar_sub_zero. rewrite <- E, Z. ring. }
  repeat split; [| exact nonzero |].
  - intros S. apply D. now rewrite S.
  - apply g1_ext. rewrite g1_exponent_multiple, <- E. field. exact nonzero.
Qed.

(** Accepted openings of one commitment at different points: L has at most as many coefficients as there are points, and the
    values that were accepted; it is under the commitment, or the openings give (C - L(tau)) / Z(tau), with C <> L(tau). *)
Theorem openings_interpolate (setup : KzgSetup) (commitment : G1) (received : list (N * Scalar * G1)) :
  let tau := g2_exponent (kzg_key setup) in
  let points := points_of setup received in
  let p := received_polynomial setup received in
  NoDup points ->
  (forall i m opening, In (i, m, opening) received -> kzg_verify setup commitment i m opening = true) ->
  (length p <= length received)%nat /\
  (forall i m opening, In (i, m, opening) received -> polynomial_at p (point_of setup i) = m) /\
  (commitment = polynomial_element setup p \/
   (commitment <> polynomial_element setup p /\ vanishing_at points tau <> scalar_of_N 0 /\
    received_break setup commitment received
    = g1_multiple ((commitment [-] polynomial_at p tau) [*] scalar_inv (vanishing_at points tau)))).
Proof.
  intros tau points p distinct accepted. split; [| split].
  - unfold p, received_polynomial. rewrite <- (map_length (fun '(i, _, _) => point_of setup i) received). apply interpolating_length.
  - assert (T : Forall2 (fun z y => polynomial_at p z = y) points (values_of received)).
    { apply interpolating_values; [exact distinct |]. unfold points, points_of, values_of. now rewrite !map_length. }
    clearbody p. clear distinct accepted. unfold points in *. clear points. induction received as [| [[j v] o] received IH]; intros i m opening M; [contradiction |].
    inversion T as [| ? ? ? ? here others]. subst. destruct M as [E | M]; [now injection E as -> -> _ | now apply (IH others i m opening)].
  - apply difference_decided. apply last_difference_exponent; [exact distinct |].
    unfold points, points_of, values_of, openings_of. clear distinct p points. induction received as [| [[j v] o] received IH]; [exact I |].
    split; [apply kzg_verify_equation, accepted; now left | apply IH; intros; apply accepted; now right].
Qed.

(** ** All elements of a vector *)

Lemma polynomials_agree (p q : list Scalar) (s : list Scalar) (x : Scalar) :
  NoDup s -> s <> [] -> (length p <= length s)%nat -> (length q <= length s)%nat ->
  (forall y, In y s -> polynomial_at p y = polynomial_at q y) -> polynomial_at p x = polynomial_at q x.
Proof.
  intros distinct some P Q same. destruct (poly_sub (length s) _ _ (poly_of p _ P) (poly_of q _ Q)) as (r & L & R).
  destruct (scalar_eq_dec (polynomial_at r x) (scalar_of_N 0)) as [Z | D]; [rewrite R in Z; now apply scalar_sub_zero |].
  exfalso. pose proof (few_roots r s x distinct D) as few.
  replace (filter (is_root r) s) with s in few; [destruct s; [contradiction | simpl in *; lia] |].
  assert (roots : forall y, In y s -> is_root r y = true) by (intros y M; apply scalar_eqb_iff; rewrite R, same by exact M; ring).
  clear - roots. induction s as [| z s IH]; [reflexivity |]. simpl. rewrite roots by now left. f_equal. apply IH. intros y M. apply roots. now right.
Qed.

Section Vectors.

Context {root : PrimitiveRoot scalar_given}.
Variables (n : N) (tau : Scalar).
Hypothesis legal : Spec.Commitment.Kzg.kzg_legal n tau.

(** What was received: the elements of a vector, each with its opening. *)
Definition received_vector (scalars : list Scalar) (openings : list G1) : list (N * Scalar * G1) :=
  map (fun i => (i, scalar_at scalars i, g1_at openings i)) (range 0 n).

(** Accepted openings at all indices: the commitment is that of the vector, or they give the quotient. *)
Theorem vector_openings_interpolate (commitment : G1) (scalars : list Scalar) (openings : list G1) :
  let setup := kzg_setup n tau in
  let received := received_vector scalars openings in
  (forall i, i < n -> kzg_verify setup commitment i (scalar_at scalars i) (g1_at openings i) = true) ->
  commitment = kzg_commit setup scalars \/
  (commitment <> kzg_commit setup scalars /\ vanishing_at (points_of setup received) tau <> scalar_of_N 0 /\
   received_break setup commitment received
   = g1_multiple ((commitment [-] kzg_commit setup scalars) [*] scalar_inv (vanishing_at (points_of setup received) tau))).
Proof.
  intros setup received accepted. destruct legal as (positive & divides & outside).
  assert (points : points_of setup received = map (fun i => scalar_pow (root_of_unity n) i) (range 0 n)).
  { unfold points_of, received, received_vector. rewrite map_map. apply map_ext_in. intros i M. apply range_in in M.
    unfold point_of. apply Spec.Commitment.Kzg.domain_at. lia. }
  assert (distinct : NoDup (points_of setup received)).
  { rewrite points. apply Lemmas.ColumnCount.nodup_map_in; [apply Lemmas.ColumnCount.range_nodup |]. intros i j I J E. apply range_in in I, J.
    destruct (N.eq_dec i j) as [S | D]; [exact S | exfalso].
    apply (powers_differ (root_of_unity n) n i j (root_of_unity_primitive n divides positive)); [lia | lia | exact D | exact E]. }
  destruct (openings_interpolate setup commitment received distinct) as (short & taken & decided).
  { intros i m o M. apply in_map_iff in M as (j & E & M). injection E as -> <- <-. apply accepted. apply range_in in M. lia. }
  destruct (Lemmas.KzgPolynomial.kzg_commit_is_evaluation n tau positive divides outside scalars) as (long & values & made).
  assert (count : length (points_of setup received) = N.to_nat n).
  { rewrite points, map_length. unfold range. rewrite map_length, List.seq_length. lia. }
  assert (E : kzg_commit setup scalars = polynomial_element setup (received_polynomial setup received)).
  { unfold setup at 1. rewrite made. unfold polynomial_element. f_equal. change (g2_exponent (kzg_key setup)) with tau.
    apply (polynomials_agree _ _ (points_of setup received)); [exact distinct | | | |].
    - intros Z. rewrite Z in count. simpl in count. lia.
    - rewrite long, count. lia.
    - rewrite count, <- count. unfold points_of. now rewrite map_length.
    - intros y M. rewrite points in M. apply in_map_iff in M as (i & <- & M). pose proof M as M'. apply range_in in M'.
      rewrite values by lia. symmetry. rewrite <- (taken i (scalar_at scalars i) (g1_at openings i)).
      + f_equal. symmetry. apply Spec.Commitment.Kzg.domain_at. lia.
      + apply in_map_iff. now exists i. }
  rewrite E. exact decided.
Qed.

End Vectors.

(** ** Folds of one claim *)

(** A fold's second challenge, and the W' that was accepted for it. *)
Definition Fork : Type := Scalar * G1.

(** An opening, at the challenge, of gamma (C - y) - (tau - z_0) W to 0. *)
Definition fork_opening (claim : FoldedClaim) (w : G1) (fork : Fork) : G1 :=
  g1_subtract (g1_scale (fst fork [-] folded_point claim) (snd fork)) w.

(** By how much W / gamma misses to open the claim, times gamma. *)
Definition fold_error (setup : KzgSetup) (claim : FoldedClaim) (gamma : Scalar) (w : G1) : Scalar :=
  gamma [*] (folded_commitment claim [-] folded_value claim) [-] (g2_exponent (kzg_key setup) [-] folded_point claim) [*] w.

(** What the forks give where W / gamma does not open the claim. *)
Definition fork_break (claim : FoldedClaim) (w : G1) (forks : list Fork) : G1 :=
  last_difference g1_identity (map fst forks) (map (fork_opening claim w) forks).

(** The verifier accepts W and each W', at its challenge. *)
Definition forks_accepted (setup : KzgSetup) (claim : FoldedClaim) (gamma : Scalar) (w : G1) (forks : list Fork) : Prop :=
  forall z w', In (z, w') forks ->
  verify_fold setup [claim] [gamma] z {| folded_quotient := w; folded_witness := w' |} = true.

Lemma verify_fold_equation (setup : KzgSetup) (claim : FoldedClaim) (gamma : Scalar) (w : G1) (fork : Fork) :
  verify_fold setup [claim] [gamma] (fst fork) {| folded_quotient := w; folded_witness := snd fork |} = true ->
  fold_error setup claim gamma w [-] scalar_of_N 0
  = (g2_exponent (kzg_key setup) [-] fst fork) [*] fork_opening claim w fork.
Proof.
  destruct fork as [z w']. cbn [fst snd]. intros V. apply andb_true_iff in V as [fresh V]. apply pairings_equal_iff in V.
  assert (D : z [-] folded_point claim <> scalar_of_N 0).
  { apply scalar_sub_nonzero. intros E. apply negb_true_iff, not_true_iff_false in fresh. apply fresh, point_is_claimed_iff.
    exists 0. split; [reflexivity | now symmetry]. }
  cbn [folded_quotient folded_witness] in V. group_exponents. rewrite fold_commitments_sum in V.
  change (seq_length [claim]) with (0 + 1) in V. rewrite sum_succ, sum_zero in V.
  change (seq_at [claim] 0) with claim in V. change (scalar_at [gamma] 0) with gamma in V.
  unfold fold_factor, scalar_inverse in V. unfold fold_error, fork_opening. cbn [fst snd]. group_exponents.
  set (tau := g2_exponent (kzg_key setup)) in *. set (z0 := folded_point claim) in *.
  set (c := folded_commitment claim [-] folded_value claim) in *.
  assert (E : gamma [*] scalar_inv (z [-] z0) [*] c = w [+] (tau [-] z) [*] w').
  { transitivity (scalar_of_N 0 [+] gamma [*] scalar_inv (z [-] z0) [*] c [-] w [+] z [*] w' [+] w [-] z [*] w'); [ring |].
    rewrite V. ring. }
  transitivity ((z [-] z0) [*] (gamma [*] scalar_inv (z [-] z0) [*] c) [-] (tau [-] z0) [*] w); [field; exact D |].
  rewrite E. ring.
Qed.

Lemma interpolating_zeros (points : list Scalar) (x : Scalar) :
  polynomial_at (interpolating points (map (fun _ => scalar_of_N 0) points)) x = scalar_of_N 0.
Proof.
  induction points as [| z points IH]; [reflexivity |]. cbn [map interpolating].
  assert (zeros : divided z (scalar_of_N 0) points (map (fun _ => scalar_of_N 0) points) = map (fun _ => scalar_of_N 0) points).
  { clear IH. induction points as [| p points IH]; [reflexivity |]. cbn [map divided]. rewrite IH. f_equal. ring. }
  rewrite zeros, added_at, times_linear_at, IH. simpl. ring.
Qed.

(** Folds of one claim, accepted for one gamma and one W at different second challenges z_j: W / gamma opens the claim, or they give
    the element with this exponent: gamma (C - y) - (tau - z_0) W, which is not 0, over the product of (tau - z_j). *)
Theorem forked_folds_open (setup : KzgSetup) (claim : FoldedClaim) (gamma : Scalar) (w : G1) (forks : list Fork) :
  let tau := g2_exponent (kzg_key setup) in
  let error := fold_error setup claim gamma w in
  gamma <> scalar_of_N 0 -> forks <> [] -> NoDup (map fst forks) -> forks_accepted setup claim gamma w forks ->
  opens_claim setup claim (g1_scale (scalar_inv gamma) w) \/
  (error <> scalar_of_N 0 /\ vanishing_at (map fst forks) tau <> scalar_of_N 0 /\
   fork_break claim w forks = g1_multiple (error [*] scalar_inv (vanishing_at (map fst forks) tau))).
Proof.
  intros tau error nonzero some distinct accepted.
  assert (opened : all_open tau (g1_multiple error) (map fst forks) (map (fun _ => scalar_of_N 0) (map fst forks))
    (map (fork_opening claim w) forks)).
  { clear some distinct. induction forks as [| [z w'] forks IH]; [exact I |].
    split; [apply (verify_fold_equation setup claim gamma w (z, w')), accepted; now left |].
    apply IH. intros z' w'' M. apply accepted. now right. }
  pose proof (last_difference_exponent tau _ _ _ _ distinct opened) as E.
  rewrite interpolating_zeros, g1_exponent_multiple in E.
  assert (same : last_difference (g1_multiple error) (map fst forks) (map (fork_opening claim w) forks) = fork_break claim w forks)
    by (destruct forks; [contradiction | reflexivity]).
  rewrite same in E. destruct (scalar_eq_dec error (scalar_of_N 0)) as [Z | D].
  - left. unfold opens_claim. group_exponents. apply (scalar_mul_cancel _ _ gamma nonzero).
    transitivity (error [+] (tau [-] folded_point claim) [*] w); [unfold error, fold_error; fold tau; ring |].
    rewrite Z. fold tau. field. exact nonzero.
  - right. assert (V : vanishing_at (map fst forks) tau <> scalar_of_N 0).
    { intros Z. apply D. transitivity (error [-] scalar_of_N 0); [ring |]. rewrite <- E, Z. ring. }
    repeat split; [exact D | exact V |]. apply g1_ext. rewrite g1_exponent_multiple.
    transitivity (fork_break claim w forks [*] vanishing_at (map fst forks) tau [*] scalar_inv (vanishing_at (map fst forks) tau));
      [field; exact V |]. rewrite E. ring.
Qed.

(** Two values of one commitment at one point, both folded so: 1 / (tau - z), or what one of them gives by [forked_folds_open]. *)
Theorem fold_evaluation_binding (setup : KzgSetup) (claim claim' : FoldedClaim) (gamma gamma' : Scalar) (w w' : G1)
    (forks forks' : list Fork) :
  let tau := g2_exponent (kzg_key setup) in
  let given := fun (claim : FoldedClaim) (gamma : Scalar) (w : G1) (forks : list Fork) =>
    fold_error setup claim gamma w <> scalar_of_N 0 /\ vanishing_at (map fst forks) tau <> scalar_of_N 0 /\
    fork_break claim w forks = g1_multiple (fold_error setup claim gamma w [*] scalar_inv (vanishing_at (map fst forks) tau)) in
  gamma <> scalar_of_N 0 -> forks <> [] -> NoDup (map fst forks) -> forks_accepted setup claim gamma w forks ->
  gamma' <> scalar_of_N 0 -> forks' <> [] -> NoDup (map fst forks') -> forks_accepted setup claim' gamma' w' forks' ->
  folded_commitment claim = folded_commitment claim' -> folded_point claim = folded_point claim' ->
  folded_value claim <> folded_value claim' ->
  (tau <> folded_point claim /\
   extract (folded_value claim) (folded_value claim') (g1_scale (scalar_inv gamma) w) (g1_scale (scalar_inv gamma') w')
   = g1_multiple (scalar_inv (tau [-] folded_point claim))) \/
  given claim gamma w forks \/ given claim' gamma' w' forks'.
Proof.
  intros tau given G S D A G' S' D' A' commitments points values.
  destruct (forked_folds_open setup claim gamma w forks G S D A) as [O | B]; [| now right; left].
  destruct (forked_folds_open setup claim' gamma' w' forks' G' S' D' A') as [O' | B']; [| now right; right].
  left. unfold opens_claim in O, O'. rewrite <- commitments, <- points in O'. now apply (two_values tau _ _ _ (folded_commitment claim)).
Qed.

End Interpolation.
