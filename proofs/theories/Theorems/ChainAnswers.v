(** Theorems for auditors: what an accepted answer means about the state of a chain whose policy is `tables`.

    TableAnswers.v says what an accepted answer means where the runs in its box are certified. Under the policy they are
    (TablePolicies.v), as far as the certificates mean what they say: each that was accepted does ([certificate_meant]), or hands over a
    polynomial that vanishes at tau, or its challenges are counted.

    To understand a statement of this file you need this file, what TableAnswers.v and TablePolicies.v name, and of
    Lemmas/MeantTables.v [certificate_meant], [item_meant], [polynomials_of], and of Lemmas/ChainRuns.v [head_decoded_by]. What is assumed of the
    keeper is the algebraic group model: under each commitment it knows one polynomial ([under]).

    - [plain_certificate_meant], [linked_certificate_meant]: what an accepted certificate means. Of a linked one, the segments but the first
      are certified whatever the segment before is, so that certificates of one transaction may be linked to segments of each other.
    - [kept_run_certified]: the segments of a run that is kept are certified, and continue each other;
    - [chain_answer_correct_or_breaks], [rooted_chain_answer_correct_or_breaks]: an accepted answer means what it states, without a premise
      about certified runs. *)
From Coq Require Import NArith List Bool Sorted Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.SlotMap Dictionary.KeyMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.FoldedOpening Commitment.Scheme Dictionary.Vectors Block.Map Block.State Block.Root
  Answer.AnswerProof Answer.AnswerBasis Table.RunRecord Table.TableSchema Table.SchemaDecoder Table.TableQuery Table.TableKey Table.RunSegments
    Table.CertificateTranscript
  Table.Certificate Table.LinkedCertificate Table.Totals Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerVerifier Table.LongRuns
  Table.TablePolicy Policy.TableMade Policy.Tables.
From Aardvark Require Import Lemmas.Field Safety.BoundsSafe Lemmas.SheetRelations Spec.Commitment.FoldedOpening Lemmas.FoldedSound Spec.Table.Certificate
  Lemmas.CertificateSound Spec.Table.LinkedCertificate Lemmas.LinkedSound Spec.Table.Totals Spec.Table.TableAnswerVerifier Spec.Table.LongRuns
  Lemmas.TableAnswerSound Lemmas.TableOrderSound Lemmas.TableCutSound Lemmas.LongRunsSound Lemmas.KeptRuns Lemmas.KeptTables Lemmas.MeantTables.
From Aardvark Require Lemmas.ChainRuns Lemmas.LinkedRuns Spec.Answer.Verify Spec.Block.Root.
From Aardvark Require Theorems.Ring Theorems.Breaks Theorems.Roots Theorems.Answers Theorems.Scans Theorems.TableAnswers.
Import ListNotations.
Local Open Scope N_scope.

(** ** Certificates and runs *)

Section Certificates.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.
Variables (setup : KzgSetup) (under : G1 -> list Scalar).

