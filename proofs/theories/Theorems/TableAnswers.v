(** Theorems for auditors: what an accepted answer about private rows means.

    A run has one segment or several. The segments of the runs in the query's box are those of certificates, the first without a link and
    each other one linked to the one before (Certificates.v, LinkedCertificates.v), as they stand in the dictionary; and the heads are what
    everybody checks who decides on a run's step. An accepted answer shows some of the segments. It states totals of all rows of these runs,
    their rows of a rank, how many are below a number, or one of them, as the specification's [table_meaning] says, which is a function of
    lists of integers; or a function hands over a break of the dictionary's commitments, a collision of SHA-256 under its root, or of the
    opening a polynomial that is not 0 and vanishes at tau; or a challenge was drawn out of few, which Folded.v and Comparisons.v count.

    To understand a statement of this file you need this file, the generated definitions, what Scans.v names, and of Lemmas/TableAnswerSound.v
    [KnownRun], [record_certified], [run_totalled], [rows_in], [opening_known], [opening_broken], [totals_meaning], of Spec/Table/Totals.v
    [groups_exact], of Lemmas/TableOrderSound.v [ComparisonKnown], [points_known], [comparison_broken], of Lemmas/TableCutSound.v
    [comparisons_known], of Lemmas/LongRunsSound.v [KnownSegment], [long_run_certified], [long_run_stands], [record_decoded],
    [rows_of_long_run], of Lemmas/TableMeaning.v [answer_meaning], [answer_broken], of
    Lemmas/MeantTables.v [certificate_meant], of Lemmas/CheckedCertificates.v [stated_certificates], with [point_fits] (Lemmas/TableHeads.v), [continued]
    (Lemmas/LinkedRuns.v) and [power_sum] (Lemmas/SheetRelations.v).
    What is assumed of a prover is the algebraic group model: with each point come the coefficients of which it is the value at tau. A point
    beside its bytes is what [decode] makes of them.

    - [row_binding]: two texts at one position of a segment are one, or a collision is found.
    - [certified_segment]: what [certificate_sound] says of a segment is what is asked of a record here.
    - [certified_run_rows]: the rows of a certified run are in ascending order, at most the cap, and as many as its head says.
    - [group_totals_exact]: the groups of totals are those of the runs' keys, ascending, with the rows of their runs and the sums of their commitments.
    - [stated_variance]: the variance is computed from stated totals.
    - [answer_correct_or_breaks]: an accepted answer means what it states, under the commitments of a version.
    - [rooted_answer_correct_or_breaks]: and under a state root.
    - [certified_answer_correct_or_breaks], [rooted_certified_answer_correct_or_breaks]: so does one that comes with certificates and is
      accepted with them: nothing is asked of its runs. *)
From Coq Require Import ZArith NArith List Bool Sorted Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.Scheme Dictionary.KeyMap Dictionary.Vectors Block.State Block.Root
  Answer.AnswerProof Answer.AnswerBasis Table.DomainValues Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.TableSchema
  Table.TableQuery Table.TableKey Table.Totals Table.RunSegments Table.TableAnswer Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier
  Table.LongRuns Table.TableMeaning Answer.Verify Policy.TableMade Policy.Tables Policy.CertifiedAnswer.
From Aardvark Require Import Lemmas.Field Safety.BoundsSafe Lemmas.SheetRelations Spec.Table.Certificate Lemmas.CertificateSound Spec.Table.Totals
  Spec.Table.TableAnswerVerifier Spec.Table.LongRuns Lemmas.TableAnswerSound Lemmas.TableOrderSound Lemmas.TableCutSound Lemmas.LongRunsSound Lemmas.TableMeaning Lemmas.KeptRuns Lemmas.MeantTables
  Lemmas.CertifiedRuns Lemmas.CheckedCertificates.
From Aardvark Require Lemmas.LoopLemmas Lemmas.Totals Spec.Answer.Verify Spec.Base.Bytes Lemmas.CommitmentPath Lemmas.RowBinding.
From Aardvark Require Spec.Block.Root.
From Aardvark Require Theorems.Ring Theorems.Breaks Theorems.Roots Theorems.Answers Theorems.Scans.
Import ListNotations.
Local Open Scope N_scope.

