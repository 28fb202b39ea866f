(** For how many challenges a matrix that is no permutation's looks like one.

    - [matrix_at], [matrix_moved], [is_matrix_of]: a matrix, what it makes of coefficients, and what it is for it to be that
      of a permutation.
    - [matrix_cases]: a matrix is that of a permutation, or has a row that is no unit vector, or a column of zeros.
    - [products_counted]: if it is not, for few pairs of coefficients and shift are the two products the same. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Mixnet.Permutation.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.Batch
  Spec.Mixnet.Permutation Spec.Mixnet.Column Lemmas.ColumnCount.
Import ListNotations.
Local Open Scope N_scope.

Section Count.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** Element i of row j. *)
Definition matrix_at (rows : list (list Scalar)) (j i : N) : Scalar := scalar_at (seq_at rows j) i.

(** M e *)
Definition matrix_moved (rows : list (list Scalar)) (e : list Scalar) : list Scalar :=
  map (fun j => combination (matrix_at rows j) e (seq_length rows)) (range 0 (seq_length rows)).

(** The matrix that has 1 in row π(i) of column i, and 0 elsewhere. *)
Definition is_matrix_of (images : list N) (rows : list (list Scalar)) : Prop :=
  permutes images (seq_length rows) /\
  forall i j, i < seq_length rows -> j < seq_length rows ->
  matrix_at rows j i = if j =? seq_at images i then scalar_of_N 1 else scalar_of_N 0.

(** * Matrices *)

Definition unit_at (i k : N) : Scalar := if k =? i then scalar_of_N 1 else scalar_of_N 0.

(** Whether row j is unit vector i. *)
Definition row_is_unit (rows : list (list Scalar)) (j i : N) : bool :=
  forallb (fun k => matrix_at rows j k [=?] unit_at i k) (range 0 (seq_length rows)).

Lemma row_is_unit_at (rows : list (list Scalar)) (j i k : N) :
  row_is_unit rows j i = true -> k < seq_length rows -> matrix_at rows j k = unit_at i k.
Proof.
  intros U L. apply scalar_eqb_iff. unfold row_is_unit in U. rewrite forallb_forall in U. apply U. apply range_in. lia.
Qed.

Lemma row_not_unit (rows : list (list Scalar)) (j i : N) :
  row_is_unit rows j i = false -> exists k, k < seq_length rows /\ matrix_at rows j k <> unit_at i k.
Proof.
  intros U. unfold row_is_unit in U. assert (forall s, (forall k, In k s -> k < seq_length rows) ->
    forallb (fun k => matrix_at rows j k [=?] unit_at i k) s = false ->
    exists k, k < seq_length rows /\ matrix_at rows j k <> unit_at i k) as G.
  { induction s as [| k s IH]; intros B E; simpl in E; [discriminate |].
    destruct (matrix_at rows j k [=?] unit_at i k) eqn:K.
    - apply IH; [intros; apply B; now right | exact E].
    - exists k. split; [apply B; now left |]. intros Z. apply scalar_eqb_iff in Z. congruence. }
  apply (G (range 0 (seq_length rows))); [intros k I; apply range_in in I; lia | exact U].
Qed.

(** The row that is unit vector i, or none. *)
Definition image_of (rows : list (list Scalar)) (i : N) : option N :=
  find (fun j => row_is_unit rows j i) (range 0 (seq_length rows)).

(** The images of the permutation that a matrix is of. *)
Definition matrix_images (rows : list (list Scalar)) : list N :=
  map (fun i => match image_of rows i with Some j => j | None => seq_length rows end) (range 0 (seq_length rows)).

(** Row j is no unit vector. *)
Definition not_unit (rows : list (list Scalar)) (j : N) : Prop :=
  forall i, i < seq_length rows -> row_is_unit rows j i = false.

Lemma search {P : N -> bool} (n : N) : (exists j, j < n /\ P j = true) \/ (forall j, j < n -> P j = false).
Proof.
  destruct (find P (range 0 n)) as [j |] eqn:E.
  - left. apply find_some in E as [I E]. apply range_in in I. exists j. split; [lia | exact E].
  - right. intros j L. apply (find_none _ _ E). apply range_in. lia.
Qed.

Lemma matrix_cases (rows : list (list Scalar)) :
  is_matrix_of (matrix_images rows) rows \/
  (exists j, j < seq_length rows /\ not_unit rows j) \/
  (exists i, i < seq_length rows /\ forall j, j < seq_length rows -> matrix_at rows j i = scalar_of_N 0).
