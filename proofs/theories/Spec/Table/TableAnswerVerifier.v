(** What the verifier of a table's answers has checked, and what that says of the dictionary.

    - [grounds_checked]: the claims of an accepted answer stand at positions of the version, and their openings hold;
    - [query_box_legal]: the box of a query that fits its schema;
    - [claimed_schema_stands], [scanned_entries_exact]: slots that stand in an array show the schema, and the map's entries in the box;
    - [accepted_claims_stand]: under commitments that are true, accepted claims are the array's slots, or a break is found. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Base.Group Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Vectors Block.Transaction Block.Map
  Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Scan Answer.Verify Table.TableSchema Table.KeyBox Table.TableScan
  Table.TableKey Table.TableQuery Table.RunRecord Table.Totals Table.TableAnswer Table.TableAnswerOrder Table.TableAnswerClaims
  Table.TableAnswerVerifier.
From Aardvark Require Import Lemmas.Field Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.Readers Safety.BoundsSafe Spec.Base.Bytes Lemmas.VectorLemmas
  Lemmas.PhaseLemmas Lemmas.Break Spec.Dictionary.Slot Spec.Dictionary.Array Spec.Answer.Verify Spec.Table.TableKey Spec.Table.KeyBox
  Spec.Table.BoxNext Spec.Table.TableScan.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section TableAnswerVerifier.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What is checked *)

Lemma expect_table_ok : forall condition why, expect_table condition why = Ok tt <-> condition = true.
Proof. intros [] why; cbn; split; congruence. Qed.

Lemma map_over_places : forall A B (D : Default A) (f : A -> B) (s : list A), map (fun i => f (seq_at s i)) (range 0 (seq_length s)) = map f s.
Proof.
  intros A B D f s. induction s as [|x s IH]; [reflexivity|]. rewrite seq_length_cons, range_cons, range_shift by lia. cbn [map].
  rewrite map_map, seq_at_cons_zero. f_equal. rewrite <- IH. apply map_ext. intros i. now rewrite seq_at_cons_succ.
Qed.

Lemma slots_behind_first_tail : forall items, slots_behind_first items = map claim_slot (tl items).
Proof.
  intros items. unfold slots_behind_first, slots_behind_first_step.
  rewrite (Sequences.fold_append (fun c => claim_slot (seq_at items c)) (range 1 (seq_length items)) []). cbn [app].
  destruct items as [|first rest]; [reflexivity|]. cbn [tl]. rewrite seq_length_cons. change 1 with (0 + 1) at 1.
  rewrite range_shift, map_map, <- (map_over_places _ _ _ claim_slot rest). apply map_ext. intros i. now rewrite seq_at_cons_succ.
Qed.

(** The claims of an answer whose grounds were checked stand at positions of the version, and their openings hold. *)
Lemma grounds_checked : forall setup trusted proof basis, grounds_of_answer trusted proof = Ok basis ->
  of_dictionary (check_answer_openings setup basis (proof_claims proof)) = Ok tt -> answer_basis trusted proof = Ok basis /\
  forall c, In c (proof_claims proof) -> claim_position c < basis_size basis /\ answer_opening_holds setup basis c = true.
