(** Theorems for auditors: what an accepted answer means whose runs have any number of segments.

    The segments of the runs in the query's box are those of certificates, the first without a link and each other one linked to the one
    before (Certificates.v, LinkedCertificates.v), as they stand in the dictionary; the heads are what everybody checks who decides on a
    run's step. An accepted answer shows some of the segments. It states totals, rows of a rank, how many rows are below a number, or a row,
    of all rows of these runs, as the specification's [table_meaning] says; or what TableAnswers.v names is handed over.

    To understand a statement of this file you need this file, the generated definitions, what TableAnswers.v names, of
    Spec/Table/LongAnswer.v [long_runs_exact], of Lemmas/LongRunsSound.v [KnownSegment], [long_run_certified], [record_decoded],
    [rows_of_long_run], of Lemmas/LongMeaning.v [long_answer_meaning], [long_answer_broken], with [continued] (Lemmas/LinkedRuns.v).
    A point beside its bytes is what [decode] makes of them.

    - [long_answer_correct_or_breaks]: an accepted answer means what it states, under the commitments of a version.
    - [rooted_long_answer_correct_or_breaks]: and under a state root.
    - [certified_run_rows]: the rows of a certified run are in ascending order, at most the cap, and as many as its head says. *)
From Coq Require Import NArith List Bool Sorted Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.Scheme Dictionary.Vectors Block.State Block.Root Answer.AnswerProof Answer.AnswerBasis
  Table.RunRecord Table.TableSchema Table.TableQuery Table.TableKey Table.RunSegments Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerVerifier
  Table.LongRuns Table.LongAnswer Table.TableMeaning.
From Aardvark Require Import Lemmas.Field Safety.BoundsSafe Lemmas.SheetRelations Spec.Table.TableAnswerVerifier Spec.Table.LongAnswer
  Lemmas.TableAnswerSound Lemmas.TableOrderSound Lemmas.TableMeaning Lemmas.LongRunsSound Lemmas.LongMeaning.
From Aardvark Require Spec.Answer.Verify Spec.Block.Root.
From Aardvark Require Theorems.Ring Theorems.Breaks Theorems.Roots Theorems.Answers.
Import ListNotations.
Local Open Scope N_scope.

Section LongAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The scalars are a field whose equality is decided, numbers are sums of ones in it, and the given root of unity has order
    4096; numbers below 2^232 are told apart by their scalars. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.
Hypothesis differ : numbers_differ (2 ^ 232).
Lemma lawful_scalars : LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : PrimitiveRoot scalar_given := root.

(** The whole array of the version that is asked about. Its keys are strings of bytes. *)
Variable a : Array.
Hypothesis a_well_formed : Ring.well_formed a.
Hypothesis a_of_bytes : forall p x, slot_at (array_slots a) p = Some x -> of_bytes (key x).

(** A setup of KZG, of vectors of [n] elements. *)
Variables (n : N) (tau : Scalar).
Let kzg : KzgSetup := kzg_setup n tau.
Hypothesis made : 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1.
Hypothesis sized : setup_vector_size (Setup_Kzg kzg) = n.
Hypothesis positive : 1 <= n.

(** What the bytes of points decode to, and what is known of the segments of the run at a place. *)
Variables (decode : ByteString -> G1) (known : RunPlace -> list KnownSegment).

(** ** Runs *)

Theorem certified_run_rows : forall cap moments run, long_head_legal (long_head run) moments = true ->
  long_run_certified kzg decode a known cap moments run ->
  let rows := rows_of_long_run known run in
  StronglySorted N.le rows /\ Forall (fun row => row <= cap) rows /\ seq_length rows = long_rows (long_head run).
Proof. intros cap moments run. exact (long_rows_are_a_run kzg decode a known cap moments run). Qed.

(** ** Answers *)