Proof.
  set (n := seq_length rows).
  destruct (@search (fun j => forallb (fun i => negb (row_is_unit rows j i)) (range 0 n)) n) as [(j & L & U) | Units].
  { right. left. exists j. split; [exact L |]. intros i Li. rewrite forallb_forall in U. apply negb_true_iff, U, range_in. lia. }
  assert (forall j, j < n -> exists i, i < n /\ row_is_unit rows j i = true) as Unit.
  { intros j L. specialize (Units j L). destruct (@search (fun i => row_is_unit rows j i) n) as [S | S]; [exact S |].
    exfalso. rewrite <- not_true_iff_false in Units. apply Units. apply forallb_forall. intros i I. apply range_in in I.
    rewrite S by lia. reflexivity. }
  clear Units.
  destruct (@search (fun i => match image_of rows i with Some _ => false | None => true end) n) as [(i & L & E) | All].
  { right. right. exists i. split; [exact L |]. intros j Lj. destruct (image_of rows i) eqn:I; [discriminate |].
    destruct (Unit j Lj) as (k & Lk & U). rewrite (row_is_unit_at rows j k i U L). unfold unit_at.
    destruct (N.eqb_spec i k) as [-> | D]; [| reflexivity]. exfalso.
    rewrite (find_none _ _ I j) in U; [discriminate | apply range_in; unfold n in Lj; lia]. }
  left.
  assert (forall i, i < n -> seq_at (matrix_images rows) i < n /\ row_is_unit rows (seq_at (matrix_images rows) i) i = true) as Im.
  { intros i L. unfold matrix_images. rewrite nth_map_range by exact L. specialize (All i L). cbv beta in All.
    destruct (image_of rows i) as [j |] eqn:I; [| discriminate]. apply find_some in I as [I U]. apply range_in in I.
    split; [unfold n; lia | exact U]. }
  assert (permutes (matrix_images rows) n) as P.
  { split; [unfold matrix_images; now rewrite seq_length_map, seq_length_range |]. split; [intros i L; now apply Im |].
    intros i k Li Lk E. destruct (Im i Li) as [_ Ui]. destruct (Im k Lk) as [_ Uk]. rewrite <- E in Uk.
    pose proof (row_is_unit_at rows _ _ i Ui Li) as A. pose proof (row_is_unit_at rows _ _ i Uk Li) as B.
    rewrite A in B. unfold unit_at in B. rewrite N.eqb_refl in B.
    destruct (N.eqb_spec i k); [assumption | now apply scalar_one_nonzero in B]. }
  split; [exact P |]. intros i j Li Lj.
  assert (exists k, k < n /\ seq_at (matrix_images rows) k = j) as (k & Lk & E).
  { pose proof (images_permutation _ _ P) as R. assert (In j (range 0 n)) as I by (apply range_in; lia).
    apply (Permutation_in _ (Permutation_sym R)) in I. apply in_map_iff in I as (k & E & I). apply range_in in I.
    exists k. split; [lia | exact E]. }
  destruct (Im k Lk) as [_ U]. rewrite E in U. rewrite (row_is_unit_at rows j k i U Li). unfold unit_at.
  destruct (N.eqb_spec i k) as [-> | D].
  - rewrite E, N.eqb_refl. reflexivity.
  - destruct (N.eqb_spec j (seq_at (matrix_images rows) i)) as [Ej | _]; [| reflexivity].
    exfalso. apply D. apply (proj2 (proj2 P)); [exact Li | exact Lk | congruence].
Qed.

(** * Coefficients that few are *)

Lemma union_bound {A B : Type} (p : B -> A -> bool) (s : list A) (over : list B) (bound : nat) :
  (forall y, In y over -> (length (filter (p y) s) <= bound)%nat) ->
  (length (filter (fun x => existsb (fun y => p y x) over) s) <= length over * bound)%nat.
Proof.
  induction over as [| y over IH]; intros B0.
  - rewrite filter_none; [simpl; lia | reflexivity].
  - simpl existsb. cbn [length]. specialize (IH (fun z I => B0 z (or_intror I))). specialize (B0 y (or_introl eq_refl)).
    assert (length (filter (fun x => p y x || existsb (fun y => p y x) over) s)
      <= length (filter (p y) s) + length (filter (fun x => existsb (fun y => p y x) over) s))%nat as E.
    { clear. induction s as [| x s IH]; simpl; [lia |]. destruct (p y x), (existsb (fun y => p y x) over); simpl; lia. }
    simpl. lia.
Qed.

Lemma pairs_bound {A B : Type} (bad : A -> bool) (p : A * B -> bool) (es : list A) (t : list B) (few : nat) :
  (forall e, In e es -> bad e = false -> (length (filter (fun x => p (e, x)) t) <= few)%nat) ->
  (length (filter p (list_prod es t)) <= length (filter bad es) * length t + few * length es)%nat.
