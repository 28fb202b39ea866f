(** Products on limbs of 52 bits (spec/src/kernel/limbs.rs): what the steps do to the integer that words stand for, and
    how large a word becomes.

    The integer of 16 words never leaves what is known modulo p, and a word never exceeds 2^52 times the number of
    summands that it can have received, below 400; so no sum of words overflows. *)
From Coq Require Import NArith List Lia Bool ZArith.
From AardvarkSpec Require Import Prelude Kernel.Limbs Kernel.LimbsSafe.
From Aardvark Require Import Lemmas.LoopLemmas.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** * The integer of words *)

(** The integer that words stand for: word k counts 2^(52 k). *)
Definition words_value (words : list N) : N := fold_right (fun word value => word + LIMB_BASE * value) 0 words.

(** p, the modulus of the base field of BLS12-381. *)
Definition base_modulus : N :=
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab.

(** Eight limbs, each below 2^52. *)
Definition eight_limbs (limbs : list N) : Prop := seq_length limbs = 8 /\ Forall (fun limb => limb < LIMB_BASE) limbs.

(** So many words, each at most [most], that stand for [value]. *)
Definition words_are (count most value : N) (words : list N) : Prop :=
  seq_length words = count /\ Forall (fun word => word <= most) words /\ words_value words = value.

Lemma base_power : LIMB_BASE ^ 8 = 2 ^ 416.
Proof. vm_compute. reflexivity. Qed.

Lemma base_positive : 0 < LIMB_BASE.
Proof. unfold LIMB_BASE. lia. Qed.

Lemma power_positive : forall k, 0 < LIMB_BASE ^ k.
Proof. intros k. apply N.neq_0_lt_0, N.pow_nonzero. discriminate. Qed.

Lemma power_sixteen : LIMB_BASE ^ 16 = LIMB_BASE ^ 8 * LIMB_BASE ^ 8.
Proof. exact (N.pow_add_r LIMB_BASE 8 8). Qed.

Lemma power_eight : LIMB_BASE ^ 8 = LIMB_BASE ^ 7 * LIMB_BASE.
Proof. rewrite <- (N.pow_1_r LIMB_BASE) at 3. exact (N.pow_add_r LIMB_BASE 7 1). Qed.

Lemma value_cons : forall word words, words_value (word :: words) = word + LIMB_BASE * words_value words.
Proof. reflexivity. Qed.

Lemma value_app : forall s t, words_value (s ++ t) = words_value s + LIMB_BASE ^ seq_length s * words_value t.
Proof.
  induction s as [|w s IH]; intros t.
  - rewrite seq_length_nil, N.pow_0_r. change (words_value []) with 0. cbn [app]. lia.
  - cbn [app]. change (words_value (w :: s ++ t)) with (w + LIMB_BASE * words_value (s ++ t)).
    change (words_value (w :: s)) with (w + LIMB_BASE * words_value s).
    rewrite IH, seq_length_cons, N.pow_add_r, N.pow_1_r. ring.
Qed.

Lemma value_below : forall words, Forall (fun word => word < LIMB_BASE) words ->
  words_value words < LIMB_BASE ^ seq_length words.
Proof.
  induction 1 as [|w words Hw _ IH].
  - rewrite seq_length_nil. cbn. lia.
  - rewrite seq_length_cons, N.pow_add_r, N.pow_1_r.
    change (words_value (w :: words)) with (w + LIMB_BASE * words_value words). nia.
Qed.

(** A sequence around one of its places. *)
Lemma around : forall (words : list N) k, k < seq_length words ->
  exists below above, words = below ++ seq_at words k :: above /\ seq_length below = k /\
    forall word, words_with words k word = below ++ word :: above.
