(** Theorems for auditors: what the policy `tables` lets happen to tables of private rows.

    To understand a statement of this file you need this file, the generated definitions, and definitions of four files: of
    Lemmas/KeptRuns.v [run_kept], [certified_by], [grown] and [map_of_bytes], of Lemmas/TableHeads.v [true_point], [head_fits] and [piece_fits],
    of Lemmas/KeptTables.v [tables_kept], [table_allowed], [leads_to] and [all_allowed], of Lemmas/ClosedRuns.v [key_of_run], [closed] and
    [schema_follows]; of LinkedCertificates.v [rows_of_pieces], [sums_of_pieces].

    A transaction is allowed ([table_allowed]) where the policy lets it pass: its shape, who signed, and that its certificates cover what it puts
    ([check_policy]), and that each step is legal and each certificate holds ([certify_policy]). Its keys and
    values are strings of bytes. Which bytes encode which point is one function of the curve for all transactions, and is given, as are the bytes of
    certificates once decoded. That signatures are true is checked before. A block that a chain decides though a certificate of it is false is
    applied as empty: it is no step of a history here.

    - [transaction_keeps_tables], [policy_keeps_tables]: in every state that allowed transactions lead to, each head has its segments in the
      state, each in the sheet of a certificate that holds and was accepted on the way, linked to the segment before; numbers, ranks, rows
      and totals are what they add up to ([kept_run_adds_up]);
    - [accepted_block_keeps_tables]: so it is after an aggregated block that a network's validator accepts, of which [find_in_aggregated] finds no
      break;
    - [closed_runs_stay]: no head and no segment below the watermark changes, now or later;
    - [append_only_segments_stay], [append_only_runs_grow]: in a table whose runs are never replaced segments stay, and a head changes only by
      segments behind its run's end. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Dictionary.Array Block.Operation
  Block.Transaction Block.BlockData Block.Map Table.TableSchema Table.TableKey Table.RunRecord Table.RunSegments Table.Totals Table.TablePolicy
    Policy.TableMade Policy.Tables.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Sequences Lemmas.LinkedRuns
  Lemmas.JudgedRuns Lemmas.KeptRuns Lemmas.TableTransactions Lemmas.KeptTables.
From Coq Require Import Ring_theory.
From AardvarkSpec Require Import Commitment.LibertYung Commitment.Scheme Commitment.Transcript Dictionary.Genesis Dictionary.Vectors Block.State
  Block.AggregatedBlock Block.DrawnBlock.
From Aardvark Require Import Theorems.Breaks Theorems.Blocks Theorems.Drawn.
From Aardvark Require Lemmas.ClosedRuns Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

Section TablePolicies.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** The dictionary's id, the setup under which certificates are checked, which point bytes are the encoding of, and who may begin tables. *)
Variables (dictionary : ByteString) (setup : KzgSetup) (curve : ByteString -> G1) (creators : list ByteString).

(** Maps whose tables are kept, with the certificates that were accepted so far. *)
Let kept (certificates : list AcceptedCertificate) (entries : KeyMap) : Prop := tables_kept dictionary setup curve certificates entries.

(** The arrays that blocks lead to, from the first: the transactions of each were allowed, and lead from the map of the array before to that of the
    array after. The certificates are those that were accepted with them. *)
Inductive table_history (first : Array) : list AcceptedCertificate -> Array -> Prop :=
| table_first : table_history first [] first
| table_block : forall certificates a block added a',
    table_history first certificates a ->
    all_allowed dictionary setup curve creators (transactions block) added ->
    map_transactions (map_of_array a) (transactions block) = Ok (map_of_array a') ->
    table_history first (certificates ++ added) a'.

Lemma history_leads : forall first certificates a, table_history first certificates a ->
  leads_to dictionary setup curve creators (map_of_array first) certificates (map_of_array a).
Proof.
  intros first certificates a H. induction H as [|certificates a block added a' H IH A E]; [constructor|].
  eapply leads_through; [exact IH|]. exact (block_leads _ _ _ _ _ _ _ _ A E).
Qed.

(** ** Heads *)

Theorem transaction_keeps_tables : forall certificates tx added before x after,
  kept certificates before -> table_allowed dictionary setup curve creators tx added -> map_operations before (operations tx) x = Ok after ->
  kept (certificates ++ added) after.
Proof. intros certificates tx added before x after. apply Aardvark.Lemmas.KeptTables.transaction_keeps_tables. Qed.

Theorem policy_keeps_tables : forall first certificates a,
  map_of_bytes (map_of_array first) -> (forall k content, key_map_get (map_of_array first) k = Some content -> ~ is_table_key k) ->
  table_history first certificates a -> kept certificates (map_of_array a).
Proof.
  intros first certificates a B none H. change certificates with ([] ++ certificates). eapply states_keep_tables; [|exact (history_leads _ _ _ H)].
  constructor; [exact B|]. intros k content G T. elim (none k content G T).
Qed.

(** What a head says is what its segments are: so many, each of the number and the rank at which it stands; so many rows; and commitments to the
    sums of the powers of all of them. *)
Theorem kept_run_adds_up : forall certificates entries table s place content head pieces,
  run_kept dictionary setup curve certificates entries table s place content head pieces ->
  long_segments head = 1 + seq_length pieces /\ long_rows head = record_rows (long_record head) + rows_of_pieces pieces /\
  (forall p, p < column_moments s (place_column place) -> g1_exponent (held_element (seq_at (long_sums head) p)) =
    g1_exponent (held_element (seq_at (record_sums (long_record head)) p)) [+] sums_of_pieces p pieces) /\
  forall earlier piece later, pieces = earlier ++ piece :: later ->
    piece_number piece = 1 + seq_length earlier /\ piece_rank piece = record_rows (long_record head) + rows_of_pieces earlier.
Proof.
  intros certificates entries table s place content head pieces K. set (moments := column_moments s (place_column place)).
  pose proof (extent_said _ _ _ _ (kept_extent _ _ _ _ _ _ _ _ _ _ _ K)) as said. apply extent_adds_up in said as (N1 & R & S & each).
  cbn [extent_of_head extent_of_first extent_segments extent_rows extent_sums] in *. split; [exact N1|]. split; [exact R|]. split; [|exact each].
  pose proof (kept_fits _ _ _ _ _ _ _ _ _ _ _ K) as (_ & _ & _ & (_ & _ & _ & _ & _ & L & _) & L' & _). fold moments in L, L'.
  assert (at_none : forall points p, p < seq_length points -> g1_at (points_added [] points) p = held_element (seq_at points p)).
  { intros points p Lp. rewrite added_to_none. now rewrite g1_at_map. }
  intros p P. specialize (S p P). rewrite (at_none (record_sums (long_record head))) in S by lia. rewrite at_none in S; [exact S|].
  unfold long_sums. destruct (long_segments head =? 1); lia.
Qed.

(** ** What stays *)

(** The schema that stands says that the run is closed; the key is that of its head or of one of its segments. *)
Theorem closed_runs_stay : forall earlier first certificates a table s k place,
  kept earlier (map_of_array first) -> table_history first certificates a ->
  schema_stands (map_of_array first) table s -> of_bytes k -> ClosedRuns.key_of_run s k place -> place_table place = table -> ClosedRuns.closed s
    place ->
  key_map_get (map_of_array a) k = key_map_get (map_of_array first) k.
Proof.
  intros earlier first certificates a table s k place K H S O R T C.
  assert (legal : SchemaLegality.name_legal table = true /\ seq_length table < 2 ^ 8).
  { rewrite <- T. destruct R as [D|(segment & D & <-)]; exact (decoded_named _ _ _ O D). }
  exact (ClosedRuns.closed_runs_stay dictionary setup curve creators earlier certificates _ _ table s K (history_leads _ _ _ H) legal S k place O R T
    C).
Qed.

(** The schema that stands says that runs are never replaced. *)
Theorem append_only_segments_stay : forall earlier first certificates a table s k segment content,
  kept earlier (map_of_array first) -> table_history first certificates a ->
  schema_stands (map_of_array first) table s -> schema_flags s = 1 -> decode_table_key s k = Ok (TableKey_SegmentKey segment) ->
  place_table (segment_place_run segment) = table -> key_map_get (map_of_array first) k = Some content ->
  key_map_get (map_of_array a) k = Some content.
Proof.
  intros earlier first certificates a table s k segment content K H S flags D T G.
  pose proof (decoded_named _ _ _ (proj1 (kept_bytes _ _ _ _ _ K _ _ G)) D) as legal. cbn in legal. rewrite T in legal.
  exact (ClosedRuns.append_only_segments_stay dictionary setup curve creators earlier certificates _ _ table s K (history_leads _ _ _ H) legal S
    flags k segment content D T G).
Qed.

Theorem append_only_runs_grow : forall earlier first certificates a table s k place content head pieces,
  kept earlier (map_of_array first) -> table_history first certificates a ->
  schema_stands (map_of_array first) table s -> schema_flags s = 1 -> decode_table_key s k = Ok (TableKey_HeadKey place) ->
  place_table place = table -> key_map_get (map_of_array first) k = Some content ->
  run_kept dictionary setup curve earlier (map_of_array first) table s place content head pieces ->
  exists s' content' head' pieces', schema_stands (map_of_array a) table s' /\ ClosedRuns.schema_follows s s' /\
    key_map_get (map_of_array a) k = Some content' /\
    run_kept dictionary setup curve (earlier ++ certificates) (map_of_array a) table s' place content' head' pieces' /\ grown head pieces head' pieces'.
Proof.
  intros earlier first certificates a table s k place content head pieces K H S flags D T G R.
  assert (B : is_table_key k).
  { apply (TableKey.decode_table_key_iff s k _ (proj1 (kept_bytes _ _ _ _ _ K _ _ G))) in D as [_ ->]. reflexivity. }
  pose proof (decoded_named _ _ _ (proj1 (kept_bytes _ _ _ _ _ K _ _ G)) D) as legal. cbn in legal. rewrite T in legal.
  exact (ClosedRuns.append_only_runs_grow dictionary setup curve creators earlier certificates _ _ table s K (history_leads _ _ _ H) legal S flags k
    place content head pieces D T B G R).
Qed.

End TablePolicies.

(** ** Accepted blocks *)

Section Dictionary.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The assumptions are those of Blocks.v. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Lemma lawful_scalars : LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.
Variables (setup : Setup) (genesis : Genesis).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis legal : genesis_legal genesis = true.
Let size_of_vectors : N := vector_size (genesis_parameters genesis).
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.

(** A block that is accepted under the challenges drawn for it, whose transactions the policy lets pass, and in which no break is found, leads to an
    array whose tables are kept. Certificates are checked under a setup of their own. *)
Theorem accepted_block_keeps_tables : forall dictionary tables curve creators certificates added h state aggregated encodings state' effects,
  let t := block_transcript state aggregated encodings in
  let coefficients := drawn_coefficients (transcript_claims_seed t) (seq_length (transcript_claims t)) in
  reachable setup genesis commit_to open_at h state ->
  tables_kept dictionary tables curve certificates (map_of_array (latest h)) ->
  apply_aggregated_block setup state aggregated encodings = Ok (state', effects) ->
  all_allowed dictionary tables curve creators (transactions (plain_block aggregated)) added ->
  find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients = None ->
  exists a', reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    tables_kept dictionary tables curve (certificates ++ added) (map_of_array a').
Proof.
  intros dictionary tables curve creators certificates added h state aggregated encodings state' effects t coefficients R K A P None'.
  rewrite drawn_is_challenged in A. cbv zeta in A. fold t in A.
  pose proof (accepted_aggregated_block_is_justified_or_breaks laws root setup genesis made sized legal commit_to open_at commits
    opens h state aggregated _ _ state' effects R A) as J.
  cbv zeta in J. fold size_of_vectors in J. change (transcript_claims_seed t) with
    (aggregate_claims_seed (dictionary_id state) (block_version (plain_block aggregated)) (transcript_claims t)) in coefficients.
  fold coefficients in J. rewrite None' in J. destruct J as (a' & M & _ & R' & _). exists a'. split; [exact R'|].
  exact (states_keep_tables _ _ _ _ _ _ _ _ K (block_leads _ _ _ _ _ _ _ _ P M)).
Qed.

End Dictionary.