Proof.
  intros setup trusted proof basis E2 E7.
  unfold grounds_of_answer in E2. destruct (of_dictionary (check_answer_form _ _)) as [[]|]; [|discriminate].
  destruct (of_dictionary (check_answer_about _ _ _)) as [[]|]; [|discriminate].
  destruct (basis_of_answer trusted proof) as [found|] eqn:B; [|discriminate].
  destruct (of_dictionary (check_answer_positions found _)) as [[]|] eqn:P; [|discriminate].
  destruct (of_dictionary (check_answer_encodings _)) as [[]|]; [|discriminate]. injection E2 as ->.
  split. { unfold basis_of_answer in B. destruct (answer_basis _ _); [congruence|discriminate]. }
  destruct (check_answer_positions basis _) as [[]|] eqn:P'; [clear P|discriminate].
  destruct (check_answer_openings setup basis _) as [[]|] eqn:O'; [clear E7|discriminate].
  intros c I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). split.
  - pose proof (passed_each _ (fun i => if basis_size basis <=? claim_position (seq_at (proof_claims proof) i)
      then Err (refuse_answer_item AnswerReason_AnswerPositionOutOfRange i)
      else match basis_commitment basis (vector_of (claim_position (seq_at (proof_claims proof) i)) (basis_vector_size basis)) with
           | None => Err (refuse_answer_item AnswerReason_TiedVectorsMismatched i)
           | Some _ => Ok tt
           end) _ _ P') as H.
    specialize (H ltac:(intros [[]|] j; reflexivity) i Hi). cbv beta in H.
    destruct (N.leb_spec (basis_size basis) (claim_position (seq_at (proof_claims proof) i))); [discriminate|assumption].
  - pose proof (passed_each _ (fun i => if answer_opening_holds setup basis (seq_at (proof_claims proof) i) then Ok tt
      else Err (refuse_answer_item AnswerReason_AnswerOpeningFalse i)) _ _ O') as H.
    specialize (H ltac:(intros [[]|] j; reflexivity) i Hi). cbv beta in H.
    destruct (answer_opening_holds setup basis (seq_at (proof_claims proof) i)); [reflexivity|discriminate].
Qed.

(** ** Boxes of queries *)

(** What Rust's types say of a query. *)
Definition query_of_bytes (query : TableQuery) : Prop :=
  Forall (fun column => Forall (fun interval => of_bytes (interval_low interval) /\ of_bytes (interval_high interval))
    (box_column_intervals column)) (query_columns query).

Lemma columns_legal_each : forall columns widths, columns_legal columns widths = true ->
  forall column, In column columns -> intervals_canonical (box_column_width column) (box_column_intervals column) = true.
Proof.
  intros columns widths E column I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). clear I. unfold columns_legal in E.
  assert (K : forall s start, fold_left (fun legal i => columns_legal_step legal columns widths i) s start = true ->
    start = true /\ forall j, In j s -> columns_legal_step true columns widths j = true).
  { induction s as [|j s IH]; intros start H; [split; [exact H|intros ? []]|]. cbn [fold_left] in H. apply IH in H. destruct H as [H K].
    assert (S : start = true /\ columns_legal_step true columns widths j = true).
    { unfold columns_legal_step in *. destruct (j <? seq_length widths); [|discriminate].
      repeat (apply andb_true_iff in H; destruct H as [H ?]). subst start. split; [reflexivity|].
      repeat (apply andb_true_iff; split); (reflexivity || assumption). }
    split; [apply S|]. intros l [<-|L]; [apply S|auto]. }
  apply K in E. destruct E as [_ E]. specialize (E i ltac:(apply in_range; lia)). unfold columns_legal_step in E.
  destruct (i <? seq_length widths); [|discriminate]. apply andb_true_iff in E. destruct E as [E C].
  apply andb_true_iff in E. destruct E as [E _]. cbn [andb] in E. apply N.eqb_eq in E. rewrite E. exact C.
Qed.

Lemma u32_of_bytes : forall n, of_bytes (u32_bytes n).
Proof. intros. unfold u32_bytes. apply big_endian_bytes. Qed.

Lemma run_column_legal : column_legal run_column.
Proof.
  split; [vm_compute; reflexivity|]. unfold run_column. cbn [box_column_intervals app seq_new]. repeat constructor; apply u32_of_bytes.
Qed.

Theorem query_box_legal : forall query schema, query_fits_schema query schema = true -> query_of_bytes query -> box_legal (box_of_query query).
Proof.
  intros query schema E O. unfold query_fits_schema in E. apply andb_true_iff in E. destruct E as [_ E]. unfold table_query_legal in E.
  apply andb_true_iff in E. destruct E as [_ E]. unfold box_legal, box_of_query. cbn [box_columns]. apply Forall_app.
  split; [|repeat constructor; apply run_column_legal]. apply Forall_forall. intros column I. split.
  - exact (columns_legal_each _ _ E column I).
  - unfold query_of_bytes in O. rewrite Forall_forall in O. exact (O column I).
Qed.

(** ** What shown slots say of a map *)

Section Entries.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.
Hypothesis a_of_bytes : forall p x, live (array_slots a) p x -> of_bytes (key x).

Lemma table_key_not_empty : forall k, encode_table_key k <> [].
Proof.
  intros k E. rewrite encode_table_key_parts in E. unfold TABLE_KEY_BYTE in E. apply (f_equal (@seq_length N)) in E.
  unfold u8_bytes, u128_of_usize in E. rewrite !seq_length_app, big_endian_length in E. change (seq_length []) with 0 in E. lia.
Qed.

(** The entries that an accepted scan has shown: those of the map in the box; for a row one of them. *)
Definition entries_exact (query : TableQuery) (entries : KeyMap) : Prop :=
  if query_function query =? FUNCTION_ROW then
    exists entry, entries = [entry] /\ in_box (box_of_query query) (entry_key entry) /\ map_of a (entry_key entry) = Some (entry_value entry)
  else entries = box_entries (box_of_query query) (map_of_array a).

Lemma live_is_mapped : forall p x, live (array_slots a) p x -> key x <> [] -> map_of a (key x) = Some (value x).
Proof. intros p x L D. exact (Spec.Dictionary.Array.membership_sound a p x (key x) a_well_formed D L (covers_own_key x) eq_refl). Qed.

Lemma box_key_not_empty : forall query k, in_box (box_of_query query) k -> k <> [].
Proof.
  intros query k (d & D & _) ->. unfold box_of_query in D. cbn [box_prefix] in D. destruct (table_prefix (query_table query)) eqn:TP; [|discriminate].
  unfold table_prefix, u8_bytes in TP. apply (f_equal (@seq_length N)) in TP. rewrite seq_length_app, big_endian_length in TP.
  change (seq_length []) with 0 in TP. lia.
Qed.

(** The claim of the schema stands in the map. *)
Lemma claimed_schema_stands : forall proof query schema, schema_is_claimed proof query schema = true ->
  (forall c, In c (proof_claims proof) -> live (array_slots a) (claim_position c) (claim_slot c)) ->
  map_of a (encode_table_key (TableKey_SchemaKey (query_table query))) = Some (encode_schema schema).
Proof.
  intros proof query schema S H. unfold schema_is_claimed in S. destruct (N.ltb_spec 0 (seq_length (proof_claims proof))) as [P|]; [|discriminate].
  apply andb_true_iff in S. destruct S as [S1 S2]. apply bytes_equal_iff in S1, S2. specialize (H _ (seq_at_in _ _ _ 0 P)).
  apply live_is_mapped in H; rewrite S1 in *; [rewrite H, S2; reflexivity|apply table_key_not_empty].
Qed.

Lemma scanned_entries_exact : forall query schema chain entries, query_fits_schema query schema = true -> query_of_bytes query ->
  (forall x, In x chain -> exists p, live (array_slots a) p x) -> entries_of_query query chain = Ok entries ->
  entries_exact query entries /\ Forall (fun e => of_bytes (entry_key e)) entries.
Proof.
  intros query schema chain entries Q1 Q chain_live R1. pose proof (query_box_legal query schema Q1 Q) as legal.
  unfold entries_of_query in R1. unfold entries_exact. destruct (query_function query =? FUNCTION_ROW).
  - destruct (single_run _ _) as [shown|] eqn:E; [|discriminate]. injection R1 as ->. unfold single_run in E.
    destruct (single_slot _) as [x|] eqn:O; [|discriminate]. destruct (box_holds _ _) eqn:I; [|discriminate]. cbn [empty_key_map app] in E.
    injection E as <-. unfold single_slot in O. destruct (N.ltb_spec (seq_length chain) 1); [discriminate|].
    destruct (_ <? _); [discriminate|]. injection O as O.
    destruct (chain_live x) as [p L]; [rewrite <- O; apply seq_at_in; lia|]. apply box_holds_iff in I; [|exact legal|eauto]. split.
    + eexists. split; [reflexivity|]. cbn [entry_key entry_value]. split; [exact I|]. apply (live_is_mapped p x L). exact (box_key_not_empty _ _ I).
    + repeat constructor; cbn; eauto.
  - destruct (table_scan _ _) as [shown|] eqn:E; [|discriminate]. injection R1 as ->.
    apply (table_scan_exact a a_well_formed a_of_bytes (box_of_query query) legal _ _ chain_live) in E. subst entries. split; [reflexivity|].
    apply Forall_forall. intros e I. apply filter_In in I. apply (map_keys_of_bytes a a_well_formed a_of_bytes e), I.
Qed.

End Entries.

(** ** Under commitments that are true *)

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.
Hypothesis a_of_bytes : forall p x, live (array_slots a) p x -> of_bytes (key x).

(** Claims that are accepted under a true basis are the array's slots, or a break is found among them. *)
Theorem accepted_claims_stand : forall basis proof, basis_true setup n a basis ->
  (forall c, In c (proof_claims proof) -> claim_position c < basis_size basis /\ answer_opening_holds setup basis c = true) ->
  match find_claim_break setup n a proof with
  | Some b => is_break setup b
  | None => forall c, In c (proof_claims proof) -> live (array_slots a) (claim_position c) (claim_slot c)
  end.
Proof.
  intros basis proof (BN & BS & BC) H. unfold find_claim_break.
  assert (ACC : forall c, In c (proof_claims proof) -> claim_accepted setup n a c).
  { intros c I. destruct (H c I) as [P O]. rewrite BS in P. unfold answer_opening_holds in O. cbv zeta in O.
    rewrite BN in O. destruct (basis_commitment basis (vector_of (claim_position c) n)) as [x|] eqn:E; [|discriminate].
    unfold claim_accepted. rewrite <- (BC (vector_of (claim_position c) n) x); [exact O| |exact E].
    apply (below_vector_count _ _ _ positive). destruct (position_split (claim_position c) n positive) as [S _]. lia. }
  destruct (first_break _ (proof_claims proof)) as [b|] eqn:E.
  - destruct (first_break_some _ _ _ _ E) as (c & I & EC).
    exact (break_in_claim_is_break setup n made sized positive a c b (ACC c I) EC).
  - intros c I. exact (break_in_claim_none setup n a c (ACC c I) (first_break_none _ _ _ E c I)).
Qed.

End TableAnswerVerifier.
