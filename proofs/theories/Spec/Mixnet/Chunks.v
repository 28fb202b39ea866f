(** Values as chunks.

    - [chunk_numbers_pairs], [chunk_bytes_pairs], [pairs_chunk_bytes]: bytes and chunks are the same, two bytes a chunk.
    - [unpadded_padded], [padded_value_length]: what a value is written as gives it back, and has the width.
    - [chunks_value_iff]: exactly the chunks of a value are accepted, for that value.
    - [element_chunk_iff], [elements_chunks_iff]: exactly the multiples of the generator by numbers of 16 bits are read.
    - [encrypted_chunks_decrypt]: a row of chunks decrypts to them. *)

From Coq Require Import Arith NArith List Bool Lia ZArith Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Group Mixnet.Column Mixnet.Chunks.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Base.Bytes Spec.Mixnet.Column.
Import ListNotations.
Local Open Scope N_scope.

(** * Two bytes a chunk *)

Fixpoint pairs (padded : list N) : list N :=
  match padded with
  | high :: low :: rest => (high * 256 + low) :: pairs rest
  | _ => []
  end.

Lemma pairs_induction (P : list N -> Prop) :
  P [] -> (forall a, P [a]) -> (forall a b s, P s -> P (a :: b :: s)) -> forall s, P s.
Proof.
  intros E O T. assert (forall s, P s /\ forall a, P (a :: s)) as G; [| intros s; apply G].
  induction s as [| b s [A B]]; [now split |]. split; [apply B |]. intros a. now apply T.
Qed.

(** Bytes are below 256. *)
Definition small_bytes (x : list N) : Prop := Forall (fun byte => byte < 256) x.

Lemma u16_bytes_pair (high low : N) : high < 256 -> low < 256 -> u16_bytes (high * 256 + low) = [high; low].
Proof.
  intros H L. set (x := high * 256 + low).
  change (u16_bytes x) with [((x / 256 mod 256) mod 256) mod 2 ^ 8; ((x mod 256) mod 256) mod 2 ^ 8].
  change (2 ^ 8) with 256.
  assert (x / 256 = high) as -> by (symmetry; apply (N.div_unique x 256 high low); unfold x; lia).
  assert (x mod 256 = low) as -> by (symmetry; apply (N.mod_unique x 256 high low); unfold x; lia).
  now rewrite !(N.mod_small high), !(N.mod_small low) by assumption.
Qed.

Lemma u16_bytes_split (x : N) : x < 65536 -> exists high low, u16_bytes x = [high; low] /\ high < 256 /\ low < 256 /\ x = high * 256 + low.
Proof.
  intros L. exists (x / 256), (x mod 256). pose proof (N.div_mod x 256 ltac:(discriminate)) as E.
  assert (x mod 256 < 256) by (apply N.mod_lt; discriminate).
  assert (x / 256 < 256) by (apply N.div_lt_upper_bound; lia).
  repeat split; try assumption; [| lia]. rewrite <- u16_bytes_pair by assumption. f_equal. lia.
Qed.

Lemma chunk_of_pair (high low : N) : high < 256 -> low < 256 -> usize_of_u128 (number_of_bytes [high; low]) = high * 256 + low.
Proof.
  intros H L. change (number_of_bytes [high; low]) with ((0 * 256 + high) * 256 + low). unfold usize_of_u128.
  change (2 ^ 64) with 18446744073709551616. rewrite N.add_0_l.
  rewrite (N.mod_small (high * 256 + low)) by lia. apply N.mod_small. lia.
Qed.

Lemma chunk_numbers_map (padded : ByteString) :
  chunk_numbers padded
  = map (fun i => usize_of_u128 (number_of_bytes (seq_slice padded (2 * i) 2))) (range 0 (seq_length padded / 2)).
Proof. exact (fold_range_append (fun i => usize_of_u128 (number_of_bytes (seq_slice padded (2 * i) 2))) 0 _ []). Qed.

Lemma slice_pair (a b : N) (s : list N) (i : N) : seq_slice (a :: b :: s) (2 * (i + 1)) 2 = seq_slice s (2 * i) 2.
Proof. unfold seq_slice. now replace (N.to_nat (2 * (i + 1))) with (S (S (N.to_nat (2 * i)))) by lia. Qed.

