(** Aggregated blocks under the challenges that are drawn for them.

    - [transcript_claims_length], [transcript_points_length]: the transcript has an entry for each distinct claim, and for each
      claimed index;
    - [drawn_prefix]: the first scalars that a seed gives, of however many;
    - [block_claims_seed_binds]: two blocks with one seed for their first challenges are about the same dictionary, version and
      distinct claims, commitments and scalars included, or two different strings with one digest are at hand;
    - [block_points_seed_binds]: with one seed for their last challenges, they have the same points besides. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation Commitment.Transcript Dictionary.Genesis Block.State
  Block.BlockData Block.AggregatedBlock Block.DrawnBlock.
From Aardvark Require Import Lemmas.Field Lemmas.LoopLemmas Lemmas.Sequences Lemmas.RootLemmas
  Spec.Commitment.Challenge Spec.Commitment.Transcript.
From Aardvark Require Lemmas.MergedClaims.
Import ListNotations.
Local Open Scope N_scope.

Section DrawnBlock.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What the transcript holds *)

Lemma bound_claims_map : forall items encodings,
  bound_claims_of items encodings = map (fun j =>
    {| unopened_version := merged_version (seq_at items j); unopened_position := merged_position (seq_at items j);
       unopened_commitment := commitment_bytes (claim_encoding_at encodings j);
       unopened_scalar := scalar_bytes (claim_encoding_at encodings j) |}) (range 0 (seq_length items)).
Proof. intros items encodings. unfold bound_claims_of, bound_claims_of_step. apply (fold_range_append _ 0 (seq_length items) []). Qed.

Lemma bound_points_map : forall indexed encodings,
  bound_points_of indexed encodings = map (fun k =>
    {| encoded_index := aggregated_index (seq_at indexed k); encoded_point := point_encoding_at encodings k |})
    (range 0 (seq_length indexed)).
Proof. intros indexed encodings. unfold bound_points_of, bound_points_of_step. apply (fold_range_append _ 0 (seq_length indexed) []). Qed.

Theorem transcript_claims_length : forall state aggregated encodings,
  seq_length (transcript_claims (block_transcript state aggregated encodings)) =
  seq_length (collected_claims state (plain_block aggregated)).
Proof.
  intros. unfold block_transcript. cbv zeta. cbn [transcript_claims]. rewrite bound_claims_map, Sequences.seq_length_map.
  apply Sequences.seq_length_range.
Qed.

Theorem transcript_points_length : forall state aggregated encodings,
  let n := vector_size (parameters state) in
  seq_length (transcript_points (block_transcript state aggregated encodings)) =
  seq_length (indexed_points (batch_of_unopened (collected_claims state (plain_block aggregated)) n) (block_points aggregated) n).
Proof.
  intros. unfold block_transcript. cbv zeta. cbn [transcript_points]. rewrite bound_points_map, Sequences.seq_length_map.
  apply Sequences.seq_length_range.
Qed.

Theorem drawn_prefix : forall seed count m j,
  j < count -> count <= m -> scalar_at (drawn_coefficients seed count) j = scalar_at (drawn_coefficients seed m) j.
Proof. intros. rewrite !drawn_coefficients_at by lia. reflexivity. Qed.

(** ** What the seeds bind *)

(** The encodings of commitments, 48 bytes, and of scalars, 32 bytes, which tell them apart. *)
Variables (encode_commitment : G1 -> ByteString) (encode_scalar : Scalar -> ByteString).
Hypothesis commitments_apart : forall c d, encode_commitment c = encode_commitment d -> c = d.
Hypothesis scalars_apart : forall x y, encode_scalar x = encode_scalar y -> x = y.

Definition encoded_claim (item : MergedClaim) : ClaimEncoding :=
  {| commitment_bytes := encode_commitment (merged_commitment item); scalar_bytes := encode_scalar (merged_scalar item) |}.

