(** Honest runs of queries.

    - [images_through], [assignment_of]: where a row goes through all servers.
    - [through_out], [through_in]: after all servers row π(i) decrypts to what row i of the first column did, and backward row i
      to what row π(i) did, π being where rows go through all servers.
    - [sum_decrypts]: a target's sum decrypts to the number of its rows with a 1.
    - [blind_decrypts], [blind_zero]: zero tests multiply what a target decrypts to by factors that are not 0.
    - [results_at], [decrypted_row_at], [read_said]: decryption gives these numbers, and they are read.
    - [run_said]: what a run reads of a column whose bits are known. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Column Mixnet.Sharing Mixnet.Threshold
  Mixnet.ZeroTest Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Mixnet.LinearRelation
  Spec.Mixnet.Column Lemmas.ColumnCount Spec.Mixnet.Lagrange Spec.Mixnet.Threshold Spec.Mixnet.Trace.
Import ListNotations.
Local Open Scope N_scope.

Section Run.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** Where row i goes through all servers. *)
Definition images_through (mixers : list TraceMixer) (i : N) : N :=
  fold_left (fun i mixer => seq_at (mixer_images mixer) i) mixers i.

Definition assignment_of (mixers : list TraceMixer) (n : N) : list N := map (images_through mixers) (range 0 n).