Proof.
  intros words k Hk.
  assert (Hlength : (N.to_nat k < length words)%nat) by (unfold seq_length in Hk; lia).
  exists (seq_slice words 0 k), (seq_slice words (k + 1) (seq_length words - k - 1)).
  assert (Habove : seq_slice words (k + 1) (seq_length words - k - 1) = skipn (S (N.to_nat k)) words).
  { unfold seq_slice, seq_length. replace (N.to_nat (k + 1)) with (S (N.to_nat k)) by lia.
    apply firstn_all2. rewrite skipn_length. lia. }
  repeat split.
  - rewrite Habove. unfold seq_slice, seq_at. change (N.to_nat 0) with 0%nat. cbn [skipn].
    rewrite <- (firstn_skipn (N.to_nat k) words) at 1. f_equal.
    clear Hk Habove. revert words Hlength. induction (N.to_nat k) as [|n IH]; intros words H.
    + destruct words; [cbn in H; lia|reflexivity].
    + destruct words as [|w words]; [cbn in H; lia|]. cbn [skipn nth]. apply IH. cbn in H. lia.
  - unfold seq_slice, seq_length. cbn [skipn]. change (N.to_nat 0) with 0%nat. cbn [skipn].
    rewrite firstn_length. lia.
  - intros word. unfold words_with. rewrite (proj2 (N.ltb_lt _ _) Hk). reflexivity.
Qed.

Lemma with_length : forall words k word, seq_length (words_with words k word) = seq_length words.
Proof.
  intros words k word. destruct (N.lt_ge_cases k (seq_length words)) as [Hk|Hk].
  - destruct (around words k Hk) as (below & above & E & _ & W). rewrite W, E.
    rewrite !seq_length_app, !seq_length_cons. reflexivity.
  - unfold words_with. rewrite (proj2 (N.ltb_ge _ _) Hk). reflexivity.
Qed.

Lemma with_at : forall words k word, k < seq_length words -> seq_at (words_with words k word) k = word.
Proof.
  intros words k word Hk. destruct (around words k Hk) as (below & above & _ & L & W). rewrite W.
  rewrite seq_at_app, L, N.ltb_irrefl, N.sub_diag. reflexivity.
Qed.

Lemma with_elsewhere : forall words k word i, i <> k -> seq_at (words_with words k word) i = seq_at words i.
Proof.
  intros words k word i Hi. destruct (N.lt_ge_cases k (seq_length words)) as [Hk|Hk].
  - destruct (around words k Hk) as (below & above & E & L & W). rewrite W.
    transitivity (seq_at (below ++ seq_at words k :: above) i); [|rewrite <- E; reflexivity].
    rewrite !seq_at_app, L. destruct (N.ltb_spec i k); [reflexivity|].
    replace (i - k) with (i - k - 1 + 1) by lia. rewrite !seq_at_cons_succ. reflexivity.
  - unfold words_with. rewrite (proj2 (N.ltb_ge _ _) Hk). reflexivity.
Qed.

Lemma with_value : forall words k word, k < seq_length words ->
  words_value (words_with words k word) + seq_at words k * LIMB_BASE ^ k = words_value words + word * LIMB_BASE ^ k.
Proof.
  intros words k word Hk. destruct (around words k Hk) as (below & above & E & L & W). rewrite W.
  transitivity (words_value (below ++ seq_at words k :: above) + word * LIMB_BASE ^ k); [|rewrite <- E; reflexivity].
  rewrite !value_app, L.
  change (words_value (word :: above)) with (word + LIMB_BASE * words_value above).
  change (words_value (seq_at words k :: above)) with (seq_at words k + LIMB_BASE * words_value above). ring.
Qed.

Lemma with_most : forall words k word most, Forall (fun w => w <= most) words -> word <= most ->
  Forall (fun w => w <= most) (words_with words k word).
Proof.
  intros words k word most Hall Hword. destruct (N.lt_ge_cases k (seq_length words)) as [Hk|Hk].
  - destruct (around words k Hk) as (below & above & E & _ & W). rewrite W. rewrite E in Hall.
    apply Forall_app in Hall. destruct Hall as [Hbelow Habove]. apply Forall_app. split; [exact Hbelow|].
    constructor; [exact Hword|]. inversion Habove; assumption.
  - unfold words_with. rewrite (proj2 (N.ltb_ge _ _) Hk). exact Hall.