Section TableAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Rows' texts *)

(** Two rows that are shown at one position of a segment have one salt and one list of texts, or a search among what their paths hash returns a
    collision. Salts have 16 bytes, as the verifier sees to; texts have a length that their encoding holds. *)
Theorem row_binding : (forall tag x, seq_length (tagged_hash tag x) = 32) -> forall record cap row row',
  row_holds record cap row = true -> row_holds record cap row' = true -> row_position row = row_position row' ->
  seq_length (row_salt row) = 16 -> seq_length (row_salt row') = 16 -> seq_length (row_texts row) < 2 ^ 8 -> seq_length (row_texts row') < 2 ^ 8 ->
  Forall (fun t => seq_length t < 2 ^ 16) (row_texts row) -> Forall (fun t => seq_length t < 2 ^ 16) (row_texts row') ->
  let inputs shown := CommitmentPath.path_inputs (record_rows record) (row_position shown - record_first record)
    (row_leaf (row_salt shown) (row_texts shown)) (row_path shown) in
  match Aardvark.Spec.Block.Root.find_collision (inputs row) (inputs row') with
  | Some both => Roots.collision both
  | None => row_salt row = row_salt row' /\ row_texts row = row_texts row'
  end.
Proof.
  intros digest_length record cap row row' H H' P L L' C C' S S' inputs.
  assert (path : forall shown, row_holds record cap shown = true -> AardvarkSpec.Commitment.CommitmentTree.root_of_path (record_rows record)
    (row_position shown - record_first record) (row_leaf (row_salt shown) (row_texts shown)) (row_path shown) = Some (record_root record)).
  { intros shown E. unfold row_holds in E. cbv zeta in E. destruct (_ && _) in E; [|discriminate].
    destruct (AardvarkSpec.Commitment.CommitmentTree.root_of_path _ _ _ _) as [found|]; [|discriminate]. apply andb_true_iff in E as [_ E].
    apply Aardvark.Spec.Base.Bytes.bytes_equal_iff in E. now rewrite E. }
  apply path in H, H'. clear path. destruct (Aardvark.Spec.Block.Root.find_collision (inputs row) (inputs row')) as [both|] eqn:E.
  - exact (Aardvark.Spec.Block.Root.find_collision_sound _ _ _ E).
  - apply RowBinding.row_leaf_injective; try assumption. unfold inputs in E. rewrite <- P in H', E.
    exact (RowBinding.leaf_binding digest_length _ _ _ _ _ _ _ H H' (Aardvark.Spec.Block.Root.no_collision_found _ _ E)).
Qed.

(** ** Groups *)

Theorem group_totals_exact (widths columns : list N) (moments : N) (runs : list BoxRun) {lawful : LawfulScalars F} :
  Forall (fun run => seq_length (record_sums (record_of run)) = moments) runs ->
  groups_exact widths columns moments runs (group_totals runs widths columns).
Proof. apply Aardvark.Spec.Table.Totals.group_totals_exact. Qed.

(** ** Certified segments *)

(** The segments of an accepted certificate, with the rows that [certificate_sound] finds, are certified records. *)
Theorem certified_segment (kzg : KzgSetup) (about : CertificateAbout) (items : list SheetItem) (shown : Certificate) (sheet : SheetPolynomials)
    (k : N) (rows : list N) :
  verify_certificate kzg about items shown = Ok tt -> sheet_committed kzg items sheet -> k < seq_length items ->
  seq_length rows = record_rows (item_record (seq_at items k)) -> segment_certified about items sheet k rows ->
  record_certified kzg (about_cap about) (about_moments about) (item_record (seq_at items k))
    {| run_values := values_under sheet k; run_sums := fun p => sums_under sheet p k; run_rows := rows |}.
Proof.
  intros accepted committed K L C. unfold verify_certificate in accepted. cbv zeta in accepted. apply accepted_parts in accepted as [parts _].
  exact (records_certified kzg about items sheet k rows parts committed K L C).
Qed.

(** ** Variance *)

(** From the totals of a group, and the number of its rows, the variance of the true numbers, which are [lowest] more than the private ones:
    n^2 times it. *)
Theorem stated_variance {lawful : LawfulScalars F} {scalar_root : PrimitiveRoot scalar_given} (kzg : KzgSetup) (known : BoxRun -> KnownRun)
    (cap moments : N) (widths columns : list N) (runs : list BoxRun) (stated : list (list ByteString)) (j : N) (lowest : Z) :
  let group := seq_at (group_totals runs widths columns) j in
  let rows := rows_in known (members widths columns (group_key group) runs) in
  let x := Lemmas.Totals.shifted lowest rows in
  Forall (run_totalled kzg known cap moments) runs -> Forall (fun run => seq_length (record_sums (record_of run)) = moments) runs ->
  totals_meaning known widths columns runs (group_totals runs widths columns) stated ->
  j < seq_length stated -> j < seq_length (group_totals runs widths columns) -> 2 <= seq_length (seq_at stated j) ->
  (Lemmas.Totals.integer_count x * Lemmas.Totals.integer_power_sum 2 x - Lemmas.Totals.integer_power_sum 1 x ^ 2
   = Z.of_N (group_rows group) * Z.of_N (number_of_bytes (seq_at (seq_at stated j) 1)) - Z.of_N (number_of_bytes (seq_at (seq_at stated j) 0)) ^ 2)%Z.
Proof.
  cbv zeta. intros totalled many meaning J G two. rewrite (meaning j 0 J), (meaning j 1 J) by (eapply N.lt_le_trans; [|exact two]; reflexivity).
  rewrite Lemmas.Totals.variance_shifted. change (0 + 1) with 1. change (1 + 1) with 2. f_equal. f_equal. f_equal.
  destruct (Aardvark.Spec.Table.Totals.group_totals_exact widths columns moments runs many) as (_ & exact & _). rewrite Forall_forall in exact.
  destruct (exact _ (LoopLemmas.seq_at_in _ _ _ j G)) as (_ & R & _). rewrite R.
  rewrite (rows_in_length kzg known cap moments); [reflexivity|]. apply forall_members. exact totalled.
Qed.

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

(** ** Runs *)

Theorem certified_run_rows : forall (known : RunPlace -> list KnownSegment) cap moments run, long_head_legal (long_head run) moments = true ->
  long_run_certified kzg known cap moments run ->
  let rows := rows_of_long_run known run in
  StronglySorted N.le rows /\ Forall (fun row => row <= cap) rows /\ seq_length rows = long_rows (long_head run).
Proof. exact (long_rows_are_a_run kzg). Qed.

(** ** Answers *)

(** Functions that commit and open, computed in whatever way. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit (Setup_Kzg kzg) vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open (Setup_Kzg kzg) vector i.

(** The query, the schema, of legal sizes, and the answer, whose totals are strings of bytes. *)
Variables (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome).
Hypothesis query_bytes : query_of_bytes query.
Hypothesis totals_bytes : Forall (Forall of_bytes) (answer_totals answer).
Hypothesis sizes : cap_of_query query schema < 2 ^ 64 /\ moments_of_query query schema <= 3 /\ bits_of_query query schema <= 64.

(** What is known under the points of the answer. *)
Variables (points : N -> ComparisonKnown) (w w' : list Scalar).
Hypothesis opening : opening_known kzg (answer_opening answer) w w'.
Hypothesis comparisons : comparisons_known kzg points answer.

(** What the runs are in the box, with their segments that are shown, and of all their rows what is asked for; or what is handed over. What
    is known of the segments of the run at a place is [known]. *)
Definition answer_correct (known : RunPlace -> list KnownSegment) (trusted : Trusted) : Prop :=
  runs_exact a query schema (answer_shown answer) (outcome_runs outcome) /\
  (answer_meaning known query schema answer outcome \/ answer_broken kzg known points trusted query schema answer outcome w w').

Lemma exact_is_correct : forall known trusted, verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  runs_exact a query schema (answer_shown answer) (outcome_runs outcome) ->
  Forall (long_run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome) ->
  Forall (pieces_are_segments known) (outcome_runs outcome) -> answer_correct known trusted.
Proof.
  intros known trusted accepted exact certified among. split; [exact exact|]. destruct exact as (_ & heads & _ & pieces & few). destruct sizes as (cap & moments & bits).
  apply (table_answer_meant kzg a known points trusted query schema answer outcome w w' differ cap moments bits totals_bytes accepted);
    try assumption. revert heads. apply Forall_impl. intros run [_ legal]. exact legal.
Qed.

Lemma well_made : exists n0 tau0, kzg = kzg_setup n0 tau0 /\ 0 < n0 /\ 4096 mod n0 = 0 /\ scalar_pow tau0 n0 <> scalar_of_N 1.
Proof. exists n, tau. split; [reflexivity|exact made]. Qed.

(** What is trusted of a version's commitments. *)
Definition commitments_true (commitments : KnownCommitments) : Prop :=
  known_vector_size commitments = n /\ known_size commitments = array_size a /\ known_commitments commitments = array_commitments (Setup_Kzg kzg) n a.

(** Digests have 32 bytes, and commitments an encoding that tells them apart: a matter of the curve. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : Roots.fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments (Setup_Kzg kzg) n a).

(** *** Where the dictionary's segments are certified *)

Section InDictionary.

(** What the bytes of points decode to, as those of the segments that are shown were; and the segments of the runs, which stand in the
    dictionary and are certified. *)
Variables (decode : ByteString -> G1) (known : RunPlace -> list KnownSegment).
Hypothesis pieces_decoded : Forall (fun piece => record_decoded decode (piece_record piece)) (answer_shown answer).
Hypothesis certified : Forall (long_run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome).
Hypothesis stand : Forall (long_run_stands decode a known) (outcome_runs outcome).

Lemma standing_is_correct : forall trusted, verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  runs_exact a query schema (answer_shown answer) (outcome_runs outcome) -> answer_correct known trusted.
Proof.
  intros trusted accepted exact. apply exact_is_correct; [exact accepted|exact exact|exact certified|].
  destruct exact as (_ & heads & _ & pieces & _). pose proof certified as C. pose proof stand as S. rewrite Forall_forall in *. intros run I. destruct (heads run I) as [_ legal].
  apply (shown_pieces_are_segments kzg decode a known _ _ run legal (C run I) (answer_shown answer)); [now apply Forall_forall|now apply pieces|now apply S].
Qed.

(** Under the commitments of a version. *)
Theorem answer_correct_or_breaks : forall commitments, commitments_true commitments ->
  verify_table_answer (Setup_Kzg kzg) (Trusted_TrustedCommitments commitments) query schema answer = Ok outcome ->
  match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
  | Some b => Breaks.is_break (Setup_Kzg kzg) b
  | None => answer_correct known (Trusted_TrustedCommitments commitments)
  end.
Proof.
  intros commitments true_commitments accepted.
  pose proof (Scans.scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    commitments query schema answer outcome true_commitments query_bytes accepted) as H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; [exact H|]. now apply standing_is_correct.
Qed.

(** And under a state root. *)
Theorem rooted_answer_correct_or_breaks : forall trusted tie,
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie (answer_proof answer) = Some tie -> Answers.tie_decoded encode tie -> Answers.tie_fits tie ->
  verify_table_answer (Setup_Kzg kzg) (Trusted_TrustedRoot trusted) query schema answer = Ok outcome ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
      | Some b => Breaks.is_break (Setup_Kzg kzg) b
      | None => answer_correct known (Trusted_TrustedRoot trusted)
      end
  end.
Proof.
  intros trusted tie V D T B W accepted.
  pose proof (Scans.rooted_scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    digest_length encode encode_injective state state_fits state_size state_commitments trusted query schema answer tie outcome V D T B W query_bytes accepted) as H.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|]; [exact H|].
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; [exact H|]. now apply standing_is_correct.
Qed.

End InDictionary.

(** *** Where certificates come with the answer *)

Section WithCertificates.

(** The statements of the certificates, what the bytes of these are, and the polynomial that is known under each commitment. Each certificate
    means what it says, or is broken (ChainAnswers.v). *)
Variables (under : G1 -> list Scalar) (sheets : list StatedSheet) (meanings : list CertificateMeaning).

Definition certificates_meant (trusted : Trusted) : Prop :=
  let about := about_table_column (trusted_dictionary trusted) (query_table query) schema (query_column query) in
  Forall (certificate_meant kzg under) (stated_certificates about sheets meanings).

Lemma certified_accepted : forall trusted, verify_certified_answer kzg trusted query schema answer sheets meanings = Ok outcome ->
  verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome /\
  check_certified kzg (about_table_column (trusted_dictionary trusted) (query_table query) schema (query_column query)) (outcome_runs outcome) sheets meanings
    = Ok tt.
Proof.
  intros trusted accepted. unfold verify_certified_answer in accepted. destruct (verify_table_answer _ trusted query schema answer) as [found|]; [|discriminate].
  cbv zeta in accepted. destruct (check_certified _ _ _ _ _) as [[]|] eqn:C; [|discriminate]. injection accepted as ->. split; [reflexivity|exact C].
Qed.

Lemma shown_is_correct : forall trusted, certificates_meant trusted ->
  verify_certified_answer kzg trusted query schema answer sheets meanings = Ok outcome ->
  runs_exact a query schema (answer_shown answer) (outcome_runs outcome) -> exists known, answer_correct known trusted.
Proof.
  intros trusted meant accepted exact. apply certified_accepted in accepted as [accepted checked]. apply check_certified_shows in checked.
  unfold certificates_meant in meant. cbv zeta in meant. set (about := about_table_column _ _ _ _) in *.
  pose proof exact as (_ & heads & entries & _). destruct sizes as [cap_few _].
  assert (cap : about_cap about = cap_of_query query schema).
  { unfold about, about_table_column, column_cap, cap_of_query. cbn [about_cap]. destruct (_ <? _); reflexivity. }
  assert (moments : about_moments about = moments_of_query query schema) by reflexivity.
  destruct (shown_runs_certified kzg under _ about meant ltac:(rewrite cap; exact cap_few) a query (outcome_runs outcome) entries) as (known & C & P).
  - rewrite moments. revert heads. apply Forall_impl. intros run [_ legal]. exact legal.
  - exact checked.
  - rewrite cap, moments in C. exists known. now apply exact_is_correct.
Qed.

Theorem certified_answer_correct_or_breaks : forall commitments, commitments_true commitments ->
  certificates_meant (Trusted_TrustedCommitments commitments) ->
  verify_certified_answer kzg (Trusted_TrustedCommitments commitments) query schema answer sheets meanings = Ok outcome ->
  match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
  | Some b => Breaks.is_break (Setup_Kzg kzg) b
  | None => exists known, answer_correct known (Trusted_TrustedCommitments commitments)
  end.
Proof.
  intros commitments true_commitments meant accepted.
  pose proof (Scans.scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    commitments query schema answer outcome true_commitments query_bytes (proj1 (certified_accepted _ accepted))) as H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; [exact H|]. now apply shown_is_correct.
Qed.

Theorem rooted_certified_answer_correct_or_breaks : forall trusted tie,
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie (answer_proof answer) = Some tie -> Answers.tie_decoded encode tie -> Answers.tie_fits tie ->
  certificates_meant (Trusted_TrustedRoot trusted) ->
  verify_certified_answer kzg (Trusted_TrustedRoot trusted) query schema answer sheets meanings = Ok outcome ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
      | Some b => Breaks.is_break (Setup_Kzg kzg) b
      | None => exists known, answer_correct known (Trusted_TrustedRoot trusted)
      end
  end.
Proof.
  intros trusted tie V D T B W meant accepted.
  pose proof (Scans.rooted_scan_or_breaks a a_well_formed a_of_bytes laws root (Setup_Kzg kzg) n well_made sized positive commit_to open_at commits opens
    digest_length encode encode_injective state state_fits state_size state_commitments trusted query schema answer tie outcome V D T B W query_bytes
    (proj1 (certified_accepted _ accepted))) as H.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|]; [exact H|].
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; [exact H|]. now apply shown_is_correct.
Qed.

End WithCertificates.

End TableAnswers.