(** All servers' images are permutations of n rows. *)
Definition all_permute (mixers : list TraceMixer) (n : N) : Prop :=
  forall mixer, In mixer mixers -> permutes (mixer_images mixer) n.

Lemma images_through_below (mixers : list TraceMixer) (n i : N) :
  all_permute mixers n -> i < n -> images_through mixers i < n.
Proof.
  revert i. induction mixers as [| m mixers IH]; intros i P L; [exact L |]. simpl.
  apply IH; [intros m' I; apply P; now right |]. apply (P m); [now left | exact L].
Qed.

Lemma images_through_injective (mixers : list TraceMixer) (n i j : N) :
  all_permute mixers n -> i < n -> j < n -> images_through mixers i = images_through mixers j -> i = j.
Proof.
  revert i j. induction mixers as [| m mixers IH]; intros i j P Li Lj E; [exact E |]. simpl in E.
  destruct (P m (or_introl eq_refl)) as (_ & In & Inj). apply Inj; [exact Li | exact Lj |].
  apply IH; [intros m' I; apply P; now right | now apply In | now apply In | exact E].
Qed.

Lemma assignment_permutes (mixers : list TraceMixer) (n : N) : all_permute mixers n -> permutes (assignment_of mixers n) n.
Proof.
  intros P. unfold assignment_of. split; [now rewrite seq_length_map, seq_length_range |]. split.
  - intros i L. rewrite nth_map_range by exact L. now apply images_through_below.
  - intros i j Li Lj E. rewrite !nth_map_range in E by assumption. now apply (images_through_injective mixers n).
Qed.

Lemma assignment_at (mixers : list TraceMixer) (n i : N) :
  i < n -> seq_at (assignment_of mixers n) i = images_through mixers i.
Proof. intros L. unfold assignment_of. now rewrite nth_map_range. Qed.

(** * The column *)

Definition forward (keys : list G1) (column : list (list G1)) (mixer : TraceMixer) : list (list G1) :=
  column_forward (mixer_images mixer) column keys (mixer_randomness mixer).

Definition backward (keys : list G1) (column : list (list G1)) (mixer : TraceMixer) : list (list G1) :=
  column_backward (mixer_images mixer) column keys (mixer_randomness mixer).

Lemma fold_range_reversed {A B : Type} `{Default B} (f : A -> B -> A) (s : list B) (acc : A) :
  fold_left (fun acc k => f acc (seq_at s (seq_length s - 1 - k))) (range 0 (seq_length s)) acc = fold_left f (rev s) acc.
Proof.
  rewrite <- (fold_range_elements f (rev s)). unfold seq_length at 3. rewrite rev_length. apply fold_left_ext_in.
  intros a k I. apply range_in in I. f_equal. unfold seq_at. rewrite rev_nth by (unfold seq_length in I; lia).
  f_equal. unfold seq_length in *. lia.
Qed.

Lemma column_forward_length (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar) :
  permutes images (seq_length rows) -> seq_length (column_forward images rows keys randomness) = seq_length rows.
Proof. intros P. apply (column_forward_prefix images rows keys randomness (seq_length rows) P). lia. Qed.

Lemma column_backward_length (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar) :
  seq_length (column_backward images rows keys randomness) = seq_length rows.
Proof.
  unfold column_backward, column_backward_step. cbv zeta.
  rewrite (fold_range_append (fun i => column_reencrypt_row (seq_at rows (seq_at images i)) keys
    (scalar_at randomness (seq_at images i)))). simpl app. now rewrite seq_length_map, seq_length_range.
Qed.

Lemma through_out (mixers : list TraceMixer) (keys : list G1) (secret : Scalar) (n : N) :
  1 < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys 1 = g1_multiple secret -> all_permute mixers n ->
  forall first, seq_length first = n ->
  seq_length (fold_left (forward keys) mixers first) = n /\
  forall i, i < n -> decrypted (seq_at (fold_left (forward keys) mixers first) (images_through mixers i)) secret 1
    = decrypted (seq_at first i) secret 1.
Proof.
  intros K G Y. induction mixers as [| m mixers IH]; intros P first L; [split; [exact L | reflexivity] |]. simpl.
  pose proof (P m (or_introl eq_refl)) as Pm.
  destruct (IH (fun m' I => P m' (or_intror I)) (forward keys first m)) as [A B].
  { unfold forward. rewrite column_forward_length by now rewrite L. exact L. }
  split; [exact A |]. intros i Li. rewrite B by now apply Pm. unfold forward.
  rewrite column_forward_at by (rewrite L; assumption). apply reencrypted_decrypts; [lia | exact G | exact Y].
Qed.

Lemma through_in (mixers : list TraceMixer) (keys : list G1) (secret : Scalar) (n : N) (first : list (list G1)) :
  1 < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys 1 = g1_multiple secret -> all_permute mixers n ->
  seq_length first = n ->
  seq_length (fold_left (backward keys) (rev mixers) first) = n /\
  forall i, i < n -> decrypted (seq_at (fold_left (backward keys) (rev mixers) first) i) secret 1
    = decrypted (seq_at first (images_through mixers i)) secret 1.
Proof.
  intros K G Y. induction mixers as [| m mixers IH]; intros P L; [split; [exact L | reflexivity] |].
  pose proof (P m (or_introl eq_refl)) as Pm. destruct (IH (fun m' I => P m' (or_intror I)) L) as [A B].
  cbn [rev]. rewrite fold_left_app. cbn [fold_left]. unfold backward at 1 3.
  split; [now rewrite column_backward_length |]. intros i Li. rewrite column_backward_at by (rewrite A; exact Li).
  rewrite reencrypted_decrypts by (try assumption; lia). rewrite B by now apply Pm. reflexivity.
Qed.

Lemma trace_through_folds (direction : TraceDirection) (mixers : list TraceMixer) (keys : list G1) (first : list (list G1)) :
  trace_through direction mixers keys first
  = match direction with
    | TraceDirection_TraceIn => fold_left (backward keys) (rev mixers) first
    | TraceDirection_TraceOut => fold_left (forward keys) mixers first
    end.
Proof.
  unfold trace_through, trace_through_step. destruct direction.
  - exact (fold_range_reversed (backward keys) mixers first).
  - exact (fold_range_elements (forward keys) mixers first).
Qed.

(** * Sums *)

Definition bit_element (b : bool) : G1 := g1_multiple (scalar_of_N (bit_of b)).

Lemma trace_component_total (column : list (list G1)) (rows : list N) (l : N) :
  g1_exponent (trace_component column rows l) = list_total (map (fun j => g1_exponent (g1_at (seq_at column j) l)) rows).
Proof.
  unfold trace_component, trace_component_step.
  rewrite (fold_range_elements (fun total j => g1_add total (g1_at (seq_at column j) l))).
  enough (forall t, g1_exponent (fold_left (fun total j => g1_add total (g1_at (seq_at column j) l)) rows t)
    = g1_exponent t [+] list_total (map (fun j => g1_exponent (g1_at (seq_at column j) l)) rows)) as E.
  { rewrite E. group_exponents. ring. }
  induction rows as [| j rows IH]; intros t; simpl; [ring |]. rewrite IH. group_exponents. ring.
Qed.

Lemma sum_decrypts (column : list (list G1)) (rows : list N) (secret : Scalar) (bits : N -> bool) :
  (forall j, In j rows -> decrypted (seq_at column j) secret 1 = bit_element (bits j)) ->
  decrypted (trace_sum column rows) secret 1 = g1_multiple (scalar_of_N (count_true bits rows)).
Proof.
  intros B. unfold decrypted, trace_sum. cbv zeta. simpl app.
  change (g1_at [trace_component column rows 0; trace_component column rows 1] 1) with (trace_component column rows 1).
  change (g1_at [trace_component column rows 0; trace_component column rows 1] 0) with (trace_component column rows 0).
  apply g1_ext. group_exponents. rewrite !trace_component_total. unfold count_true.
  induction rows as [| j rows IH]; [simpl; ring |]. specialize (IH (fun k I => B k (or_intror I))).
  specialize (B j (or_introl eq_refl)). apply g1_ext_iff in B. unfold decrypted, bit_element, bit_of in B. group_exponents.
  cbn [map list_total fold_right filter]. fold (list_total (map (fun j => g1_exponent (g1_at (seq_at column j) 0)) rows)).
  fold (list_total (map (fun j => g1_exponent (g1_at (seq_at column j) 1)) rows)).
  transitivity (scalar_of_N (N.of_nat (length (filter bits rows))) [+] scalar_of_N (if bits j then 1 else 0)).
  - rewrite <- IH, <- B. ring.
  - destruct (bits j); cbn [length]; rewrite ?Nat2N.inj_succ, <- ?N.add_1_r, ?scalar_of_N_add; ring.
Qed.

(** * Zero tests *)

Lemma zero_test_blind_map (targets : list (list G1)) (factors : list Scalar) :
  zero_test_blind targets factors
  = map (fun j => [g1_scale (scalar_at factors j) (g1_at (seq_at targets j) 0);
                   g1_scale (scalar_at factors j) (g1_at (seq_at targets j) 1)]) (range 0 (seq_length targets)).
Proof. exact (fold_range_append _ 0 (seq_length targets) []). Qed.

(** The factors of all servers for so many targets are not 0. *)
Definition factors_nonzero (mixers : list TraceMixer) (count : N) : Prop :=
  forall mixer p, In mixer mixers -> p < count -> scalar_at (mixer_factors mixer) p <> scalar_of_N 0.

Lemma blind_decrypts (mixers : list TraceMixer) (tested : list (list G1)) (secret : Scalar) :
  factors_nonzero mixers (seq_length tested) ->
  seq_length (trace_blind mixers tested) = seq_length tested /\
  forall p, p < seq_length tested -> exists zeta, zeta <> scalar_of_N 0 /\
    decrypted (seq_at (trace_blind mixers tested) p) secret 1 = g1_scale zeta (decrypted (seq_at tested p) secret 1).
Proof.
  unfold trace_blind, trace_blind_step.
  rewrite (fold_range_elements (fun blinded mixer => zero_test_blind blinded (mixer_factors mixer)) mixers).
  revert tested. induction mixers as [| m mixers IH]; intros tested N.
  - split; [reflexivity |]. intros p _. exists (scalar_of_N 1). split; [exact scalar_one_nonzero |]. simpl. group_solve.
  - simpl fold_left. assert (seq_length (zero_test_blind tested (mixer_factors m)) = seq_length tested) as L
      by (now rewrite zero_test_blind_map, seq_length_map, seq_length_range).
    destruct (IH (zero_test_blind tested (mixer_factors m))) as [A B].
    { intros m' p I Lp. apply N; [now right | now rewrite <- L]. }
    split; [now rewrite A |]. intros p Lp. destruct (B p) as (zeta & Z & E); [now rewrite L |].
    exists (zeta [*] scalar_at (mixer_factors m) p).
    split; [apply scalar_mul_nonzero; [exact Z | apply N; [now left | exact Lp]] |].
    rewrite E, zero_test_blind_map, nth_map_range by exact Lp. unfold decrypted.
    change (g1_at [?a; ?b] 1) with b. change (g1_at [?a; ?b] 0) with a. group_solve.
Qed.

Lemma blind_zero (mixers : list TraceMixer) (tested : list (list G1)) (secret : Scalar) (p : N) :
  factors_nonzero mixers (seq_length tested) -> p < seq_length tested ->
  decrypted (seq_at (trace_blind mixers tested) p) secret 1 = g1_identity <-> decrypted (seq_at tested p) secret 1 = g1_identity.
Proof.
  intros N L. destruct (proj2 (blind_decrypts mixers tested secret N) p L) as (zeta & Z & ->). split.
  - intros E. apply g1_ext_iff in E. apply g1_ext. group_exponents. now destruct (scalar_mul_zero _ _ E).
  - intros ->. group_solve.
Qed.

Lemma trace_place_count (reveal : TraceReveal) (targets : list (list N)) (number : N) :
  trace_place reveal targets number
  = count_true (fun i => trace_tested reveal (seq_at targets i)) (range 0 number).
Proof. exact (fold_count (fun i => trace_tested reveal (seq_at targets i)) (range 0 number) 0). Qed.

Lemma trace_test_sums_map (reveal : TraceReveal) (targets : list (list N)) (column : list (list G1)) :
  trace_test_sums reveal targets column
  = map (fun i => trace_sum column (seq_at targets i))
      (filter (fun i => trace_tested reveal (seq_at targets i)) (range 0 (seq_length targets))).
Proof.
  exact (fold_filter (fun i => trace_tested reveal (seq_at targets i)) (fun i => trace_sum column (seq_at targets i)) _ []).
Qed.

Lemma test_sum_at (reveal : TraceReveal) (targets : list (list N)) (column : list (list G1)) (number : N) :
  number < seq_length targets -> trace_tested reveal (seq_at targets number) = true ->
  trace_place reveal targets number < seq_length (trace_test_sums reveal targets column) /\
  seq_at (trace_test_sums reveal targets column) (trace_place reveal targets number) = trace_sum column (seq_at targets number).
Proof.
  intros L T. rewrite trace_place_count, trace_test_sums_map.
  rewrite (range_split 0 number (seq_length targets)) by lia. rewrite (range_first number) by exact L.
  rewrite filter_app. simpl filter. rewrite T, map_app. cbn [map]. unfold count_true.
  set (before := filter _ (range 0 number)). split.
  - unfold seq_length. rewrite app_length, map_length. simpl. lia.
  - rewrite seq_at_app_r by (unfold seq_length; rewrite map_length; lia).
    replace (N.of_nat (length before) - seq_length _) with 0 by (unfold seq_length; rewrite map_length; lia).
    apply seq_at_zero.
Qed.

(** * Results *)

Lemma trace_decrypted_map (reveal : TraceReveal) (targets : list (list N)) (column blinded : list (list G1)) :
  trace_decrypted reveal targets column blinded
  = map (fun number => if trace_tested reveal (seq_at targets number)
        then (if trace_place reveal targets number <? seq_length blinded
              then seq_at blinded (trace_place reveal targets number) else [])
        else trace_sum column (seq_at targets number)) (range 0 (seq_length targets)).
Proof.
  rewrite <- (app_nil_l (map _ _)). rewrite <- fold_range_append. apply fold_left_ext_in. intros rows number _.
  unfold trace_decrypted_step. now destruct (trace_tested reveal (seq_at targets number)).
Qed.

Lemma trace_shares_map (coefficients : list Scalar) (servers : list N) (first : G1) :
  trace_shares coefficients servers first = map (fun k => g1_scale (share_of coefficients k) first) servers.
Proof.
  unfold trace_shares, trace_shares_step.
  rewrite (fold_range_elements (fun shares k => shares ++ [g1_at (decryption_row_shares ([] ++ [share_of coefficients k]) first) 0])).
  now rewrite fold_append.
Qed.

Lemma results_at (coefficients : list Scalar) (servers : list N) (querier : Scalar) (rows : list (list G1)) (number : N) :
  distinct_servers servers -> (length coefficients <= length servers)%nat -> number < seq_length rows ->
  g1_at (trace_results coefficients servers querier rows) number
  = decrypted (seq_at rows number) (scalar_at coefficients 0 [+] querier) 1.
Proof.
  intros D L Ln. unfold trace_results, trace_results_step. cbv zeta.
  rewrite (fold_range_append (fun number => g1_subtract (decryption_plaintext (g1_at (seq_at rows number) 1) servers
      (trace_shares coefficients servers (g1_at (seq_at rows number) 0)))
    (g1_scale querier (g1_at (seq_at rows number) 0)))). simpl app. rewrite g1_at_map by exact Ln.
  rewrite trace_shares_map, decryption_plaintext_correct by assumption. unfold decrypted. group_solve.
Qed.

(** The numbers up to a bound are different scalars. *)
Definition numbers_differ (bound : N) : Prop :=
  forall a b, a < bound -> b < bound -> scalar_of_N a = scalar_of_N b -> a = b.

Lemma trace_number_found (number bound : N) :
  numbers_differ bound -> number < bound -> trace_number (g1_multiple (scalar_of_N number)) bound = Some number.
Proof.
  intros D L. unfold trace_number.
  assert (forall a b found, trace_number_step found a b = match found with Some x => Some x | None =>
    if g1_equal (g1_multiple (scalar_of_N b)) a then Some b else None end) as Step by (intros; reflexivity).
  enough (forall m, m <= bound -> fold_left (fun found n => trace_number_step found (g1_multiple (scalar_of_N number)) n)
    (range 0 m) None = if number <? m then Some number else None) as E.
  { rewrite E by lia. now rewrite (proj2 (N.ltb_lt _ _) L). }
  induction m as [| m IH] using N.peano_ind; intros Lm; [now rewrite (proj2 (N.ltb_ge number 0)) by lia |].
  rewrite <- N.add_1_r, range_last, fold_left_app, IH by lia. simpl fold_left. rewrite Step.
  destruct (N.ltb_spec number m) as [B | B].
  - now rewrite (proj2 (N.ltb_lt number (m + 1))) by lia.
  - destruct (g1_equal (g1_multiple (scalar_of_N m)) (g1_multiple (scalar_of_N number))) eqn:Q.
    + apply g1_equal_iff, g1_ext_iff in Q. rewrite !g1_exponent_multiple in Q. apply D in Q; [| lia | exact L]. subst.
      now rewrite (proj2 (N.ltb_lt number (number + 1))) by lia.
    + destruct (N.ltb_spec number (m + 1)) as [C | C]; [| reflexivity]. exfalso. replace m with number in Q by lia.
      rewrite (proj2 (g1_equal_iff _ _) eq_refl) in Q. discriminate.
Qed.

Lemma trace_read_all (reveal : TraceReveal) (targets : list (list N)) (rows : N) (results : list G1) (said : N -> N) :
  (forall number, number < seq_length targets ->
   trace_read_one reveal (seq_at targets number) rows (g1_at results number) = Some (said number)) ->
  trace_read reveal targets rows results = Some (map said (range 0 (seq_length targets))).
Proof.
  intros E. unfold trace_read.
  enough (forall m, m <= seq_length targets -> fold_left (fun read number => trace_read_step read reveal targets rows results number)
    (range 0 m) (Some []) = Some (map said (range 0 m))) as G by (apply G; lia).
  induction m as [| m IH] using N.peano_ind; intros L; [reflexivity |].
  rewrite <- N.add_1_r, range_last, fold_left_app, IH, map_app by lia. simpl fold_left. unfold trace_read_step.
  rewrite E by lia. reflexivity.
Qed.

(** So many rows a target may have, that its number is read. *)
Definition length_fits (reveal : TraceReveal) (target : list N) (n : N) : Prop :=
  match reveal with
  | TraceReveal_RevealEach => seq_length target < 2 ^ TRACE_PACKED
  | TraceReveal_RevealAny => seq_length target <= n /\ (trace_tested reveal target = false -> seq_length target <= 1)
  | TraceReveal_RevealCount => seq_length target <= n
  end.

(** What is read of results: of a target that is tested for zero a multiple of what its sum decrypts to, of others that itself. *)
Lemma read_said (reveal : TraceReveal) (targets : list (list N)) (n : N) (column : list (list G1)) (secret : Scalar)
    (results : list G1) (bits : N -> bool) :
  numbers_differ (n + 2 ^ TRACE_PACKED) ->
  (forall target j, In target targets -> In j target -> decrypted (seq_at column j) secret 1 = bit_element (bits j)) ->
  (forall target, In target targets -> length_fits reveal target n) ->
  (forall number, number < seq_length targets -> exists zeta,
     zeta <> scalar_of_N 0 /\ (trace_tested reveal (seq_at targets number) = false -> zeta = scalar_of_N 1) /\
     g1_at results number = g1_scale zeta (decrypted (trace_sum column (seq_at targets number)) secret 1)) ->
  trace_read reveal targets n results = Some (map (said_of reveal bits) targets).
Proof.
  intros Numbers Bits Short Results. rewrite <- (map_seq_at (said_of reveal bits) targets).
  apply trace_read_all. intros number Ln. destruct (Results number Ln) as (zeta & Z & One & ->).
  set (target := seq_at targets number) in *. assert (In target targets) as It by now apply seq_at_in.
  pose proof (Short target It) as Fits. change (2 ^ TRACE_PACKED) with 256 in Numbers.
  rewrite (sum_decrypts column target secret bits (fun j I => Bits target j It I)).
  pose proof (count_at_most bits target) as Count. unfold said_of, trace_read_one.
  destruct (trace_tested reveal target) eqn:T.
  - destruct reveal; try discriminate T. destruct Fits as [Most _]. cbv iota. try rewrite T. f_equal. destruct (g1_equal _ g1_identity) eqn:Q.
    + apply g1_equal_iff, g1_ext_iff in Q. group_exponents. destruct (scalar_mul_zero _ _ Q) as [H | H]; [contradiction |].
      apply Numbers in H; [| lia | lia]. rewrite H. reflexivity.
    + destruct (N.ltb_spec 0 (count_true bits target)) as [B | B]; [reflexivity |]. exfalso.
      replace (count_true bits target) with 0 in Q by lia. apply not_true_iff_false in Q. apply Q, g1_equal_iff. group_solve.
  - rewrite One by reflexivity.
    replace (g1_scale (scalar_of_N 1) (g1_multiple (scalar_of_N (count_true bits target))))
      with (g1_multiple (scalar_of_N (count_true bits target))) by group_solve.
    assert (numbers_differ 2) as Two by (intros a b A B; apply Numbers; lia).
    assert (numbers_differ (n + 1)) as Up by (intros a b A B; apply Numbers; lia).
    destruct reveal; cbv iota; cbn [length_fits] in Fits.
    + change (2 ^ TRACE_PACKED) with 256 in Fits. apply trace_number_found; [intros a b A B; apply Numbers; lia |]. lia.
    + destruct Fits as [_ Single]. try rewrite T. apply trace_number_found; [exact Two |]. specialize (Single T). lia.
    + apply trace_number_found; [exact Up |]. lia.
Qed.

(** The row that is decrypted of a target: a multiple of its sum, if the blinded rows are multiples of the tested ones. *)
Lemma decrypted_row_at (reveal : TraceReveal) (targets : list (list N)) (column blinded : list (list G1)) (secret : Scalar)
    (number : N) :
  let tests := trace_test_sums reveal targets column in
  seq_length blinded = seq_length tests ->
  (forall p, p < seq_length tests -> exists zeta, zeta <> scalar_of_N 0 /\
     decrypted (seq_at blinded p) secret 1 = g1_scale zeta (decrypted (seq_at tests p) secret 1)) ->
  number < seq_length targets ->
  exists zeta, zeta <> scalar_of_N 0 /\ (trace_tested reveal (seq_at targets number) = false -> zeta = scalar_of_N 1) /\
    decrypted (seq_at (trace_decrypted reveal targets column blinded) number) secret 1
    = g1_scale zeta (decrypted (trace_sum column (seq_at targets number)) secret 1).
Proof.
  intros tests LB Blind Ln. rewrite trace_decrypted_map, nth_map_range by exact Ln.
  destruct (trace_tested reveal (seq_at targets number)) eqn:T.
  - destruct (test_sum_at reveal targets column number Ln T) as [Lp At]. fold tests in Lp, At.
    rewrite LB, (proj2 (N.ltb_lt _ _) Lp). destruct (Blind _ Lp) as (zeta & Z & E). exists zeta. rewrite E, At.
    split; [exact Z |]. split; [discriminate | reflexivity].
  - exists (scalar_of_N 1). split; [exact scalar_one_nonzero |]. split; [reflexivity |]. group_solve.
Qed.

(** What a run reads of a column that decrypts to these bits. *)
Lemma run_said (query : TraceQuery) (outputs : list (list G1)) (mixers : list TraceMixer) (coefficients : list Scalar)
    (servers : list N) (querier : Scalar) (bits : N -> bool) :
  let n := seq_length outputs in
  let targets := trace_targets query outputs in
  let keys := trace_keys coefficients querier in
  let column := trace_through (trace_direction query) mixers keys (trace_first_column query outputs) in
  let secret := scalar_at coefficients 0 [+] querier in
  distinct_servers servers -> (length coefficients <= length servers)%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  factors_nonzero mixers (seq_length targets) ->
  (forall target j, In target targets -> In j target -> decrypted (seq_at column j) secret 1 = bit_element (bits j)) ->
  (forall target, In target targets -> length_fits (trace_reveal query) target n) ->
  trace_run query outputs mixers coefficients servers querier
  = Some (trace_answer query (map (said_of (trace_reveal query) bits) targets)).
Proof.
  intros n targets keys column secret D L Numbers Factors Bits Short. unfold trace_run. cbv zeta.
  fold keys. fold column. fold targets. fold n.
  set (tests := trace_test_sums (trace_reveal query) targets column).
  rewrite (read_said (trace_reveal query) targets n column secret _ bits); try assumption; [reflexivity |]. intros number Ln.
  assert (seq_length tests <= seq_length targets) as Few.
  { unfold tests. rewrite trace_test_sums_map, seq_length_map. etransitivity; [apply (count_at_most _ (range 0 (seq_length targets))) |].
    rewrite seq_length_range. lia. }
  destruct (blind_decrypts mixers tests secret) as [LB Blind].
  { intros m p I Lp. apply Factors; [exact I |]. lia. }
  rewrite results_at by (try assumption; rewrite trace_decrypted_map, seq_length_map, seq_length_range; exact Ln).
  now apply decrypted_row_at.
Qed.

End Run.