Qed.

Lemma at_most : forall words most k, Forall (fun w => w <= most) words -> k < seq_length words -> seq_at words k <= most.
Proof. intros words most k Hall Hk. rewrite Forall_forall in Hall. apply Hall, seq_at_in, Hk. Qed.

Lemma with_safe : forall words k word, seq_length words <= 2 ^ 52 -> words_with_safe words k word = true.
Proof.
  intros words k word Hlength. unfold words_with_safe, within_usize.
  destruct (N.ltb_spec k (seq_length words)) as [Hk|Hk]; [|reflexivity].
  repeat (apply andb_true_intro; split); apply N.leb_le || apply N.ltb_lt; lia.
Qed.

Lemma are_weaker : forall count most more value words, most <= more ->
  words_are count most value words -> words_are count more value words.
Proof.
  intros count most more value words Hmore (L & B & V). repeat split; try assumption.
  eapply Forall_impl; [|exact B]. cbn. lia.
Qed.

(** * Sums of words *)

Lemma add_words : forall count most value words k summand,
  words_are count most value words -> count <= 16 -> k < count -> most + summand < 2 ^ 64 ->
  words_add_safe words k summand = true /\
  words_are count (most + summand) (value + summand * LIMB_BASE ^ k) (words_add words k summand).
Proof.
  intros count most value words k summand (L & B & V) Hcount Hk Hmost.
  assert (Hat : seq_at words k <= most) by (apply at_most; [exact B|lia]).
  split.
  - unfold words_add_safe, within_u64. rewrite with_safe by lia.
    repeat (apply andb_true_intro; split); try reflexivity; apply N.ltb_lt; lia.
  - unfold words_add. repeat split.
    + rewrite with_length. exact L.
    + apply with_most; [|lia]. eapply Forall_impl; [|exact B]. cbn. lia.
    + pose proof (with_value words k (seq_at words k + summand)) as E. rewrite V in E.
      specialize (E ltac:(lia)). rewrite N.mul_add_distr_r in E. lia.
Qed.

Lemma halves : forall a b,
  limb_low_safe a b = true /\ limb_high_safe a b = true /\
  limb_low a b < LIMB_BASE /\ limb_high a b < LIMB_BASE /\
  limb_low a b + LIMB_BASE * limb_high a b = (a mod LIMB_BASE) * (b mod LIMB_BASE).
Proof.
  intros a b. pose proof base_positive as HB.
  pose proof (N.mod_upper_bound a LIMB_BASE ltac:(lia)) as Ha.
  pose proof (N.mod_upper_bound b LIMB_BASE ltac:(lia)) as Hb.
  set (x := a mod LIMB_BASE) in *. set (y := b mod LIMB_BASE) in *.
  assert (Hxy : x * y < LIMB_BASE * LIMB_BASE) by nia.
  pose proof (N.mod_upper_bound (x * y) LIMB_BASE ltac:(lia)) as Hlow.
  assert (Hhigh : x * y / LIMB_BASE < LIMB_BASE) by (apply N.div_lt_upper_bound; lia).
  assert (Ebig : forall z, z < LIMB_BASE -> (z mod 18446744073709551616) mod 2 ^ 64 = z).
  { intros z Hz. unfold LIMB_BASE in Hz. rewrite !N.mod_small; try reflexivity; try lia.
    rewrite N.mod_small; lia. }
  assert (Elow : limb_low a b = (x * y) mod LIMB_BASE).
  { unfold limb_low, Integers.u64_of_u128, Integers.u128_of_u64. fold x y. apply Ebig, Hlow. }
  assert (Ehigh : limb_high a b = x * y / LIMB_BASE).
  { unfold limb_high, Integers.u64_of_u128, Integers.u128_of_u64. fold x y. apply Ebig, Hhigh. }
  assert (Hwithin : within_u128 (x * y) = true).
  { unfold within_u128. apply N.ltb_lt. unfold LIMB_BASE in *. lia. }
  repeat split.
  - unfold limb_low_safe, Integers.u128_of_u64. fold x y. rewrite Hwithin. reflexivity.
  - unfold limb_high_safe, Integers.u128_of_u64. fold x y. rewrite Hwithin. reflexivity.
  - rewrite Elow. exact Hlow.
  - rewrite Ehigh. exact Hhigh.
  - rewrite Elow, Ehigh. rewrite N.add_comm, <- N.div_mod by lia. reflexivity.
