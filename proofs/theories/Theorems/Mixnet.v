(** Theorems for auditors: the mixnet's proofs.

    To understand a statement of this file you need this file, the generated definitions, and definitions of
    Spec/Mixnet/LinearRelation.v ([rows_within]), Spec/Mixnet/Permutation.v ([is_chain], [opening_relation]),
    Spec/Mixnet/Column.v ([decrypted], [permutes]), Spec/Mixnet/Lagrange.v ([distinct_servers]), Lemmas/ColumnCount.v
    ([column_answer], [key_row_holds]), Lemmas/MatrixCount.v ([is_matrix_of]), Lemmas/PermutationCount.v ([relation_met],
    [opens_to], [is_generator_relation], [find_permutation_break], [opening_difference]), Spec/Mixnet/MixnetTranscript.v
    ([permutation_string] and its like, [fits_context], [is_digest]), Spec/Commitment/Challenge.v ([tag_collision]),
    Lemmas/ChallengeSpace.v ([challenge_space]), Lemmas/Batch.v ([choices]), Spec/Mixnet/PostKey.v ([fits_post_key],
    [of_server]) and Safety/BoundsSafe.v ([of_bytes]).

    - [linear_complete]: honest proofs of a linear relation are accepted.
    - [linear_special_soundness]: two accepted proofs with one commitment and different challenges give a witness, by a
      formula.
    - [linear_simulation]: for each challenge, nonces and responses are the same, one for one, and the simulator's
      commitment is the honest one: real and simulated proofs are the same.
    - [linear_simulated_accepted]: what the simulator makes is accepted, without a witness, for any image.
    - [linear_distributed]: proofs under one challenge, by provers who share the witness, add up to one.
    - [pedersen_binding]: two openings of one commitment are a relation among the generators, by a formula.
    - [product_chain]: a chain that ends in another product is a relation between two generators, by a formula.
    - [same_product_rearranged]: products that agree at as many points as they have factors are of one list, rearranged.
    - [column_decrypts_permuted], [column_backward_decrypts]: in a shuffled list row π(i) decrypts to what row i did, and
      backward row i to what row π(i) did.
    - [column_counted]: where some row decrypts to something else than what it was, at most b^(n-1) of b^n vectors of
      coefficients have an answer.
    - [accepted_proofs_meet_relations]: two accepted proofs of one statement, with one commitment and different challenges, give
      a witness of the verifier's relation, whichever of the four proofs it is.
    - [not_permutation_counted]: where a commitment is opened to a matrix that is no permutation's, for at most
      n b^(n-1) r + (n-1) b^n of the b^n r pairs of coefficients and shift has the permutation proof's relation a witness that
      gives no relation among the generators away.
    - [shuffle_counted]: where a row decrypts to something else than what the committed permutation moves there, at most b^(n-1)
      of b^n vectors of coefficients have a witness of the column proof's relation that gives no such relation away.
    - [decryption_counted]: with a false share at most b^(n-1) of b^n vectors of coefficients have a witness.
    - [zero_test_sound]: a witness of a zero test's relation multiplies each target by a factor that is not 0.
    - [share_correct]: the share that was dealt passes its check, and no other.
    - [lagrange_correct]: the shares of any t servers combine to what the key makes of an element.
    - [statements_bind]: one seed of two statements, or one digest of two lists, is a pair of strings with one digest.
    - [coefficients_drawn]: coefficient i is the one that the seed determines for i, out of 2^128, so that they are among the
      choices that are counted above.
    - [post_key_injective]: two keys of posts have two encodings.
    - [decode_post_key_iff]: exactly the encodings of legal keys are decoded, to what was encoded.
    - [post_gates_fit]: the gates of a post are keys that can be written, and its own is one. *)
From Coq Require Import Arith NArith List Bool Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation
  Mixnet.Column Mixnet.Sharing Mixnet.Threshold Mixnet.ZeroTest Mixnet.MixnetTranscript.