Lemma chunk_numbers_pairs (padded : ByteString) : small_bytes padded -> chunk_numbers padded = pairs padded.
Proof.
  rewrite chunk_numbers_map. induction padded as [| a | a b s IH] using pairs_induction; intros Small; [reflexivity | reflexivity |].
  assert (seq_length (a :: b :: s) / 2 = seq_length s / 2 + 1) as ->.
  { rewrite !seq_length_cons. replace (seq_length s + 1 + 1) with (seq_length s + 1 * 2) by lia. now rewrite N.div_add by discriminate. }
  inversion Small as [| ? ? A R]; subst. inversion R as [| ? ? B S]; subst.
  rewrite (range_first 0) by (generalize (seq_length s / 2); lia). change (0 + 1) with 1. rewrite range_shift. cbn [map pairs]. rewrite map_map. f_equal.
  - change (seq_slice (a :: b :: s) (2 * 0) 2) with [a; b]. now apply chunk_of_pair.
  - rewrite <- IH by exact S. apply map_ext. intros i. now rewrite slice_pair.
Qed.

Lemma chunk_bytes_flat (chunks : list N) : chunk_bytes chunks = flat_map u16_bytes chunks.
Proof.
  unfold chunk_bytes, chunk_bytes_step. rewrite (fold_range_elements (fun padded chunk => padded ++ u16_bytes chunk)).
  exact (fold_append_list u16_bytes chunks []).
Qed.

Lemma chunk_bytes_pairs (padded : ByteString) :
  small_bytes padded -> N.even (seq_length padded) = true -> chunk_bytes (pairs padded) = padded.
Proof.
  rewrite chunk_bytes_flat. induction padded as [| a | a b s IH] using pairs_induction; intros Small Even; [reflexivity | discriminate |].
  inversion Small as [| ? ? A R]; subst. inversion R as [| ? ? B S]; subst.
  cbn [pairs flat_map]. rewrite u16_bytes_pair by assumption. cbn [app]. rewrite IH; [reflexivity | exact S |].
  rewrite !seq_length_cons in Even. replace (seq_length s + 1 + 1) with (seq_length s + 2 * 1) in Even by lia.
  now rewrite N.even_add_mul_2 in Even.
Qed.

Lemma pairs_chunk_bytes (chunks : list N) :
  Forall (fun chunk => chunk < 65536) chunks -> pairs (chunk_bytes chunks) = chunks /\ small_bytes (chunk_bytes chunks).
Proof.
  rewrite chunk_bytes_flat. induction 1 as [| x s L _ [IH Small]]; [split; [reflexivity | constructor] |].
  destruct (u16_bytes_split x L) as (high & low & E & H & Lo & ->). cbn [flat_map]. rewrite E. cbn [app pairs].
  rewrite IH. split; [reflexivity |]. now constructor; [| constructor].
Qed.

Lemma chunk_bytes_length (chunks : list N) : seq_length (chunk_bytes chunks) = 2 * seq_length chunks.
Proof.
  rewrite chunk_bytes_flat. induction chunks as [| x s IH]; [reflexivity |]. cbn [flat_map].
  rewrite seq_length_app, seq_length_cons, IH. unfold u16_bytes, u128_of_usize. rewrite big_endian_length. lia.
Qed.

(** * What a value is written as *)

Lemma value_width_iff (width : N) :
  value_width_legal width = true <-> 2 <= width <= 32 /\ width mod 2 = 0.
Proof. unfold value_width_legal, MOST_VALUE_BYTES. rewrite !andb_true_iff, !N.leb_le, N.eqb_eq. lia. Qed.

Lemma u8_bytes_small (x : N) : x < 256 -> u8_bytes x = [x].
Proof.
  intros L. change (u8_bytes x) with [((x mod 256) mod 256) mod 2 ^ 8]. change (2 ^ 8) with 256.
  now rewrite !(N.mod_small x 256 L).
Qed.

Lemma padded_value_cases (content padded : ByteString) (width : N) :
  padded_value content width = Some padded ->
  value_width_legal width = true /\ seq_length padded = width /\
  ((width = 2 /\ padded = content) \/
   (2 < width /\ seq_length content < width /\
    padded = seq_length content :: content ++ seq_new (width - 1 - seq_length content))).
Proof.
  unfold padded_value. destruct (value_width_legal width) eqn:W; [| discriminate]. cbn [negb]. intros E. split; [reflexivity |].
  apply value_width_iff in W as [[W1 W2] _]. destruct (N.eqb_spec width 2) as [-> | N2].
  - destruct (N.eqb_spec (seq_length content) 2) as [L |]; [| discriminate]. injection E as <-. split; [exact L | now left].
  - destruct (N.ltb_spec (seq_length content) width) as [L |]; [| discriminate]. cbv zeta in E.
    rewrite u8_bytes_small in E by lia. injection E as <-. cbn [app]. rewrite seq_length_cons, seq_length_app, seq_new_length. split; [lia |]. right.
    split; [lia |]. now split.