Qed.

Lemma product_step : forall count most value words limbs limb place j,
  words_are count most value words -> count <= 16 -> place + j + 1 < count -> j < seq_length limbs ->
  Forall (fun l => l < LIMB_BASE) limbs -> most + 2 * LIMB_BASE <= 2 ^ 64 ->
  words_add_product_step_safe words limbs limb place j = true /\
  words_are count (most + 2 * LIMB_BASE)
    (value + (limb mod LIMB_BASE) * seq_at limbs j * LIMB_BASE ^ (place + j))
    (words_add_product_step words limbs limb place j) /\
  forall k, k < place + j -> seq_at (words_add_product_step words limbs limb place j) k = seq_at words k.
Proof.
  intros count most value words limbs limb place j Hare Hcount Hplace Hj Hlimbs Hmost.
  assert (Hl : seq_at limbs j < LIMB_BASE).
  { rewrite Forall_forall in Hlimbs. apply Hlimbs, seq_at_in, Hj. }
  destruct (halves (seq_at limbs j) limb) as (Slow & Shigh & Blow & Bhigh & E).
  rewrite (N.mod_small (seq_at limbs j)) in E by exact Hl.
  set (low := limb_low (seq_at limbs j) limb) in *. set (high := limb_high (seq_at limbs j) limb) in *.
  destruct (add_words count most value words (place + j) low) as [S1 A1]; try assumption; try lia.
  destruct (add_words count (most + low) (value + low * LIMB_BASE ^ (place + j)) (words_add words (place + j) low)
    (place + j + 1) high) as [S2 A2]; try assumption; try lia.
  split; [|split].
  - unfold words_add_product_step_safe, within_usize. fold low high. rewrite Slow, Shigh, S1. cbn zeta.
    rewrite S2. repeat (apply andb_true_intro; split); try reflexivity; apply N.ltb_lt; lia.
  - unfold words_add_product_step. fold low high. cbn zeta.
    eapply are_weaker; [|destruct A2 as (L2 & B2 & V2); repeat split; [exact L2|exact B2|]].
    + lia.
    + rewrite V2. rewrite (N.mul_comm (limb mod LIMB_BASE)), <- E.
      rewrite (N.pow_add_r _ (place + j) 1), N.pow_1_r. ring.
  - intros k Hk. unfold words_add_product_step. fold low high. cbn zeta. unfold words_add.
    rewrite !with_elsewhere by lia. reflexivity.
Qed.

(** The value of the first so many limbs. *)
Definition first_value (limbs : list N) (j : N) : N := words_value (firstn (N.to_nat j) limbs).

Lemma first_value_next : forall limbs j, j < seq_length limbs ->
  first_value limbs (j + 1) = first_value limbs j + seq_at limbs j * LIMB_BASE ^ j.
Proof.
  intros limbs j Hj. unfold first_value. replace (N.to_nat (j + 1)) with (S (N.to_nat j)) by lia.
  assert (Hnat : (N.to_nat j < length limbs)%nat) by (unfold seq_length in Hj; lia).
  assert (E : firstn (S (N.to_nat j)) limbs = firstn (N.to_nat j) limbs ++ [seq_at limbs j]).
  { unfold seq_at. clear Hj. revert limbs Hnat. induction (N.to_nat j) as [|n IH]; intros limbs H.
    - destruct limbs; [cbn in H; lia|reflexivity].
    - destruct limbs as [|l limbs]; [cbn in H; lia|]. cbn [firstn nth app].
      f_equal. apply IH. cbn in H. lia. }
  rewrite E, value_app. unfold seq_length at 1. rewrite firstn_length, Nat.min_l by lia. rewrite Nnat.N2Nat.id.
  change (words_value [seq_at limbs j]) with (seq_at limbs j + LIMB_BASE * 0). ring.
