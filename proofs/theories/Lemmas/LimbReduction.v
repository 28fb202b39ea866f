(** The reduction of 16 words (spec/src/kernel/limbs.rs): folding adds multiples of p, Montgomery's rounds too, and what
    is left stands above words that are 0. *)
From Coq Require Import NArith List Lia Bool ZArith.
From AardvarkSpec Require Import Prelude Kernel.Limbs Kernel.LimbsSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Kernel.Limbs.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** * Folding *)

Lemma eight_limbs_decided : forall limbs,
  (seq_length limbs =? 8) && forallb (fun limb => limb <? LIMB_BASE) limbs = true -> eight_limbs limbs.
Proof.
  intros limbs H. apply andb_prop in H. destruct H as [L B]. split; [apply N.eqb_eq, L|].
  apply Forall_forall. intros limb Hin. apply N.ltb_lt. exact (proj1 (forallb_forall _ _) B limb Hin).
Qed.

Lemma modulus_limbs : eight_limbs limbs_modulus /\ words_value limbs_modulus = base_modulus.
Proof. split; [apply eight_limbs_decided|]; vm_compute; reflexivity. Qed.

(** Limb i and its fold six limbs further up are one modulo p. *)
Lemma fold_limbs : forall i, i < 6 ->
  eight_limbs (limbs_fold i) /\ words_value (limbs_fold i) < base_modulus /\
  exists times, words_value (limbs_fold i) * LIMB_BASE ^ 6 = LIMB_BASE ^ i + times * base_modulus.
Proof.
  intros i Hi.
  assert (Hcase : i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5) by lia.
  destruct Hcase as [->|[->|[->|[->|[->| ->]]]]];
  match goal with |- eight_limbs (limbs_fold ?n) /\ _ =>
    split; [apply eight_limbs_decided; vm_compute; reflexivity|split; [vm_compute; reflexivity|]];
    exists ((words_value (limbs_fold n) * LIMB_BASE ^ 6 - LIMB_BASE ^ n) / base_modulus); vm_compute; reflexivity
  end.
Qed.

(** The value of words whose first are 0. *)
Lemma value_above_zeros : forall words k, k <= seq_length words -> (forall i, i < k -> seq_at words i = 0) ->
  exists above, seq_length above = seq_length words - k /\ words_value words = LIMB_BASE ^ k * words_value above /\
    (forall i, seq_at above i = seq_at words (k + i)) /\ seq_slice words k (seq_length words - k) = above.
Proof.
  intros words k Hk Hzero.
  exists (seq_slice words k (seq_length words - k)).
  assert (Hlength : seq_length (seq_slice words k (seq_length words - k)) = seq_length words - k).
  { apply seq_length_slice. lia. }
  assert (Hfirst : words = seq_slice words 0 k ++ seq_slice words k (seq_length words - k)).
  { apply (seq_ext N _).
    - rewrite seq_length_app, Hlength, seq_length_slice by lia. lia.
    - intros i Hi. rewrite seq_at_app, seq_length_slice by lia.
      destruct (N.ltb_spec i k); rewrite seq_at_slice by lia; f_equal; lia. }
  assert (Hnone : words_value (seq_slice words 0 k) = 0).
  { assert (Hall : Forall (fun w => w = 0) (seq_slice words 0 k)).
    { apply Forall_forall. intros w Hw. apply (in_seq_at _ _) in Hw. destruct Hw as (i & Hi & <-).
      rewrite seq_length_slice in Hi by lia. rewrite seq_at_slice by lia. apply Hzero. lia. }
    revert Hall. generalize (seq_slice words 0 k). induction 1 as [|w rest Hw _ IH]; [reflexivity|].
    change (words_value (w :: rest)) with (w + LIMB_BASE * words_value rest). rewrite Hw, IH. lia. }
  repeat split.
  - exact Hlength.
  - rewrite Hfirst at 1. rewrite value_app, Hnone, seq_length_slice by lia. lia.
  - intros i. destruct (N.lt_ge_cases i (seq_length words - k)) as [Hi|Hi].
    + apply seq_at_slice. exact Hi.
    + rewrite !seq_at_beyond by lia. reflexivity.
Qed.

Lemma folded_step : forall most value words i,
  words_are 16 most value words -> i < 6 -> (forall k, i <= k < 6 -> seq_at words k < LIMB_BASE) ->
  (forall k, k < i -> seq_at words k = 0) -> most + 16 * LIMB_BASE <= 2 ^ 64 ->
  words_folded_step_safe words i = true /\
  (exists times, words_are 16 (most + 16 * LIMB_BASE) (value + times * base_modulus) (words_folded_step words i) /\
    times * base_modulus <= LIMB_BASE * base_modulus * LIMB_BASE ^ 6) /\
  (forall k, i + 1 <= k < 6 -> seq_at (words_folded_step words i) k < LIMB_BASE) /\
  forall k, k < i + 1 -> seq_at (words_folded_step words i) k = 0.