Proof.
  induction es as [| e es IH]; intros B0; simpl; [lia |]. rewrite filter_app, app_length, filter_map_length.
  specialize (IH (fun e' I => B0 e' (or_intror I))). specialize (B0 e (or_introl eq_refl)).
  destruct (bad e); simpl.
  - pose proof (filter_length_le (fun x => p (e, x)) t). lia.
  - specialize (B0 eq_refl). lia.
Qed.

Lemma combination_unit (e : list Scalar) (i n : N) :
  i < n -> combination (unit_at i) e n = scalar_at e i.
Proof.
  intros L. unfold combination. rewrite (sum_changed (fun _ => scalar_of_N 0) _ n i L).
  - rewrite sum_all_zero by reflexivity. unfold unit_at. rewrite N.eqb_refl. ring.
  - intros k _ D. unfold unit_at. destruct (N.eqb_spec k i); [contradiction |]. ring.
Qed.

Lemma combination_difference (f g : N -> Scalar) (e : list Scalar) (n : N) :
  combination (fun i => f i [-] g i) e n = combination f e n [-] combination g e n.
Proof.
  unfold combination. rewrite (sum_ext _ (fun j => scalar_at e j [*] f j [+]
    (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at e j [*] g j))) by (intros; ring).
  rewrite sum_add, sum_scale. ring.
Qed.

Lemma moved_matrix_at (rows : list (list Scalar)) (e : list Scalar) (j : N) :
  j < seq_length rows -> scalar_at (matrix_moved rows e) j = combination (matrix_at rows j) e (seq_length rows).
Proof. intros L. unfold matrix_moved. now rewrite scalar_at_map. Qed.

Lemma matrix_moved_length (rows : list (list Scalar)) (e : list Scalar) : length (matrix_moved rows e) = length rows.
Proof. unfold matrix_moved. rewrite map_length, range_length. unfold seq_length. lia. Qed.

(** Row j, which is no unit vector, makes one of the coefficients. *)
Definition meets_coefficient (rows : list (list Scalar)) (j : N) (e : list Scalar) : bool :=
  existsb (fun i => combination (fun k => matrix_at rows j k [-] unit_at i k) e (N.of_nat (length rows)) [=?] scalar_of_N 0)
    (range 0 (seq_length rows)).

Lemma few_meet (rows : list (list Scalar)) (j : N) (s : list Scalar) :
  NoDup s -> not_unit rows j ->
  (length (filter (meets_coefficient rows j) (choices s (length rows))) <= length rows * length s ^ (length rows - 1))%nat.
Proof.
  intros D U. unfold meets_coefficient.
  replace (length rows * length s ^ (length rows - 1))%nat
    with (length (range 0 (seq_length rows)) * length s ^ (length rows - 1))%nat
    by (rewrite range_length; unfold seq_length; f_equal; lia).
  apply (union_bound (fun i e => combination (fun k => matrix_at rows j k [-] unit_at i k) e (N.of_nat (length rows)) [=?] scalar_of_N 0)).
  intros i I. apply range_in in I. apply few_choices_vanish; [exact D |].
  destruct (row_not_unit rows j i (U i ltac:(lia))) as (k & Lk & K). exists k. split; [exact Lk |]. now apply scalar_sub_nonzero.
Qed.

(** The sums of moved and drawn coefficients are the same. *)
Definition same_sums (rows : list (list Scalar)) (e : list Scalar) : bool :=
  combination (fun i => sum (fun j => matrix_at rows j i) (seq_length rows) [-] scalar_of_N 1) e (N.of_nat (length rows))
  [=?] scalar_of_N 0.

Lemma few_same_sums (rows : list (list Scalar)) (i : N) (s : list Scalar) :
  NoDup s -> i < seq_length rows -> (forall j, j < seq_length rows -> matrix_at rows j i = scalar_of_N 0) ->
  (length (filter (same_sums rows) (choices s (length rows))) <= length s ^ (length rows - 1))%nat.
Proof.
  intros D L Z. apply few_choices_vanish; [exact D |]. exists i. split; [exact L |].
  rewrite sum_all_zero by exact Z. intros E. apply scalar_one_nonzero.
  transitivity (scalar_of_N 0 [-] (scalar_of_N 0 [-] scalar_of_N 1)); [ring | rewrite E; ring].
Qed.

Lemma list_sum_at (s : list Scalar) : list_total s = sum (scalar_at s) (seq_length s).
Proof.
  induction s as [| x s IH]; [reflexivity |]. rewrite seq_length_cons, Batch.sum_first. simpl. rewrite IH, scalar_at_first.
  f_equal. apply sum_ext. intros i _. now rewrite scalar_at_rest.
Qed.

Lemma rearranged_same_sums (rows : list (list Scalar)) (e : list Scalar) :
  length e = length rows -> Permutation (matrix_moved rows e) e -> same_sums rows e = true.
