(** How many challenges let a commitment pass that is to no permutation.

    - [relation_met_iff]: whether a witness has the image of a relation, decided.
    - [opens_to]: a commitment that a matrix opens; [opened_combination]: what its combinations are.
    - [permutation_relation_rows]: what a witness of the permutation proof's relation says, line by line.
    - [is_generator_relation], [find_permutation_break], [met_permutation_products]: a witness of the relation moves the
      coefficients by the matrix and has the same products, or a relation among the generators is found.
    - [not_permutation_counted]: so for few pairs is the relation met without giving a relation among generators away. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.Batch Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Lemmas.ColumnCount Lemmas.MatrixCount.
Import ListNotations.
Local Open Scope N_scope.

Section Count.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** A commitment, each element of which is opened to a column of the matrix. *)
Definition opens_to (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) : Prop :=
  seq_length committed = seq_length rows /\ seq_length (generator_bases generators) = seq_length rows /\
  forall i, i < seq_length rows ->
  g1_at committed i = g1_add (g1_scale (scalar_at blindings i) (generator_blinding generators))
    (g1_combination (generator_bases generators) (map (fun j => matrix_at rows j i) (range 0 (seq_length rows)))).

(** * The relation *)

(** Whether the witness has this image under the matrix. *)
Definition relation_met (matrix : list (list G1)) (image : list G1) (witness : list Scalar) : bool :=
  (seq_length image =? seq_length matrix) &&
  forallb (fun i => g1_equal (g1_at (linear_map matrix witness) i) (g1_at image i)) (range 0 (seq_length matrix)).

Lemma relation_met_iff (matrix : list (list G1)) (image : list G1) (witness : list Scalar) :
  relation_met matrix image witness = true <-> linear_map matrix witness = image.
Proof.
  unfold relation_met. rewrite andb_true_iff, N.eqb_eq, forallb_forall. split.
  - intros [L E]. apply g1_list_ext; rewrite linear_map_length; [now symmetry |]. intros i I.
    apply g1_equal_iff, E, range_in. lia.
  - intros <-. rewrite linear_map_length. split; [reflexivity |]. intros i _. now apply g1_equal_iff.
Qed.

Lemma linear_map_rows (matrix : list (list G1)) (w : list Scalar) :
  linear_map matrix w = map (fun row => g1_combination row w) matrix.
Proof.
  unfold linear_map, linear_map_step.
  rewrite (fold_range_elements (fun products row => products ++ [g1_combination row w])). now rewrite fold_append.
Qed.

Lemma permutation_matrix_rows (generators : MixnetGenerators) (chain : list G1) :
  permutation_matrix generators chain
  = permutation_first_row generators
    :: map (permutation_chain_row generators chain) (range 0 (seq_length (generator_bases generators)))
    ++ [permutation_last_row generators].
Proof.
  unfold permutation_matrix, permutation_matrix_step. cbv zeta. now rewrite fold_range_append.
Qed.

Lemma permutation_image_elements (generators : MixnetGenerators) (committed chain : list G1) (e : list Scalar)
    (theta : Scalar) :
  permutation_image generators committed chain e theta
  = g1_combination committed e
    :: map (fun i => g1_add (g1_at chain i) (g1_scale theta (permutation_chain_before generators chain i)))
         (range 0 (seq_length (generator_bases generators)))
    ++ [permutation_closing generators chain e theta].
Proof.
  unfold permutation_image, permutation_image_step. cbv zeta.
  now rewrite (fold_range_append (fun i => g1_add (g1_at chain i) (g1_scale theta (permutation_chain_before generators chain i)))).
Qed.

Lemma map_equal_in {A B : Type} (f g : A -> B) (s : list A) (x : A) : map f s = map g s -> In x s -> f x = g x.
Proof.
  induction s as [| y s IH]; intros E I; [contradiction |]. simpl in E. injection E as E0 E. destruct I as [<- | I]; auto.
Qed.

(** What a witness of the relation says, line by line. *)
Lemma permutation_relation_rows (generators : MixnetGenerators) (committed chain : list G1) (e w : list Scalar) (theta : Scalar) :
  let n := seq_length (generator_bases generators) in
  linear_map (permutation_matrix generators chain) w = permutation_image generators committed chain e theta ->
  g1_combination (permutation_first_row generators) w = g1_combination committed e /\
  (forall i, i < n -> g1_combination (permutation_chain_row generators chain i) w
    = g1_add (g1_at chain i) (g1_scale theta (permutation_chain_before generators chain i))) /\
  g1_combination (permutation_last_row generators) w = permutation_closing generators chain e theta.
Proof.
  intros n E. rewrite linear_map_rows, permutation_matrix_rows, permutation_image_elements in E. simpl in E.
  injection E as First E. rewrite map_app in E. simpl in E. apply app_inj_tail in E as [E Last]. rewrite map_map in E.
  split; [exact First |]. split; [| exact Last]. intros i L.
  exact (map_equal_in _ _ _ i E (proj2 (range_in _ _ _) (conj (N.le_0_l i) L))).