From AardvarkSpec Require Import Base.Bytes Base.Hash Commitment.Challenge.
From Aardvark Require Import Lemmas.Field Lemmas.Batch.
From Aardvark Require Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column Spec.Mixnet.Sharing
  Spec.Mixnet.Lagrange Spec.Mixnet.Threshold Spec.Mixnet.ZeroTest Lemmas.ColumnCount Lemmas.MatrixCount
  Lemmas.PermutationCount Lemmas.ShuffleCount Spec.Mixnet.MixnetTranscript Spec.Commitment.Challenge Lemmas.ChallengeSpace.
Import ListNotations.
Local Open Scope N_scope.

Section Mixnet.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Import Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column Spec.Mixnet.Lagrange Lemmas.ColumnCount
  Lemmas.MatrixCount Lemmas.PermutationCount.

(** Honest proofs are accepted, where no row is longer than the nonces. *)
Theorem linear_complete (matrix : list (list G1)) (witness nonces : list Scalar) (c : Scalar) :
  rows_within matrix (seq_length nonces) ->
  linear_verify matrix (seq_length nonces) (linear_map matrix witness) (linear_prove matrix witness nonces c) c = true.
Proof. apply Spec.Mixnet.LinearRelation.linear_complete. Qed.

(** (z - z') / (c - c') is a witness. *)
Theorem linear_special_soundness (matrix : list (list G1)) (columns : N) (image first : list G1) (c d : Scalar)
    (responses others : list Scalar) :
  c <> d ->
  linear_verify matrix columns image {| linear_first := first; linear_responses := responses |} c = true ->
  linear_verify matrix columns image {| linear_first := first; linear_responses := others |} d = true ->
  linear_map matrix (linear_extract c responses d others) = image.
Proof. apply Spec.Mixnet.LinearRelation.linear_special_soundness. Qed.

(** Under any challenge, nonces give responses and responses nonces, one for one; and the commitment of an honest proof is
    what the simulator, who has no witness, makes of challenge and responses. *)
Theorem linear_simulation (matrix : list (list G1)) (witness : list Scalar) (c : Scalar) :
  (forall nonces, linear_respond (linear_respond nonces c witness) (scalar_of_N 0 [-] c) witness = nonces) /\
  (forall responses, linear_respond (linear_respond responses (scalar_of_N 0 [-] c) witness) c witness = responses) /\
  (forall nonces, rows_within matrix (seq_length nonces) ->
    linear_prove matrix witness nonces c
    = let responses := linear_respond nonces c witness in
      {| linear_first := linear_simulate matrix (linear_map matrix witness) c responses; linear_responses := responses |}).
Proof.
  split; [| split].
  - intros nonces. apply linear_nonces_responses.
  - intros responses. apply linear_responses_nonces.
  - intros nonces R. cbv zeta. now rewrite (linear_simulated matrix witness nonces c R).
Qed.

