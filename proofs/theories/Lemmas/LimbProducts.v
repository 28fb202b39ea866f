(** Products and squares of eight limbs, reduced (spec/src/kernel/limbs.rs), and the bounds for factors that are small
    enough. *)
From Coq Require Import NArith List Lia Bool ZArith.
From AardvarkSpec Require Import Prelude Kernel.Limbs Kernel.LimbsSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Kernel.Limbs Lemmas.LimbReduction.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** * Products *)

Lemma zeros_are : words_are 16 0 0 (seq_new 16).
Proof.
  repeat split. apply Forall_forall. intros w Hw. apply repeat_spec in Hw. rewrite Hw. reflexivity.
Qed.

Lemma product_words : forall a b, eight_limbs a -> eight_limbs b ->
  loop_safe (fun words i => limbs_product_step words a b i) (fun words i => limbs_product_step_safe words a b i)
    (range 0 LIMB_COUNT) (seq_new (2 * LIMB_COUNT)) = true /\
  words_are 16 (128 * LIMB_BASE) (words_value a * words_value b)
    (fold_left (fun words i => limbs_product_step words a b i) (range 0 LIMB_COUNT) (seq_new (2 * LIMB_COUNT))).
Proof.
  intros a b Ha Hb. pose proof Hb as [Lb Bb].
  destruct (loop_keeps (fun i acc => words_are 16 (i * (16 * LIMB_BASE)) (words_value a * first_value b i) acc)
    (fun words i => limbs_product_step words a b i) (fun words i => limbs_product_step_safe words a b i)
    0 8 (seq_new 16)) as [S A].
  - lia.
  - unfold first_value. cbn [firstn N.to_nat]. change (words_value []) with 0. rewrite N.mul_0_r. exact zeros_are.
  - intros i acc Hi A.
    destruct (add_product 16 (i * (16 * LIMB_BASE)) _ acc a (seq_at b i) i A) as (S1 & A1 & _);
      try assumption; try lia; try (unfold LIMB_BASE; lia).
    split.
    + unfold limbs_product_step_safe. rewrite S1, Lb. rewrite (proj2 (N.ltb_lt i 8)) by lia. reflexivity.
    + unfold limbs_product_step. destruct A1 as (L1 & B1 & V1). repeat split; [exact L1| |].
      * eapply Forall_impl; [|exact B1]. cbn beta. lia.
      * rewrite V1, first_value_next by lia. rewrite N.mod_small; [ring|].
        rewrite Forall_forall in Bb. apply Bb, seq_at_in. lia.
  - split; [exact S|]. rewrite <- (first_value_all b), Lb. exact A.
Qed.

Lemma product_reduced : forall a b, eight_limbs a -> eight_limbs b ->
  words_value a * words_value b + most_added < LIMB_BASE ^ 16 ->
  limbs_product_safe a b = true /\ eight_limbs (limbs_product a b) /\
  exists times, words_value (limbs_product a b) * LIMB_BASE ^ 8 =
      words_value a * words_value b + times * base_modulus /\ times * base_modulus <= most_added.
