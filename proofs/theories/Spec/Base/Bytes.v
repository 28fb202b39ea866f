(** The order of keys.

    - [bytes_lt_strict_total_order]: [bytes_less] is irreflexive and transitive, and of two different strings one comes
      before the other: never both;
    - [bytes_equal_iff]: [bytes_equal] says whether two strings are the same;
    - [contents_equal_iff]: so does [contents_equal] for a value or absent;
    - [bytes_less_empty]: nothing comes before the empty string;
    - [bytes_less_lexicographic]: the order is the lexicographic one;
    - [big_endian_injective]: numbers below 256^width are told apart by their bytes. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** ** The first difference *)

(** What [first_difference] computes: the length of the common prefix. *)
Fixpoint common_prefix (a b : ByteString) : N :=
  match a, b with
  | x :: a', y :: b' => if x =? y then 1 + common_prefix a' b' else 0
  | _, _ => 0
  end.

Lemma common_prefix_most : forall a b,
  common_prefix a b <= seq_length a /\ common_prefix a b <= seq_length b.
Proof.
  induction a as [|x a IH]; intros [|y b]; cbn [common_prefix]; rewrite ?seq_length_cons, ?seq_length_nil; try lia.
  specialize (IH b). destruct (x =? y); lia.
Qed.

Lemma common_prefix_agrees : forall a b i, i < common_prefix a b -> seq_at a i = seq_at b i.
Proof.
  induction a as [|x a IH]; intros [|y b] i; cbn [common_prefix]; intros H; try lia.
  destruct (N.eqb_spec x y) as [->|]; [|lia].
  destruct (N.eq_dec i 0) as [->|]; [reflexivity|].
  replace i with (i - 1 + 1) by lia. rewrite !seq_at_cons_succ. apply IH. lia.
Qed.

Lemma common_prefix_differs : forall a b,
  common_prefix a b < seq_length a -> common_prefix a b < seq_length b ->
  seq_at a (common_prefix a b) <> seq_at b (common_prefix a b).
Proof.
  induction a as [|x a IH]; intros [|y b]; cbn [common_prefix]; rewrite ?seq_length_cons, ?seq_length_nil; try lia.
  destruct (N.eqb_spec x y) as [->|]; intros.
  - rewrite (N.add_comm 1), !seq_at_cons_succ. apply IH; lia.
  - rewrite !seq_at_cons_zero. assumption.
Qed.

Lemma first_difference_is_common_prefix : forall a b, first_difference a b = common_prefix a b.
Proof.
  intros. unfold first_difference.
  set (common := if seq_length a <? seq_length b then seq_length a else seq_length b).
  assert (Hc : common = N.min (seq_length a) (seq_length b)).
  { unfold common. destruct (N.ltb_spec (seq_length a) (seq_length b)); lia. }
  clearbody common. pose proof (common_prefix_most a b) as M.
  set (c := common_prefix a b) in *.
  assert (H : fold_left (fun e i => first_difference_step e i a b) (range 0 common) 0 = N.min common c).
  { apply (loop_invariant _ (fun i e => e = N.min i c)); [lia|lia|].
    intros i e Hi ->. unfold first_difference_step.
    destruct (N.ltb_spec i c).
    - rewrite N.min_l, N.eqb_refl, (common_prefix_agrees a b i), N.eqb_refl by (fold c; lia).
      cbn [andb]. lia.
    - rewrite N.min_r by lia. destruct (N.eqb_spec c i) as [<-|]; cbn [andb]; [|lia].
      pose proof (common_prefix_differs a b) as D. fold c in D.
      destruct (N.eqb_spec (seq_at a c) (seq_at b c)); [|lia]. exfalso. apply D; (lia || assumption). }
  rewrite H. lia.
Qed.

(** ** The order by recursion on the strings *)

Fixpoint lex (a b : ByteString) : bool :=
  match a, b with
  | _, [] => false
  | [], _ :: _ => true
  | x :: a', y :: b' => if x =? y then lex a' b' else x <? y
  end.

Lemma bytes_less_is_lex : forall a b, bytes_less a b = lex a b.
Proof.
  intros. unfold bytes_less. rewrite first_difference_is_common_prefix. cbv zeta.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn [common_prefix lex]; try reflexivity.
  rewrite !seq_length_cons. destruct (N.eqb_spec x y) as [->|].
    + rewrite <- IH. rewrite (N.add_comm 1), !seq_at_cons_succ.
      replace (common_prefix a b + 1 <? seq_length a + 1) with (common_prefix a b <? seq_length a).
      2:{ destruct (N.ltb_spec (common_prefix a b) (seq_length a)),
            (N.ltb_spec (common_prefix a b + 1) (seq_length a + 1)); lia || reflexivity. }
      replace (common_prefix a b + 1 <? seq_length b + 1) with (common_prefix a b <? seq_length b).
      2:{ destruct (N.ltb_spec (common_prefix a b) (seq_length b)),
            (N.ltb_spec (common_prefix a b + 1) (seq_length b + 1)); lia || reflexivity. }
      reflexivity.
    + destruct (N.ltb_spec 0 (seq_length a + 1)); [|lia].
      destruct (N.ltb_spec 0 (seq_length b + 1)); [|lia]. reflexivity.