Qed.

Lemma unpadded_padded (content padded : ByteString) (width : N) :
  padded_value content width = Some padded -> unpadded_value padded = content.
Proof.
  intros E. apply padded_value_cases in E as (W & L & [[-> ->] | (W2 & Lc & ->)]); unfold unpadded_value; rewrite L.
  - now rewrite (proj2 (N.ltb_lt 2 3)) by lia.
  - rewrite (proj2 (N.ltb_ge width 3)) by (apply value_width_iff in W as [_ M]; destruct (N.eq_dec width 2); lia).
    apply value_width_iff in W as [[_ W] _].
    cbv zeta. rewrite seq_at_zero. unfold u128_of_u8, usize_of_u128.
    rewrite !(N.mod_small (seq_length content)) by (try (change (2 ^ 64) with 18446744073709551616); lia).
    rewrite (proj2 (N.ltb_lt _ _) Lc). unfold seq_slice. change (N.to_nat 1) with 1%nat. cbn [skipn].
    rewrite seq_length_nat. rewrite firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r.
Qed.

Lemma padded_small (content padded : ByteString) (width : N) :
  small_bytes content -> padded_value content width = Some padded -> small_bytes padded.
Proof.
  intros S E. apply padded_value_cases in E as (W & _ & [[_ ->] | (_ & L & ->)]); [exact S |].
  apply value_width_iff in W as [[_ W] _]. constructor; [lia |]. apply Forall_app. split; [exact S |].
  unfold seq_new. apply Forall_forall. intros x I. apply repeat_spec in I as ->. reflexivity.
Qed.

Lemma chunks_legal_iff (chunks : list N) :
  chunks_legal chunks = true <-> 0 < seq_length chunks <= 16 /\ Forall (fun chunk => chunk < 65536) chunks.
Proof.
  unfold chunks_legal, chunks_legal_step. rewrite (fold_range_elements (fun legal chunk => legal && (chunk <? CHUNK_NUMBERS))).
  assert (forall s b, fold_left (fun legal chunk => legal && (chunk <? CHUNK_NUMBERS)) s b = b && forallb (fun chunk => chunk <? CHUNK_NUMBERS) s) as ->.
  { induction s as [| x s IH]; intros b; cbn [fold_left forallb]; [now rewrite andb_true_r |]. now rewrite IH, andb_assoc. }
  rewrite !andb_true_iff, N.ltb_lt, N.leb_le, forallb_forall, Forall_forall. change (MOST_VALUE_BYTES / 2) with 16.
  split; intros [A B]; (split; [lia |]); intros x I; specialize (B x I); now apply N.ltb_lt in B || apply N.ltb_lt.
Qed.

Theorem chunks_value_iff (chunks : list N) (content : ByteString) : small_bytes content ->
  chunks_value chunks = Some content <-> value_chunks content (2 * seq_length chunks) = Some chunks.