Theorem plain_certificate_meant : forall sheet shown masks q w w',
  let about := table_sheet_about sheet in
  let items := table_sheet_items sheet in
  let drawn := drawn_challenges about items shown in
  let gammas := drawn_gammas about items shown in
  let z := drawn_fold_point about items shown in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items (polynomials_of under items) -> certificate_committed setup shown masks q w w' ->
  table_sheet_link sheet = None -> verify_certificate setup about items shown = Ok tt ->
  certificate_meant setup under (sheet, CertificateMeaning_CertificatePlain shown) \/
  finds_tau setup (certificate_break about items drawn shown (polynomials_of under items) masks q gammas z w w') = true \/
  certificate_counted about items drawn shown (polynomials_of under items) masks q gammas w z = true.
Proof. exact (Aardvark.Lemmas.MeantTables.plain_certificate_meant setup under). Qed.

Theorem linked_certificate_meant : forall sheet previous shown masks mask q w w',
  let about := table_sheet_about sheet in
  let items := table_sheet_items sheet in
  let before := under (held_element (record_values previous)) in
  let drawn := link_challenges about previous items shown in
  let gammas := link_gammas about previous items shown in
  let z := link_fold_point about previous items shown in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items (polynomials_of under items) -> linked_committed setup previous shown masks before mask q w w' ->
  table_sheet_link sheet = Some previous -> verify_linked_certificate setup about previous items shown = Ok tt ->
  certificate_meant setup under (sheet, CertificateMeaning_CertificateLinked shown) \/
  finds_tau setup (link_break about previous items drawn shown (polynomials_of under items) masks before mask q gammas z w w') = true \/
  linked_counted about previous items drawn shown (polynomials_of under items) masks before mask q gammas w z = true.
Proof. exact (Aardvark.Lemmas.MeantTables.linked_certificate_meant setup under). Qed.

(** The segments of a kept run have rows, which the polynomials under their records write, and each continues the one before; so
    they are a run ([linked_segments_are_a_run]: LinkedCertificates.v). *)
Theorem kept_run_certified : forall dictionary curve certificates entries table s place content head pieces,
  run_kept dictionary setup curve certificates entries table s place content head pieces -> Forall (certificate_meant setup under) certificates ->
  column_cap s (place_column place) < 2 ^ 64 ->
  exists segments, map segment_piece segments = first_piece head :: pieces /\
    Forall (fun segment => record_certified setup (column_cap s (place_column place)) (TablePolicy.column_moments s (place_column place))
      (piece_record (segment_piece segment)) (segment_under segment)) segments /\
    LinkedRuns.continued (map segment_rows segments).
Proof. intros dictionary curve. exact (Aardvark.Lemmas.MeantTables.kept_run_certified dictionary setup curve under). Qed.

End Certificates.

(** ** Answers *)

Section Answers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The assumptions on scalars, the array, the setup and the functions are those of TableAnswers.v. *)
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

Variable a : Array.
Hypothesis a_well_formed : Ring.well_formed a.
Hypothesis a_of_bytes : forall p x, slot_at (array_slots a) p = Some x -> of_bytes (key x).
Variables (n : N) (tau : Scalar).
Let kzg : KzgSetup := kzg_setup n tau.
Hypothesis made : 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1.
Hypothesis sized : setup_vector_size (Setup_Kzg kzg) = n.
Hypothesis positive : 1 <= n.
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit (Setup_Kzg kzg) vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open (Setup_Kzg kzg) vector i.

(** The array's tables are kept: so they are in every state that allowed transactions lead to ([policy_keeps_tables]). The accepted certificates mean
    what they say. *)
Variables (dictionary : ByteString) (curve : ByteString -> G1) (under : G1 -> list Scalar) (certificates : list AcceptedCertificate).
Hypothesis kept : tables_kept dictionary kzg curve certificates (map_of_array a).
Hypothesis meant : Forall (certificate_meant kzg under) certificates.

(** The query, about a table with a name, and the schema, whose encoding is read back. *)
Variables (query : TableQuery) (schema : TableSchema).
Hypothesis query_bytes : query_of_bytes query.
Hypothesis query_named : seq_length (query_table query) < 2 ^ 8.
Hypothesis schema_read : decode_schema (encode_schema schema) = Ok schema.
Hypothesis sizes : cap_of_query query schema < 2 ^ 64 /\ moments_of_query query schema <= 3 /\ bits_of_query query schema <= 64.
Variables (points : N -> ComparisonKnown) (w w' : list Scalar).

Lemma well_made : exists n0 tau0, kzg = kzg_setup n0 tau0 /\ 0 < n0 /\ 4096 mod n0 = 0 /\ scalar_pow tau0 n0 <> scalar_of_N 1.
Proof. exists n, tau. split; [reflexivity|exact made]. Qed.

(** Digests have 32 bytes, and commitments an encoding that tells them apart; the state has the array's, encoded. *)
Definition commitments_encoded (encode : G1 -> ByteString) (state : HashedState) : Prop :=
  (forall tag x, seq_length (tagged_hash tag x) = 32) /\ (forall x y, encode x = encode y -> x = y) /\ Roots.fits_state n state /\
  hashed_size state = array_size a /\ hashed_commitments state = map encode (array_commitments (Setup_Kzg kzg) n a).

(** *** An answer *)

Variables (answer : TableAnswer) (outcome : TableOutcome).
Hypothesis totals_bytes : Forall (Forall of_bytes) (answer_totals answer).
(** A point beside its bytes is the one that the curve has for them. *)
Hypothesis pieces_decoded : Forall (fun piece => record_decoded curve (piece_record piece)) (answer_shown answer).
Hypothesis heads_decoded : Forall (fun run => ChainRuns.head_decoded_by curve (long_head run)) (outcome_runs outcome).
Hypothesis opening : opening_known kzg (answer_opening answer) w w'.
Hypothesis comparisons : comparisons_known kzg points answer.

(** What is known of the runs, and the answer means what it states of it. *)
Definition chain_answer_correct (trusted : Trusted) : Prop :=
  exists known, TableAnswers.answer_correct a n tau query schema answer outcome points w w' known trusted.

Lemma runs_known : forall trusted, verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  runs_exact a query schema (answer_shown answer) (outcome_runs outcome) ->
  exists known, Forall (long_run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome) /\
    Forall (long_run_stands curve a known) (outcome_runs outcome).
Proof.
  intros trusted accepted (stood & heads & exact & _). apply verify_table_answer_checked in accepted. cbv zeta in accepted. destruct accepted as (fits & _).
  destruct (ChainRuns.runs_certified dictionary kzg curve under certificates a a_well_formed kept meant query schema query_bytes query_named fits
    schema_read stood (proj1 sizes) _ exact heads heads_decoded) as (known & both).
  exists known. rewrite !Forall_forall in *. split; intros run I; apply (both run I).
Qed.

Theorem chain_answer_correct_or_breaks : forall commitments,
  known_vector_size commitments = n /\ known_size commitments = array_size a /\ known_commitments commitments = array_commitments (Setup_Kzg kzg) n a ->
  verify_table_answer (Setup_Kzg kzg) (Trusted_TrustedCommitments commitments) query schema answer = Ok outcome ->
  match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
  | Some b => Breaks.is_break (Setup_Kzg kzg) b
  | None => chain_answer_correct (Trusted_TrustedCommitments commitments)
  end.
Proof.
  intros commitments true_commitments accepted.
  pose proof (Scans.scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    commitments query schema answer outcome true_commitments query_bytes accepted) as H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|] eqn:E; [exact H|].
  destruct (runs_known _ accepted H) as (known & certified & stand). exists known.
  pose proof (TableAnswers.answer_correct_or_breaks laws root differ a a_well_formed a_of_bytes n tau made sized positive commit_to open_at commits opens
    query schema answer outcome query_bytes totals_bytes sizes points w w' opening comparisons curve known pieces_decoded certified stand commitments
    true_commitments accepted) as T.
  rewrite E in T. exact T.
Qed.

Theorem rooted_chain_answer_correct_or_breaks : forall encode state trusted tie,
  commitments_encoded encode state ->
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie (answer_proof answer) = Some tie -> Answers.tie_decoded encode tie -> Answers.tie_fits tie ->
  verify_table_answer (Setup_Kzg kzg) (Trusted_TrustedRoot trusted) query schema answer = Ok outcome ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
      | Some b => Breaks.is_break (Setup_Kzg kzg) b
      | None => chain_answer_correct (Trusted_TrustedRoot trusted)
      end
  end.
Proof.
  intros encode state trusted tie (digest_length & injective & fits & size & encoded) V D T B W accepted.
  pose proof (Scans.rooted_scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    digest_length encode injective state fits size encoded trusted query schema answer tie outcome V D T B W query_bytes accepted) as H.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|] eqn:C; [exact H|].
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|] eqn:E; [exact H|].
  destruct (runs_known _ accepted H) as (known & certified & stand). exists known.
  pose proof (TableAnswers.rooted_answer_correct_or_breaks laws root differ a a_well_formed a_of_bytes n tau made sized positive commit_to open_at
    commits opens query schema answer outcome query_bytes totals_bytes sizes points w w' opening comparisons digest_length encode injective state fits size
    encoded curve known pieces_decoded certified stand trusted tie V D T B W accepted) as G.
  rewrite C, E in G. exact G.
Qed.

End Answers.
