(** [runs_certified]: the runs of an accepted answer about a state whose tables are kept are certified. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Dictionary.Array Block.Map
  Table.TableSchema Table.SchemaLegality Table.SchemaDecoder Table.TableKey Table.TablePolicy Table.RunRecord Table.RunSegments Table.Totals Table.TableQuery
  Table.TableAnswer Table.TableAnswerVerifier Table.LongRuns Policy.TableMade.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Bytes Spec.Table.KeyBox Spec.Table.TableScan
  Spec.Table.TableAnswerVerifier Spec.Table.LongRuns Lemmas.TableAnswerSound Lemmas.LongRunsSound Lemmas.TableSchemas
    Lemmas.TableHeads Lemmas.JudgedRuns Lemmas.KeptRuns
  Lemmas.TableTransactions Lemmas.KeptTables Lemmas.MeantTables.
From Aardvark Require Spec.Table.BoxNext Spec.Table.TableKey Spec.Block.Map Spec.Answer.IdealAnswer.
Import ListNotations.
Local Open Scope N_scope.

Lemma place_dec (x y : RunPlace) : {x = y} + {x <> y}.
Proof. decide equality; try apply N.eq_dec; apply bytes_dec. Qed.

(** One choice for all elements of a list that have one place. *)
Lemma chosen {A B : Type} (place : A -> RunPlace) (P : A -> B -> Prop) (items : list A) (fallback : B) :
  (forall x, In x items -> exists y, P x y) ->
  (forall x x' y, In x items -> In x' items -> place x = place x' -> P x y -> P x' y) ->
  exists known : RunPlace -> B, forall x, In x items -> P x (known (place x)).
Proof.
  induction items as [|first items IH]; intros each same; [exists (fun _ => fallback); intros x []|].
  destruct IH as (known & K).
  - intros x I. apply each. right. exact I.
  - intros x x' y I I'. apply same; right; assumption.
  - destruct (each first (or_introl eq_refl)) as (y & Y). exists (fun p => if place_dec p (place first) then y else known p). intros x I.
    destruct (place_dec (place x) (place first)) as [E|D].
    + apply (same first); [left; reflexivity|exact I|now symmetry|exact Y].
    + destruct I as [<-|I]; [contradiction|]. now apply K.
Qed.

Section ChainRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (dictionary : ByteString) (kzg : KzgSetup) (curve : ByteString -> G1) (under : G1 -> list Scalar) (certificates : list AcceptedCertificate).
Variable a : Array.
Hypothesis a_well_formed : well_formed a.
Hypothesis kept : tables_kept dictionary kzg curve certificates (map_of_array a).
Hypothesis meant : Forall (certificate_meant kzg under) certificates.

Variables (query : TableQuery) (schema : TableSchema).
Hypothesis query_bytes : query_of_bytes query.
Hypothesis query_named : seq_length (query_table query) < 2 ^ 8.
Hypothesis query_legal : query_fits_schema query schema = true.
Hypothesis schema_read : decode_schema (encode_schema schema) = Ok schema.
Hypothesis schema_stood : map_of a (encode_table_key (TableKey_SchemaKey (query_table query))) = Some (encode_schema schema).
Hypothesis cap_small : cap_of_query query schema < 2 ^ 64.

Lemma mapped : forall k, key_map_get (map_of_array a) k = map_of a k.
Proof. exact (Spec.Block.Map.map_of_array_correct a a_well_formed). Qed.

Lemma schema_is_standing : schema_stands (map_of_array a) (query_table query) schema.
Proof. exists (encode_schema schema). split; [unfold schema_key; rewrite mapped; exact schema_stood|exact schema_read]. Qed.

(** Entries that are exactly those of the box stand in the map, and are of the query's table and column. *)
Lemma entry_stands : forall entries e, entries_exact a query entries -> In e entries ->
  in_box (box_of_query query) (entry_key e) /\ key_map_get (map_of_array a) (entry_key e) = Some (entry_value e).
Proof.
  intros entries e X I. unfold entries_exact in X. destruct (query_function query =? FUNCTION_ROW).
  - destruct X as (entry & -> & B & M). destruct I as [<-|[]]. rewrite mapped. auto.
  - subst entries. unfold box_entries in I. apply filter_In in I as [I B].
    assert (G : key_map_get (map_of_array a) (entry_key e) = Some (entry_value e)).
    { apply Spec.Answer.IdealAnswer.key_map_get_in; [apply Spec.Block.Map.map_of_array_ascends|]. destruct e. exact I. }
    split; [|exact G]. apply BoxNext.box_holds_iff in B; [exact B|exact (query_box_legal query schema query_legal query_bytes)|].
    exact (proj1 (kept_bytes _ _ _ _ _ kept _ _ G)).
Qed.

Lemma place_of_box : forall place, TableKey.schema_table_key schema (TableKey_HeadKey place) -> in_box (box_of_query query) (encode_table_key
  (TableKey_HeadKey place)) ->
  place_table place = query_table query /\ place_column place = query_column query.
Proof.
  intros place (_ & (T & C & _) & V & _) (digits & E & _). cbn [box_of_query box_prefix] in E. unfold encode_table_key, table_prefix, encode_run_place in E.
  rewrite <- !app_assoc in E. apply app_inv_head in E. apply bytes8_split in E; [|exact T|exact query_named]. destruct E as [E1 E].
  apply app_inv_head in E. apply app_split in E; [|unfold u8_bytes; rewrite !big_endian_length; reflexivity]. destruct E as [E2 _].
  split; [exact E1|]. apply (big_endian_injective (place_column place) (query_column query) 1) in E2; [exact E2|exact C|].
  pose proof query_legal as Q. unfold query_fits_schema in Q. apply andb_true_iff in Q as [Q _]. apply N.ltb_lt in Q.
  assert (O : of_bytes (encode_schema schema)).
  { destruct schema_is_standing as (content & G & D). unfold schema_key in G. rewrite mapped, schema_stood in G. injection G as <-.
    rewrite <- mapped in schema_stood. exact (proj2 (kept_bytes _ _ _ _ _ kept _ _ schema_stood)). }
  pose proof (decoded_schema_fits _ _ O schema_read) as (_ & _ & _ & (many & _) & _). change (256 ^ 1) with (2 ^ 8). lia.
Qed.

(** What is kept of the head under a key in the box. *)
Lemma kept_in_box : forall entries e place, entries_exact a query entries -> In e entries -> entry_key e = encode_table_key (TableKey_HeadKey place) ->
  TableKey.schema_table_key schema (TableKey_HeadKey place) ->
  place_column place = query_column query /\
  exists head pieces, run_kept dictionary kzg curve certificates (map_of_array a) (query_table query) schema place (entry_value e) head pieces.
Proof.
  intros entries e place X I K P. destruct (entry_stands entries e X I) as [B G]. rewrite K in B, G. destruct (place_of_box place P B) as [T C].
  split; [exact C|]. apply (kept_run dictionary kzg curve certificates schema (query_table query) (map_of_array a) kept schema_is_standing
    (encode_table_key (TableKey_HeadKey place))); [exact G|reflexivity|now apply TableKey.decode_encoded_table_key|exact T].
Qed.

Lemma column_of_query : forall place, place_column place = query_column query ->
  column_moments schema (place_column place) = moments_of_query query schema /\ column_cap schema (place_column place) = cap_of_query query schema.
Proof. intros place ->. split; reflexivity. Qed.

(** ** Heads as they are received *)

Definition head_decoded_by (head : LongHead) : Prop := record_decoded curve (long_record head) /\ Forall (point_fits curve) (long_totals head).

Lemma legal_head_fits : forall moments head, long_head_legal head moments = true -> head_decoded_by head -> head_fits curve moments head.
Proof.
  intros moments head legal [R T]. unfold long_head_legal in legal. cbv zeta in legal. rewrite !andb_true_iff in legal. destruct legal as ((V & L) & E).
  pose proof (legal_record_fits _ _ _ L R) as fits. pose proof fits as (_ & _ & rows & _). apply N.ltb_lt in V.
  unfold head_fits. split; [exact V|].
  destruct (N.eqb_spec (long_segments head) 1) as [one|more]; rewrite !andb_true_iff in E.
  - destruct E as [E1 E2]. apply N.eqb_eq in E1, E2. rewrite one, E1. split; [reflexivity|]. split; [lia|]. auto.
  - destruct E as ((((E1 & E2) & E3) & E4) & E5). apply N.ltb_lt in E2, E4. apply N.eqb_eq in E5. unfold MAX_RUN_SEGMENTS in E2. unfold MAX_BOX_ROWS in E4.
    split; [exact E2|]. split; [eapply N.lt_trans; [exact E4|reflexivity]|]. auto.
Qed.

(** ** Runs *)

Theorem runs_certified : forall runs, entries_exact a query (map entry_of_run runs) ->
  Forall (run_of_schema schema (moments_of_query query schema)) runs -> Forall (fun run => head_decoded_by (long_head run)) runs ->
  exists known, Forall (fun run => long_run_certified kzg known (cap_of_query query schema) (moments_of_query query schema) run /\ long_run_stands curve a known run) runs.
Proof.
  intros runs X legal decoded. rewrite Forall_forall in legal, decoded.
  assert (heads : forall run head, In run runs -> head_fits curve (moments_of_query query schema) head -> encode_long_head (long_head run) =
    encode_long_head head ->
    long_head run = head).
  { intros run head I fits E. eapply head_injective; [|exact fits|exact E]. apply legal_head_fits; [apply legal|apply decoded]; exact I. }
  destruct (chosen long_place (fun run segments => long_run_certified kzg (fun _ => segments) (cap_of_query query schema) (moments_of_query query schema) run /\
    long_run_stands curve a (fun _ => segments) run) runs []) as (known & K).
  - intros run I. destruct (legal run I) as [P L].
    destruct (kept_in_box _ (entry_of_run run) (long_place run) X (in_map _ _ _ I) eq_refl P) as (C & head & pieces & R).
    destruct (column_of_query (long_place run) C) as [moments cap].
    pose proof (heads run head I ltac:(rewrite <- moments; exact (kept_fits _ _ _ _ _ _ _ _ _ _ _ R)) (kept_head _ _ _ _ _ _ _ _ _ _ _ R)) as <-.
    destruct (kept_run_certified dictionary kzg curve under _ _ _ _ _ _ _ _ R meant ltac:(rewrite cap; exact cap_small)) as (segments & M & S & linked).
    rewrite moments, cap in S. exists segments. split.
    { exists pieces. split; [exact M|]. split; [rewrite <- moments; exact (kept_extent _ _ _ _ _ _ _ _ _ _ _ R)|]. split; [exact S|exact linked]. }
    unfold long_run_stands. rewrite M. cbn [tl]. apply Forall_forall. intros piece Ip. apply (Sequences.in_seq_at _ piece) in Ip as (i & Li & <-). split.
    + pose proof (kept_pieces _ _ _ _ _ _ _ _ _ _ _ R) as fits. rewrite Forall_forall in fits.
      destruct (fits _ (LoopLemmas.seq_at_in _ _ pieces i Li)) as (_ & _ & _ & _ & V & _ & _ & Sm). split; [exact V|exact Sm].
    + rewrite (numbers_at _ _ _ _ i (extent_said _ _ _ _ (kept_extent _ _ _ _ _ _ _ _ _ _ _ R)) Li). cbn [extent_of_first extent_segments].
      rewrite N.add_comm. rewrite <- mapped. exact (kept_stand _ _ _ _ _ _ _ _ _ _ _ R i Li).
  - intros run run' segments I I' E H. assert (same : long_head run = long_head run').
    { apply heads; [exact I|apply legal_head_fits; [apply legal|apply decoded]; exact I'|].
      destruct (entry_stands _ (entry_of_run run) X (in_map _ _ _ I)) as [_ G]. destruct (entry_stands _ (entry_of_run run') X (in_map _ _ _
        I')) as [_ G'].
      cbn [entry_of_run entry_key entry_value] in G, G'. rewrite E in G. congruence. }
    unfold long_run_certified, long_run_stands, LongRuns.segment_key in *. cbv zeta in *. rewrite <- same, <- E. exact H.
  - exists known. apply Forall_forall. intros run I. exact (K run I).
Qed.

End ChainRuns.