Proof.
  intros most value words i Hare Hi Hsmall Hzero Hmost. pose proof Hare as (L & B & V).
  destruct (fold_limbs i Hi) as (Height & Hbelow & times & Htimes).
  destruct (add_product 16 most value words (limbs_fold i) (seq_at words i) 6) as (S1 & (L1 & B1 & V1) & U1);
    try assumption; try lia.
  assert (Hlimb : seq_at words i < LIMB_BASE) by (apply Hsmall; lia).
  rewrite (N.mod_small _ _ Hlimb) in V1.
  set (added := words_add_product words (limbs_fold i) (seq_at words i) 6) in *.
  assert (Hsame : seq_at added i = seq_at words i) by (apply U1; lia).
  pose proof (with_value added i 0 ltac:(lia)) as E. rewrite V1, Hsame in E.
  split; [|split; [|split]].
  - unfold words_folded_step_safe. cbn zeta. unfold FOLDED_LIMBS. fold added. rewrite S1, with_safe by lia.
    repeat (apply andb_true_intro; split); try reflexivity. apply N.ltb_lt. lia.
  - exists (seq_at words i * times). split.
    + unfold words_folded_step. cbn zeta. unfold FOLDED_LIMBS. fold added. repeat split.
      * rewrite with_length. exact L1.
      * apply with_most; [exact B1|lia].
      * rewrite <- N.mul_assoc, Htimes in E. rewrite N.mul_add_distr_l, N.mul_assoc in E. lia.
    + assert (Hless : times * base_modulus <= base_modulus * LIMB_BASE ^ 6).
      { apply N.le_trans with (words_value (limbs_fold i) * LIMB_BASE ^ 6); [lia|].
        apply N.mul_le_mono_r. lia. }
      rewrite <- !N.mul_assoc. apply N.mul_le_mono; [lia|]. exact Hless.
  - intros k Hk. unfold words_folded_step. cbn zeta. unfold FOLDED_LIMBS. fold added.
    rewrite with_elsewhere by lia. rewrite U1 by lia. apply Hsmall. lia.
  - intros k Hk. unfold words_folded_step. cbn zeta. unfold FOLDED_LIMBS. fold added.
    destruct (N.eq_dec k i) as [->|Hne]; [apply with_at; lia|].
    rewrite with_elsewhere by lia. rewrite U1 by lia. apply Hzero. lia.
Qed.

Lemma folded : forall most value words,
  words_are 16 most value words -> (forall k, k < 6 -> seq_at words k < LIMB_BASE) ->
  most + 96 * LIMB_BASE <= 2 ^ 64 ->
  words_folded_safe words = true /\
  (exists times, words_are 16 (most + 96 * LIMB_BASE) (value + times * base_modulus) (words_folded words) /\
    times * base_modulus <= 6 * (LIMB_BASE * base_modulus * LIMB_BASE ^ 6)) /\
  forall k, k < 6 -> seq_at (words_folded words) k = 0.
Proof.
  intros most value words Hare Hsmall Hmost.
  set (unit := LIMB_BASE * base_modulus * LIMB_BASE ^ 6).
  destruct (loop_keeps
    (fun i acc => (exists times, words_are 16 (most + i * (16 * LIMB_BASE)) (value + times * base_modulus) acc /\
        times * base_modulus <= i * unit) /\
      (forall k, i <= k < 6 -> seq_at acc k < LIMB_BASE) /\ forall k, k < i -> seq_at acc k = 0)
    words_folded_step words_folded_step_safe 0 6 words) as [S [[times [A T]] [_ U]]].
  - lia.
  - split; [|split; [intros; apply Hsmall; lia|intros; lia]]. exists 0. split; [|lia].
    rewrite N.mul_0_l, !N.add_0_r. exact Hare.
  - intros i acc Hi [[times [A T]] [Hsm Hz]].
    destruct (folded_step (most + i * (16 * LIMB_BASE)) (value + times * base_modulus) acc i)
      as (S1 & [more [A1 T1]] & Sm1 & Z1); try assumption; try lia; try nia.
    split; [exact S1|]. split; [|split; assumption].
    exists (times + more). split.
    + destruct A1 as (L1 & B1 & V1). repeat split; [exact L1| |rewrite V1; ring].
      eapply Forall_impl; [|exact B1]. cbn beta. lia.
    + fold unit in T1. rewrite N.mul_add_distr_r. lia.
  - split; [exact S|]. split; [|exact U]. exists times. split; [|exact T].
    eapply are_weaker; [|exact A]. lia.