Qed.

Lemma sum_beyond (f : N -> Scalar) (n count : N) :
  n <= count -> (forall i, n <= i -> f i = scalar_of_N 0) -> sum f count = sum f n.
Proof.
  intros L Z. induction count as [| count IH] using N.peano_ind; [now replace n with 0 by lia |].
  destruct (N.eq_dec n (N.succ count)) as [-> | D]; [reflexivity |].
  rewrite <- N.add_1_r, sum_succ, IH, Z by lia. ring.
Qed.

Lemma combination_resized (elements : list G1) (count : N) (w : list Scalar) :
  seq_length elements <= count -> g1_combination (g1_resized elements count) w = g1_combination elements w.
Proof.
  intros L. apply g1_ext. rewrite !g1_combination_exponent, g1_resized_length.
  rewrite (sum_ext _ (fun i => scalar_at w i [*] g1_exponent (g1_at elements i))).
  - apply sum_beyond; [exact L |]. intros i B. rewrite g1_at_beyond by exact B. group_exponents. ring.
  - intros i I. rewrite g1_at_resized. now rewrite (proj2 (N.ltb_lt i count) I).
Qed.

(** A part of a witness. *)
Definition part (w : list Scalar) (from count : N) : list Scalar := map (fun j => scalar_at w (from + j)) (range 0 count).

Lemma part_at (w : list Scalar) (from count j : N) : j < count -> scalar_at (part w from count) j = scalar_at w (from + j).
Proof. intros L. unfold part. now rewrite scalar_at_map. Qed.

Lemma part_length (w : list Scalar) (from count : N) : seq_length (part w from count) = count.
Proof. unfold part. now rewrite seq_length_map, seq_length_range. Qed.

Lemma combination_head (x : G1) (elements : list G1) (w : list Scalar) :
  g1_combination (x :: elements) w
  = g1_add (g1_scale (scalar_at w 0) x) (g1_combination elements (part w 1 (seq_length elements))).
Proof.
  apply g1_ext. group_exponents. rewrite !g1_combination_exponent, seq_length_cons, Batch.sum_first. f_equal.
  apply sum_ext. intros i L. rewrite part_at by exact L. now rewrite g1_at_cons, N.add_comm.
Qed.

Lemma permutation_first_row_combination (generators : MixnetGenerators) (w : list Scalar) :
  g1_combination (permutation_first_row generators) w
  = g1_add (g1_scale (scalar_at w 0) (generator_blinding generators))
      (g1_combination (generator_bases generators) (part w 1 (seq_length (generator_bases generators)))).
Proof.
  unfold permutation_first_row. cbv zeta. rewrite combination_resized.
  - simpl app. apply combination_head.
  - simpl app. rewrite seq_length_cons. lia.
Qed.