Qed.

(** The order said the usual way: [a] is a proper prefix of [b], or at the first byte that differs [a] has the smaller. *)
Theorem bytes_less_lexicographic : forall a b,
  blt a b <->
  (exists y c, b = a ++ y :: c) \/
  (exists p x y c d, a = p ++ x :: c /\ b = p ++ y :: d /\ x < y).
Proof.
  intros a b. unfold blt. rewrite bytes_less_is_lex. revert b.
  induction a as [|x a IH]; intros [|y b]; cbn [lex]; split; intros H; try discriminate; try reflexivity.
  - destruct H as [(y & c & E)|(p & x & y & c & d & E & _ & _)]; [discriminate|destruct p; discriminate].
  - left. exists y, b. reflexivity.
  - destruct H as [(z & c & E)|(p & z & y & c & d & _ & E & _)]; [discriminate|destruct p; discriminate].
  - destruct (N.eqb_spec x y) as [->|].
    + apply IH in H. destruct H as [(z & c & ->)|(p & z & z' & c & d & -> & -> & L)].
      * left. exists z, c. reflexivity.
      * right. exists (y :: p), z, z', c, d. auto.
    + right. exists [], x, y, a, b. apply N.ltb_lt in H. auto.
  - destruct H as [(z & c & E)|(p & z & z' & c & d & E1 & E2 & L)].
    + cbn in E. injection E as <- ->. rewrite N.eqb_refl. apply IH. left. exists z, c. reflexivity.
    + destruct p as [|w p]; cbn in E1, E2; injection E1 as -> ->; injection E2 as -> ->.
      * destruct (N.eqb_spec z z'); [lia|]. apply N.ltb_lt. assumption.
      * rewrite N.eqb_refl. apply IH. right. exists p, z, z', c, d. auto.
Qed.

Lemma blt_irreflexive : forall a, ~ blt a a.
Proof.
  intros a. unfold blt. rewrite bytes_less_is_lex.
  induction a as [|x a IH]; cbn [lex]; [discriminate|]. rewrite N.eqb_refl. exact IH.
Qed.

Lemma blt_transitive : forall a b c, blt a b -> blt b c -> blt a c.
Proof.
  unfold blt. intros a b c. rewrite !bytes_less_is_lex. revert b c.
  induction a as [|x a IH]; intros [|y b] [|z c]; cbn [lex]; try discriminate; auto.
  destruct (N.eqb_spec x y) as [->|], (N.eqb_spec y z) as [->|]; intros H1 H2.
  - eauto.
  - assumption.
  - destruct (N.eqb_spec x z); [contradiction|]. assumption.
  - apply N.ltb_lt in H1, H2. destruct (N.eqb_spec x z); [lia|]. apply N.ltb_lt. lia.
Qed.

Lemma blt_total : forall a b, a <> b -> blt a b \/ blt b a.
Proof.
  unfold blt. intros a b. rewrite !bytes_less_is_lex. revert b.
  induction a as [|x a IH]; intros [|y b]; cbn [lex]; intros H; auto.
  rewrite (N.eqb_sym y x). destruct (N.eqb_spec x y) as [->|].
  - apply IH. congruence.
  - rewrite !N.ltb_lt. lia.
Qed.

Theorem bytes_lt_strict_total_order :
  (forall a, ~ blt a a) /\
  (forall a b c, blt a b -> blt b c -> blt a c) /\
  (forall a b, ~ (blt a b /\ blt b a)) /\
  (forall a b, blt a b \/ a = b \/ blt b a).
Proof.
  split; [exact blt_irreflexive|]. split; [exact blt_transitive|]. split.
  - intros a b [H1 H2]. exact (blt_irreflexive a (blt_transitive _ _ _ H1 H2)).
  - intros a b. destruct (list_eq_dec N.eq_dec a b) as [|H]; [auto|].
    destruct (blt_total a b H); auto.
Qed.

Lemma blt_asymmetric : forall a b, blt a b -> ~ blt b a.
Proof. intros a b H1 H2. exact (blt_irreflexive a (blt_transitive _ _ _ H1 H2)). Qed.

Lemma blt_dec : forall a b, {blt a b} + {~ blt a b}.
Proof. intros. unfold blt. apply bool_dec. Qed.

Lemma bytes_dec : forall a b : ByteString, {a = b} + {a <> b}.
Proof. exact (list_eq_dec N.eq_dec). Qed.

Lemma blt_not_equal : forall a b, blt a b -> a <> b.
Proof. intros a b H ->. exact (blt_irreflexive b H). Qed.

(** Not before, hence after or equal. *)
Lemma not_blt : forall a b, ~ blt a b -> b = a \/ blt b a.
Proof.
  intros a b H. destruct (bytes_dec a b) as [->|N]; [auto|]. destruct (blt_total _ _ N); tauto.
Qed.

Lemma not_blt_transitive : forall a b c, ~ blt b a -> ~ blt c b -> ~ blt c a.
Proof.
  intros a b c H1 H2 H. apply not_blt in H1. destruct H1 as [->|H1]; [contradiction|].
  exact (H2 (blt_transitive _ _ _ H H1)).
Qed.

Lemma blt_not_blt_transitive : forall a b c, blt a b -> ~ blt c b -> blt a c.
Proof.
  intros a b c H1 H2. apply not_blt in H2. destruct H2 as [->|H2]; [assumption|]. eapply blt_transitive; eauto.
Qed.

Lemma not_blt_blt_transitive : forall a b c, ~ blt b a -> blt b c -> blt a c.
Proof.
  intros a b c H1 H2. apply not_blt in H1. destruct H1 as [->|H1]; [assumption|]. eapply blt_transitive; eauto.
Qed.

Theorem bytes_less_empty : forall a, ~ blt a [].
Proof. intros a. unfold blt. rewrite bytes_less_is_lex. destruct a; discriminate. Qed.

Lemma blt_empty : forall a, blt [] a <-> a <> [].
Proof. intros a. unfold blt. rewrite bytes_less_is_lex. destruct a; cbn; split; intros; congruence. Qed.

Lemma bytes_less_false : forall a b, bytes_less a b = false <-> ~ blt a b.
Proof. intros. unfold blt. destruct (bytes_less a b); split; intros; congruence. Qed.

Lemma bytes_at_most_iff : forall a b, bytes_at_most a b = true <-> ~ blt b a.
Proof. intros. unfold bytes_at_most, blt. destruct (bytes_less b a); cbn; split; intros; congruence. Qed.

(** ** Equality *)

Theorem bytes_equal_iff : forall a b, bytes_equal a b = true <-> a = b.
Proof.
  intros. unfold bytes_equal. rewrite first_difference_is_common_prefix, andb_true_iff, !N.eqb_eq. split.
  - intros [L E]. apply (seq_ext _ _ a b L). intros i Hi. apply common_prefix_agrees. lia.
  - intros ->. split; [reflexivity|]. induction b as [|y b IH]; [reflexivity|].
    cbn [common_prefix]. rewrite N.eqb_refl, IH, seq_length_cons. lia.
Qed.

Lemma bytes_equal_refl : forall a, bytes_equal a a = true.
Proof. intros. apply bytes_equal_iff. reflexivity. Qed.

Lemma bytes_equal_false : forall a b, bytes_equal a b = false <-> a <> b.
Proof.
  intros. rewrite <- not_true_iff_false, bytes_equal_iff. reflexivity.
Qed.

Lemma bytes_equal_spec : forall a b, reflect (a = b) (bytes_equal a b).
Proof. intros. apply iff_reflect. symmetry. apply bytes_equal_iff. Qed.

Lemma bytes_equal_sym : forall a b, bytes_equal a b = bytes_equal b a.
Proof. intros. destruct (bytes_equal_spec a b), (bytes_equal_spec b a); congruence. Qed.

Theorem contents_equal_iff : forall a b, contents_equal a b = true <-> a = b.
Proof.
  intros [a|] [b|]; cbn; split; intros H; try congruence.
  - f_equal. apply bytes_equal_iff. assumption.
  - apply bytes_equal_iff. congruence.
Qed.

Lemma contents_equal_false : forall a b, contents_equal a b = false <-> a <> b.
Proof. intros. rewrite <- not_true_iff_false, contents_equal_iff. reflexivity. Qed.

(** ** Numbers as bytes *)

(** The number that bytes write, highest first, by the fold that the loop is. *)
Lemma number_of_bytes_fold : forall bytes,
  number_of_bytes bytes = fold_left number_of_bytes_step bytes 0.
Proof. intros. unfold number_of_bytes. apply loop_over_elements. Qed.

Lemma number_fold_start : forall bytes start,
  fold_left number_of_bytes_step bytes start
  = start * 256 ^ seq_length bytes + fold_left number_of_bytes_step bytes 0.
Proof.
  induction bytes as [|x bytes IH]; intros start; cbn [fold_left].
  - rewrite seq_length_nil. cbn. lia.
  - rewrite IH, (IH (number_of_bytes_step 0 x)). unfold number_of_bytes_step, u128_of_u8.
    rewrite seq_length_cons, N.pow_add_r. change (256 ^ 1) with 256. ring.
Qed.

Lemma big_endian_spec : forall number width,
  let digits := fold_left (fun digits _i => big_endian_step digits) (range 0 width)
    {| digits_rest := number; digits_written := [] |} in
  seq_length (digits_written digits) = width /\
  number = digits_rest digits * 256 ^ width + fold_left number_of_bytes_step (digits_written digits) 0.
Proof.
  intros number width.
  apply (loop_invariant _ (fun i digits =>
    seq_length (digits_written digits) = i /\
    number = digits_rest digits * 256 ^ i + fold_left number_of_bytes_step (digits_written digits) 0)).
  - lia.
  - cbn [digits_written digits_rest fold_left]. change (256 ^ 0) with 1. split; [reflexivity|lia].
  - intros i [rest written] _ [L E]. cbn [digits_written digits_rest] in *.
    unfold big_endian_step. cbn [digits_written digits_rest single_byte app].
    unfold single_byte. cbn [app fold_left]. split.
    + rewrite seq_length_cons. lia.
    + rewrite number_fold_start, L. unfold number_of_bytes_step, u128_of_u8, u8_of_u128.
      change (2 ^ 8) with 256. rewrite !N.mod_mod by lia.
      rewrite N.pow_add_r. change (256 ^ 1) with 256.
      rewrite E at 1. pose proof (N.div_mod rest 256 ltac:(lia)) as D.
      set (q := rest / 256) in *. set (m := rest mod 256) in *. clearbody q m. rewrite D.
      change (fun number0 byte : N => number0 * 256 + byte) with number_of_bytes_step. ring.
Qed.

Lemma big_endian_length : forall number width, seq_length (big_endian number width) = width.
Proof. intros. apply (big_endian_spec number width). Qed.

(** Reading the bytes gives the number back, when it fits. *)
Theorem number_of_big_endian : forall number width,
  number < 256 ^ width -> number_of_bytes (big_endian number width) = number.
Proof.
  intros number width H. rewrite number_of_bytes_fold. unfold big_endian.
  destruct (big_endian_spec number width) as [L E]. cbv zeta in *.
  set (digits := fold_left _ _ _) in *. clearbody digits.
  destruct (N.eq_dec (digits_rest digits) 0) as [Z|]; [rewrite Z in E; lia|]. nia.
Qed.

Theorem big_endian_injective : forall m n width,
  m < 256 ^ width -> n < 256 ^ width -> big_endian m width = big_endian n width -> m = n.
Proof.
  intros m n width Hm Hn E. rewrite <- (number_of_big_endian m width), <- (number_of_big_endian n width) by assumption.
  congruence.
Qed.

(** Two lists that start with parts of one length split in the same place. *)
Lemma app_split : forall A (a b c d : list A), seq_length a = seq_length b -> a ++ c = b ++ d -> a = b /\ c = d.
Proof.
  intros A a. unfold seq_length. induction a as [|x a IH]; intros [|y b] c d L E; cbn in *; try lia; auto.
  injection E as <- E. destruct (IH b c d ltac:(lia) E) as [-> ->]. auto.
Qed.

(** A length of two bytes and the string after it can be cut off again. *)
Lemma bytes16_split : forall a b c d,
  seq_length a < 2 ^ 16 -> seq_length b < 2 ^ 16 -> bytes16 a ++ c = bytes16 b ++ d -> a = b /\ c = d.
Proof.
  unfold bytes16, u16_bytes, u128_of_usize. intros a b c d La Lb E. rewrite <- !app_assoc in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E1 E2].
  apply big_endian_injective in E1; [|assumption|assumption]. exact (app_split _ _ _ _ _ E1 E2).
Qed.

Lemma bytes8_split : forall a b c d,
  seq_length a < 2 ^ 8 -> seq_length b < 2 ^ 8 -> bytes8 a ++ c = bytes8 b ++ d -> a = b /\ c = d.
Proof.
  unfold bytes8, u8_bytes, u128_of_usize. intros a b c d La Lb E. rewrite <- !app_assoc in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E1 E2].
  apply big_endian_injective in E1; [|assumption|assumption]. exact (app_split _ _ _ _ _ E1 E2).
Qed.
