(** Runs whose certificates come with an answer: what the check of certificates finds of them is enough for the runs to be certified.

    - [run_shown]: what is checked of a run: its segments stand in sheets of accepted certificates, each linked to the one before, and add up
      to the head; and the segments that the answer shows are among them;
    - [shown_runs_certified]: then the runs of an answer are certified, and their shown segments are their own. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Dictionary.KeyMap Dictionary.Array Block.Map
  Table.RunRecord Table.TableKey Table.TableQuery Table.TableAnswer Table.CertificateTranscript Table.RunSegments Table.LongRuns Policy.TableSheets.
From Aardvark Require Import Lemmas.WellFormed Lemmas.ChangeMaps Lemmas.Field Spec.Base.Bytes Spec.Dictionary.KeyMap Spec.Table.TableScan Spec.Table.TableAnswerVerifier Spec.Table.LongRuns
  Lemmas.LongRunsSound Lemmas.KeptRuns Lemmas.MeantTables Lemmas.ChainRuns.
From Aardvark Require Lemmas.Sequences Spec.Block.Map Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

(** ** Places *)

Lemma apart_once {A B : Type} (f : A -> B) (l : list A) : NoDup (map f l) -> forall x y, In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|z l IH]; intros D x y X Y E; [destruct X|]. cbn [map] in D. inversion D as [|? ? fresh D']; subst.
  destruct X as [<-|X], Y as [<-|Y]; [reflexivity| | |now apply IH].
  - exfalso. apply fresh. rewrite E. now apply in_map.
  - exfalso. apply fresh. rewrite <- E. now apply in_map.
Qed.

Lemma ascending_apart (entries : KeyMap) : entries_ascend entries -> NoDup (map entry_key entries).
Proof.
  induction 1 as [|e entries S IH above]; [constructor|]. cbn [map]. constructor; [|exact IH]. intros I. apply in_map_iff in I as (f & E & I).
  rewrite Forall_forall in above. specialize (above f I). rewrite E in above. exact (Bytes.blt_irreflexive _ above).
Qed.

Section CertifiedRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** Exact runs have places of their own. *)
Lemma exact_places (a : Array) (query : TableQuery) (runs : list LongRun) : entries_exact a query (map entry_of_run runs) -> NoDup (map long_place runs).
Proof.
  intros exact. assert (D : NoDup (map entry_key (map entry_of_run runs))).
  { unfold entries_exact in exact. destruct (query_function query =? FUNCTION_ROW).
    - destruct exact as (entry & -> & _). repeat constructor. intros [].
    - rewrite exact. unfold box_entries. apply ascending_apart, ascends_filter, Spec.Block.Map.map_of_array_ascends. }
  rewrite map_map in D. apply (NoDup_map_inv (fun place => encode_table_key (TableKey_HeadKey place))). rewrite map_map. exact D.
Qed.

(** The accepted certificates of a column, and the polynomial that is known under a commitment. *)
Variables (kzg : KzgSetup) (under : G1 -> list Scalar) (certificates : list AcceptedCertificate) (about : CertificateAbout).

(** The run has further segments that add up with the first one to its head; the first stands in a sheet, each other one is the first of a
    sheet that is linked to the one before; and the pieces that the answer shows are among them. *)
Definition run_shown (run : LongRun) : Prop :=
  let head := long_head run in
  exists pieces, check_extent (extent_of_first head) (about_moments about) pieces head = Ok tt /\
    certified_by kzg certificates about (segment_item (long_place run) (long_revision head) 0 (long_record head)) None /\
    (forall i, i < seq_length pieces -> certified_by kzg certificates about
      (segment_item (long_place run) (long_revision head) (i + 1) (piece_record (seq_at pieces i))) (Some (link_of_piece (long_record head) pieces i))) /\
    forall i, i < seq_length (long_pieces run) ->
      let piece := seq_at (long_pieces run) i in
      piece_number piece < seq_length (first_piece head :: pieces) /\ piece = seq_at (first_piece head :: pieces) (piece_number piece).

Hypothesis meant : Forall (certificate_meant kzg under) certificates.
Hypothesis cap_few : about_cap about < 2 ^ 64.

Lemma shown_run_certified : forall run, long_head_legal (long_head run) (about_moments about) = true -> run_shown run ->
  exists segments, long_run_certified kzg (fun _ => segments) (about_cap about) (about_moments about) run /\ pieces_are_segments (fun _ => segments) run.
Proof.
  intros run legal (pieces & extent & first & linked & among).
  destruct (linked_run_certified kzg under certificates about (long_place run) (long_head run) pieces legal extent first linked meant cap_few)
    as (segments & M & C & continued).
  exists segments. split; [exists pieces; auto|]. intros i I. cbv zeta. destruct (among i I) as [K E]. cbv zeta in K, E. rewrite <- M in K, E.
  rewrite Sequences.seq_length_map in K. split; [exact K|]. rewrite E at 1. revert K. generalize (piece_number (seq_at (long_pieces run) i)). clear.
  induction segments as [|segment segments IH]; intros number K; [rewrite Sequences.seq_length_nil in K; lia|]. rewrite Sequences.seq_length_cons in K. cbn [map].
  destruct (N.eq_dec number 0) as [->|D]; [reflexivity|]. replace number with (number - 1 + 1) by lia. rewrite !Sequences.seq_at_succ. apply IH. lia.
Qed.

Theorem shown_runs_certified : forall a query runs, entries_exact a query (map entry_of_run runs) ->
  Forall (fun run => long_head_legal (long_head run) (about_moments about) = true) runs -> Forall run_shown runs ->
  exists known, Forall (long_run_certified kzg known (about_cap about) (about_moments about)) runs /\ Forall (pieces_are_segments known) runs.
Proof.
  intros a query runs exact legal shown. rewrite Forall_forall in legal, shown. pose proof (apart_once _ _ (exact_places _ _ _ exact)) as once.
  destruct (chosen long_place (fun run segments => long_run_certified kzg (fun _ => segments) (about_cap about) (about_moments about) run /\
    pieces_are_segments (fun _ => segments) run) runs []) as (known & K).
  - intros run I. apply shown_run_certified; [now apply legal|now apply shown].
  - intros run run' segments I I' E. now rewrite (once run run' I I' E).
  - exists known. split; apply Forall_forall; intros run I; apply (K run I).
Qed.

End CertifiedRuns.
