(** Decryption shares.

    - [flat_map_pairs]: two lists of pairs, pair by pair.
    - [decryption_relation_rows]: what a witness of the relation says, key by key.
    - [met_decryption_errors]: the differences between shares and what they should be combine to 0 under the coefficients.
    - [decryption_counted]: so few coefficients pass, where some share is false, whatever the prover answers.
    - [decryption_plaintext_correct]: right shares of enough servers give what the key decrypts to. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Column
  Mixnet.Sharing Mixnet.Threshold.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch
  Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column Lemmas.ColumnCount Lemmas.MatrixCount Lemmas.PermutationCount
  Spec.Mixnet.Lagrange.
Import ListNotations.
Local Open Scope N_scope.

Section Decryption.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma flat_map_pairs {A B : Type} (a b c d : A -> B) (s : list A) (x : A) :
  flat_map (fun x => [a x; b x]) s = flat_map (fun x => [c x; d x]) s -> In x s -> a x = c x /\ b x = d x.
Proof.
  induction s as [| y s IH]; intros E I; [contradiction |]. simpl in E. injection E as A0 B0 E.
  destruct I as [<- | I]; [now split | now apply IH].
Qed.

Lemma map_flat_map_pairs {A B C : Type} (f : B -> C) (a b : A -> B) (s : list A) :
  map f (flat_map (fun x => [a x; b x]) s) = flat_map (fun x => [f (a x); f (b x)]) s.
Proof. induction s as [| x s IH]; simpl; [reflexivity |]. now rewrite IH. Qed.

Lemma decryption_row_combination (keys l : N) (element : G1) (w : list Scalar) :
  l < keys -> g1_combination (decryption_row keys l element) w = g1_scale (scalar_at w l) element.
Proof.
  intros L. unfold decryption_row. rewrite combination_updated, combination_empty.
  - group_solve.
  - now rewrite empty_row_length.
  - apply empty_row_at.
Qed.

Lemma decryption_matrix_rows (keys : N) (combined : G1) :
  decryption_matrix keys combined
  = flat_map (fun l => [decryption_row keys l g1_generator; decryption_row keys l combined]) (range 0 keys).
Proof. exact (fold_append_list _ (range 0 keys) []). Qed.

Lemma decryption_image_elements (key_shares : list G1) (shares : list (list G1)) (e : list Scalar) :
  decryption_image key_shares shares e
  = flat_map (fun l => [seq_at key_shares l; g1_combination (column_of shares l) e]) (range 0 (seq_length key_shares)).
Proof. exact (fold_append_list _ (range 0 (seq_length key_shares)) []). Qed.

Lemma decryption_relation_rows (key_shares : list G1) (combined : G1) (shares : list (list G1)) (e w : list Scalar) (l : N) :
  linear_map (decryption_matrix (seq_length key_shares) combined) w = decryption_image key_shares shares e ->
  l < seq_length key_shares ->
  g1_at key_shares l = g1_multiple (scalar_at w l) /\
  g1_combination (column_of shares l) e = g1_scale (scalar_at w l) combined.
Proof.
  intros E L. rewrite linear_map_rows, decryption_matrix_rows, decryption_image_elements, map_flat_map_pairs in E.
  destruct (flat_map_pairs _ _ _ _ _ l E) as [A B]; [apply range_in; lia |].
  rewrite decryption_row_combination in A, B by exact L.
  split; [| now symmetry]. rewrite g1_at_in by exact L. rewrite <- A. group_solve.
Qed.

(** By how much the share of row j is wrong. *)
Definition share_error (firsts : list G1) (shares : list (list G1)) (secret : Scalar) (l j : N) : Scalar :=
  g1_exponent (g1_at (seq_at shares j) l) [-] secret [*] g1_exponent (g1_at firsts j).

Lemma met_decryption_errors (key_shares firsts : list G1) (shares : list (list G1)) (e w : list Scalar) (secret : Scalar) (l : N) :
  seq_length shares = seq_length firsts -> l < seq_length key_shares -> g1_at key_shares l = g1_multiple secret ->
  relation_met (decryption_matrix (seq_length key_shares) (g1_combination firsts e))
    (decryption_image key_shares shares e) w = true ->
  combination (share_error firsts shares secret l) e (seq_length firsts) = scalar_of_N 0.
Proof.
  intros LS L Y H. apply relation_met_iff in H. destruct (decryption_relation_rows _ _ _ _ _ l H L) as [A B].
  rewrite Y in A. apply g1_ext_iff in A. rewrite !g1_exponent_multiple in A. rewrite <- A in B. apply g1_ext_iff in B.
  rewrite column_combination in B. group_exponents. rewrite g1_combination_exponent, LS in B. unfold combination, share_error.
  rewrite (sum_ext _ (fun j => scalar_at e j [*] g1_exponent (g1_at (seq_at shares j) l) [+]
    (scalar_of_N 0 [-] secret) [*] (scalar_at e j [*] g1_exponent (g1_at firsts j)))) by (intros; ring).
  rewrite sum_add, sum_scale, B. ring.
Qed.

Theorem decryption_counted (key_shares firsts : list G1) (shares : list (list G1)) (secret : Scalar) (l j : N)
    (s : list Scalar) (witness : list Scalar -> list Scalar) :
  NoDup s -> seq_length shares = seq_length firsts -> l < seq_length key_shares -> g1_at key_shares l = g1_multiple secret ->
  j < seq_length firsts -> g1_at (seq_at shares j) l <> g1_scale secret (g1_at firsts j) ->
  (length (filter (fun e =>
      relation_met (decryption_matrix (seq_length key_shares) (g1_combination firsts e))
        (decryption_image key_shares shares e) (witness e))
    (choices s (length firsts))) <= length s ^ (length firsts - 1))%nat.
Proof.
  intros D LS L Y Lj Wrong. etransitivity.
  - apply (filter_implied_length _ (fun e =>
      combination (share_error firsts shares secret l) e (N.of_nat (length firsts)) [=?] scalar_of_N 0)).
    intros e _ H. apply scalar_eqb_iff. exact (met_decryption_errors key_shares firsts shares e (witness e) secret l LS L Y H).
  - apply few_choices_vanish; [exact D |]. exists j. split; [exact Lj |].
    unfold share_error. intros Z. apply Wrong. apply g1_ext. now apply scalar_sub_zero.
Qed.

Theorem decryption_plaintext_correct (coefficients : list Scalar) (servers : list N) (row : list G1) (l : N) :
  distinct_servers servers -> (length coefficients <= length servers)%nat ->
  decryption_plaintext (g1_at row l) servers
    (map (fun k => g1_scale (share_of coefficients k) (g1_at row 0)) servers)
  = decrypted row (scalar_at coefficients 0) l.
Proof. intros D L. unfold decryption_plaintext, decrypted. now rewrite lagrange_correct. Qed.

End Decryption.