Qed.

Lemma first_value_all : forall limbs, first_value limbs (seq_length limbs) = words_value limbs.
Proof.
  intros limbs. unfold first_value, seq_length. rewrite Nnat.Nat2N.id, firstn_all. reflexivity.
Qed.

(** A loop that is safe and keeps what holds before it. *)
Lemma loop_keeps : forall (P : N -> list N -> Prop) step step_safe from to words,
  from <= to -> P from words ->
  (forall i acc, from <= i < to -> P i acc -> step_safe acc i = true /\ P (i + 1) (step acc i)) ->
  loop_safe step step_safe (range from to) words = true /\ P to (fold_left step (range from to) words).
Proof.
  intros P step step_safe from to words Hle H0 Hstep. split.
  - apply (Sequences.loop_safe_invariant step step_safe P); assumption.
  - apply loop_invariant; [exact Hle|exact H0|]. intros i acc Hi HP. apply Hstep; assumption.
Qed.

Lemma add_product : forall count most value words limbs limb place,
  words_are count most value words -> count <= 16 -> place + 9 <= count -> eight_limbs limbs ->
  most + 16 * LIMB_BASE <= 2 ^ 64 ->
  words_add_product_safe words limbs limb place = true /\
  words_are count (most + 16 * LIMB_BASE) (value + (limb mod LIMB_BASE) * words_value limbs * LIMB_BASE ^ place)
    (words_add_product words limbs limb place) /\
  forall k, k < place -> seq_at (words_add_product words limbs limb place) k = seq_at words k.
Proof.
  intros count most value words limbs limb place Hare Hcount Hplace (Hlength & Hlimbs) Hmost.
  destruct (loop_keeps
    (fun j acc => words_are count (most + j * (2 * LIMB_BASE))
      (value + (limb mod LIMB_BASE) * first_value limbs j * LIMB_BASE ^ place) acc /\
      forall k, k < place -> seq_at acc k = seq_at words k)
    (fun acc j => words_add_product_step acc limbs limb place j)
    (fun acc j => words_add_product_step_safe acc limbs limb place j) 0 8 words) as [S [A U]].
  - lia.
  - split; [|reflexivity]. destruct Hare as (L & B & V). repeat split; try assumption.
    + eapply Forall_impl; [|exact B]. cbn. lia.
    + rewrite V. unfold first_value. cbn [firstn N.to_nat]. change (words_value []) with 0. lia.
  - intros j acc Hj [A U].
    destruct (product_step count (most + j * (2 * LIMB_BASE))
      (value + (limb mod LIMB_BASE) * first_value limbs j * LIMB_BASE ^ place) acc limbs limb place j)
      as (S1 & A1 & U1); try assumption; try lia; try nia.
    split; [exact S1|]. split.
    + destruct A1 as (L1 & B1 & V1). repeat split; [exact L1| |].
      * eapply Forall_impl; [|exact B1]. cbn. lia.
      * rewrite V1, first_value_next by lia. rewrite N.pow_add_r. ring.
    + intros k Hk. rewrite U1 by lia. apply U, Hk.
  - split; [exact S|]. split; [|exact U].
    rewrite <- first_value_all, Hlength. destruct A as (L & B & V). repeat split; [exact L| |exact V].
    eapply Forall_impl; [|exact B]. cbn. lia.
Qed.

(** * Carries *)