(** The encodings of a block's claims are those of these functions. *)
Definition claims_encoded (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : Prop :=
  claim_encodings encodings = map encoded_claim (collected_claims state (plain_block aggregated)).

Lemma seq_at_range : forall A (d : Default A) (l : list A), map (fun j => seq_at l j) (range 0 (seq_length l)) = l.
Proof.
  intros A d l. apply (seq_ext (H := d)); [rewrite Sequences.seq_length_map; apply Sequences.seq_length_range|].
  intros i L. rewrite Sequences.seq_length_map, Sequences.seq_length_range in L. apply (nth_map_range (H := d)). exact L.
Qed.

Definition bound_claim (item : MergedClaim) : UnopenedClaim :=
  {| unopened_version := merged_version item; unopened_position := merged_position item;
     unopened_commitment := encode_commitment (merged_commitment item); unopened_scalar := encode_scalar (merged_scalar item) |}.

Lemma bound_claims_encoded : forall items, bound_claims_of items (map encoded_claim items) = map bound_claim items.
Proof.
  intros items. rewrite bound_claims_map.
  transitivity (map bound_claim (map (fun j => seq_at items j) (range 0 (seq_length items)))); [|rewrite seq_at_range; reflexivity].
  rewrite map_map. apply map_ext_in. intros j I. apply in_range in I. unfold claim_encoding_at. rewrite Sequences.seq_length_map.
  destruct (N.ltb_spec j (seq_length items)); [|lia]. rewrite MergedClaims.seq_at_map by assumption. reflexivity.
Qed.

Lemma bound_claims_apart : forall items items', map bound_claim items = map bound_claim items' -> items = items'.
Proof.
  induction items as [|[v p c s] items IH]; intros [|[v' p' c' s'] items'] E; try discriminate; [reflexivity|].
  cbn [map] in E. unfold bound_claim at 1 3 in E. cbn in E. injection E as Ev Ep Ec Es E.
  apply commitments_apart in Ec. apply scalars_apart in Es. apply IH in E. congruence.
Qed.

Variables (state state' : ValidatorState) (aggregated aggregated' : AggregatedBlock) (encodings encodings' : BlockEncodings).
Let t := block_transcript state aggregated encodings.
Let t' := block_transcript state' aggregated' encodings'.
Hypothesis fits : fits_transcript t.
Hypothesis fits' : fits_transcript t'.
Hypothesis encoded : claims_encoded state aggregated encodings.
Hypothesis encoded' : claims_encoded state' aggregated' encodings'.

(** The block has an encoding for each of its points, one a claimed index. *)
Definition points_encoded (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : Prop :=
  let n := vector_size (parameters state) in
  seq_length (point_encodings encodings) =
  seq_length (indexed_points (batch_of_unopened (collected_claims state (plain_block aggregated)) n) (block_points aggregated) n).

Lemma bound_points_encodings : forall indexed encs, seq_length encs = seq_length indexed ->
  map encoded_point (bound_points_of indexed encs) = encs.
Proof.
  intros indexed encs L. rewrite bound_points_map, map_map. cbn [encoded_point].
  transitivity (map (fun k => seq_at encs k) (range 0 (seq_length encs))); [|apply seq_at_range].
  rewrite <- L. apply map_ext_in. intros k I. apply in_range in I. unfold point_encoding_at.
  destruct (N.ltb_spec k (seq_length encs)); [reflexivity|lia].
Qed.

Lemma same_claims : transcript_claims t = transcript_claims t' ->
  collected_claims state (plain_block aggregated) = collected_claims state' (plain_block aggregated').
Proof.
  unfold t, t', block_transcript. cbv zeta. cbn [transcript_claims]. rewrite encoded, encoded', !bound_claims_encoded.
  apply bound_claims_apart.
Qed.

Theorem block_claims_seed_binds :
  transcript_claims_seed t = transcript_claims_seed t' ->
  (dictionary_id state = dictionary_id state' /\
   block_version (plain_block aggregated) = block_version (plain_block aggregated') /\
   collected_claims state (plain_block aggregated) = collected_claims state' (plain_block aggregated')) \/
  tag_collision tag_aggregate_claims (first_string t) (first_string t').
Proof.
  intros E. destruct fits as (D & V & C & _), fits' as (D' & V' & C' & _).
  destruct (aggregate_claims_seed_binds _ _ _ _ _ _ D D' V V' C C' E) as [(ED & EV & EC)|K]; [left|right; exact K].
  split; [exact ED|]. split; [exact EV|]. exact (same_claims EC).
Qed.

Theorem block_points_seed_binds :
  points_encoded state aggregated encodings -> points_encoded state' aggregated' encodings' ->
  (forall x, seq_length (tagged_hash tag_aggregate_claims x) = 32) ->
  transcript_points_seed t = transcript_points_seed t' ->
  (dictionary_id state = dictionary_id state' /\
   block_version (plain_block aggregated) = block_version (plain_block aggregated') /\
   collected_claims state (plain_block aggregated) = collected_claims state' (plain_block aggregated') /\
   point_encodings encodings = point_encodings encodings') \/
  tag_collision tag_aggregate_claims (first_string t) (first_string t') \/
  tag_collision tag_aggregate_points (second_string t) (second_string t').
Proof.
  intros P P' digest_length E. destruct (transcript_binds t t' digest_length fits fits' E) as [S|[K|K]]; [left|auto|auto].
  split; [exact (f_equal transcript_dictionary S)|]. split; [exact (f_equal transcript_version S)|].
  split; [exact (same_claims (f_equal transcript_claims S))|].
  apply (f_equal transcript_points) in S. unfold t, t', block_transcript in S. cbv zeta in S. cbn [transcript_points] in S.
  apply (f_equal (map encoded_point)) in S. rewrite !bound_points_encodings in S; assumption.
Qed.

End DrawnBlock.
