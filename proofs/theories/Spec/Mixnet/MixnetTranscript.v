(** What the challenges of a mixnet bind: one seed of two statements is a pair of different strings with one digest.

    - [permutation_seed_binds], [column_seed_binds], [decryption_seed_binds], [zero_test_seed_binds], [list_digest_binds].
    - [last_challenges_bind]: the strings from which the last challenges are drawn determine seed and digests.
    - [mixnet_coefficients_at], [mixnet_coefficients_chosen]: a seed's coefficients are drawn by their numbers, and are among the
      choices that the theorems count. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Challenge Mixnet.MixnetTranscript.
From Aardvark Require Import Lemmas.Sequences Lemmas.WellFormed Spec.Base.Bytes Spec.Base.Scalar Lemmas.RootLemmas.
From Aardvark Require Lemmas.Batch Lemmas.ChallengeSpace Spec.Commitment.Challenge.
Import ListNotations.
Local Open Scope N_scope.

Section Binding.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Import Spec.Commitment.Challenge.

(** Keys of 32 bytes, and a server's number of 16 bits. *)
Definition fits_context (context : MixnetContext) : Prop :=
  seq_length (mixnet_keys context) = 32 /\ mixnet_server context < 2 ^ 16.

(** 32 bytes. *)
Definition is_digest (x : ByteString) : Prop := seq_length x = 32.

(** What is hashed for the seeds. *)
Definition permutation_string (context : MixnetContext) (count : N) (committed : ByteString) : ByteString :=
  (mixnet_keys context ++ u16_bytes (mixnet_server context)) ++ u32_bytes count ++ committed.

Definition column_string (context : MixnetContext) (purpose committed keys before after : ByteString) : ByteString :=
  (mixnet_keys context ++ purpose ++ u16_bytes (mixnet_server context)) ++ committed ++ keys ++ before ++ after.

Definition decryption_string (context : MixnetContext) (purpose keys rows shares : ByteString) : ByteString :=
  (mixnet_keys context ++ purpose ++ u16_bytes (mixnet_server context)) ++ keys ++ rows ++ shares.

Definition zero_test_string (context : MixnetContext) (purpose before after : ByteString) : ByteString :=
  (mixnet_keys context ++ purpose ++ u16_bytes (mixnet_server context)) ++ before ++ after.

Definition list_string (rows width : N) (points : ByteString) : ByteString := u32_bytes rows ++ u16_bytes width ++ points.

Lemma u16_split (x y : N) (a b : ByteString) :
  x < 2 ^ 16 -> y < 2 ^ 16 -> u16_bytes x ++ a = u16_bytes y ++ b -> x = y /\ a = b.
Proof.
  intros X Y E. unfold u16_bytes, u128_of_usize in E.
  apply app_split in E; [| rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [| reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

Lemma u32_split (x y : N) (a b : ByteString) :
  x < 2 ^ 32 -> y < 2 ^ 32 -> u32_bytes x ++ a = u32_bytes y ++ b -> x = y /\ a = b.
Proof.
  intros X Y E. unfold u32_bytes, u128_of_usize in E.
  apply app_split in E; [| rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [| reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

(** The same strings, or two with one digest. *)
Lemma same_or_collision (tag x y : ByteString) : tagged_hash tag x = tagged_hash tag y -> x = y \/ tag_collision tag x y.
Proof. intros E. destruct (list_eq_dec N.eq_dec x y) as [-> | D]; [now left | right; now split]. Qed.

Lemma context_ext (c c' : MixnetContext) : mixnet_keys c = mixnet_keys c' -> mixnet_server c = mixnet_server c' -> c = c'.
Proof. destruct c, c'. simpl. now intros -> ->. Qed.

(** Splits equal strings at parts of equal lengths. *)
Ltac split_parts :=
  repeat match goal with
  | E : (_ ++ _) ++ _ = (_ ++ _) ++ _ |- _ => rewrite <- !app_assoc in E
  | E : u16_bytes _ ++ _ = u16_bytes _ ++ _ |- _ => apply u16_split in E as [? E]; [| assumption | assumption]
  | E : u32_bytes _ ++ _ = u32_bytes _ ++ _ |- _ => apply u32_split in E as [? E]; [| assumption | assumption]
  | E : ?x ++ _ = ?y ++ _ |- _ => apply app_split in E as [? E]; [| unfold is_digest in *; congruence]
  end.

Theorem permutation_seed_binds (c c' : MixnetContext) (n n' : N) (a a' : ByteString) :
  fits_context c -> fits_context c' -> n < 2 ^ 32 -> n' < 2 ^ 32 ->
  permutation_seed c n a = permutation_seed c' n' a' ->
  (c = c' /\ n = n' /\ a = a') \/ tag_collision tag_mixnet_permutation (permutation_string c n a) (permutation_string c' n' a').
Proof.
  intros [K S] [K' S'] N N' E.
  apply (same_or_collision _ (permutation_string c n a) (permutation_string c' n' a')) in E as [E | E]; [left | now right].
  unfold permutation_string in E. split_parts. split; [now apply context_ext | now split].
Qed.

Theorem column_seed_binds (c c' : MixnetContext) (p p' a a' k k' x x' y y' : ByteString) :
  fits_context c -> fits_context c' -> is_digest p -> is_digest p' -> is_digest a -> is_digest a' -> is_digest k -> is_digest k' ->
  is_digest x -> is_digest x' ->
  column_seed c p a k x y = column_seed c' p' a' k' x' y' ->
  (c = c' /\ p = p' /\ a = a' /\ k = k' /\ x = x' /\ y = y') \/
  tag_collision tag_mixnet_column (column_string c p a k x y) (column_string c' p' a' k' x' y').
Proof.
  intros [K S] [K' S'] P P' A A' Y Y' X X' E.
  assert (column_string c p a k x y = column_string c' p' a' k' x' y' \/
    tag_collision tag_mixnet_column (column_string c p a k x y) (column_string c' p' a' k' x' y')) as [E' | E']; [| left | now right].
  { apply same_or_collision. unfold column_seed in E. cbv zeta in E. unfold column_string. now rewrite <- !app_assoc in *. }
  unfold column_string in E'. split_parts. split; [now apply context_ext | repeat split; assumption].
Qed.

Theorem decryption_seed_binds (c c' : MixnetContext) (p p' k k' x x' y y' : ByteString) :
  fits_context c -> fits_context c' -> is_digest p -> is_digest p' -> is_digest k -> is_digest k' -> is_digest x -> is_digest x' ->
  decryption_seed c p k x y = decryption_seed c' p' k' x' y' ->
  (c = c' /\ p = p' /\ k = k' /\ x = x' /\ y = y') \/
  tag_collision tag_mixnet_decryption (decryption_string c p k x y) (decryption_string c' p' k' x' y').
Proof.
  intros [K S] [K' S'] P P' Y Y' X X' E.
  assert (decryption_string c p k x y = decryption_string c' p' k' x' y' \/
    tag_collision tag_mixnet_decryption (decryption_string c p k x y) (decryption_string c' p' k' x' y')) as [E' | E']; [| left | now right].
  { apply same_or_collision. unfold decryption_seed in E. cbv zeta in E. unfold decryption_string. now rewrite <- !app_assoc in *. }
  unfold decryption_string in E'. split_parts. split; [now apply context_ext | repeat split; assumption].
Qed.

Theorem zero_test_seed_binds (c c' : MixnetContext) (p p' x x' y y' : ByteString) :
  fits_context c -> fits_context c' -> is_digest p -> is_digest p' -> is_digest x -> is_digest x' ->
  zero_test_seed c p x y = zero_test_seed c' p' x' y' ->
  (c = c' /\ p = p' /\ x = x' /\ y = y') \/
  tag_collision tag_mixnet_zero_test (zero_test_string c p x y) (zero_test_string c' p' x' y').
Proof.
  intros [K S] [K' S'] P P' X X' E.
  assert (zero_test_string c p x y = zero_test_string c' p' x' y' \/
    tag_collision tag_mixnet_zero_test (zero_test_string c p x y) (zero_test_string c' p' x' y')) as [E' | E']; [| left | now right].
  { apply same_or_collision. unfold zero_test_seed in E. cbv zeta in E. unfold zero_test_string. now rewrite <- !app_assoc in *. }
  unfold zero_test_string in E'. split_parts. split; [now apply context_ext | repeat split; assumption].
Qed.

Theorem list_digest_binds (n n' w w' : N) (x x' : ByteString) :
  n < 2 ^ 32 -> n' < 2 ^ 32 -> w < 2 ^ 16 -> w' < 2 ^ 16 ->
  mixnet_list_digest n w x = mixnet_list_digest n' w' x' ->
  (n = n' /\ w = w' /\ x = x') \/ tag_collision tag_mixnet_list (list_string n w x) (list_string n' w' x').
Proof.
  intros N N' W W' E.
  assert (list_string n w x = list_string n' w' x' \/
    tag_collision tag_mixnet_list (list_string n w x) (list_string n' w' x')) as [E' | E']; [| left | now right].
  { apply same_or_collision. unfold mixnet_list_digest in E. unfold list_string. now rewrite <- ?app_assoc in *. }
  unfold list_string in E'. split_parts. now split.
Qed.

(** The last challenges are drawn from digests of strings that have their parts in fixed places. *)
Theorem last_challenges_bind (s s' b b' t t' : ByteString) :
  is_digest s -> is_digest s' -> is_digest b -> is_digest b' ->
  (permutation_challenge s b t = hash_to_scalar (tagged_hash tag_mixnet_permutation_first ((s ++ b) ++ t)) tag_mixnet_challenge /\
   ((s ++ b) ++ t = (s' ++ b') ++ t' -> s = s' /\ b = b' /\ t = t')) /\
  (column_challenge s t = hash_to_scalar (tagged_hash tag_mixnet_column_first (s ++ t)) tag_mixnet_challenge /\
   decryption_challenge s t = hash_to_scalar (tagged_hash tag_mixnet_decryption_first (s ++ t)) tag_mixnet_challenge /\
   zero_test_challenge s t = hash_to_scalar (tagged_hash tag_mixnet_zero_test_first (s ++ t)) tag_mixnet_challenge /\
   (s ++ t = s' ++ t' -> s = s' /\ t = t')).
Proof.
  intros S S' B B'. split; split.
  - unfold permutation_challenge. cbv zeta. now rewrite <- ?app_assoc.
  - intros E. split_parts. now split.
  - reflexivity.
  - split; [reflexivity |]. split; [reflexivity |]. intros E. split_parts. now split.
Qed.

Lemma mixnet_coefficients_map (seed : ByteString) (count : N) :
  mixnet_coefficients seed count = map (batch_coefficient seed) (range 0 count).
Proof. exact (fold_range_append (batch_coefficient seed) 0 count []). Qed.

Theorem mixnet_coefficients_at (seed : ByteString) (count i : N) :
  i < count -> scalar_at (mixnet_coefficients seed count) i = batch_coefficient seed i.
Proof. intros L. rewrite mixnet_coefficients_map. now apply scalar_at_map. Qed.

Theorem mixnet_coefficients_chosen (seed : ByteString) (count : N) :
  (forall x, 16 <= seq_length (tagged_hash tag_coefficient x) /\
    Forall (fun byte => byte < 256) (tagged_hash tag_coefficient x)) ->
  In (mixnet_coefficients seed count) (Batch.choices ChallengeSpace.challenge_space (N.to_nat count)).
Proof.
  intros digests. apply Batch.choices_in. rewrite mixnet_coefficients_map. split.
  - rewrite map_length, range_length. lia.
  - intros x I. apply in_map_iff in I as (i & <- & _). destruct (digests (seed ++ u64_bytes i)) as [L all].
    now apply ChallengeSpace.coefficient_in_space.
Qed.

End Binding.
