(** Theorems for auditors: keys that servers deal among themselves.

    To understand a statement of this file you need this file, the generated definitions, and definitions of
    Spec/Mixnet/KeyPosts.v ([encoded_point], [server_range], [transport_of], [randomised_of], [honest_sealed], [honest_dealing],
    [received_shares], [honest_verdict], [lucky_complaint]), Spec/Mixnet/Lagrange.v ([distinct_servers]),
    Spec/Mixnet/MixnetTranscript.v ([is_digest]), Spec/Mixnet/KeyDigests.v ([dealing_string], [mask_string], [keys_string], [points_string],
    [fits_keys]), Spec/Commitment/Challenge.v ([tag_collision]) and Safety/KeysSafe.v ([short_keys]).

    A point of a post comes with its bytes; [encode] says how points are encoded. Servers, dealers and verdicts may lie where nothing
    is said of them.

    - [honest_dealings_qualify]: an honest dealing is valid, and each server takes out of it the shares that were dealt;
    - [honest_dealers_stay]: it is among the dealings that remain, whatever the verdicts, unless somebody proved a false S under the one
      challenge that can be answered;
    - [false_shares_disqualify]: a dealing with a false share for a server that posts an honest verdict does not remain: of those
      that remain each of the server's shares passes its check;
    - [honest_servers_keep_shares]: so the sums of these are shares of the keys, as everybody computes their public halves;
    - [shares_reconstruct_keys]: any t servers or more, with shares whose public halves everybody knows, make of every element what the
      key would make of it, whoever dealt: the same for all;
    - [honest_servers_one_key]: hence honest servers do;
    - [keys_follow_from_posts]: keys are those of t or more dealers, each with a valid dealing about which no valid verdict is;
    - [dealers_know], [transport_known_extracts]: two accepted proofs of one dealing with one commitment give all constant terms and
      the randomness of all R, those of a transport key its secret: who copies an R, in this ceremony or another, and has it accepted
      knows what opens the shares that it masks;
    - [copied_dealing_refused]: a proof that is copied to where its challenge is another is refused, unless all that it is about is 0;
    - [dealing_statements_bind], [keys_bind]: one seed of two dealings, one seed of two servers' masks, or one digest of two sets of
      keys, is a pair of strings with one digest;
    - [generate_keys_never_panics]: whatever was posted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation
  Mixnet.Sharing Mixnet.Dealing Mixnet.KeyPosts Mixnet.KeyGeneration Mixnet.MixnetTranscript Mixnet.KeyGenerationSafe.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Group Spec.Mixnet.Lagrange Spec.Mixnet.MixnetTranscript
  Spec.Commitment.Challenge Spec.Mixnet.Dealing Spec.Mixnet.KeyPosts Spec.Mixnet.KeyDigests Safety.MixnetSafe Safety.KeysSafe.
From Aardvark Require Spec.Mixnet.KeyGeneration.
Import ListNotations.
Local Open Scope N_scope.

Section KeyGeneration.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable encode : G1 -> ByteString.

(** An honest dealing is valid, and a server that knows its transport secret receives the values of the dealt polynomials, which pass
    the check. *)
Theorem honest_dealings_qualify (terms : KeyTerms) (coefficients : list (list Scalar)) (randomness nonces : list Scalar)
    (dealing : KeyDealing) :
  honest_dealing encode terms coefficients randomness nonces dealing ->
  dealing_holds terms dealing = true /\
  forall server secret, In server (server_range terms) -> transport_of terms server = g1_multiple secret ->
    received_shares encode terms server secret dealing = map (fun of_key => share_of of_key server) coefficients /\
    dealt_shares_hold (deal_committed dealing) server (received_shares encode terms server secret dealing) = true.
Proof.
  intros H. split; [now apply honest_dealing_holds with (1 := H) |]. intros server secret.
  now apply honest_dealing_delivers with (1 := H).
Qed.

(** Where an honest dealing does not remain, a complaint shows an S that is not ν R: a proof of a false statement, which can be made
    for one challenge after its first message, and it was that one that was drawn. *)
Theorem honest_dealers_stay (terms : KeyTerms) (coefficients : list (list Scalar)) (randomness nonces : list Scalar)
    (dealing : KeyDealing) (dealings : list KeyDealing) (verdicts : list KeyVerdict) :
  honest_dealing encode terms coefficients randomness nonces dealing ->
  NoDup (map deal_author dealings) -> In dealing dealings ->
  (forall verdict complaint, In verdict verdicts -> In complaint (verdict_complaints verdict) ->
    posted_bytes (complaint_shared complaint) = encode (posted_element (complaint_shared complaint))) ->
  ~ In dealing (qualified_dealings terms dealings verdicts) ->
  exists verdict complaint, In verdict verdicts /\ In complaint (verdict_complaints verdict) /\
    complaint_dealer complaint = deal_author dealing /\ lucky_complaint terms dealing (verdict_author verdict) complaint.
Proof. apply Spec.Mixnet.KeyGeneration.honest_dealer_stays. Qed.

(** Whatever the dealer, and whatever the other verdicts. *)
Theorem false_shares_disqualify (terms : KeyTerms) (secret : Scalar) (verdict : KeyVerdict) (dealings : list KeyDealing)
    (verdicts : list KeyVerdict) (dealing : KeyDealing) (l : N) :
  NoDup (map deal_author dealings) ->
  In verdict verdicts -> honest_verdict encode terms (valid_dealings terms dealings) secret verdict ->
  In dealing (qualified_dealings terms dealings verdicts) -> l < keys_count terms ->
  share_verify (seq_at (deal_committed dealing) l) (verdict_author verdict)
    (scalar_at (received_shares encode terms (verdict_author verdict) secret dealing) l) = true.
Proof.
  intros D I H Q L.
  pose proof (Spec.Mixnet.KeyGeneration.false_shares_out encode terms secret verdict dealings verdicts dealing D I H Q) as S.
  apply dealt_shares_hold_iff in S as [_ S]. apply S. apply Spec.Mixnet.KeyGeneration.qualified_iff in Q as (_ & Q & _).
  destruct (Spec.Mixnet.KeyGeneration.fitting_row terms dealing l Q L) as (C & _). lia.
Qed.

(** Everybody computes the public half; the server adds up what it received of the dealers that remain. *)
Theorem honest_servers_keep_shares (terms : KeyTerms) (secret : Scalar) (verdict : KeyVerdict) (dealings : list KeyDealing)
    (verdicts : list KeyVerdict) (keys : GeneratedKeys) :
  generate_keys terms dealings verdicts = Some keys -> NoDup (map deal_author dealings) ->
  In verdict verdicts -> honest_verdict encode terms (valid_dealings terms dealings) secret verdict ->
  let server := verdict_author verdict in
  let shares := summed_shares terms (map (received_shares encode terms server secret) (qualified_dealings terms dealings verdicts)) in
  key_shares_hold keys server shares = true /\
  forall l, l < keys_count terms -> g1_multiple (scalar_at shares l) = generated_public_share keys server l.
Proof.
  intros E D I H. cbv zeta. unfold generate_keys in E. cbv zeta in E. destruct (_ && _) in E; [| discriminate]. injection E as <-.
  assert (forall l, l < keys_count terms ->
    g1_multiple (scalar_at (summed_shares terms (map (received_shares encode terms (verdict_author verdict) secret)
      (qualified_dealings terms dealings verdicts))) l)
    = share_public (summed_row (qualified_dealings terms dealings verdicts) (keys_threshold terms) l) (verdict_author verdict)) as Each.
  { apply Spec.Mixnet.KeyGeneration.summed_shares_hold. intros dealing Q. split.
    - now apply Spec.Mixnet.KeyGeneration.qualified_iff in Q as (_ & Q & _).
    - now apply (Spec.Mixnet.KeyGeneration.false_shares_out encode terms secret verdict dealings verdicts). }
  split.
  - unfold key_shares_hold. cbn [generated_committed]. apply dealt_shares_hold_iff.
    rewrite Spec.Mixnet.KeyGeneration.summed_shares_length, Spec.Mixnet.KeyGeneration.summed_commitments_map, seq_length_map,
      seq_length_range. split; [reflexivity |]. intros l L. unfold share_verify. rewrite nth_map_range by exact L.
    apply g1_equal_iff. now apply Each.
  - intros l L. unfold generated_public_share. cbn [generated_committed].
    rewrite Spec.Mixnet.KeyGeneration.summed_commitments_row by exact L. now apply Each.
Qed.

(** Dealers may have lied, all of them: what is asked is that each server's shares have the public halves that everybody knows, which a
    server looks at before it uses them. There is one key, whichever servers come together. *)
Theorem shares_reconstruct_keys (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) (keys : GeneratedKeys)
    (l : N) :
  generate_keys terms dealings verdicts = Some keys -> l < keys_count terms ->
  exists secret, generated_key keys l = g1_multiple secret /\
  forall servers shares element, distinct_servers servers -> keys_threshold terms <= seq_length servers ->
    (forall k, In k servers -> key_shares_hold keys k (shares k) = true) ->
    share_combine servers (map (fun k => g1_scale (scalar_at (shares k) l) element) servers) = g1_scale secret element.
Proof.
  intros E L. unfold generate_keys in E. cbv zeta in E. destruct (_ && _) in E; [| discriminate]. injection E as <-.
  unfold generated_key, key_shares_hold. cbn [generated_committed]. rewrite Spec.Mixnet.KeyGeneration.summed_commitments_row by exact L.
  set (qualified := qualified_dealings terms dealings verdicts).
  exists (g1_exponent (g1_at (summed_row qualified (keys_threshold terms) l) 0)). split; [apply g1_exponent_of |].
  intros servers shares element D T V.
  apply (Spec.Mixnet.KeyGeneration.shares_combine _ servers (fun k => scalar_at (shares k) l)); [exact D | |].
  - pose proof (Spec.Mixnet.KeyGeneration.summed_row_length qualified (keys_threshold terms) l) as R. unfold seq_length in R, T. lia.
  - intros k I. specialize (V k I). apply dealt_shares_hold_iff in V as [_ V].
    rewrite Spec.Mixnet.KeyGeneration.summed_commitments_map, seq_length_map, seq_length_range in V. specialize (V l L).
    now rewrite nth_map_range in V by exact L.
Qed.

(** Of servers with honest verdicts any t reconstruct the public key, and use it on any element, whatever the other servers did. *)
Theorem honest_servers_one_key (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) (keys : GeneratedKeys)
    (secrets : N -> Scalar) (servers : list N) (l : N) :
  generate_keys terms dealings verdicts = Some keys -> NoDup (map deal_author dealings) -> l < keys_count terms ->
  distinct_servers servers -> keys_threshold terms <= seq_length servers ->
  (forall k, In k servers -> exists verdict, In verdict verdicts /\ verdict_author verdict = k /\
    honest_verdict encode terms (valid_dealings terms dealings) (secrets k) verdict) ->
  let qualified := qualified_dealings terms dealings verdicts in
  let share k := scalar_at (summed_shares terms (map (received_shares encode terms k (secrets k)) qualified)) l in
  share_combine servers (map (fun k => g1_multiple (share k)) servers) = generated_key keys l.
Proof.
  intros E D L S T H. cbv zeta. destruct (shares_reconstruct_keys terms dealings verdicts keys l E L) as (secret & -> & All).
  set (shares k := summed_shares terms (map (received_shares encode terms k (secrets k)) (qualified_dealings terms dealings verdicts))).
  specialize (All servers shares g1_generator S T). rewrite g1_multiple_generator, <- All.
  - f_equal. apply map_ext. intros k. apply g1_multiple_generator.
  - intros k I. destruct (H k I) as (verdict & V & <- & Honest).
    now apply (honest_servers_keep_shares terms (secrets (verdict_author verdict)) verdict dealings verdicts keys E D V).
Qed.

(** Who is a dealer of the keys. *)
Theorem keys_follow_from_posts (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) (keys : GeneratedKeys) :
  generate_keys terms dealings verdicts = Some keys ->
  keys_threshold terms <= seq_length (generated_dealers keys) /\
  forall dealer, In dealer (generated_dealers keys) -> exists dealing, In dealing dealings /\ deal_author dealing = dealer /\
    dealing_holds terms dealing = true /\
    forall verdict, In verdict verdicts -> verdict_holds terms (valid_dealings terms dealings) verdict = true ->
      ~ In dealer (map complaint_dealer (verdict_complaints verdict)).
Proof.
  intros E. unfold generate_keys in E. cbv zeta in E.
  destruct (_ && _) eqn:T in E; [| discriminate]. injection E as <-. cbn [generated_dealers].
  rewrite dealing_authors_map. split.
  - rewrite seq_length_map. apply andb_true_iff in T as [_ T]. now apply N.leb_le.
  - intros dealer I. apply in_map_iff in I as (dealing & <- & I). apply Spec.Mixnet.KeyGeneration.qualified_iff in I as (I & H & U).
    now exists dealing.
Qed.

(** Two proofs of one dealing that begin alike, under two challenges: all f_l(0) and all ρ_k, by a formula. *)
Theorem dealers_know (seed other : ByteString) (committed : list (list G1)) (randomised first : list G1)
    (responses others : list Scalar) (t u : ByteString) :
  knowledge_challenge seed t <> knowledge_challenge other u ->
  verify_dealing seed committed randomised {| linear_first := first; linear_responses := responses |} t = true ->
  verify_dealing other committed randomised {| linear_first := first; linear_responses := others |} u = true ->
  let w := linear_extract (knowledge_challenge seed t) responses (knowledge_challenge other u) others in
  (forall l, l < seq_length committed -> g1_at (seq_at committed l) 0 = g1_multiple (scalar_at w l)) /\
  (forall k, k < seq_length randomised -> seq_at randomised k = g1_multiple (scalar_at w (seq_length committed + k))).
Proof.
  intros D A B w. unfold verify_dealing in A, B.
  assert (forall i, i < seq_length committed + seq_length randomised ->
    g1_at (dealing_image committed randomised) i = g1_multiple (scalar_at w i)) as E.
  { intros i L. apply (knowledge_extracts _ _ _ _ _ _ i D A B). rewrite dealing_image_app, seq_length_app, seq_length_map. exact L. }
  rewrite dealing_image_app in E. split.
  - intros l L. rewrite <- E by lia. rewrite (g1_at_in (_ ++ _)) by (rewrite seq_length_app, seq_length_map; lia).
    rewrite seq_at_app_l by (rewrite seq_length_map; exact L). now rewrite seq_at_map.
  - intros k L. rewrite <- E by lia. rewrite (g1_at_in (_ ++ _)) by (rewrite seq_length_app, seq_length_map; lia).
    rewrite seq_at_app_r by (rewrite seq_length_map; lia). rewrite seq_length_map. f_equal. lia.
Qed.

(** The secret of a transport key. *)
Theorem transport_known_extracts (author other : ByteString) (point : PostedPoint) (first : list G1)
    (responses others : list Scalar) (t u : ByteString) :
  let c := knowledge_challenge (key_proof_seed tag_mixnet_transport author (posted_bytes point)) t in
  let d := knowledge_challenge (key_proof_seed tag_mixnet_transport other (posted_bytes point)) u in
  c <> d ->
  transport_known author point {| linear_first := first; linear_responses := responses |} t = true ->
  transport_known other point {| linear_first := first; linear_responses := others |} u = true ->
  posted_element point = g1_multiple (scalar_at (linear_extract c responses d others) 0).
Proof. intros c d D A B. exact (knowledge_extracts [posted_element point] first responses others c d 0 D A B eq_refl). Qed.

(** The same commitments, R and proof, under the seed of another dealer, ceremony or post. *)
Theorem copied_dealing_refused (seed other : ByteString) (committed : list (list G1)) (randomised : list G1) (proof : LinearProof)
    (first : ByteString) :
  knowledge_challenge seed first <> knowledge_challenge other first ->
  verify_dealing seed committed randomised proof first = true -> verify_dealing other committed randomised proof first = true ->
  (forall k, k < seq_length randomised -> seq_at randomised k = g1_identity) /\
  (forall l, l < seq_length committed -> g1_at (seq_at committed l) 0 = g1_identity).
Proof.
  intros D A B. unfold verify_dealing in A, B. pose proof (copied_knowledge _ _ _ _ D A B) as E.
  rewrite dealing_image_app, seq_length_app, seq_length_map in E. split.
  - intros k L. specialize (E (seq_length committed + k)). rewrite (g1_at_in (_ ++ _)) in E by (rewrite seq_length_app, seq_length_map; lia).
    rewrite seq_at_app_r in E by (rewrite seq_length_map; lia). rewrite seq_length_map in E.
    replace (seq_length committed + k - seq_length committed) with k in E by lia. apply E. lia.
  - intros l L. specialize (E l). rewrite (g1_at_in (_ ++ _)) in E by (rewrite seq_length_app, seq_length_map; lia).
    rewrite seq_at_app_l in E by (rewrite seq_length_map; exact L). rewrite seq_at_map in E by exact L. apply E. lia.
Qed.

(** What the seed of a dealing's proof and that of a server's masks are about: ceremony and dealer always. *)
Theorem dealing_statements_bind :
  (forall c c' d d' x x', is_digest c -> is_digest c' -> d < 2 ^ 16 -> d' < 2 ^ 16 ->
    dealing_seed c d x = dealing_seed c' d' x' ->
    (c = c' /\ d = d' /\ x = x') \/ tag_collision tag_mixnet_dealing (dealing_string c d x) (dealing_string c' d' x')) /\
  (forall c c' d d' k k' r r' s s', is_digest c -> is_digest c' -> d < 2 ^ 16 -> d' < 2 ^ 16 -> k < 2 ^ 16 -> k' < 2 ^ 16 ->
    seq_length r = seq_length r' ->
    share_mask_seed c d k r s = share_mask_seed c' d' k' r' s' ->
    (c = c' /\ d = d' /\ k = k' /\ r = r' /\ s = s') \/
    tag_collision tag_mixnet_share (mask_string c d k r s) (mask_string c' d' k' r' s')).
Proof. split; [exact dealing_seed_binds | exact mask_seed_binds]. Qed.

(** What begins every later hash binds the ceremony, whose dealings remained, and the encodings of all that they committed to. *)
Theorem keys_bind (terms terms' : KeyTerms) (dealings dealings' : list KeyDealing) :
  fits_keys terms dealings -> fits_keys terms' dealings' -> keys_digest terms dealings = keys_digest terms' dealings' ->
  (keys_ceremony terms = keys_ceremony terms' /\ map deal_author dealings = map deal_author dealings' /\
   dealing_lists dealings = dealing_lists dealings') \/
  tag_collision tag_mixnet_keys (keys_string terms dealings) (keys_string terms' dealings') \/
  tag_collision tag_mixnet_list (points_string terms dealings) (points_string terms' dealings').
Proof. apply keys_digest_binds. Qed.

(** Keys, or that there are none; and a server's part. *)
Theorem generate_keys_never_panics (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) :
  short_keys terms -> seq_length dealings < 2 ^ 16 ->
  generate_keys_safe terms dealings verdicts = true /\
  forall keys received server shares, summed_shares_safe terms received = true /\ key_shares_hold_safe keys server shares = true.
Proof.
  intros S L. split; [now apply Safety.KeysSafe.generate_keys_never_panics |]. intros. now apply Safety.KeysSafe.key_shares_never_panic.
Qed.

End KeyGeneration.