(** A combination of a commitment that a matrix opens. *)
Lemma opened_combination (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (e : list Scalar) :
  opens_to generators committed blindings rows ->
  g1_combination committed e
  = g1_add (g1_scale (combination (scalar_at blindings) e (seq_length rows)) (generator_blinding generators))
      (g1_combination (generator_bases generators) (matrix_moved rows e)).
Proof.
  intros (Lc & Lb & O). apply g1_ext. group_exponents. rewrite !g1_combination_exponent, Lc, Lb.
  rewrite (sum_ext _ (fun i => g1_exponent (generator_blinding generators) [*] (scalar_at e i [*] scalar_at blindings i)
    [+] sum (fun j => scalar_at e i [*] matrix_at rows j i [*] g1_exponent (g1_at (generator_bases generators) j)) (seq_length rows))).
  - rewrite sum_add, sum_scale, sum_swap. unfold combination. f_equal; [ring |].
    apply sum_ext. intros j L. rewrite moved_matrix_at by exact L. unfold combination.
    rewrite (sum_ext _ (fun i => g1_exponent (g1_at (generator_bases generators) j) [*] (scalar_at e i [*] matrix_at rows j i)))
      by (intros; ring).
    rewrite sum_scale. ring.
  - intros i L. rewrite O by exact L. group_exponents. rewrite g1_combination_exponent, Lb.
    rewrite (sum_ext (fun j => scalar_at e i [*] matrix_at rows j i [*] g1_exponent (g1_at (generator_bases generators) j))
      (fun j => scalar_at e i [*] (matrix_at rows j i [*] g1_exponent (g1_at (generator_bases generators) j)))) by (intros; ring).
    rewrite sum_scale.
    rewrite (sum_ext (fun j => scalar_at (map _ _) j [*] _) (fun j => matrix_at rows j i [*] g1_exponent (g1_at (generator_bases generators) j))).
    + ring.
    + intros j Lj. now rewrite scalar_at_map.
Qed.

(** * Relations among generators *)

(** F_0, B_0, F_1 .. F_n. *)
Definition all_generators (generators : MixnetGenerators) : list G1 :=
  generator_blinding generators :: generator_chain generators :: generator_bases generators.

(** Whether factors combine the generators to the identity, and are not all 0. *)
Definition is_generator_relation (generators : MixnetGenerators) (factors : list Scalar) : bool :=
  g1_equal (g1_combination (all_generators generators) factors) g1_identity &&
  existsb (fun i => negb (scalar_at factors i [=?] scalar_of_N 0)) (range 0 (seq_length (all_generators generators))).

Lemma no_relation_zero (generators : MixnetGenerators) (factors : list Scalar) (i : N) :
  is_generator_relation generators factors = false ->
  g1_combination (all_generators generators) factors = g1_identity ->
  i < seq_length (all_generators generators) -> scalar_at factors i = scalar_of_N 0.
Proof.
  intros R E L. unfold is_generator_relation in R. rewrite (proj2 (g1_equal_iff _ _) E) in R. simpl in R.
  destruct (scalar_at factors i [=?] scalar_of_N 0) eqn:Z; [now apply scalar_eqb_iff |]. exfalso.
  rewrite <- not_true_iff_false in R. apply R. apply existsb_exists. exists i. split; [apply range_in; lia |]. now rewrite Z.
Qed.

(** The difference of an answer's opening and the matrix's. *)
Definition opening_difference (blindings : list Scalar) (rows : list (list Scalar)) (e w : list Scalar) : list Scalar :=
  (scalar_at w 0 [-] combination (scalar_at blindings) e (seq_length rows)) :: scalar_of_N 0 ::
  map (fun j => scalar_at w (1 + j) [-] scalar_at (matrix_moved rows e) j) (range 0 (seq_length rows)).

Lemma opening_difference_combines (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (e w : list Scalar) :
  opens_to generators committed blindings rows ->
  g1_add (g1_scale (scalar_at w 0) (generator_blinding generators))
    (g1_combination (generator_bases generators) (part w 1 (seq_length rows))) = g1_combination committed e ->
  g1_combination (all_generators generators) (opening_difference blindings rows e w) = g1_identity.
Proof.
  intros O E. rewrite (opened_combination _ _ _ _ e O) in E. destruct O as (_ & Lb & _).
  unfold all_generators, opening_difference. rewrite !Permutation.combination_cons.
  apply g1_ext_iff in E. apply g1_ext. group_exponents. rewrite !g1_combination_exponent, Lb in *.
  rewrite (sum_ext (fun i => scalar_at (map _ _) i [*] _) (fun i =>
    scalar_at (part w 1 (seq_length rows)) i [*] g1_exponent (g1_at (generator_bases generators) i) [+]
    (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at (matrix_moved rows e) i [*] g1_exponent (g1_at (generator_bases generators) i)))).
  2: { intros i L. rewrite scalar_at_map, part_at by exact L. ring. }
  rewrite sum_add, sum_scale.
  set (b := g1_exponent (generator_blinding generators)) in *. set (q := combination _ _ _) in *.
  set (v := sum (fun i => scalar_at (part w 1 (seq_length rows)) i [*] _) _) in *.
  set (v' := sum (fun i => scalar_at (matrix_moved rows e) i [*] _) _) in *.
  transitivity ((scalar_at w 0 [*] b [+] v) [-] (q [*] b [+] v')); [ring | rewrite E; ring].
Qed.

(** What an answer to the permutation proof's relation breaks, if its products differ. *)
Definition find_permutation_break (generators : MixnetGenerators) (blindings : list Scalar) (rows : list (list Scalar))
    (e : list Scalar) (theta : Scalar) (w : list Scalar) : list Scalar :=
  let n := seq_length rows in
  let opened := opening_difference blindings rows e w in
  if is_generator_relation generators opened then opened
  else [permutation_omega (part w 1 n) (part w (1 + n) n) theta [-] scalar_at w (2 * n + 1);
        permutation_product (part w 1 n) theta [-] permutation_product e theta].

(** Where no relation is found the answer moves the coefficients by the matrix. *)
Lemma opened_moved (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (e w : list Scalar) :
  opens_to generators committed blindings rows ->
  g1_add (g1_scale (scalar_at w 0) (generator_blinding generators))
    (g1_combination (generator_bases generators) (part w 1 (seq_length rows))) = g1_combination committed e ->
  is_generator_relation generators (opening_difference blindings rows e w) = false ->
  part w 1 (seq_length rows) = matrix_moved rows e.
Proof.
  intros O E R. pose proof (opening_difference_combines _ _ _ _ e w O E) as C. destruct O as (_ & Lb & _).
  unfold part, matrix_moved. apply map_ext_in. intros j I. apply range_in in I. apply scalar_sub_zero.
  pose proof (no_relation_zero _ _ (j + 1 + 1) R C) as Z. unfold opening_difference in Z.
  rewrite !scalar_at_cons, scalar_at_map, moved_matrix_at in Z by lia. apply Z.
  unfold all_generators. rewrite !seq_length_cons. lia.
Qed.

Lemma met_permutation_products (generators : MixnetGenerators) (committed chain : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (e w : list Scalar) (theta : Scalar) :
  opens_to generators committed blindings rows ->
  relation_met (permutation_matrix generators chain) (permutation_image generators committed chain e theta) w = true ->
  is_generator_relation generators (find_permutation_break generators blindings rows e theta w) = false ->
  products_agree rows e theta = true.
Proof.
  intros O M R. apply relation_met_iff, permutation_relation_rows in M as (First & Chain & Last).
  pose proof (proj1 (proj2 O)) as Lb. rewrite Lb in Chain.
  unfold find_permutation_break in R. cbv zeta in R.
  destruct (is_generator_relation generators (opening_difference blindings rows e w)) eqn:NoOpening; [congruence |].
  rewrite permutation_first_row_combination, Lb in First. pose proof (opened_moved _ _ _ _ e w O First NoOpening) as Moved.
  set (n := seq_length rows) in *. set (moved := part w 1 n) in *. set (s' := part w (1 + n) n) in *.
  assert (seq_length moved = n) as Lm by apply part_length.
  assert (is_chain generators chain moved s' theta (seq_length moved)) as IC.
  { intros i L. rewrite Lm in L. specialize (Chain i L). rewrite permutation_chain_row_combination, Lb in Chain by lia. fold n in Chain.
    unfold moved, s'. rewrite !part_at by exact L. apply g1_ext_iff in Chain. apply g1_ext. group_exponents.
    set (before := g1_exponent (permutation_chain_before generators chain i)) in *.
    set (f := g1_exponent (generator_blinding generators)) in *.
    transitivity ((g1_exponent (g1_at chain i) [+] theta [*] before) [-] theta [*] before); [ring |]. rewrite <- Chain. ring. }
  assert (g1_combination [generator_blinding generators; generator_chain generators]
    [permutation_omega moved s' theta [-] scalar_at w (2 * n + 1);
     permutation_product moved theta [-] permutation_product e theta] = g1_identity) as C.
  { apply (product_chain generators chain moved s' e theta); [exact IC |].
    rewrite permutation_last_row_combination, Lb in Last. fold n in Last. rewrite Last. unfold permutation_closing. cbv zeta.
    rewrite Lb, Lm. reflexivity. }
  assert (g1_combination (all_generators generators)
    [permutation_omega moved s' theta [-] scalar_at w (2 * n + 1);
     permutation_product moved theta [-] permutation_product e theta] = g1_identity) as CA.
  { rewrite <- C. unfold all_generators. rewrite !Permutation.combination_cons. f_equal. f_equal.
    apply g1_ext. rewrite !g1_combination_exponent. rewrite !sum_all_zero; [reflexivity | |].
    - intros i _. rewrite scalar_at_beyond by (unfold seq_length; simpl; lia). ring.
    - intros i _. rewrite scalar_at_beyond by (unfold seq_length; simpl; lia). ring. }
  pose proof (no_relation_zero _ _ 1 R CA) as Z. unfold products_agree. apply scalar_eqb_iff.
  rewrite <- Moved. apply scalar_sub_zero. etransitivity; [| apply Z].
  - reflexivity.
  - unfold all_generators. rewrite !seq_length_cons. lia.
Qed.

Theorem not_permutation_counted (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (s t : list Scalar) (chain : list Scalar -> Scalar -> list G1)
    (witness : list Scalar -> Scalar -> list Scalar) :
  NoDup s -> NoDup t -> opens_to generators committed blindings rows ->
  ~ is_matrix_of (matrix_images rows) rows ->
  (length (filter (fun '(e, theta) =>
      relation_met (permutation_matrix generators (chain e theta))
        (permutation_image generators committed (chain e theta) e theta) (witness e theta)
      && negb (is_generator_relation generators
        (find_permutation_break generators blindings rows e theta (witness e theta))))
    (list_prod (choices s (length rows)) t))
   <= length rows * length s ^ (length rows - 1) * length t + (length rows - 1) * length s ^ length rows)%nat.
Proof.
  intros Ds Dt O NM. etransitivity; [| exact (products_counted rows s t Ds Dt NM)].
  apply filter_implied_length. intros [e theta] _ H. apply andb_true_iff in H as [M R]. apply negb_true_iff in R.
  exact (met_permutation_products generators committed (chain e theta) blindings rows e (witness e theta) theta O M R).
Qed.

End Count.