Proof.
  intros L P. apply list_total_permutation in P. rewrite !list_sum_at in P. apply scalar_eqb_iff.
  rewrite combination_difference.
  change (N.of_nat (length rows)) with (seq_length rows).
  assert (seq_length e = seq_length rows) as Le by (unfold seq_length; lia).
  assert (seq_length (matrix_moved rows e) = seq_length rows) as Lm by (unfold seq_length; now rewrite matrix_moved_length).
  rewrite Lm, Le in P.
  replace (combination (fun _ => scalar_of_N 1) e (seq_length rows)) with (sum (scalar_at e) (seq_length rows)).
  2: { unfold combination. apply sum_ext. intros; ring. }
  rewrite <- P. apply scalar_sub_zero. unfold combination. rewrite (sum_ext (scalar_at (matrix_moved rows e))
    (fun j => sum (fun i => scalar_at e i [*] matrix_at rows j i) (seq_length rows))) by (intros; now apply moved_matrix_at).
  rewrite sum_swap. apply sum_ext. intros i _. now rewrite sum_scale.
Qed.

Lemma rearranged_meets (rows : list (list Scalar)) (e : list Scalar) (j : N) :
  length e = length rows -> j < seq_length rows -> Permutation (matrix_moved rows e) e -> meets_coefficient rows j e = true.
Proof.
  intros L Lj P. assert (In (scalar_at (matrix_moved rows e) j) e) as I.
  { apply (Permutation_in _ P). rewrite scalar_at_in.
    - apply seq_at_in. unfold seq_length in *. now rewrite matrix_moved_length.
    - unfold seq_length in *. now rewrite matrix_moved_length. }
  apply in_seq_at in I as (i & Li & E). apply existsb_exists. assert (i < seq_length rows) by (unfold seq_length in *; lia).
  exists i. split; [apply range_in; lia |].
  apply scalar_eqb_iff. rewrite combination_difference. change (N.of_nat (length rows)) with (seq_length rows).
  rewrite combination_unit by lia. rewrite <- moved_matrix_at by exact Lj. rewrite (scalar_at_in e) by exact Li. rewrite E.
  apply scalar_sub_zero. reflexivity.
Qed.

(** * Products *)

Lemma few_shifts_agree (a c t : list Scalar) :
  length a = length c -> NoDup t -> ~ Permutation a c ->
  (length (filter (fun x => permutation_product a x [=?] permutation_product c x) t) <= length a - 1)%nat.
Proof.
  intros L D NP. destruct (le_lt_dec (length a) (length (filter (fun x => permutation_product a x [=?] permutation_product c x) t)))
    as [B | B]; [exfalso | lia].
  apply NP. apply (same_product_rearranged a c _ L (NoDup_filter _ D) B).
  intros x I. apply filter_In in I as [_ I]. now apply scalar_eqb_iff.
Qed.

(** Whether the product of the moved coefficients is that of the drawn ones. *)
Definition products_agree (rows : list (list Scalar)) (e : list Scalar) (theta : Scalar) : bool :=
  permutation_product (matrix_moved rows e) theta [=?] permutation_product e theta.

Lemma products_counted (rows : list (list Scalar)) (s t : list Scalar) :
  NoDup s -> NoDup t -> ~ is_matrix_of (matrix_images rows) rows ->
  (length (filter (fun '(e, theta) => products_agree rows e theta) (list_prod (choices s (length rows)) t))
   <= length rows * length s ^ (length rows - 1) * length t + (length rows - 1) * length s ^ length rows)%nat.
Proof.
  intros Ds Dt NM. destruct (matrix_cases rows) as [M | C]; [contradiction |].
  assert (exists bad, (length (filter bad (choices s (length rows))) <= length rows * length s ^ (length rows - 1))%nat /\
    forall e, length e = length rows -> Permutation (matrix_moved rows e) e -> bad e = true) as (bad & Few & Bad).
  { destruct C as [(j & L & U) | (i & L & Z)].
    - exists (meets_coefficient rows j). split; [now apply few_meet |]. intros e Le P. now apply rearranged_meets.
    - exists (same_sums rows). split; [| exact (rearranged_same_sums rows)].
      pose proof (few_same_sums rows i s Ds L Z) as B. unfold seq_length in L.
      transitivity (1 * length s ^ (length rows - 1))%nat; [lia | apply Nat.mul_le_mono_r; lia]. }
  etransitivity.
  - apply (pairs_bound bad _ _ _ (length rows - 1)). intros e I Ok. apply choices_in in I as [Le _].
    rewrite <- (matrix_moved_length rows e). apply few_shifts_agree; [now rewrite matrix_moved_length | exact Dt |].
    intros P. rewrite (Bad e Le P) in Ok. discriminate.
  - rewrite choices_length. apply Nat.add_le_mono_r, Nat.mul_le_mono_r. exact Few.
Qed.

End Count.