(** The simulator's proofs are accepted, of true statements and of false ones. *)
Theorem linear_simulated_accepted (matrix : list (list G1)) (image : list G1) (c : Scalar) (responses : list Scalar) :
  seq_length image = seq_length matrix ->
  linear_verify matrix (seq_length responses) image
    {| linear_first := linear_simulate matrix image c responses; linear_responses := responses |} c = true.
Proof. apply Spec.Mixnet.LinearRelation.linear_simulated_accepted. Qed.

(** The sum of two accepted proofs is accepted of the sum of their images; and images add up as witnesses do. *)
Theorem linear_distributed (matrix : list (list G1)) (columns : N) (image image' : list G1)
    (proof proof' : LinearProof) (c : Scalar) :
  (linear_verify matrix columns image proof c = true -> linear_verify matrix columns image' proof' c = true ->
   linear_verify matrix columns (linear_sum_elements image image') (linear_sum_proofs proof proof') c = true) /\
  (forall s s', seq_length s = seq_length s' ->
   linear_map matrix (linear_sum_scalars s s') = linear_sum_elements (linear_map matrix s) (linear_map matrix s')).
Proof.
  split; [apply Spec.Mixnet.LinearRelation.linear_distributed |]. intros s s' L. now apply linear_map_sum.
Qed.

(** Two openings of one commitment with a different value somewhere: coefficients of the generators, not all 0, whose
    combination is the identity. *)
Theorem pedersen_binding (generators : MixnetGenerators) (blinding blinding' : Scalar) (values values' : list Scalar) :
  seq_length values = seq_length (generator_bases generators) ->
  g1_add (g1_scale blinding (generator_blinding generators)) (g1_combination (generator_bases generators) values)
  = g1_add (g1_scale blinding' (generator_blinding generators)) (g1_combination (generator_bases generators) values') ->
  g1_combination (generator_blinding generators :: generator_bases generators)
    (opening_relation blinding blinding' values values') = g1_identity /\
  (forall i, i < seq_length values -> scalar_at values i <> scalar_at values' i ->
   scalar_at (opening_relation blinding blinding' values values') (i + 1) <> scalar_of_N 0).
Proof.
  intros L E. split; [now apply Spec.Mixnet.Permutation.pedersen_binding |]. intros i. apply opening_relation_nonzero.
Qed.

(** Where a chain of the moved coefficients ends in the product of the drawn ones, with a blinding ω: the differences of
    blindings and of products combine F_0 and B_0 to the identity. If the products differ, that is a relation between
    the two. *)
Theorem product_chain (generators : MixnetGenerators) (chain : list G1) (moved blindings coefficients : list Scalar)
    (theta omega : Scalar) :
  is_chain generators chain moved blindings theta (seq_length moved) ->
  g1_subtract (permutation_chain_before generators chain (seq_length moved))
    (g1_scale (permutation_product coefficients theta) (generator_chain generators))
  = g1_scale omega (generator_blinding generators) ->
  g1_combination [generator_blinding generators; generator_chain generators]
    [permutation_omega moved blindings theta [-] omega;
     permutation_product moved theta [-] permutation_product coefficients theta] = g1_identity.
Proof. apply Spec.Mixnet.Permutation.product_chain. Qed.

(** So, where products agree at as many shifts as there are factors, the moved coefficients are the drawn ones, rearranged. *)
Theorem same_product_rearranged (a c s : list Scalar) :
  length a = length c -> NoDup s -> (length a <= length s)%nat ->
  (forall x, In x s -> permutation_product a x = permutation_product c x) -> Permutation a c.
Proof. apply Spec.Mixnet.Permutation.same_product_rearranged. Qed.

(** Under the keys (G, .., x_l G, ..), row π(i) of the shuffled list decrypts in each component to what row i of the list did. *)
Theorem column_decrypts_permuted (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar)
    (secret : Scalar) (i l : N) :
  permutes images (seq_length rows) -> i < seq_length rows ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  decrypted (seq_at (column_forward images rows keys randomness) (seq_at images i)) secret l
  = decrypted (seq_at rows i) secret l.
Proof. intros. rewrite column_forward_at by assumption. now apply reencrypted_decrypts. Qed.

(** Backward, row i decrypts to what row π(i) did. *)
Theorem column_backward_decrypts (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar)
    (secret : Scalar) (i l : N) :
  i < seq_length rows ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  decrypted (seq_at (column_backward images rows keys randomness) i) secret l
  = decrypted (seq_at rows (seq_at images i)) secret l.
Proof. intros. rewrite column_backward_at by assumption. now apply reencrypted_decrypts. Qed.

(** A prover is bound to moving the coefficients by π (its commitment, [pedersen_binding]) and may choose q and u after it
    sees them. Where row π(i) of the new list decrypts to something else in component l than row i of the old one did, the
    rows of the relation for components 0 and l hold for at most b^(n-1) of the b^n vectors of coefficients from a set of b. *)
Theorem column_counted (images : list N) (keys : list G1) (before after : list (list G1)) (secret : Scalar) (l i : N)
    (s : list Scalar) (q u : list Scalar -> Scalar) :
  NoDup s -> permutes images (seq_length before) -> seq_length after = seq_length before ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  i < seq_length before ->
  decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l ->
  (length (filter (fun e =>
      key_row_holds keys before after e (column_answer images e (q e) (u e)) 0
      && key_row_holds keys before after e (column_answer images e (q e) (u e)) l)
    (choices s (length before))) <= length s ^ (length before - 1))%nat.
Proof. apply Lemmas.ColumnCount.column_counted. Qed.

(** What the verifiers with challenge ask, and what the theorems on relations below are about: two accepted proofs that begin
    alike, of one statement, under different challenges, give a witness of the verifier's relation. *)
Theorem accepted_proofs_meet_relations (first : list G1) (responses others : list Scalar) (c d : Scalar) :
  c <> d ->
  let proof := {| linear_first := first; linear_responses := responses |} in
  let proof' := {| linear_first := first; linear_responses := others |} in
  let w := linear_extract c responses d others in
  (forall generators committed chain e theta,
    verify_permutation generators committed chain proof e theta c = true ->
    verify_permutation generators committed chain proof' e theta d = true ->
    relation_met (permutation_matrix generators chain) (permutation_image generators committed chain e theta) w = true) /\
  (forall generators committed keys before after e,
    verify_column generators committed keys before after proof e c = true ->
    verify_column generators committed keys before after proof' e d = true ->
    relation_met (column_matrix generators keys after) (column_image committed keys before e) w = true) /\
  (forall key_shares firsts shares e,
    verify_decryption key_shares firsts shares proof e c = true ->
    verify_decryption key_shares firsts shares proof' e d = true ->
    relation_met (decryption_matrix (seq_length key_shares) (g1_combination firsts e))
      (decryption_image key_shares shares e) w = true) /\
  (forall targets blinded,
    verify_zero_test targets blinded proof c = true -> verify_zero_test targets blinded proof' d = true ->
    relation_met (zero_test_matrix targets) (zero_test_image blinded) w = true).
Proof.
  intros D proof proof' w.
  assert (forall matrix columns image, linear_verify matrix columns image proof c = true ->
    linear_verify matrix columns image proof' d = true -> relation_met matrix image w = true) as Meets.
  { intros matrix columns image A B. apply relation_met_iff.
    now apply (Spec.Mixnet.LinearRelation.linear_special_soundness matrix columns image first c d). }
  split; [| split; [| split]]; intros; eapply Meets;
    match goal with H : _ = true |- _ => apply andb_true_iff in H as [_ H]; exact H end.
Qed.

(** A commitment, opened to a matrix with blindings. The prover makes the chain and the witness after it has seen coefficients,
    from a set of b, and shift, from a set of r. If the matrix is no permutation's, few pairs of these have a witness of the
    permutation proof's relation that gives no relation among the generators away. *)
Theorem not_permutation_counted (generators : MixnetGenerators) (committed : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (s t : list Scalar) (chain : list Scalar -> Scalar -> list G1)
    (witness : list Scalar -> Scalar -> list Scalar) :
  NoDup s -> NoDup t -> opens_to generators committed blindings rows -> (forall images, ~ is_matrix_of images rows) ->
  let n := length rows in
  let b := length s in
  let r := length t in
  (length (filter (fun '(e, theta) =>
      relation_met (permutation_matrix generators (chain e theta))
        (permutation_image generators committed (chain e theta) e theta) (witness e theta)
      && negb (is_generator_relation generators
        (find_permutation_break generators blindings rows e theta (witness e theta))))
    (list_prod (choices s n) t))
   <= n * b ^ (n - 1) * r + (n - 1) * b ^ n)%nat.
Proof. intros Ds Dt O N. cbv zeta. now apply Lemmas.PermutationCount.not_permutation_counted. Qed.

(** A commitment, opened to the matrix of π. The prover makes the witness after it has seen the coefficients. Where row π(i) of
    the new list decrypts to something else in component l than row i of the old one, few vectors of coefficients have a witness of
    the column proof's relation that gives no relation among the generators away. Backward the lists are exchanged. *)
Theorem shuffle_counted (generators : MixnetGenerators) (committed keys : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (images : list N) (before after : list (list G1)) (secret : Scalar) (l i : N)
    (s : list Scalar) (witness : list Scalar -> list Scalar) :
  NoDup s -> opens_to generators committed blindings rows -> is_matrix_of images rows ->
  seq_length before = seq_length rows -> seq_length after = seq_length rows ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  i < seq_length rows ->
  decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l ->
  let n := length rows in
  let b := length s in
  (length (filter (fun e =>
      relation_met (column_matrix generators keys after) (column_image committed keys before e) (witness e)
      && negb (is_generator_relation generators (opening_difference blindings rows e (witness e))))
    (choices s n)) <= b ^ (n - 1))%nat.
Proof. intros. cbv zeta. now apply (Lemmas.ShuffleCount.shuffle_counted _ _ _ _ _ images _ _ secret l i). Qed.

(** Where the share of a row under key l is not x_l times the row's C_0, few vectors of coefficients have a witness of the
    decryption proof's relation; nothing else has to be found. *)
Theorem decryption_counted (key_shares firsts : list G1) (shares : list (list G1)) (secret : Scalar) (l j : N)
    (s : list Scalar) (witness : list Scalar -> list Scalar) :
  NoDup s -> seq_length shares = seq_length firsts -> l < seq_length key_shares -> g1_at key_shares l = g1_multiple secret ->
  j < seq_length firsts -> g1_at (seq_at shares j) l <> g1_scale secret (g1_at firsts j) ->
  let n := length firsts in
  let b := length s in
  (length (filter (fun e =>
      relation_met (decryption_matrix (seq_length key_shares) (g1_combination firsts e))
        (decryption_image key_shares shares e) (witness e))
    (choices s n)) <= b ^ (n - 1))%nat.
Proof. intros. cbv zeta. now apply (Spec.Mixnet.Threshold.decryption_counted _ _ _ secret l j). Qed.

(** A witness of a zero test's relation multiplies each target by a factor that is not 0, so what it leaves decrypts to 0 exactly
    if the target did. *)
Theorem zero_test_sound (targets blinded : list (list G1)) (w : list Scalar) (j : N) (secret : Scalar) :
  seq_length targets = seq_length blinded -> zero_test_legal blinded = true ->
  relation_met (zero_test_matrix targets) (zero_test_image blinded) w = true -> j < seq_length targets ->
  scalar_at w j <> scalar_of_N 0 /\
  decrypted (seq_at blinded j) secret 1 = g1_scale (scalar_at w j) (decrypted (seq_at targets j) secret 1) /\
  (decrypted (seq_at blinded j) secret 1 = g1_identity <-> decrypted (seq_at targets j) secret 1 = g1_identity).
Proof. apply Spec.Mixnet.ZeroTest.met_zero_test. Qed.

(** A share passes the check against the commitments to the polynomial exactly if it is the polynomial's value. *)
Theorem share_correct (coefficients : list Scalar) (server : N) (share : Scalar) :
  share_verify (share_commitments coefficients) server share = true <-> share = share_of coefficients server.
Proof. apply Spec.Mixnet.Sharing.share_verify_iff. Qed.

(** Shares of an element by distinct servers, as many as the polynomial has coefficients or more: each times its Lagrange
    coefficient, they add up to the element times the key. *)
Theorem lagrange_correct (coefficients : list Scalar) (servers : list N) (element : G1) :
  distinct_servers servers -> (length coefficients <= length servers)%nat ->
  share_combine servers (map (fun k => g1_scale (share_of coefficients k) element) servers)
  = g1_scale (scalar_at coefficients 0) element.
Proof. apply Spec.Mixnet.Lagrange.lagrange_correct. Qed.

End Mixnet.

Section Statements.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Import Spec.Mixnet.MixnetTranscript Spec.Commitment.Challenge.

(** One seed, one statement: ceremony and keys, server, purpose, and all lists by their digests; else the two strings that were
    hashed are different and have one digest. The same of lists. *)
Theorem statements_bind :
  (forall c c' n n' a a', fits_context c -> fits_context c' -> n < 2 ^ 32 -> n' < 2 ^ 32 ->
    permutation_seed c n a = permutation_seed c' n' a' ->
    (c = c' /\ n = n' /\ a = a') \/
    tag_collision tag_mixnet_permutation (permutation_string c n a) (permutation_string c' n' a')) /\
  (forall c c' p p' a a' k k' x x' y y', fits_context c -> fits_context c' -> is_digest p -> is_digest p' ->
    is_digest a -> is_digest a' -> is_digest k -> is_digest k' -> is_digest x -> is_digest x' ->
    column_seed c p a k x y = column_seed c' p' a' k' x' y' ->
    (c = c' /\ p = p' /\ a = a' /\ k = k' /\ x = x' /\ y = y') \/
    tag_collision tag_mixnet_column (column_string c p a k x y) (column_string c' p' a' k' x' y')) /\
  (forall c c' p p' k k' x x' y y', fits_context c -> fits_context c' -> is_digest p -> is_digest p' ->
    is_digest k -> is_digest k' -> is_digest x -> is_digest x' ->
    decryption_seed c p k x y = decryption_seed c' p' k' x' y' ->
    (c = c' /\ p = p' /\ k = k' /\ x = x' /\ y = y') \/
    tag_collision tag_mixnet_decryption (decryption_string c p k x y) (decryption_string c' p' k' x' y')) /\
  (forall c c' p p' x x' y y', fits_context c -> fits_context c' -> is_digest p -> is_digest p' ->
    is_digest x -> is_digest x' ->
    zero_test_seed c p x y = zero_test_seed c' p' x' y' ->
    (c = c' /\ p = p' /\ x = x' /\ y = y') \/
    tag_collision tag_mixnet_zero_test (zero_test_string c p x y) (zero_test_string c' p' x' y')) /\
  (forall n n' w w' x x', n < 2 ^ 32 -> n' < 2 ^ 32 -> w < 2 ^ 16 -> w' < 2 ^ 16 ->
    mixnet_list_digest n w x = mixnet_list_digest n' w' x' ->
    (n = n' /\ w = w' /\ x = x') \/ tag_collision tag_mixnet_list (list_string n w x) (list_string n' w' x')).
Proof.
  split; [exact permutation_seed_binds |]. split; [exact column_seed_binds |]. split; [exact decryption_seed_binds |].
  split; [exact zero_test_seed_binds | exact list_digest_binds].
Qed.

(** The coefficients that verifiers draw. *)
Theorem coefficients_drawn (seed : ByteString) (count : N) :
  (forall i, i < count -> scalar_at (mixnet_coefficients seed count) i = batch_coefficient seed i) /\
  ((forall x, 16 <= seq_length (tagged_hash tag_coefficient x) /\
      Forall (fun byte => byte < 256) (tagged_hash tag_coefficient x)) ->
   In (mixnet_coefficients seed count) (choices Lemmas.ChallengeSpace.challenge_space (N.to_nat count))).
Proof. split; [intros i; apply mixnet_coefficients_at | apply mixnet_coefficients_chosen]. Qed.

End Statements.

From AardvarkSpec Require Import Mixnet.PostKey.
From Aardvark Require Import Safety.BoundsSafe Spec.Mixnet.PostKey.

(** Under two keys stand two posts. *)
Theorem post_key_injective : forall a b, fits_post_key a -> fits_post_key b -> encode_post_key a = encode_post_key b -> a = b.
Proof. exact Aardvark.Spec.Mixnet.PostKey.post_key_injective. Qed.

(** What a board and its readers take for a key. *)
Theorem decode_post_key_iff : forall bytes key, of_bytes bytes ->
  decode_post_key bytes = Ok key <-> fits_post_key key /\ bytes = encode_post_key key.
Proof. exact Aardvark.Spec.Mixnet.PostKey.decode_post_key_iff. Qed.

(** So that the organiser can close every gate. *)
Theorem post_gates_fit : forall key, fits_post_key key -> of_server key ->
  In key (post_gates key) /\ forall gate, In gate (post_gates key) -> fits_post_key gate.
Proof.
  intros key F V. split; [|intros gate; now apply Aardvark.Spec.Mixnet.PostKey.post_gates_fit].
  unfold post_gates. destruct (_ =? _)%N; [now left|]. destruct (kind_may_be_absent _); now left.
Qed.