Qed.

(** * Montgomery's rounds *)

Lemma minus_inverse_is : exists times, MINUS_INVERSE * base_modulus + 1 = times * LIMB_BASE.
Proof. exists ((MINUS_INVERSE * base_modulus + 1) / LIMB_BASE). vm_compute. reflexivity. Qed.

Lemma first_word : forall words, 0 < seq_length words -> words_value words mod LIMB_BASE = seq_at words 0 mod LIMB_BASE.
Proof.
  intros [|w words] H; [cbn in H; lia|]. change (words_value (w :: words)) with (w + LIMB_BASE * words_value words).
  rewrite seq_at_cons_zero. rewrite N.mul_comm, N.mod_add by discriminate. reflexivity.
Qed.

(** The word that a round makes a multiple of 2^52. *)
Lemma round_divides : forall word, (word + limb_low word MINUS_INVERSE * base_modulus) mod LIMB_BASE = 0.
Proof.
  intros word. destruct (halves word MINUS_INVERSE) as (_ & _ & Hlow & _ & E).
  rewrite (N.mod_small MINUS_INVERSE) in E by reflexivity.
  destruct minus_inverse_is as (times & Htimes).
  pose proof (N.div_mod word LIMB_BASE ltac:(discriminate)) as Hsplit.
  set (low := limb_low word MINUS_INVERSE) in *. set (high := limb_high word MINUS_INVERSE) in *.
  set (w := word mod LIMB_BASE) in *. set (q := word / LIMB_BASE) in *.
  apply N.mod_divide; [discriminate|].
  (* word + low p + high B p = q B + w + w MINUS_INVERSE p = q B + w times B *)
  assert (F : word + low * base_modulus + LIMB_BASE * (high * base_modulus) = (q + w * times) * LIMB_BASE).
  { rewrite Hsplit. replace (LIMB_BASE * q + w + low * base_modulus + LIMB_BASE * (high * base_modulus))
      with (LIMB_BASE * q + w + (low + LIMB_BASE * high) * base_modulus) by ring.
    rewrite E. replace (LIMB_BASE * q + w + w * MINUS_INVERSE * base_modulus)
      with (LIMB_BASE * q + w * (MINUS_INVERSE * base_modulus + 1)) by ring.
    rewrite Htimes. ring. }
  exists (q + w * times - high * base_modulus). rewrite N.mul_sub_distr_r. lia.
Qed.

Lemma rounds_step : forall most value words i,
  words_are 16 most value words -> i < 8 -> i + 9 <= 16 -> (forall k, k < i -> seq_at words k = 0) ->
  most + 17 * LIMB_BASE <= 2 ^ 64 ->
  words_rounds_step_safe words i = true /\
  (exists times, words_are 16 (most + 17 * LIMB_BASE) (value + times * base_modulus) (words_rounds_step words i) /\
    times * base_modulus <= LIMB_BASE * base_modulus * LIMB_BASE ^ i) /\
  forall k, k < i + 1 -> seq_at (words_rounds_step words i) k = 0.
Proof.
  intros most value words i Hare Hi Hplace Hzero Hmost. pose proof Hare as (L & B & V).
  destruct modulus_limbs as [Height Hvalue].
  destruct (halves (seq_at words i) MINUS_INVERSE) as (Slow & _ & Hlow & _ & _).
  pose proof (round_divides (seq_at words i)) as Hdivides.
  set (times := limb_low (seq_at words i) MINUS_INVERSE) in *.
  destruct (add_product 16 most value words limbs_modulus times i) as (S1 & A1 & U1); try assumption; try lia.
  rewrite (N.mod_small _ _ Hlow), Hvalue in A1.
  set (added := words_add_product words limbs_modulus times i) in *.
  destruct (carry_step 16 (most + 16 * LIMB_BASE) _ added i A1) as (S2 & A2 & E2 & U2); try lia.
  assert (Hword : seq_at added i mod LIMB_BASE = 0).
  { destruct A1 as (L1 & _ & V1).
    destruct (value_above_zeros words i) as (above & La & Va & Aa & _); [lia|exact Hzero|].
    destruct (value_above_zeros added i) as (more & Lm & Vm & Am & _); [lia|intros k Hk; rewrite U1 by lia; apply Hzero, Hk|].
    assert (Hsum : words_value more = words_value above + times * base_modulus).
    { apply (N.mul_cancel_l _ _ (LIMB_BASE ^ i)); [apply N.pow_nonzero; discriminate|].
      rewrite <- Vm, V1, <- V, Va. ring. }
    rewrite <- (N.add_0_r i) at 1. rewrite <- Am. rewrite <- first_word by lia. rewrite Hsum.
    rewrite N.add_mod, first_word by (discriminate || lia). rewrite Aa, N.add_0_r.
    rewrite <- N.add_mod by discriminate. exact Hdivides. }
  split; [|split].
  - unfold words_rounds_step_safe. cbn zeta. fold times added. rewrite Slow, S1, S2.
    repeat (apply andb_true_intro; split); try reflexivity. apply N.ltb_lt. lia.
  - exists (times * LIMB_BASE ^ i). split.
    + unfold words_rounds_step. cbn zeta. fold times added.
      destruct A2 as (L2 & B2 & V2). repeat split; [exact L2| |rewrite V2; ring].
      eapply Forall_impl; [|exact B2]. cbn beta. lia.
    + replace (times * LIMB_BASE ^ i * base_modulus) with (times * base_modulus * LIMB_BASE ^ i) by ring.
      apply N.mul_le_mono_r, N.mul_le_mono_r. lia.
  - intros k Hk. unfold words_rounds_step. cbn zeta. fold times added.
    destruct (N.eq_dec k i) as [->|Hne]; [rewrite E2; exact Hword|].
    rewrite U2 by lia. rewrite U1 by lia. apply Hzero. lia.
Qed.

Lemma rounds : forall most value words,
  words_are 16 most value words -> (forall k, k < 6 -> seq_at words k = 0) -> most + 34 * LIMB_BASE <= 2 ^ 64 ->
  words_rounds_safe words = true /\
  (exists times, words_are 16 (most + 34 * LIMB_BASE) (value + times * base_modulus) (words_rounds words) /\
    times * base_modulus <= LIMB_BASE * base_modulus * LIMB_BASE ^ 6 + LIMB_BASE * base_modulus * LIMB_BASE ^ 7) /\
  forall k, k < 8 -> seq_at (words_rounds words) k = 0.
Proof.
  intros most value words Hare Hzero Hmost.
  destruct (rounds_step most value words 6) as (S6 & [t6 [A6 T6]] & Z6); try assumption; try lia.
  destruct (rounds_step (most + 17 * LIMB_BASE) (value + t6 * base_modulus) (words_rounds_step words 6) 7)
    as (S7 & [t7 [A7 T7]] & Z7); try assumption; try lia.
  split; [|split].
  - unfold words_rounds_safe. change (range FOLDED_LIMBS LIMB_COUNT) with [6; 7]. cbn [loop_safe]. rewrite S6, S7.
    reflexivity.
  - exists (t6 + t7). unfold words_rounds. change (range FOLDED_LIMBS LIMB_COUNT) with [6; 7]. cbn [fold_left].
    split; [|rewrite N.mul_add_distr_r; apply N.add_le_mono; assumption].
    destruct A7 as (L7 & B7 & V7). repeat split; [exact L7| |rewrite V7; ring].
    eapply Forall_impl; [|exact B7]. cbn beta. lia.
  - intros k Hk. unfold words_rounds. change (range FOLDED_LIMBS LIMB_COUNT) with [6; 7]. cbn [fold_left].
    apply Z7. lia.
Qed.

(** * The reduction *)

Lemma last_below : forall below power last rest base, below + power * (last + base * rest) < power * base -> last < base.
Proof.
  intros below power last rest base H. destruct (N.lt_ge_cases last base) as [L|G]; [exact L|].
  pose proof (N.mul_le_mono_l _ _ power G) as M. rewrite N.mul_add_distr_l in H. lia.
Qed.

(** What the reduction adds, divided by R: below p (1 + 2^-49). *)
Definition most_added : N := 7 * (LIMB_BASE * base_modulus * LIMB_BASE ^ 6) + LIMB_BASE * base_modulus * LIMB_BASE ^ 7.

Lemma upper_words : forall most value after,
  words_are 16 most value after -> (forall k, k < 8 -> seq_at after k = 0) -> most + 7 * LIMB_BASE <= 2 ^ 64 ->
  value < LIMB_BASE ^ 16 ->
  words_carried_safe (seq_slice after 8 8) 7 = true /\ eight_limbs (words_carried (seq_slice after 8 8) 7) /\
  words_value (words_carried (seq_slice after 8 8) 7) * LIMB_BASE ^ 8 = value.
Proof.
  intros most value after (L & B & V) Hzero Hmost Hvalue.
  destruct (value_above_zeros after 8) as (above & La & Va & _ & Sa); [rewrite L; discriminate|exact Hzero|].
  rewrite L in La, Sa. change (16 - 8) with 8 in La, Sa. rewrite Sa.
  assert (Hhigh : words_are 8 most (words_value above) above).
  { repeat split; [exact La|]. rewrite <- Sa. apply Forall_forall. intros w Hw.
    apply (in_seq_at _ _) in Hw. destruct Hw as (i & Hi & <-). rewrite Sa, La in Hi.
    rewrite seq_at_slice by exact Hi. apply at_most; [exact B|]. rewrite L. clear - Hi. lia. }
  destruct (carried 8 most _ above 7 Hhigh) as (S4 & (L4 & B4 & V4) & U4); [discriminate|reflexivity|exact Hmost|].
  assert (Hsum : words_value above * LIMB_BASE ^ 8 = value) by (rewrite N.mul_comm, <- Va; exact V).
  split; [exact S4|]. split; [|rewrite V4; exact Hsum].
  split; [exact L4|]. apply Forall_forall. intros w Hw.
  apply (in_seq_at _ _) in Hw. destruct Hw as (i & Hi & <-). rewrite L4 in Hi.
  destruct (N.eq_dec i 7) as [->|Hne]; [|apply U4; clear - Hi Hne; lia].
  (* The last limb, since the whole is below 2^416. *)
  destruct (around (words_carried above 7) 7 ltac:(rewrite L4; exact Hi)) as (below & rest & E & Lb & _).
  assert (Hbelow : words_value above < LIMB_BASE ^ 8).
  { apply (N.mul_lt_mono_pos_r (LIMB_BASE ^ 8)); [apply power_positive|]. rewrite Hsum, <- power_sixteen. exact Hvalue. }
  rewrite <- V4, E, value_app, Lb, power_eight, value_cons in Hbelow. exact (last_below _ _ _ _ _ Hbelow).
Qed.

Lemma reduced : forall value words,
  words_are 16 (256 * LIMB_BASE) value words -> value + most_added < LIMB_BASE ^ 16 ->
  limbs_reduced_safe words = true /\ eight_limbs (limbs_reduced words) /\
  exists times, words_value (limbs_reduced words) * LIMB_BASE ^ 8 = value + times * base_modulus /\
    times * base_modulus <= most_added.
Proof.
  intros value words Hare Hvalue.
  assert (Hroom : 400 * LIMB_BASE <= 2 ^ 64) by (vm_compute; discriminate).
  destruct (carried 16 _ value words 6 Hare) as (S1 & A1 & U1); [discriminate|reflexivity|clear - Hroom; lia|].
  destruct (folded _ value _ A1 U1) as (S2 & [t2 [A2 T2]] & Z2); [clear - Hroom; lia|].
  destruct (rounds _ _ _ A2 Z2) as (S3 & [t3 [A3 T3]] & Z3); [clear - Hroom; lia|].
  assert (Hadded : (t2 + t3) * base_modulus <= most_added).
  { unfold most_added. rewrite N.mul_add_distr_r. clear - T2 T3. apply N.le_trans with
      (6 * (LIMB_BASE * base_modulus * LIMB_BASE ^ 6) +
       (LIMB_BASE * base_modulus * LIMB_BASE ^ 6 + LIMB_BASE * base_modulus * LIMB_BASE ^ 7)).
    - apply N.add_le_mono; assumption.
    - generalize (LIMB_BASE * base_modulus * LIMB_BASE ^ 6) (LIMB_BASE * base_modulus * LIMB_BASE ^ 7). intros x y. lia. }
  assert (Hsum : value + t2 * base_modulus + t3 * base_modulus = value + (t2 + t3) * base_modulus) by ring.
  rewrite Hsum in A3.
  destruct (upper_words _ _ _ A3 Z3) as (S4 & H4 & V4).
  - clear - Hroom. lia.
  - apply N.le_lt_trans with (value + most_added); [|exact Hvalue]. apply N.add_le_mono_l, Hadded.
  - destruct A3 as (L3 & _ & _). split; [|split; [exact H4|]].
    + unfold limbs_reduced_safe. cbn zeta. change FOLDED_LIMBS with 6. change LIMB_COUNT with 8. change (8 - 1) with 7.
      rewrite S1, S2, S3, L3, S4. reflexivity.
    + exists (t2 + t3). split; [exact V4|exact Hadded].
Qed.
