(** Theorems for auditors: accepted answers of servers that may all lie.

    To understand a statement of this file you need this file, the generated definitions, above all [trace_ideal], and
    Lemmas/AcceptedColumns.v and Lemmas/AcceptedTrace.v, which say what is shown ([ShownMixer], [ShownTest], [ShownShares],
    [ShownTrace]), when it is accepted ([lists_accepted], [trace_accepted]), what breaks ([lists_break], [trace_breaks]), and what
    everybody reads ([shown_answer]); with what these name in Theorems/Mixnet.v and Theorems/Traces.v.

    What is shown are openings of commitments and witnesses, which two accepted proofs give
    ([Mixnet.accepted_proofs_meet_relations]). A break is a relation among the generators, made by a function of what is shown,
    or one of the challenges that [counted_challenges_few] counts.

    - [lists_justified_or_breaks]: the last of accepted lists decrypts to what the first did, moved by the permutations to which
      the servers are committed, or a server breaks. So it is of a mix, forward, and of a query's column, either way.
    - [answer_justified_or_breaks]: what is read of an accepted answer is the ideal's, or there is a break.
    - [counted_challenges_few]: how few the counted challenges are. *)
From Coq Require Import Arith NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Permutation Mixnet.Column Mixnet.Sharing
  Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Field Lemmas.Batch.
From Aardvark Require Spec.Mixnet.Column Spec.Mixnet.Lagrange Spec.Mixnet.Threshold Spec.Mixnet.TraceRun Lemmas.ColumnCount
  Lemmas.MatrixCount Lemmas.AcceptedColumns Lemmas.AcceptedTrace Lemmas.CountedChallenges.
Import ListNotations.
Local Open Scope N_scope.

Section AcceptedTraces.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Import Spec.Mixnet.Column Spec.Mixnet.Lagrange Spec.Mixnet.Threshold Spec.Mixnet.TraceRun Lemmas.ColumnCount Lemmas.MatrixCount
  Lemmas.AcceptedColumns Lemmas.AcceptedTrace.

(** Component l of the last list, under a key row (G, .., x_l G, ..): forward row π(i) decrypts to what row i of the first did, π
    being where rows go by all the servers' permutations in their order; backward row i to what row π(i) did. *)
Theorem lists_justified_or_breaks (direction : TraceDirection) (generators : MixnetGenerators) (keys : list G1) (secret : Scalar)
    (l n : N) (shown : list ShownMixer) (first : list (list G1)) :
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  seq_length first = n -> lists_accepted direction generators keys first shown ->
  (all_permute (map as_mixer shown) n /\ seq_length (last_list first shown) = n /\
   forall i, i < n ->
   match direction with
   | TraceDirection_TraceIn =>
       decrypted (seq_at (last_list first shown) i) secret l
       = decrypted (seq_at first (images_through (map as_mixer (rev shown)) i)) secret l
   | TraceDirection_TraceOut =>
       decrypted (seq_at (last_list first shown) (images_through (map as_mixer shown) i)) secret l
       = decrypted (seq_at first i) secret l
   end) \/
  lists_break direction generators secret l first shown.
Proof. intros L G Y N A. exact (Lemmas.AcceptedColumns.lists_justified direction generators keys secret l n shown L G Y first N A). Qed.

(** Columns, zero tests and shares are accepted, of at least as many servers as the dealt polynomial has coefficients; the
    permutations to which the servers are committed take input i to an output of its value (which [lists_justified_or_breaks]
    says of the mix). Then everybody reads the ideal answer, or there is a break. Every mode, public and private. *)
Theorem answer_justified_or_breaks (generators : MixnetGenerators) (coefficients : list Scalar) (querier : Scalar)
    (query : TraceQuery) (inputs outputs : list (list G1)) (shown : ShownTrace) :
  let n := seq_length outputs in
  let assignment := shown_assignment n shown in
  trace_accepted generators (trace_keys coefficients querier) (share_commitments coefficients) query outputs shown ->
  distinct_servers (map shown_server (shown_decryption shown)) ->
  (length coefficients <= length (shown_decryption shown))%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  trace_legal query outputs = true -> seq_length inputs = n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  shown_answer querier query outputs shown = Some (trace_ideal query inputs outputs assignment) \/
  trace_breaks generators coefficients querier query outputs shown.
Proof. apply Lemmas.AcceptedTrace.answer_justified_or_breaks. Qed.

(** The counted challenges, drawn after what they are about is fixed: of a permutation proof, where the opening is to no
    permutation; of a column proof, where a row decrypts to something else; of a decryption proof, where a share is false. *)
Theorem counted_challenges_few (s t : list Scalar) :
  NoDup s -> NoDup t ->
  let b := length s in
  (forall rows, ~ is_matrix_of (matrix_images rows) rows ->
   let n := length rows in
   (length (filter (fun '(e, theta) => products_agree rows e theta) (list_prod (choices s n) t))
    <= n * b ^ (n - 1) * length t + (n - 1) * b ^ n)%nat) /\
  (forall images before after secret l,
   (exists i, i < seq_length before /\
      decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l) ->
   let n := length before in
   (length (filter (fun e => combination (decryption_error images before after secret l) e (seq_length before) [=?] scalar_of_N 0)
      (choices s n)) <= b ^ (n - 1))%nat) /\
  (forall firsts shares secret l,
   (exists j, j < seq_length firsts /\ g1_at (seq_at shares j) l <> g1_scale secret (g1_at firsts j)) ->
   let n := length firsts in
   (length (filter (fun e => combination (share_error firsts shares secret l) e (seq_length firsts) [=?] scalar_of_N 0)
      (choices s n)) <= b ^ (n - 1))%nat).
Proof. exact (Lemmas.CountedChallenges.counted_challenges_few s t). Qed.

End AcceptedTraces.
