(** How many coefficients let a row pass that was not re-encrypted.

    - [moved_at], [sum_reindex]: coefficients moved by a permutation, and sums over its images.
    - [key_row_combination]: what a key's row of the column relation says of a response.
    - [passing_rows_combine]: if the rows of two keys hold, the differences of plaintexts combine to 0 under the coefficients.
    - [column_counted]: so few coefficients pass, where some row decrypts to something else, whatever the prover answers. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation FinFun.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Permutation Mixnet.Column.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch
  Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column.
Import ListNotations.
Local Open Scope N_scope.

Section Count.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma moved_prefix (images : list N) (e : list Scalar) (n m : N) :
  permutes images n -> m <= n ->
  let made := fold_left (fun made i => permutation_move_step made images e i) (range 0 m) (scalars_resized [] n) in
  seq_length made = n /\ forall i, i < m -> scalar_at made (seq_at images i) = scalar_at e i.
Proof.
  intros (LI & In & Inj). induction m as [| m IH] using N.peano_ind; intros L; cbv zeta.
  { split; [apply scalars_resized_length | intros i Li; lia]. }
  rewrite <- N.add_1_r, range_last, fold_left_app by lia. simpl fold_left.
  destruct IH as [LM AM]; [lia |]. cbv zeta in LM, AM.
  set (made := fold_left _ (range 0 m) _) in *. unfold permutation_move_step.
  split; [now rewrite scalars_updated_length |]. intros i Li.
  rewrite scalar_at_updated by (rewrite LM; apply In; lia).
  destruct (N.eqb_spec (seq_at images i) (seq_at images m)) as [E | D].
  - apply Inj in E; [now subst | lia | lia].
  - apply AM. assert (i <> m) by (intros ->; contradiction). lia.
Qed.

Lemma moved_length (images : list N) (e : list Scalar) (n : N) :
  permutes images n -> seq_length (permutation_move images e) = n.
Proof. intros P. unfold permutation_move. rewrite (proj1 P). now apply (moved_prefix images e n n P). Qed.

Lemma moved_at (images : list N) (e : list Scalar) (n i : N) :
  permutes images n -> i < n -> scalar_at (permutation_move images e) (seq_at images i) = scalar_at e i.
Proof.
  intros P L. unfold permutation_move. rewrite (proj1 P).
  apply (moved_prefix images e n n P); [apply N.le_refl | exact L].
Qed.

(** * Sums over images *)

Definition list_total (s : list Scalar) : Scalar := fold_right scalar_add (scalar_of_N 0) s.

Lemma list_total_permutation (s t : list Scalar) : Permutation s t -> list_total s = list_total t.
Proof. induction 1; simpl; [reflexivity | now f_equal | ring | congruence]. Qed.

Lemma list_total_app (s t : list Scalar) : list_total (s ++ t) = list_total s [+] list_total t.
Proof. induction s as [| x s IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma sum_list_total (f : N -> Scalar) (n : N) : sum f n = list_total (map f (range 0 n)).
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, sum_succ, range_last, map_app, list_total_app, IH by lia. simpl. ring.
Qed.

Lemma range_nodup (n : N) : NoDup (range 0 n).
Proof.
  rewrite <- (N2Nat.id n), range_nat. apply Injective_map_NoDup; [| apply seq_NoDup].
  intros a b E. now apply Nat2N.inj.
Qed.

Lemma nodup_map_in {A B : Type} (f : A -> B) (s : list A) :
  NoDup s -> (forall x y, In x s -> In y s -> f x = f y -> x = y) -> NoDup (map f s).
Proof.
  induction s as [| x s IH]; intros D I; simpl; [constructor |]. inversion D as [| ? ? N D']; subst. constructor.
  - intros M. apply in_map_iff in M as (y & E & M). apply N. rewrite (I x y); [exact M | now left | now right | now symmetry].
  - apply IH; [exact D' |]. intros y z Y Z. apply I; now right.
Qed.

Lemma images_permutation (images : list N) (n : N) :
  permutes images n -> Permutation (map (seq_at images) (range 0 n)) (range 0 n).
Proof.
  intros (LI & In & Inj). apply NoDup_Permutation_bis.
  - apply nodup_map_in; [apply range_nodup |]. intros i j I J E. apply range_in in I, J. apply Inj; [lia | lia | exact E].
  - now rewrite map_length.
  - intros x I. apply in_map_iff in I as (i & <- & I). apply range_in in I. apply range_in. split; [lia | apply In; lia].
Qed.

Lemma sum_reindex (f : N -> Scalar) (images : list N) (n : N) :
  permutes images n -> sum f n = sum (fun i => f (seq_at images i)) n.
Proof.
  intros P. rewrite !sum_list_total. apply list_total_permutation. rewrite <- (map_map (seq_at images) f).
  apply Permutation_map. symmetry. now apply images_permutation.
Qed.

(** * Rows of the relation *)

Lemma combination_app (a b : list G1) (x y : list Scalar) :
  length a = length x ->
  g1_combination (a ++ b) (x ++ y) = g1_add (g1_combination a x) (g1_combination b y).
Proof.
  revert x. induction a as [| p a IH]; intros [| k x] L; try discriminate.
  - simpl. change (g1_combination [] []) with g1_identity. group_solve.
  - injection L as L. simpl app. rewrite !combination_cons, IH by exact L. group_solve.
Qed.

Lemma column_of_map (rows : list (list G1)) (l : N) :
  column_of rows l = map (fun i => g1_at (seq_at rows i) l) (range 0 (seq_length rows)).
Proof. unfold column_of, column_of_step. now rewrite fold_range_append. Qed.

Lemma column_combination (rows : list (list G1)) (l : N) (w : list Scalar) :
  g1_exponent (g1_combination (column_of rows l) w)
  = sum (fun i => scalar_at w i [*] g1_exponent (g1_at (seq_at rows i) l)) (seq_length rows).
Proof.
  rewrite g1_combination_exponent, column_of_map, seq_length_map, seq_length_range. apply sum_ext. intros i L.
  now rewrite g1_at_map.
Qed.

(** q; e'; u *)
Definition column_answer (images : list N) (e : list Scalar) (q u : Scalar) : list Scalar :=
  [q] ++ permutation_move images e ++ [u].

Lemma key_row_combination (images : list N) (keys : list G1) (after : list (list G1)) (e : list Scalar) (q u : Scalar) (l : N) :
  permutes images (seq_length after) -> l < seq_length keys ->
  g1_exponent (g1_combination (column_key_row keys after l) (column_answer images e q u))
  = sum (fun i => scalar_at e i [*] g1_exponent (g1_at (seq_at after (seq_at images i)) l)) (seq_length after)
    [-] u [*] g1_exponent (g1_at keys l).
Proof.
  intros P L. unfold column_key_row, column_answer. cbv zeta. simpl app. rewrite combination_cons, combination_app.
  2: { apply Nat2N.inj. rewrite <- !seq_length_nat, !N2Nat.id, (moved_length images e _ P), column_of_map.
       now rewrite seq_length_map, seq_length_range. }
  rewrite combination_cons. change (g1_combination [] []) with g1_identity. group_exponents.
  rewrite column_combination, (sum_reindex _ images _ P), <- (g1_at_in keys) by exact L.
  rewrite (sum_ext _ (fun i => scalar_at e i [*] g1_exponent (g1_at (seq_at after (seq_at images i)) l))); [ring |].
  intros i Li. now rewrite (moved_at images e _ i P Li).
Qed.

(** Whether a key's row of the column relation holds of an answer. *)
Definition key_row_holds (keys : list G1) (before after : list (list G1)) (e answer : list Scalar) (l : N) : bool :=
  g1_equal (g1_combination (column_key_row keys after l) answer) (g1_combination (column_of before l) e).

(** By how much row i decrypts to something else. *)
Definition decryption_error (images : list N) (before after : list (list G1)) (secret : Scalar) (l i : N) : Scalar :=
  g1_exponent (decrypted (seq_at after (seq_at images i)) secret l) [-] g1_exponent (decrypted (seq_at before i) secret l).

Lemma passing_rows_combine (images : list N) (keys : list G1) (before after : list (list G1)) (e : list Scalar)
    (q u secret : Scalar) (l : N) :
  permutes images (seq_length before) -> seq_length after = seq_length before ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  key_row_holds keys before after e (column_answer images e q u) 0 = true ->
  key_row_holds keys before after e (column_answer images e q u) l = true ->
  combination (decryption_error images before after secret l) e (seq_length before) = scalar_of_N 0.
Proof.
  intros P LA L G Y A B. apply g1_equal_iff, g1_ext_iff in A, B.
  rewrite key_row_combination, column_combination in A, B by (rewrite ?LA; try exact P; lia).
  rewrite G in A. rewrite Y in B. rewrite LA in A, B. group_exponents. unfold combination, decryption_error.
  rewrite (sum_ext _ (fun i =>
    (scalar_at e i [*] g1_exponent (g1_at (seq_at after (seq_at images i)) l) [+]
     (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at e i [*] g1_exponent (g1_at (seq_at before i) l))) [+]
    (scalar_of_N 0 [-] secret) [*]
    (scalar_at e i [*] g1_exponent (g1_at (seq_at after (seq_at images i)) 0) [+]
     (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at e i [*] g1_exponent (g1_at (seq_at before i) 0))))).
  2: { intros i _. unfold decrypted. group_exponents. ring. }
  rewrite !sum_add, sum_scale, !sum_scale, sum_add, sum_scale, <- A, <- B. ring.
Qed.

Lemma filter_implied_length {A : Type} (p q : A -> bool) (s : list A) :
  (forall x, In x s -> p x = true -> q x = true) -> (length (filter p s) <= length (filter q s))%nat.
Proof.
  induction s as [| x s IH]; intros I; simpl; [lia |].
  assert (length (filter p s) <= length (filter q s))%nat by (apply IH; intros y Y; apply I; now right).
  destruct (p x) eqn:E; [rewrite (I x (or_introl eq_refl) E); simpl; lia | destruct (q x); simpl; lia].
Qed.

Theorem column_counted (images : list N) (keys : list G1) (before after : list (list G1)) (secret : Scalar) (l i : N)
    (s : list Scalar) (q u : list Scalar -> Scalar) :
  NoDup s -> permutes images (seq_length before) -> seq_length after = seq_length before ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  i < seq_length before ->
  decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l ->
  (length (filter (fun e =>
      key_row_holds keys before after e (column_answer images e (q e) (u e)) 0
      && key_row_holds keys before after e (column_answer images e (q e) (u e)) l)
    (choices s (length before))) <= length s ^ (length before - 1))%nat.
Proof.
  intros D P LA L G Y Li Wrong. etransitivity.
  - apply (filter_implied_length _ (fun e =>
      combination (decryption_error images before after secret l) e (N.of_nat (length before)) [=?] scalar_of_N 0)).
    intros e _ H. apply andb_true_iff in H as [A B]. apply scalar_eqb_iff.
    rewrite <- seq_length_nat, N2Nat.id. exact (passing_rows_combine images keys before after e _ _ secret l P LA L G Y A B).
  - apply few_choices_vanish; [exact D |]. exists i. rewrite <- seq_length_nat, N2Nat.id. split; [exact Li |].
    unfold decryption_error. intros Z. apply Wrong. apply g1_ext. now apply scalar_sub_zero.
Qed.

End Count.