(** Functions that commit and open, computed in whatever way. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit (Setup_Kzg kzg) vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open (Setup_Kzg kzg) vector i.

(** The query, the schema, of legal sizes, and the answer, whose totals are strings of bytes and whose segments were decoded. *)
Variables (query : TableQuery) (schema : TableSchema) (answer : LongAnswer) (outcome : LongOutcome).
Hypothesis query_bytes : query_of_bytes query.
Hypothesis totals_bytes : Forall (Forall of_bytes) (answer_totals (long_answer answer)).
Hypothesis pieces_decoded : Forall (fun piece => record_decoded decode (piece_record piece)) (long_shown answer).
Hypothesis sizes : cap_of_query query schema < 2 ^ 64 /\ moments_of_query query schema <= 3 /\ bits_of_query query schema <= 64.

(** The runs are certified; and what is known under the points of the answer. *)
Variables (points : N -> ComparisonKnown) (w w' : list Scalar).
Hypothesis certified : Forall (long_run_certified kzg decode a known (cap_of_query query schema) (moments_of_query query schema)) (long_outcome_runs outcome).
Hypothesis opening : opening_known kzg (answer_opening (long_answer answer)) w w'.
Hypothesis comparisons : comparisons_known kzg points (long_answer answer).

(** What the runs are in the box, with their segments that are shown, and of all their rows what is asked for; or what is handed over. *)
Definition long_answer_correct (trusted : Trusted) : Prop :=
  long_runs_exact a query schema (long_shown answer) (long_outcome_runs outcome) /\
  (long_answer_meaning known query schema answer outcome \/ long_answer_broken kzg known points trusted query schema answer outcome w w').

Lemma exact_is_correct : forall trusted, verify_long_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  long_runs_exact a query schema (long_shown answer) (long_outcome_runs outcome) /\ rows_of_long_runs (long_outcome_runs outcome) < MAX_BOX_ROWS ->
  long_answer_correct trusted.
Proof.
  intros trusted accepted [exact few]. split; [exact exact|]. destruct exact as (_ & heads & _ & pieces). destruct sizes as (cap & moments & bits).
  apply (long_answer_meant kzg decode a known points trusted query schema answer outcome w w' differ cap moments bits totals_bytes pieces_decoded accepted);
    try assumption. revert heads. apply Forall_impl. intros run [_ legal]. exact legal.
Qed.

Lemma well_made : exists n0 tau0, kzg = kzg_setup n0 tau0 /\ 0 < n0 /\ 4096 mod n0 = 0 /\ scalar_pow tau0 n0 <> scalar_of_N 1.
Proof. exists n, tau. split; [reflexivity|exact made]. Qed.

(** Under the commitments of a version. *)
Theorem long_answer_correct_or_breaks : forall commitments,
  known_vector_size commitments = n /\ known_size commitments = array_size a /\ known_commitments commitments = array_commitments (Setup_Kzg kzg) n a ->
  verify_long_answer (Setup_Kzg kzg) (Trusted_TrustedCommitments commitments) query schema answer = Ok outcome ->
  match Answers.find_claim_break a n commit_to open_at (answer_proof (long_answer answer)) with
  | Some b => Breaks.is_break (Setup_Kzg kzg) b
  | None => long_answer_correct (Trusted_TrustedCommitments commitments)
  end.
Proof.
  intros commitments true_commitments accepted.
  pose proof (accepted_long_runs_exact a a_well_formed a_of_bytes (Setup_Kzg kzg) n well_made sized positive _ query schema answer outcome query_bytes accepted) as H.
  rewrite <- (Answers.find_claim_break_same a (Setup_Kzg kzg) n positive commit_to open_at commits opens) in H.
  pose proof (fun basis => Aardvark.Spec.Answer.Verify.known_basis_true (Setup_Kzg kzg) n a commitments (answer_proof (long_answer answer)) basis true_commitments) as K.
  specialize (H K). destruct (Answers.find_claim_break a n commit_to open_at (answer_proof (long_answer answer))) as [b|]; cbn [option_map] in H.
  - destruct b; exact H.
  - now apply exact_is_correct.
Qed.

(** ** Under a root *)

(** Digests have 32 bytes, and commitments an encoding that tells them apart: a matter of the curve. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : Roots.fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments (Setup_Kzg kzg) n a).

Theorem rooted_long_answer_correct_or_breaks : forall trusted tie,
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie (answer_proof (long_answer answer)) = Some tie -> Answers.tie_decoded encode tie -> Answers.tie_fits tie ->
  verify_long_answer (Setup_Kzg kzg) (Trusted_TrustedRoot trusted) query schema answer = Ok outcome ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match Answers.find_claim_break a n commit_to open_at (answer_proof (long_answer answer)) with
      | Some b => Breaks.is_break (Setup_Kzg kzg) b
      | None => long_answer_correct (Trusted_TrustedRoot trusted)
      end
  end.
Proof.
  intros trusted tie V D T B W accepted.
  pose proof (accepted_long_runs_exact a a_well_formed a_of_bytes (Setup_Kzg kzg) n well_made sized positive _ query schema answer outcome query_bytes accepted) as H.
  pose proof accepted as checked. apply verify_long_answer_checked in checked. cbv zeta in checked. destruct checked as (_ & _ & _ & (basis & EB & _) & _).
  pose proof (fun basis => Aardvark.Spec.Answer.Verify.root_basis_true (Setup_Kzg kzg) n positive a digest_length encode encode_injective state
    state_fits state_size state_commitments trusted (answer_proof (long_answer answer)) tie basis V D T B W) as R.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|]; [exact (R basis EB)|]. specialize (H R).
  rewrite <- (Answers.find_claim_break_same a (Setup_Kzg kzg) n positive commit_to open_at commits opens) in H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof (long_answer answer))) as [b|]; cbn [option_map] in H.
  - destruct b; exact H.
  - now apply exact_is_correct.
Qed.

End LongAnswers.