Lemma carry_step : forall count most value words i,
  words_are count most value words -> count <= 16 -> i + 1 < count -> most + LIMB_BASE <= 2 ^ 64 ->
  words_carried_step_safe words i = true /\
  words_are count (most + LIMB_BASE) value (words_carried_step words i) /\
  seq_at (words_carried_step words i) i = seq_at words i mod LIMB_BASE /\
  forall k, k <> i -> k <> i + 1 -> seq_at (words_carried_step words i) k = seq_at words k.
Proof.
  intros count most value words i Hare Hcount Hi Hmost. pose proof Hare as (L & B & V).
  assert (Hat : seq_at words i <= most) by (apply at_most; [exact B|lia]).
  assert (Hcarry : seq_at words i / LIMB_BASE < LIMB_BASE).
  { apply N.div_lt_upper_bound; unfold LIMB_BASE in *; lia. }
  pose proof (N.mod_upper_bound (seq_at words i) LIMB_BASE ltac:(discriminate)) as Hrest.
  pose proof (N.div_mod (seq_at words i) LIMB_BASE ltac:(discriminate)) as Hsplit.
  destruct (add_words count most value words (i + 1) (seq_at words i / LIMB_BASE)) as [S1 (L1 & B1 & V1)];
    try assumption; try lia.
  assert (Hkept : seq_at (words_add words (i + 1) (seq_at words i / LIMB_BASE)) i = seq_at words i).
  { unfold words_add. apply with_elsewhere. lia. }
  split; [|split; [|split]].
  - unfold words_carried_step_safe, within_usize. cbn zeta. rewrite S1, with_safe by lia.
    repeat (apply andb_true_intro; split); try reflexivity; apply N.ltb_lt; lia.
  - unfold words_carried_step. cbn zeta. repeat split.
    + rewrite with_length. exact L1.
    + apply with_most; [|unfold LIMB_BASE in *; lia]. eapply Forall_impl; [|exact B1]. cbn. lia.
    + pose proof (with_value (words_add words (i + 1) (seq_at words i / LIMB_BASE)) i (seq_at words i mod LIMB_BASE))
        as E. rewrite V1, Hkept in E. specialize (E ltac:(lia)).
      rewrite N.pow_add_r, N.pow_1_r in E.
      assert (F : seq_at words i * LIMB_BASE ^ i =
        (LIMB_BASE * (seq_at words i / LIMB_BASE) + seq_at words i mod LIMB_BASE) * LIMB_BASE ^ i)
        by (rewrite <- Hsplit; reflexivity).
      rewrite F in E. clear F Hsplit. lia.
  - unfold words_carried_step. cbn zeta. apply with_at. lia.
  - intros k Hk Hk'. unfold words_carried_step. cbn zeta. rewrite with_elsewhere by lia.
    unfold words_add. apply with_elsewhere. lia.
Qed.

Lemma carried : forall count most value words places,
  words_are count most value words -> count <= 16 -> places < count -> most + places * LIMB_BASE <= 2 ^ 64 ->
  words_carried_safe words places = true /\
  words_are count (most + places * LIMB_BASE) value (words_carried words places) /\
  forall k, k < places -> seq_at (words_carried words places) k < LIMB_BASE.
Proof.
  intros count most value words places Hare Hcount Hplaces Hmost.
  destruct (loop_keeps
    (fun i acc => words_are count (most + i * LIMB_BASE) value acc /\ forall k, k < i -> seq_at acc k < LIMB_BASE)
    words_carried_step words_carried_step_safe 0 places words) as [S [A U]].
  - lia.
  - split; [|intros; lia]. eapply are_weaker; [|exact Hare]. lia.
  - intros i acc Hi [A U].
    destruct (carry_step count (most + i * LIMB_BASE) value acc i) as (S1 & A1 & E1 & U1); try assumption; try lia; try nia.
    split; [exact S1|]. split.
    + eapply are_weaker; [|exact A1]. lia.
    + intros k Hk. destruct (N.eq_dec k i) as [->|Hne].
      * rewrite E1. apply N.mod_upper_bound. discriminate.
      * rewrite U1 by lia. apply U. lia.
  - auto.
Qed.
