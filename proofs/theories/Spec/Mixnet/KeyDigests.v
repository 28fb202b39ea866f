(** What the digests of key generation bind. *)

From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.MixnetTranscript Mixnet.Dealing
  Mixnet.KeyPosts Mixnet.KeyGeneration.
From Aardvark Require Import Lemmas.Sequences Lemmas.WellFormed Spec.Base.Bytes Lemmas.RootLemmas Spec.Mixnet.MixnetTranscript.
From Aardvark Require Import Spec.Commitment.Challenge.
Import ListNotations.
Local Open Scope N_scope.

Section Digests.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What is hashed for the seed of a dealing's proof, and for that of a server's masks. *)
Definition dealing_string (ceremony : ByteString) (dealer : N) (statement : ByteString) : ByteString :=
  (ceremony ++ u16_bytes dealer) ++ statement.

Definition mask_string (ceremony : ByteString) (dealer server : N) (randomised shared : ByteString) : ByteString :=
  ((ceremony ++ u16_bytes dealer) ++ u16_bytes server) ++ randomised ++ shared.

(** What is hashed of keys, and of the points in them. *)
Definition points_string (terms : KeyTerms) (dealings : list KeyDealing) : ByteString :=
  list_string (seq_length dealings * keys_count terms * keys_threshold terms) 1 (dealing_lists dealings).

Definition keys_string (terms : KeyTerms) (dealings : list KeyDealing) : ByteString :=
  keys_ceremony terms ++ (u8_bytes (seq_length dealings) ++ author_bytes (dealing_authors dealings))
  ++ tagged_hash tag_mixnet_list (points_string terms dealings).

(** A ceremony's digest of 32 bytes, fewer than 256 dealings, numbers that fit their bytes. *)
Definition fits_keys (terms : KeyTerms) (dealings : list KeyDealing) : Prop :=
  is_digest (keys_ceremony terms) /\ seq_length dealings < 256 /\
  Forall (fun dealing => deal_author dealing < 2 ^ 16) dealings /\
  seq_length dealings * keys_count terms * keys_threshold terms < 2 ^ 32.

Lemma dealing_seed_binds : forall c c' d d' x x', is_digest c -> is_digest c' -> d < 2 ^ 16 -> d' < 2 ^ 16 ->
  dealing_seed c d x = dealing_seed c' d' x' ->
  (c = c' /\ d = d' /\ x = x') \/ tag_collision tag_mixnet_dealing (dealing_string c d x) (dealing_string c' d' x').
Proof.
  intros c c' d d' x x' C C' D D' E.
  unfold dealing_seed in E. rewrite !app_assoc in E.
  apply (same_or_collision _ (dealing_string c d x) (dealing_string c' d' x')) in E as [E | E]; [left | now right].
  unfold dealing_string in E. rewrite <- !app_assoc in E. apply app_split in E as [-> E]; [| unfold is_digest in *; congruence].
  apply u16_split in E as [-> ->]; auto.
Qed.

Lemma mask_seed_binds : forall c c' d d' k k' r r' s s', is_digest c -> is_digest c' -> d < 2 ^ 16 -> d' < 2 ^ 16 ->
  k < 2 ^ 16 -> k' < 2 ^ 16 -> seq_length r = seq_length r' ->
  share_mask_seed c d k r s = share_mask_seed c' d' k' r' s' ->
  (c = c' /\ d = d' /\ k = k' /\ r = r' /\ s = s') \/
  tag_collision tag_mixnet_share (mask_string c d k r s) (mask_string c' d' k' r' s').
Proof.
  intros c c' d d' k k' r r' s s' C C' D D' K K' R E.
  assert (mask_string c d k r s = mask_string c' d' k' r' s' \/
    tag_collision tag_mixnet_share (mask_string c d k r s) (mask_string c' d' k' r' s')) as [E' | E']; [| left | now right].
  { apply same_or_collision. unfold share_mask_seed in E. cbv zeta in E. unfold mask_string. now rewrite <- !app_assoc in *. }
  unfold mask_string in E'. rewrite <- !app_assoc in E'. apply app_split in E' as [-> E']; [| unfold is_digest in *; congruence].
  apply u16_split in E' as [-> E']; try assumption. apply u16_split in E' as [-> E']; try assumption.
  apply app_split in E' as [-> ->]; [| exact R]. auto.
Qed.

Lemma dealing_authors_map (dealings : list KeyDealing) : dealing_authors dealings = map deal_author dealings.
Proof. unfold dealing_authors. rewrite (fold_range_elements dealing_authors_step). exact (Sequences.fold_append deal_author _ []). Qed.

Lemma author_bytes_flat (authors : list N) : author_bytes authors = flat_map u16_bytes authors.
Proof.
  unfold author_bytes, author_bytes_step. rewrite (fold_range_elements (fun encoded author => encoded ++ u16_bytes author)).
  exact (Sequences.fold_append_list u16_bytes authors []).
Qed.

(** The numbers of as many dealers. *)
Lemma authors_split (s t : list N) (a b : ByteString) :
  Forall (fun x => x < 2 ^ 16) s -> Forall (fun x => x < 2 ^ 16) t -> length s = length t ->
  flat_map u16_bytes s ++ a = flat_map u16_bytes t ++ b -> s = t /\ a = b.
Proof.
  revert t. induction s as [| x s IH]; intros [| y t] S T L E; try discriminate L; [now split |].
  cbn [flat_map] in E. rewrite <- !app_assoc in E. inversion S; subst. inversion T; subst.
  apply u16_split in E as [-> E]; try assumption. apply IH in E as [-> ->]; auto.
Qed.

Lemma keys_digest_binds (terms terms' : KeyTerms) (dealings dealings' : list KeyDealing) :
  fits_keys terms dealings -> fits_keys terms' dealings' -> keys_digest terms dealings = keys_digest terms' dealings' ->
  (keys_ceremony terms = keys_ceremony terms' /\ map deal_author dealings = map deal_author dealings' /\
   dealing_lists dealings = dealing_lists dealings') \/
  tag_collision tag_mixnet_keys (keys_string terms dealings) (keys_string terms' dealings') \/
  tag_collision tag_mixnet_list (points_string terms dealings) (points_string terms' dealings').
Proof.
  intros (C & N & A & P) (C' & N' & A' & P') E.
  assert (forall t d, keys_digest t d = tagged_hash tag_mixnet_keys (keys_string t d)) as Shape.
  { intros t d. unfold keys_digest, keys_string, mixnet_list_digest, points_string, list_string. cbv zeta. now rewrite <- !app_assoc. }
  rewrite !Shape in E. apply same_or_collision in E as [E | E]; [| now right; left].
  unfold keys_string in E. apply app_split in E as [Ec E]; [| unfold is_digest in *; congruence].
  rewrite <- !app_assoc in E. unfold u8_bytes, u128_of_usize in E.
  apply app_split in E as [En E]; [| rewrite !big_endian_length; reflexivity].
  apply big_endian_injective in En; [| assumption | assumption].
  rewrite !author_bytes_flat, !dealing_authors_map in E.
  apply authors_split in E as [Ea E].
  - destruct (same_or_collision _ _ _ E) as [E' | E']; [left | now right; right]. split; [exact Ec |]. split; [exact Ea |].
    unfold points_string, list_string in E'. apply u32_split in E' as [_ E']; try assumption.
    now apply u16_split in E' as [_ E'].
  - now apply Forall_map.
  - now apply Forall_map.
  - rewrite !map_length. unfold seq_length in En. lia.
Qed.

End Digests.