Proof.
  intros a b Ha Hb Hroom. destruct (product_words a b Ha Hb) as [S A].
  assert (A' : words_are 16 (256 * LIMB_BASE) (words_value a * words_value b)
      (fold_left (fun words i => limbs_product_step words a b i) (range 0 LIMB_COUNT) (seq_new (2 * LIMB_COUNT)))).
  { eapply are_weaker; [|exact A]. vm_compute. discriminate. }
  destruct (reduced _ _ A' Hroom) as (S1 & H1 & E1).
  split; [|split; [exact H1|exact E1]].
  unfold limbs_product_safe. cbn zeta. rewrite S, S1. reflexivity.
Qed.

(** * Squares *)

(** The sum over all later places of a_i a_j, times 2^(52 (i + j)). *)
Lemma later_products : forall most value words a i,
  words_are 16 most value words -> eight_limbs a -> i < 8 -> most + 16 * LIMB_BASE <= 2 ^ 64 ->
  words_add_later_products_safe words a i = true /\
  words_are 16 (most + 14 * LIMB_BASE)
    (value + seq_at a i * LIMB_BASE ^ i * (words_value a - first_value a (i + 1)))
    (words_add_later_products words a i).
Proof.
  intros most value words a i Hare Ha Hi Hmost. pose proof Ha as [La Ba].
  assert (Hlimb : seq_at a i < LIMB_BASE) by (rewrite Forall_forall in Ba; apply Ba, seq_at_in; lia).
  assert (Hgrows : forall j, i + 1 <= j -> j <= 8 -> first_value a (i + 1) <= first_value a j).
  { intros j H1 H2. assert (E : exists d, j = i + 1 + d) by (exists (j - (i + 1)); lia).
    destruct E as [d ->]. clear H1. induction d as [|d IH] using N.peano_ind; [rewrite (N.add_0_r (i + 1)); apply N.le_refl|].
    replace (i + 1 + N.succ d) with (i + 1 + d + 1) by lia. rewrite (first_value_next a (i + 1 + d)) by lia.
    specialize (IH ltac:(lia)). lia. }
  destruct (loop_keeps (fun j acc => words_are 16 (most + (j - (i + 1)) * (2 * LIMB_BASE))
      (value + seq_at a i * LIMB_BASE ^ i * (first_value a j - first_value a (i + 1))) acc)
    (fun acc j => words_add_later_products_step acc a i j)
    (fun acc j => words_add_later_products_step_safe acc a i j) (i + 1) 8 words) as [S A].
  - lia.
  - rewrite !N.sub_diag. rewrite N.mul_0_r, N.mul_0_l, !N.add_0_r. exact Hare.
  - intros j acc Hj A.
    destruct (product_step 16 _ _ acc a (seq_at a i) i j A) as (S1 & (L1 & B1 & V1) & _);
      try assumption; try lia; try nia.
    split.
    + unfold words_add_later_products_step_safe. rewrite S1, La. rewrite (proj2 (N.ltb_lt i 8)) by lia. reflexivity.
    + unfold words_add_later_products_step. repeat split; [exact L1| |].
      * eapply Forall_impl; [|exact B1]. cbn beta. intros w Hw. nia.
      * rewrite V1, (first_value_next a j) by lia. rewrite N.mod_small by exact Hlimb.
        specialize (Hgrows j ltac:(lia) ltac:(lia)).
        replace (first_value a j + seq_at a j * LIMB_BASE ^ j - first_value a (i + 1))
          with (first_value a j - first_value a (i + 1) + seq_at a j * LIMB_BASE ^ j) by lia.
        rewrite (N.pow_add_r LIMB_BASE i j). ring.
  - split.
    + unfold words_add_later_products_safe. rewrite andb_true_iff. split; [|exact S].
      unfold within_usize. apply N.ltb_lt. lia.
    + rewrite <- (first_value_all a), La. destruct A as (L & B & V). repeat split; [exact L| |exact V].
      eapply Forall_impl; [|exact B]. cbn beta. intros w Hw. nia.
Qed.

(** The squares of the first so many limbs, each at its place. *)
Fixpoint first_squares (a : list N) (count : nat) : N :=
  match count with
  | O => 0
  | S n => first_squares a n + seq_at a (N.of_nat n) * seq_at a (N.of_nat n) * LIMB_BASE ^ (2 * N.of_nat n)
  end.

Lemma first_squares_next : forall a i,
  first_squares a (N.to_nat (i + 1)) = first_squares a (N.to_nat i) + seq_at a i * seq_at a i * LIMB_BASE ^ (i + i).
Proof.
  intros a i. replace (N.to_nat (i + 1)) with (S (N.to_nat i)) by lia. cbn [first_squares].
  rewrite Nnat.N2Nat.id. replace (2 * i) with (i + i) by lia. reflexivity.
Qed.

Lemma unequal_words : forall a, eight_limbs a ->
  words_of_unequal_safe a = true /\
  exists value, words_are 16 (8 * (14 * LIMB_BASE)) value (words_of_unequal a) /\
    2 * value + first_squares a 8 = words_value a * words_value a.
Proof.
  intros a Ha. pose proof Ha as [La Ba].
  (* After i turns: twice the words and the first squares are the square of the first limbs, and twice their product
     with the later ones. *)
  destruct (loop_keeps (fun i acc => exists value, words_are 16 (i * (14 * LIMB_BASE)) value acc /\
      2 * value + first_squares a (N.to_nat i) + first_value a i * first_value a i =
      2 * (first_value a i * words_value a) /\ first_value a i <= words_value a)
    (fun words i => words_add_later_products words a i) (fun words i => words_add_later_products_safe words a i)
    0 8 (seq_new 16)) as [S (value & A & E & _)].
  - lia.
  - exists 0. split; [exact zeros_are|]. unfold first_value. cbn [firstn N.to_nat first_squares].
    change (words_value []) with 0. lia.
  - intros i acc Hi (value & A & E & Hle).
    destruct (later_products _ value acc a i A Ha) as (S1 & L1 & B1 & V1);
      [clear - Hi; lia|clear - Hi; unfold LIMB_BASE; lia|].
    split; [exact S1|].
    assert (Hnext : first_value a (i + 1) <= words_value a).
    { rewrite <- (first_value_all a), La. assert (X : exists d, 8 = i + 1 + d) by (exists (8 - (i + 1)); lia).
      destruct X as [d Hd]. rewrite Hd. assert (Hd8 : i + 1 + d <= 8) by lia. clear Hd.
      induction d as [|d IH] using N.peano_ind; [rewrite (N.add_0_r (i + 1)); apply N.le_refl|].
      replace (i + 1 + N.succ d) with (i + 1 + d + 1) by lia. rewrite (first_value_next a (i + 1 + d)) by lia.
      specialize (IH ltac:(lia)). lia. }
    exists (value + seq_at a i * LIMB_BASE ^ i * (words_value a - first_value a (i + 1))).
    split; [|split; [|exact Hnext]].
    + repeat split; [exact L1| |exact V1]. eapply Forall_impl; [|exact B1]. cbn beta. intros w Hw. nia.
    + rewrite first_squares_next. pose proof (first_value_next a i ltac:(clear - Hi La; lia)) as F. rewrite F in *. clear F V1 B1 A.
      rewrite (N.pow_add_r LIMB_BASE i i).
      set (x := seq_at a i * LIMB_BASE ^ i) in *. set (f := first_value a i) in *. set (v := words_value a) in *.
      replace (seq_at a i * seq_at a i * (LIMB_BASE ^ i * LIMB_BASE ^ i)) with (x * x) by (unfold x; ring).
      assert (X : exists rest, v = f + x + rest) by (exists (v - (f + x)); lia). destruct X as [rest ->].
      replace (f + x + rest - (f + x)) with rest by lia. nia.
  - split.
    + unfold words_of_unequal_safe. change LIMB_COUNT with 8. change (2 * 8) with 16. rewrite S. reflexivity.
    + exists value. split; [exact A|]. change (N.to_nat 8) with 8%nat in E.
      rewrite <- (first_value_all a) in *. rewrite La in *. nia.
Qed.

Lemma doubled_words : forall words most value,
  words_are 16 most value words -> 2 * most < 2 ^ 64 ->
  words_doubled_safe words = true /\ words_are 16 (2 * most) (2 * value) (words_doubled words).
Proof.
  intros words most value (L & B & V) Hmost. split.
  - unfold words_doubled_safe.
    apply (Sequences.loop_safe_invariant _ _ (fun _ _ => True)); [exact I|]. intros k acc Hk _. split; [|exact I].
    assert (Hat : seq_at words k <= most) by (apply at_most; [exact B|lia]).
    unfold words_doubled_step_safe, within_u64. rewrite (proj2 (N.ltb_lt k _)) by lia. cbn [andb].
    apply N.ltb_lt. lia.
  - assert (E : words_doubled words = map (fun w => w + w) words).
    { unfold words_doubled, words_doubled_step.
      rewrite (loop_over_elements N (list N) _ (fun acc w => acc ++ [w + w]) words []).
      assert (G : forall s acc, fold_left (fun acc w => acc ++ [w + w]) s acc = acc ++ map (fun w => w + w) s).
      { induction s as [|w s IH]; intros acc; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
        rewrite IH, <- app_assoc. reflexivity. }
      apply G. }
    rewrite E. repeat split.
    + unfold seq_length in *. rewrite map_length. exact L.
    + apply Forall_map. eapply Forall_impl; [|exact B]. cbn beta. lia.
    + rewrite <- V. clear. induction words as [|w words IH]; [reflexivity|].
      cbn [map]. change (words_value (w + w :: map (fun w => w + w) words))
        with (w + w + LIMB_BASE * words_value (map (fun w => w + w) words)). rewrite IH.
      change (words_value (w :: words)) with (w + LIMB_BASE * words_value words). ring.
Qed.

Lemma square_words : forall most value words a,
  words_are 16 most value words -> eight_limbs a -> most + 16 * LIMB_BASE <= 2 ^ 64 ->
  words_add_squares_safe words a = true /\
  words_are 16 (most + 16 * LIMB_BASE) (value + first_squares a 8) (words_add_squares words a).
Proof.
  intros most value words a Hare Ha Hmost. pose proof Ha as [La Ba].
  destruct (loop_keeps (fun i acc => words_are 16 (most + i * (2 * LIMB_BASE)) (value + first_squares a (N.to_nat i)) acc)
    (fun words i => words_add_squares_step words a i) (fun words i => words_add_squares_step_safe words a i)
    0 8 words) as [S A].
  - lia.
  - cbn [first_squares N.to_nat]. rewrite N.mul_0_l, !N.add_0_r. exact Hare.
  - intros i acc Hi A.
    destruct (product_step 16 _ _ acc a (seq_at a i) i i A) as (S1 & (L1 & B1 & V1) & _);
      try assumption; try lia; try nia.
    split.
    + unfold words_add_squares_step_safe. rewrite S1, La. rewrite (proj2 (N.ltb_lt i 8)) by lia. reflexivity.
    + unfold words_add_squares_step. repeat split; [exact L1| |].
      * eapply Forall_impl; [|exact B1]. cbn beta. intros w Hw. nia.
      * rewrite V1, first_squares_next, N.mod_small; [ring|].
        rewrite Forall_forall in Ba. apply Ba, seq_at_in. lia.
  - split; [exact S|]. eapply are_weaker; [|exact A]. lia.
Qed.

Lemma square_reduced : forall a, eight_limbs a ->
  words_value a * words_value a + most_added < LIMB_BASE ^ 16 ->
  limbs_square_safe a = true /\ eight_limbs (limbs_square a) /\
  exists times, words_value (limbs_square a) * LIMB_BASE ^ 8 =
      words_value a * words_value a + times * base_modulus /\ times * base_modulus <= most_added.
Proof.
  intros a Ha Hroom.
  destruct (unequal_words a Ha) as (S1 & value & A1 & E).
  destruct (doubled_words _ _ _ A1) as (S2 & A2); [reflexivity|].
  destruct (square_words _ _ _ a A2 Ha) as (S3 & A3); [vm_compute; discriminate|].
  rewrite E in A3.
  assert (A4 : words_are 16 (256 * LIMB_BASE) (words_value a * words_value a)
    (words_add_squares (words_doubled (words_of_unequal a)) a)).
  { eapply are_weaker; [|exact A3]. vm_compute. discriminate. }
  destruct (reduced _ _ A4 Hroom) as (S4 & H4 & E4).
  split; [|split; [exact H4|exact E4]].
  unfold limbs_square_safe. rewrite S1, S2, S3, S4. reflexivity.
Qed.

(** * Bounds for factors with a b < 2^34 p^2 *)

Lemma room_for_products : 2 ^ 34 * (base_modulus * base_modulus) + most_added < LIMB_BASE ^ 16.
Proof. vm_compute. reflexivity. Qed.

Lemma products_small : 2 * (2 ^ 34 * (base_modulus * base_modulus) + most_added) < 3 * base_modulus * LIMB_BASE ^ 8.
Proof. vm_compute. reflexivity. Qed.

Lemma reduced_bound : forall value square added result times modulus power,
  value < square -> result * power = value + times * modulus -> times * modulus <= added ->
  2 * (square + added) < 3 * modulus * power -> 0 < power -> 0 < modulus ->
  (result * power) mod modulus = value mod modulus /\ 2 * result < 3 * modulus.
Proof.
  intros value square added result times modulus power Hvalue E Hadded Hsmall Hpower Hmodulus. split.
  - rewrite E. apply N.mod_add. lia.
  - apply (N.mul_lt_mono_pos_r power); [exact Hpower|]. rewrite <- (N.mul_assoc 2), E. lia.
Qed.
