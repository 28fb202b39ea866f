(** Random combinations: how many choices of coefficients make a combination of errors vanish although one is not zero.

    - [combination_one_value]: with all other coefficients fixed, at most one value of the coefficient of an error that is
      not zero makes the combination vanish.
    - [few_choices_vanish]: of the |S|^n choices of n coefficients from a set S, at most |S|^(n-1) do.
    - [kzg_batch_verify_sound], [libert_yung_batch_verify_sound]: so at most |S|^(n-1) of them save a batch of n claims with
      one that is false. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.Kzg
  Commitment.LibertYung.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
From Aardvark Require Spec.Commitment.Kzg Spec.Commitment.LibertYung.
Import ListNotations.
Local Open Scope N_scope.

(** All lists of [n] elements of [s]. *)
Fixpoint choices {A : Type} (s : list A) (n : nat) : list (list A) :=
  match n with
  | O => [[]]
  | S n => flat_map (fun c => map (cons c) (choices s n)) s
  end.

Lemma choices_length {A : Type} (s : list A) (n : nat) : length (choices s n) = (length s ^ n)%nat.
Proof.
  induction n as [| n IH]; [reflexivity |]. simpl choices. simpl Nat.pow. rewrite <- IH.
  clear IH. generalize (choices s n). intros rest. induction s as [| c s IHs]; [reflexivity |].
  simpl. rewrite app_length, map_length. rewrite IHs. reflexivity.
Qed.

Lemma choices_in {A : Type} (s : list A) (n : nat) (c : list A) :
  In c (choices s n) <-> length c = n /\ forall x, In x c -> In x s.
Proof.
  revert c. induction n as [| n IH]; intros c; simpl.
  - split; [intros [<- | []]; split; [reflexivity | intros x []] |]. intros [L _]. left. now destruct c.
  - rewrite in_flat_map. split.
    + intros [x [I J]]. apply in_map_iff in J. destruct J as [rest [<- J]]. apply IH in J. destruct J as [L K].
      split; [simpl; now rewrite L |]. intros y [<- | Y]; auto.
    + intros [L K]. destruct c as [| x c]; [discriminate |]. exists x. split; [apply K; now left |].
      apply in_map_iff. exists c. split; [reflexivity |]. apply IH. split; [simpl in L; lia |]. intros y Y. apply K. now right.
Qed.

Lemma filter_map_length {A B : Type} (f : A -> B) (keep : B -> bool) (s : list A) :
  length (filter keep (map f s)) = length (filter (fun x => keep (f x)) s).
Proof. induction s as [| x s IH]; simpl; [reflexivity |]. destruct (keep (f x)); simpl; now rewrite IH. Qed.

Lemma filter_length_le {A : Type} (keep : A -> bool) (s : list A) : (length (filter keep s) <= length s)%nat.
Proof. induction s as [| x s IH]; simpl; [lia |]. destruct (keep x); simpl; lia. Qed.

Lemma filter_ext_length {A : Type} (keep keep' : A -> bool) (s : list A) :
  (forall x, In x s -> keep x = keep' x) -> length (filter keep s) = length (filter keep' s).
Proof.
  intros E. induction s as [| x s IH]; simpl; [reflexivity |]. rewrite E by now left.
  destruct (keep' x); simpl; rewrite IH; auto; intros y I; apply E; now right.
Qed.

Lemma filter_none {A : Type} (keep : A -> bool) (s : list A) :
  (forall x, In x s -> keep x = false) -> filter keep s = [].
Proof.
  intros E. induction s as [| x s IH]; simpl; [reflexivity |]. rewrite E by now left. apply IH. intros y I. apply E. now right.
Qed.

Section Combinations.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** The errors, each times its coefficient, summed up. *)
Definition combination (errors : N -> Scalar) (coefficients : list Scalar) (n : N) : Scalar :=
  sum (fun j => scalar_at coefficients j [*] errors j) n.

(** With all other coefficients fixed, at most one value of the coefficient of an error that is not zero makes the
    combination vanish. *)
Theorem combination_one_value (errors : N -> Scalar) (coefficients coefficients' : list Scalar) (n j : N) :
  j < n -> errors j <> scalar_of_N 0 ->
  (forall i, i < n -> i <> j -> scalar_at coefficients i = scalar_at coefficients' i) ->
  combination errors coefficients n = scalar_of_N 0 -> combination errors coefficients' n = scalar_of_N 0 ->
  scalar_at coefficients j = scalar_at coefficients' j.
Proof.
  intros L nonzero others E E'. unfold combination in E, E'.
  rewrite (sum_changed (fun j => scalar_at coefficients' j [*] errors j) _ n j L) in E.
  2: { intros i Li D. now rewrite others. }
  rewrite E' in E. apply (scalar_mul_cancel _ _ (errors j) nonzero). apply scalar_sub_zero. rewrite <- E. ring.
Qed.

Lemma sum_first (f : N -> Scalar) (n : N) : sum f (n + 1) = f 0 [+] sum (fun i => f (i + 1)) n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite N.add_0_l; change 1 with (0 + 1); rewrite sum_succ, !sum_zero; ring |].
  rewrite sum_succ, <- N.add_1_r, IH, sum_succ. ring.
Qed.

Lemma scalar_at_first (x : Scalar) (s : list Scalar) : scalar_at (x :: s) 0 = x.
Proof. rewrite scalar_at_in, seq_at_zero by (rewrite seq_length_cons; lia). reflexivity. Qed.

Lemma scalar_at_rest (x : Scalar) (s : list Scalar) (i : N) : scalar_at (x :: s) (i + 1) = scalar_at s i.
Proof.
  destruct (N.lt_ge_cases i (seq_length s)) as [L | L].
  - rewrite !scalar_at_in, seq_at_succ by (rewrite ?seq_length_cons; lia). reflexivity.
  - rewrite !scalar_at_beyond by (rewrite ?seq_length_cons; lia). reflexivity.
Qed.

Lemma combination_cons (errors : N -> Scalar) (c : Scalar) (rest : list Scalar) (n : nat) :
  combination errors (c :: rest) (N.of_nat (S n))
  = c [*] errors 0 [+] combination (fun i => errors (i + 1)) rest (N.of_nat n).
Proof.
  unfold combination. rewrite Nat2N.inj_succ, <- N.add_1_r, sum_first, scalar_at_first. f_equal.
  apply sum_ext. intros i _. now rewrite scalar_at_rest.
Qed.

(** Of the choices of coefficients from [s], those that bring the combination to [target]. *)
Definition hits (errors : N -> Scalar) (target : Scalar) (s : list Scalar) (n : nat) : list (list Scalar) :=
  filter (fun c => combination errors c (N.of_nat n) [=?] target) (choices s n).

Lemma hits_succ_length (errors : N -> Scalar) (target : Scalar) (s : list Scalar) (n : nat) :
  length (hits errors target s (S n))
  = list_sum (map (fun c => length (hits (fun i => errors (i + 1)) (target [-] c [*] errors 0) s n)) s).
Proof.
  unfold hits at 1. simpl choices. generalize s at 2 4. intros set. induction set as [| c set IH]; [reflexivity |].
  cbn [flat_map map list_sum fold_right]. rewrite filter_app, app_length, filter_map_length.
  change (fold_right Nat.add 0%nat) with list_sum. rewrite <- IH. f_equal.
  unfold hits. apply filter_ext_length. intros rest _. rewrite combination_cons.
  apply eq_true_iff_eq. rewrite !scalar_eqb_iff. split; [intros <-; ring | intros ->; ring].
Qed.

Lemma list_sum_bound {A : Type} (f : A -> nat) (s : list A) (bound : nat) :
  (forall x, In x s -> (f x <= bound)%nat) -> (list_sum (map f s) <= length s * bound)%nat.
Proof.
  intros B. induction s as [| x s IH]; simpl; [lia |]. specialize (B x (or_introl eq_refl)) as Bx.
  assert (list_sum (map f s) <= length s * bound)%nat by (apply IH; intros y I; apply B; now right).
  unfold list_sum in *. lia.
Qed.

(** At most one element of a set has something to count: the sum is at most its count. *)
Lemma list_sum_single {A : Type} (f : A -> nat) (s : list A) (bound : nat) :
  NoDup s -> (forall x, In x s -> (f x <= bound)%nat) ->
  (forall x y, In x s -> In y s -> f x <> 0%nat -> f y <> 0%nat -> x = y) -> (list_sum (map f s) <= bound)%nat.
Proof.
  intros D. induction D as [| x s X D IH]; intros B one; simpl; [lia |].
  pose proof (B x (or_introl eq_refl)) as Bx. destruct (f x) as [| k] eqn:Ek.
  - simpl. apply IH; [intros y I; apply B; now right |]. intros y z I J. apply one; now right.
  - assert (list_sum (map f s) = 0)%nat as ->; [| lia].
    assert (zero : forall y, In y s -> f y = 0%nat).
    { intros y I. destruct (f y) as [| m] eqn:Ey; [reflexivity |]. exfalso. apply X.
      replace x with y; [exact I |]. apply one; [now right | now left | lia | lia]. }
    clear - zero. induction s as [| y s IH]; [reflexivity |]. simpl. rewrite (zero y) by now left.
    apply IH. intros z I. apply zero. now right.
Qed.

Lemma hits_all_zero (errors : N -> Scalar) (target : Scalar) (s : list Scalar) (n : nat) :
  (forall i, i < N.of_nat n -> errors i = scalar_of_N 0) -> target <> scalar_of_N 0 -> hits errors target s n = [].
Proof.
  intros zero nonzero. apply filter_none. intros c _. apply not_true_iff_false. rewrite scalar_eqb_iff.
  unfold combination. rewrite sum_all_zero by (intros i L; rewrite zero by exact L; ring). congruence.
Qed.

Lemma hits_bound (errors : N -> Scalar) (target : Scalar) (s : list Scalar) (n : nat) :
  (length (hits errors target s n) <= length s ^ n)%nat.
Proof. rewrite <- choices_length. apply filter_length_le. Qed.

Lemma few_hits (errors : N -> Scalar) (target : Scalar) (s : list Scalar) (n : nat) :
  NoDup s -> (exists j, j < N.of_nat n /\ errors j <> scalar_of_N 0) ->
  (length (hits errors target s n) <= length s ^ (n - 1))%nat.
Proof.
  intros D. revert errors target. induction n as [| n IH]; intros errors target [j [L nonzero]]; [lia |].
  rewrite hits_succ_length. replace (S n - 1)%nat with n by lia.
  assert (later : (exists i, i < N.of_nat n /\ errors (i + 1) <> scalar_of_N 0)
    \/ (forall i, i < N.of_nat n -> errors (i + 1) = scalar_of_N 0)).
  { clear - lawful. induction n as [| n [[i [L E]] | zero]].
    - right. intros i L. lia.
    - left. exists i. split; [lia | exact E].
    - destruct (scalar_eq_dec (errors (N.of_nat n + 1)) (scalar_of_N 0)) as [E | E].
      + right. intros i L. destruct (N.eq_dec i (N.of_nat n)) as [-> | B]; [exact E |]. apply zero. lia.
      + left. exists (N.of_nat n). split; [lia | exact E]. }
  destruct later as [later | zero].
  - assert (n <> 0)%nat by (destruct later as [i [Li _]]; lia).
    replace (length s ^ n)%nat with (length s * length s ^ (n - 1))%nat.
    2: { replace n with (S (n - 1)) at 2 by lia. reflexivity. }
    apply list_sum_bound. intros c _. apply IH. exact later.
  - assert (errors 0 <> scalar_of_N 0) as first.
    { destruct (N.eq_dec j 0) as [-> | B]; [exact nonzero |]. replace j with (j - 1 + 1) in nonzero by lia.
      rewrite zero in nonzero by lia. congruence. }
    apply list_sum_single; [exact D | intros c _; apply hits_bound |].
    intros c c' _ _ H H'. apply (scalar_mul_cancel _ _ (errors 0) first).
    assert (solves : forall x, length (hits (fun i => errors (i + 1)) (target [-] x [*] errors 0) s n) <> 0%nat ->
      x [*] errors 0 = target).
    { intros x Hx. destruct (scalar_eq_dec (target [-] x [*] errors 0) (scalar_of_N 0)) as [E | E].
      - symmetry. now apply scalar_sub_zero.
      - rewrite hits_all_zero in Hx by assumption. now elim Hx. }
    now rewrite (solves c H), (solves c' H').
Qed.

(** Of the |S|^n choices of n coefficients from a set S, at most |S|^(n-1) make the combination vanish. *)
Theorem few_choices_vanish (errors : N -> Scalar) (s : list Scalar) (n : nat) :
  NoDup s -> (exists j, j < N.of_nat n /\ errors j <> scalar_of_N 0) ->
  (length (filter (fun c => combination errors c (N.of_nat n) [=?] scalar_of_N 0) (choices s n))
    <= length s ^ (n - 1))%nat.
Proof. intros D some. exact (few_hits errors (scalar_of_N 0) s n D some). Qed.

(** * Batches *)

(** A loop over a batch that adds up two sides, each term times its coefficient. *)
Lemma pairing_sums (left_of right_of : BatchClaim -> G1) (batch : list BatchClaim) (coefficients : list Scalar) :
  let sums := fold_left (fun sums j =>
      {| sum_left := g1_add sums.(sum_left) (g1_scale (scalar_at coefficients j) (left_of (seq_at batch j)));
         sum_right := g1_add sums.(sum_right) (g1_scale (scalar_at coefficients j) (right_of (seq_at batch j))) |})
    (range 0 (seq_length batch)) empty_sum in
  g1_exponent sums.(sum_left)
  = sum (fun j => scalar_at coefficients j [*] left_of (seq_at batch j)) (seq_length batch)
  /\ g1_exponent sums.(sum_right)
  = sum (fun j => scalar_at coefficients j [*] right_of (seq_at batch j)) (seq_length batch).
Proof.
  simpl. generalize (seq_length batch). intros n. induction n as [| n [IHl IHr]] using N.peano_ind; [now split |].
  rewrite <- N.add_1_r, range_last, fold_left_app by lia. cbn [fold_left sum_left sum_right g1_add g1_scale g1_exponent].
  rewrite IHl, IHr, !sum_succ. now split.
Qed.

(** The same where one side is in GT. *)
Lemma expected_sums (left_of : BatchClaim -> G1) (right_of : BatchClaim -> GT) (batch : list BatchClaim)
    (coefficients : list Scalar) :
  let sums := fold_left (fun sums j =>
      {| sum_openings := g1_add sums.(sum_openings) (g1_scale (scalar_at coefficients j) (left_of (seq_at batch j)));
         sum_expected := gt_add sums.(sum_expected) (gt_scale (scalar_at coefficients j) (right_of (seq_at batch j))) |})
    (range 0 (seq_length batch)) empty_expected_sum in
  g1_exponent sums.(sum_openings)
  = sum (fun j => scalar_at coefficients j [*] left_of (seq_at batch j)) (seq_length batch)
  /\ gt_exponent sums.(sum_expected)
  = sum (fun j => scalar_at coefficients j [*] right_of (seq_at batch j)) (seq_length batch).
Proof.
  simpl. generalize (seq_length batch). intros n. induction n as [| n [IHl IHr]] using N.peano_ind; [now split |].
  rewrite <- N.add_1_r, range_last, fold_left_app by lia.
  cbn [fold_left sum_openings sum_expected g1_add g1_scale g1_exponent gt_add gt_scale gt_exponent].
  rewrite IHl, IHr, !sum_succ. now split.
Qed.

(** By how much a claim misses KZG's equation, in the exponent. *)
Definition kzg_error (setup : KzgSetup) (claim : BatchClaim) : Scalar :=
  kzg_left_side setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar) claim.(batch_opening)
  [-] claim.(batch_opening) [*] setup.(kzg_key).

Lemma kzg_verify_batch_iff (setup : KzgSetup) (batch : list BatchClaim) (coefficients : list Scalar) :
  kzg_verify_batch setup batch coefficients = true <->
  combination (fun j => kzg_error setup (seq_at batch j)) coefficients (seq_length batch) = scalar_of_N 0.
Proof.
  unfold kzg_verify_batch, kzg_verify_batch_step. pose (side := fun claim => kzg_left_side setup claim.(batch_commitment)
    claim.(batch_index) claim.(batch_scalar) claim.(batch_opening)).
  destruct (pairing_sums side batch_opening batch coefficients) as [left_sum right_sum].
  cbv zeta in left_sum, right_sum |- *. unfold side in left_sum, right_sum.
  rewrite pairings_equal_iff, left_sum, right_sum, <- scalar_sub_zero. unfold combination, kzg_error.
  match goal with |- ?a = _ <-> ?b = _ => replace a with b; [reflexivity |] end.
  transitivity (sum (fun j => scalar_at coefficients j [*] side (seq_at batch j)
      [+] (scalar_of_N 0 [-] kzg_key setup) [*] (scalar_at coefficients j [*] batch_opening (seq_at batch j)))
      (seq_length batch)); [apply sum_ext; intros; unfold side; ring |].
  rewrite sum_add, sum_scale. unfold side. ring.
Qed.

Lemma kzg_verify_error (setup : KzgSetup) (claim : BatchClaim) :
  kzg_verify setup (batch_commitment claim) (batch_index claim) (batch_scalar claim) (batch_opening claim) = true <->
  batch_index claim < kzg_size setup /\ kzg_error setup claim = scalar_of_N 0.
Proof. unfold kzg_verify, kzg_error. now rewrite andb_true_iff, N.ltb_lt, pairings_equal_iff, scalar_sub_zero. Qed.

(** At most |S|^(n-1) of the |S|^n choices of coefficients from a set S save a batch of n claims with a false one. *)
Theorem kzg_batch_verify_sound (setup : KzgSetup) (batch : list BatchClaim) (s : list Scalar) (j : N) :
  NoDup s -> j < seq_length batch -> batch_index (seq_at batch j) < kzg_size setup ->
  kzg_verify setup (batch_commitment (seq_at batch j)) (batch_index (seq_at batch j)) (batch_scalar (seq_at batch j))
    (batch_opening (seq_at batch j)) = false ->
  (length (filter (kzg_verify_batch setup batch) (choices s (length batch))) <= length s ^ (length batch - 1))%nat.
Proof.
  intros D L in_vector false_claim.
  rewrite (filter_ext_length _ (fun c => combination (fun j => kzg_error setup (seq_at batch j)) c
    (N.of_nat (length batch)) [=?] scalar_of_N 0)).
  2: { intros c _. apply eq_true_iff_eq. rewrite kzg_verify_batch_iff, scalar_eqb_iff. reflexivity. }
  apply few_choices_vanish; [exact D |]. exists j. split; [exact L |]. intros E.
  apply not_true_iff_false in false_claim. apply false_claim, kzg_verify_error. split; assumption.
Qed.

(** By how much a claim misses Libert-Yung's equation, in the exponent. *)
Definition libert_yung_error (setup : LibertYungSetup) (claim : BatchClaim) : Scalar :=
  claim.(batch_opening) [-]
  libert_yung_expected setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar).

Lemma libert_yung_verify_batch_iff (setup : LibertYungSetup) (batch : list BatchClaim) (coefficients : list Scalar) :
  libert_yung_verify_batch setup batch coefficients = true <->
  combination (fun j => libert_yung_error setup (seq_at batch j)) coefficients (seq_length batch) = scalar_of_N 0.
Proof.
  unfold libert_yung_verify_batch, libert_yung_verify_batch_step.
  pose (expected := fun claim => libert_yung_expected setup claim.(batch_commitment) claim.(batch_index)
    claim.(batch_scalar)).
  destruct (expected_sums batch_opening expected batch coefficients) as [left_sum right_sum].
  cbv zeta in left_sum, right_sum |- *. unfold expected in left_sum, right_sum.
  rewrite LibertYung.expected_sum_iff, left_sum, right_sum.
  transitivity (sum (fun j => scalar_at coefficients j [*] batch_opening (seq_at batch j)) (seq_length batch)
    [-] sum (fun j => scalar_at coefficients j [*] expected (seq_at batch j)) (seq_length batch) = scalar_of_N 0).
  { rewrite scalar_sub_zero. unfold expected. split; now intros ->. }
  unfold combination, libert_yung_error.
  match goal with |- ?a = _ <-> ?b = _ => replace a with b; [reflexivity |] end.
  transitivity (sum (fun j => scalar_at coefficients j [*] batch_opening (seq_at batch j)
      [+] (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at coefficients j [*] expected (seq_at batch j)))
      (seq_length batch)); [apply sum_ext; intros; unfold expected; ring |].
  rewrite sum_add, sum_scale. unfold expected. ring.
Qed.

Lemma libert_yung_verify_error (setup : LibertYungSetup) (claim : BatchClaim) :
  libert_yung_verify setup (batch_commitment claim) (batch_index claim) (batch_scalar claim) (batch_opening claim)
  = true <->
  batch_index claim < libert_yung_size setup /\ libert_yung_error setup claim = scalar_of_N 0.
Proof. rewrite LibertYung.verify_expected. unfold libert_yung_error. now rewrite scalar_sub_zero. Qed.

(** At most |S|^(n-1) of the |S|^n choices of coefficients from a set S save a batch of n claims with a false one. *)
Theorem libert_yung_batch_verify_sound (setup : LibertYungSetup) (batch : list BatchClaim) (s : list Scalar) (j : N) :
  NoDup s -> j < seq_length batch -> batch_index (seq_at batch j) < libert_yung_size setup ->
  libert_yung_verify setup (batch_commitment (seq_at batch j)) (batch_index (seq_at batch j))
    (batch_scalar (seq_at batch j)) (batch_opening (seq_at batch j)) = false ->
  (length (filter (libert_yung_verify_batch setup batch) (choices s (length batch)))
    <= length s ^ (length batch - 1))%nat.
Proof.
  intros D L in_vector false_claim.
  rewrite (filter_ext_length _ (fun c => combination (fun j => libert_yung_error setup (seq_at batch j)) c
    (N.of_nat (length batch)) [=?] scalar_of_N 0)).
  2: { intros c _. apply eq_true_iff_eq. rewrite libert_yung_verify_batch_iff, scalar_eqb_iff. reflexivity. }
  apply few_choices_vanish; [exact D |]. exists j. split; [exact L |]. intros E.
  apply not_true_iff_false in false_claim. apply false_claim, libert_yung_verify_error. split; assumption.
Qed.

End Combinations.