Proof.
  intros Small. unfold chunks_value, value_chunks. split.
  - destruct (chunks_legal chunks) eqn:L; [| discriminate]. apply chunks_legal_iff in L as [_ L]. cbv zeta.
    rewrite chunk_bytes_length. destruct (padded_value _ _) as [again |] eqn:P; [| discriminate].
    destruct (bytes_equal_spec again (chunk_bytes chunks)) as [-> |]; [| discriminate]. intros E. injection E as E. rewrite E in P.
    rewrite P. f_equal. destruct (pairs_chunk_bytes chunks L) as [Q S]. now rewrite chunk_numbers_pairs.
  - destruct (padded_value content _) as [padded |] eqn:P; [| discriminate]. intros E. injection E as <-.
    pose proof (padded_small _ _ _ Small P) as S. pose proof (padded_value_cases _ _ _ P) as (W & Lp & _).
    apply value_width_iff in W as [W M]. rewrite chunk_numbers_pairs in * by exact S.
    assert (N.even (seq_length padded) = true) as Even by (apply N.even_spec; exists (seq_length padded / 2); rewrite Lp in *;
      pose proof (N.div_mod (2 * seq_length (pairs padded)) 2 ltac:(discriminate)); lia).
    assert (chunks_legal (pairs padded) = true) as ->.
    { apply chunks_legal_iff. split; [lia |]. clear - S. induction padded as [| a | a b s IH] using pairs_induction; [constructor | constructor |].
      inversion S as [| ? ? A R]; subst. inversion R as [| ? ? B S']; subst. constructor; [lia | now apply IH]. }
    cbv zeta. rewrite chunk_bytes_pairs by assumption. rewrite (unpadded_padded _ _ _ P), Lp, P. now rewrite bytes_equal_refl.
Qed.

Theorem value_chunks_injective (content other : ByteString) (width : N) (chunks : list N) :
  small_bytes content -> small_bytes other ->
  value_chunks content width = Some chunks -> value_chunks other width = Some chunks -> content = other.
Proof.
  intros S S' E E'. unfold value_chunks in E, E'.
  destruct (padded_value content width) as [padded |] eqn:P; [| discriminate].
  destruct (padded_value other width) as [padded' |] eqn:P'; [| discriminate]. injection E as <-. injection E' as E'.
  pose proof (padded_value_cases _ _ _ P) as (W & L & _). pose proof (padded_value_cases _ _ _ P') as (_ & L' & _).
  pose proof (padded_small _ _ _ S P) as Sp. pose proof (padded_small _ _ _ S' P') as Sp'.
  rewrite !chunk_numbers_pairs in E' by assumption.
  apply value_width_iff in W as [_ M].
  assert (N.even width = true) as Even
    by (apply N.even_spec; exists (width / 2); pose proof (N.div_mod width 2 ltac:(discriminate)); lia).
  assert (padded = padded') as ->.
  { rewrite <- (chunk_bytes_pairs padded Sp), <- (chunk_bytes_pairs padded' Sp') by congruence. now rewrite E'. }
  now rewrite <- (unpadded_padded _ _ _ P), <- (unpadded_padded _ _ _ P').
Qed.

(** * Reading elements one by one *)

Definition read_next {A : Type} (f : A -> option N) (read : option (list N)) (x : A) : option (list N) :=
  match read with
  | None => None
  | Some chunks => match f x with None => None | Some number => Some (chunks ++ [number]) end
  end.

Lemma read_each {A : Type} (f : A -> option N) (good : N -> Prop) (e : N -> A) :
  (forall x n, f x = Some n <-> good n /\ x = e n) ->
  forall s before chunks, fold_left (read_next f) s (Some before) = Some chunks <->
    exists behind, chunks = before ++ behind /\ Forall good behind /\ s = map e behind.
Proof.
  intros Reads. assert (forall s, fold_left (read_next f) s None = None) as Nothing.
  { induction s as [| x s IH]; [reflexivity | exact IH]. }
  induction s as [| x s IH]; intros before chunks; cbn [fold_left].
  - split; [intros E; injection E as <-; exists []; now rewrite app_nil_r |]. intros (behind & -> & _ & E).
    symmetry in E. apply map_eq_nil in E as ->. now rewrite app_nil_r.
  - unfold read_next at 2. destruct (f x) as [number |] eqn:E.
    + rewrite IH. split.
      * intros (behind & -> & A' & ->). apply Reads in E as [G ->]. exists (number :: behind). rewrite <- app_assoc.
        split; [reflexivity |]. split; [now constructor | reflexivity].
      * intros (behind & -> & A' & M). destruct behind as [| y behind]; [discriminate |]. cbn [map] in M. injection M as M ->.
        inversion A' as [| ? ? Gy A'']; subst. assert (f (e y) = Some y) as Y by (apply Reads; now split).
        rewrite E in Y. injection Y as ->. exists behind. rewrite <- app_assoc. now split.
    + rewrite Nothing. split; [discriminate |]. intros (behind & _ & A' & M). destruct behind as [| y behind]; [discriminate |].
      cbn [map] in M. injection M as -> _. inversion A'; subst.
      assert (f (e y) = Some y) as Y by (apply Reads; now split). congruence.
Qed.

#[local] Opaque CHUNK_NUMBERS.

Section Elements.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** Numbers of 16 bits are different scalars. *)
Definition chunks_differ : Prop := forall m n, m < CHUNK_NUMBERS -> n < CHUNK_NUMBERS -> scalar_of_N m = scalar_of_N n -> m = n.

(** The element of a chunk. *)
Definition chunk_element (chunk : N) : G1 := g1_multiple (scalar_of_N chunk).

Lemma chunk_elements_map (chunks : list N) : chunk_elements chunks = map chunk_element chunks.
Proof.
  unfold chunk_elements, chunk_elements_step.
  rewrite (fold_range_elements (fun elements chunk => elements ++ [g1_multiple (scalar_of_number (u128_of_usize chunk))])).
  exact (fold_append chunk_element chunks []).
Qed.

Lemma element_chunk_sound (s : list N) (element : G1) (found : option N) (number : N) :
  fold_left (fun found number => element_chunk_step found element number) s found = Some number ->
  found = Some number \/ (In number s /\ element = chunk_element number).
Proof.
  revert found. induction s as [| x s IH]; intros found E; [now left |]. cbn [fold_left] in E. apply IH in E as [E | [I E]].
  - unfold element_chunk_step in E. destruct found as [first |]; [now left |]. right.
    destruct (g1_equal element _) eqn:Q; [| discriminate]. injection E as <-. apply g1_equal_iff in Q. split; [now left | exact Q].
  - right. split; [now right | exact E].
Qed.

Lemma element_chunk_kept (s : list N) (element : G1) (number : N) :
  fold_left (fun found number => element_chunk_step found element number) s (Some number) = Some number.
Proof. induction s as [| x s IH]; [reflexivity | exact IH]. Qed.

Lemma element_chunk_found (s : list N) (number : N) :
  In number s -> exists found, fold_left (fun found n => element_chunk_step found (chunk_element number) n) s None = Some found.
Proof.
  induction s as [| x s IH]; intros I; [contradiction |]. cbn [fold_left]. unfold element_chunk_step at 2.
  change (scalar_of_number (u128_of_usize x)) with (scalar_of_N x).
  destruct (g1_equal (chunk_element number) (g1_multiple (scalar_of_N x))) eqn:Q.
  - exists x. apply element_chunk_kept.
  - apply IH. destruct I as [-> | I]; [| exact I]. exfalso.
    assert (g1_equal (chunk_element number) (g1_multiple (scalar_of_N number)) = true) as T by now apply g1_equal_iff. congruence.
Qed.

Lemma element_chunk_iff (element : G1) (number : N) : chunks_differ ->
  element_chunk element = Some number <-> number < CHUNK_NUMBERS /\ element = chunk_element number.
Proof.
  intros D. unfold element_chunk. split.
  - intros E. apply element_chunk_sound in E as [E | [I E]]; [discriminate |]. apply range_in in I. now split.
  - intros [L ->]. destruct (element_chunk_found (range 0 CHUNK_NUMBERS) number) as [found E]; [apply range_in; lia |].
    rewrite E. f_equal. apply element_chunk_sound in E as [E | [I E]]; [discriminate |]. apply range_in in I.
    symmetry. apply D; [exact L | lia |]. apply g1_ext_iff in E. exact E.
Qed.

#[local] Opaque element_chunk.

Lemma elements_chunks_iff (elements : list G1) (chunks : list N) : chunks_differ ->
  elements_chunks elements = Some chunks <-> Forall (fun chunk => chunk < CHUNK_NUMBERS) chunks /\ elements = chunk_elements chunks.
Proof.
  intros D. rewrite chunk_elements_map. unfold elements_chunks.
  change (fun read l => elements_chunks_step read elements l) with (fun read l => read_next element_chunk read (seq_at elements l)).
  rewrite (fold_range_elements (read_next element_chunk)).
  rewrite (read_each element_chunk (fun chunk => chunk < CHUNK_NUMBERS) chunk_element)
    by (intros; now apply element_chunk_iff).
  split; [intros (behind & -> & H); exact H | intros H; now exists chunks].
Qed.

Lemma chunk_elements_length (chunks : list N) : seq_length (chunk_elements chunks) = seq_length chunks.
Proof. now rewrite chunk_elements_map, seq_length_map. Qed.

(** A row decrypts to its chunks. *)
Lemma encrypted_chunks_decrypt (chunks : list N) (keys : list G1) (rho secret : Scalar) (l : N) :
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  decrypted (encrypted_chunks chunks keys rho) secret l = g1_at (chunk_elements chunks) (l - 1).
Proof.
  intros L G Y. unfold encrypted_chunks. cbv zeta. rewrite reencrypted_decrypts by assumption. unfold decrypted. cbn [app].
  change (g1_at (g1_identity :: chunk_elements chunks) 0) with g1_identity.
  assert (g1_at (g1_identity :: chunk_elements chunks) l = g1_at (chunk_elements chunks) (l - 1)) as ->; [| group_solve].
  assert (exists m, l = m + 1) as [m ->] by (exists (l - 1); lia). replace (m + 1 - 1) with m by lia.
  unfold g1_at. rewrite seq_length_cons, seq_at_succ.
  destruct (N.ltb_spec (m + 1) (seq_length (chunk_elements chunks) + 1)), (N.ltb_spec m (seq_length (chunk_elements chunks)));
    reflexivity || lia.
Qed.

End Elements.
