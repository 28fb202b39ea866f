(** Verifying an answer never leaves the range of its integers or sequences, whatever is asked, and whatever is handed over as a
    proof of it.

    Nothing is asked of the proof's truth. The premises say what holds of everything that a machine can receive or store:
    byte strings have fewer than 2^32 bytes, numbers have 64 bits, a path has fewer than 2^64 digests ([question_in_memory],
    [proof_in_memory]); and that vectors of the trusted dictionary have at least one element, and the setup's size twice over
    fits into 64 bits, as in every dictionary ([trusted_in_memory], [small]).

    - [verify_answer_never_panics]: under commitments, and under a root with the dictionary's id and vector size;
    - [verify_folded_answer_never_panics]: where the openings are folded. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Commitment.Opening
  Commitment.Scheme Dictionary.KeyMap Dictionary.Genesis Dictionary.Vectors Block.Transaction
  Commitment.CommitmentTree Block.Root Answer.Question Answer.Scan Answer.AnswerReason Answer.AnswerProof
  Answer.AnswerBasis Answer.Verify Answer.FoldedAnswer Commitment.FoldedOpening Base.BytesSafe Dictionary.SlotSafe
  Dictionary.KeyMapSafe Commitment.SchemeSafe Dictionary.GenesisSafe Dictionary.VectorsSafe
  Commitment.CommitmentTreeSafe Answer.QuestionSafe Answer.ScanSafe Answer.AnswerBasisSafe Answer.VerifySafe
  Answer.FoldedAnswerSafe Commitment.FoldedOpeningSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Safety.SlotMapSafe
  Safety.AlgebraSafe Safety.PhasesSafe Safety.BoundsSafe Safety.ViewBoundsSafe Safety.RootSafe
  Safety.GenesisStateSafe Spec.Answer.Scan.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** ** Questions *)

Definition region_in_memory (region : Region) : Prop :=
  match region with
  | Region_RegionKeys listed => forall k, In k listed -> short k
  | Region_RegionRange r => short (range_from r) /\ short (range_to r)
  end.

Definition question_in_memory (question : Question) : Prop :=
  match question with
  | Question_AskRegion region => region_in_memory region
  | Question_AskPredecessor k | Question_AskSuccessor k => short k
  end.

Lemma is_below_end_never_panics : forall e k, short k -> is_below_end_safe e k = true.
Proof. intros e k S. unfold is_below_end_safe. destruct (_ =? _); [reflexivity|]. apply bytes_less_never_panics. exact S. Qed.

Lemma keys_askable_never_panics : forall listed, (forall k, In k listed -> short k) -> keys_askable_safe listed = true.
Proof.
  intros listed S. unfold keys_askable_safe. each_check Hi. unfold keys_askable_step_safe. destruct Hi as [_ Hi].
  assert (L : (i <? seq_length listed) = true) by (apply N.ltb_lt; exact Hi). rewrite L.
  destruct (N.ltb_spec 0 i) as [P|P]; [|destruct checked; reflexivity].
  assert (L' : (i - 1 <? seq_length listed) = true) by (apply N.ltb_lt; lia). rewrite L'.
  assert (O : (1 <=? i) = true) by (apply N.leb_le; lia). rewrite O.
  rewrite bytes_less_never_panics by (apply S, seq_at_in; lia).
  destruct checked; [|reflexivity]. cbn [andb]. destruct (key_askable _); reflexivity.
Qed.

Lemma question_legal_never_panics : forall question, question_in_memory question -> question_legal_safe question = true.
Proof.
  intros [[listed|r]|k|k] S; cbn [question_legal_safe question_in_memory region_in_memory] in *; [| |reflexivity|reflexivity].
  - apply keys_askable_never_panics. exact S.
  - unfold range_askable_safe. destruct (_ && _); [|reflexivity]. apply is_below_end_never_panics. apply S.
Qed.

Lemma same_keys_never_panics : forall a b, (forall k, In k a -> short k) -> same_keys_safe a b = true.
Proof.
  intros a b S. unfold same_keys_safe. each_check Hi. unfold same_keys_step_safe.
  destruct (checked && (i <? seq_length b)); [|reflexivity]. in_range Hi. apply bytes_equal_never_panics, S, seq_at_in. exact Hi.
Qed.

Lemma same_questions_never_panics : forall a b, question_in_memory a -> same_questions_safe a b = true.
Proof.
  intros [ra|k|k] [rb|l|l] S; cbn [same_questions_safe question_in_memory] in *; try reflexivity;
    try (apply bytes_equal_never_panics; exact S).
  destruct ra as [la|x], rb as [lb|y]; cbn [same_regions_safe region_in_memory] in *; try reflexivity.
  - apply same_keys_never_panics. exact S.
  - destruct S as [S T]. rewrite !bytes_equal_never_panics by assumption. destruct (bytes_equal _ _); reflexivity.
Qed.

Lemma asked_from_never_panics : forall region k, region_in_memory region -> short k -> asked_from_safe region k = true.
Proof.
  intros [listed|r] k S K; cbn [asked_from_safe region_in_memory] in *.
  - unfold listed_key_from_safe. each_check Hi. in_range Hi. unfold listed_key_from_step_safe. destruct checked; [reflexivity|].
    apply bytes_less_never_panics, S, seq_at_in. exact Hi.
  - unfold range_key_from_safe. destruct S as [S T]. rewrite bytes_less_never_panics by exact K. cbn [andb]. cbv zeta.
    apply is_below_end_never_panics. destruct (bytes_less k (range_from r)); assumption.
Qed.

Lemma asked_from_short : forall region k m,
  region_in_memory region -> short k -> asked_from region k = Some m -> short m.
Proof.
  intros [listed|r] k m S K E; cbn [asked_from region_in_memory] in *.
  - rewrite listed_key_from_find in E. apply find_some in E. apply S, E.
  - unfold range_key_from in E. cbv zeta in E. destruct S as [S _]. destruct (is_below_end _ _); [|discriminate].
    injection E as <-. destruct (bytes_less k (range_from r)); assumption.
Qed.

Section Safe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** The scan *)

Definition scan_in_memory (scan : Scan) : Prop :=
  (forall c, scan_cursor scan = Some c -> short c) /\ (forall e, In e (scan_entries scan) -> short (entry_key e)).

Lemma scan_slot_never_panics : forall region scan x,
  region_in_memory region -> scan_in_memory scan -> short_slot x ->
  scan_slot_safe region scan x = true /\ (forall scan', scan_slot region scan x = Ok scan' -> scan_in_memory scan').
Proof.
  intros region scan x R [C E] (K & _ & X). unfold scan_slot_safe, scan_slot.
  destruct (scan_cursor scan) as [c|] eqn:SC; [|split; [reflexivity|discriminate]].
  assert (Sc : short c) by (apply C; reflexivity). clear C.
  destruct (scan_done region scan); [split; [reflexivity|discriminate]|].
  rewrite covers_never_panics by assumption. cbn [andb].
  destruct (covers x c); cbn [negb]; [|split; [reflexivity|discriminate]]. split.
  - unfold cursor_after_safe, entries_after_safe. rewrite bytes_less_never_panics, bytes_equal_never_panics by assumption.
    rewrite andb_true_r. cbn [andb]. destruct (bytes_less c (next x)); [|reflexivity]. apply asked_from_never_panics; assumption.
  - intros scan' S. injection S as <-. split; cbn [scan_cursor scan_entries].
    + intros m M. unfold cursor_after in M. destruct (bytes_less c (next x)); [|discriminate]. exact (asked_from_short _ _ _ R X M).
    + intros e I. unfold entries_after in I. destruct (bytes_equal (key x) c && _); [|exact (E e I)].
      apply in_app_iff in I. destruct I as [I|[<-|[]]]; [exact (E e I)|exact K].
Qed.

Definition progress_in_memory (progress : Result Scan ChainFault) : Prop :=
  match progress with Ok scan => scan_in_memory scan | Err _ => True end.

Lemma scan_slots_never_panics : forall region chain,
  region_in_memory region -> (forall x, In x chain -> short_slot x) ->
  scan_slots_safe region chain = true /\ progress_in_memory (scan_slots region chain).
Proof.
  intros region chain R X. unfold scan_slots_safe, scan_slots.
  assert (Z : short []) by reflexivity.
  assert (Start : scan_start_safe region = true) by (apply asked_from_never_panics; assumption). rewrite Start. cbn [andb].
  apply (loop_keeps _ (fun _ => progress_in_memory)).
  - split; [|intros e []]. intros c E. exact (asked_from_short _ _ _ R Z E).
  - intros i progress Hi P. pose proof (X _ (seq_at_in _ _ chain i Hi)) as S. apply N.ltb_lt in Hi. rewrite Hi. cbn [andb].
    unfold scan_slots_step_safe, scan_slots_step. destruct progress as [scan|fault]; [|split; [reflexivity|exact I]].
    destruct (scan_slot_never_panics region scan (seq_at chain i) R P S) as [A B]. split; [exact A|].
    destruct (scan_slot region scan (seq_at chain i)) as [scan'|]; [|exact I]. apply B. reflexivity.
Qed.

Lemma key_answers_never_panics : forall listed entries,
  (forall e, In e entries -> short (entry_key e)) -> key_answers_safe listed entries = true.
Proof.
  intros listed entries E. unfold key_answers_safe. each_check Hi. in_range Hi. unfold key_answers_step_safe, key_map_get_safe.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros j found Hj _. split; [|exact I]. destruct Hj as [_ Hj].
  pose proof (E _ (seq_at_in _ _ entries j Hj)) as S. apply N.ltb_lt in Hj. rewrite Hj. cbn [andb].
  apply bytes_equal_never_panics. exact S.
Qed.

Lemma single_slot_never_panics : forall chain, single_slot_safe chain = true.
Proof.
  intros chain. unfold single_slot_safe. destruct (N.ltb_spec (seq_length chain) 1); [reflexivity|].
  destruct (1 <? seq_length chain); [reflexivity|]. apply N.ltb_lt. lia.
Qed.

Lemma single_slot_in_memory : forall chain x,
  (forall x, In x chain -> short_slot x) -> single_slot chain = Ok x -> short_slot x.
Proof.
  intros chain x X E. unfold single_slot in E. destruct (N.ltb_spec (seq_length chain) 1); [discriminate|].
  destruct (1 <? seq_length chain); [discriminate|]. injection E as <-. apply X, seq_at_in. lia.
Qed.

Theorem answer_of_slots_never_panics : forall question chain,
  question_in_memory question -> (forall x, In x chain -> short_slot x) -> answer_of_slots_safe question chain = true.
Proof.
  intros [region|k|k] chain Q X; cbn [answer_of_slots_safe question_in_memory] in *.
  - unfold answer_region_safe. destruct (scan_slots_never_panics region chain Q X) as [-> P]. cbn [andb].
    destruct (scan_slots region chain) as [scan|]; [|reflexivity]. destruct (scan_done region scan); [|reflexivity].
    destruct region; [|reflexivity]. apply key_answers_never_panics. apply P.
  - unfold answer_predecessor_safe. rewrite single_slot_never_panics. cbn [andb].
    destruct (single_slot chain) as [x|] eqn:E; [|reflexivity]. destruct (single_slot_in_memory _ _ X E) as (A & _ & B).
    apply precedes_never_panics; assumption.
  - unfold answer_successor_safe. rewrite single_slot_never_panics. cbn [andb].
    destruct (single_slot chain) as [x|] eqn:E; [|reflexivity]. destruct (single_slot_in_memory _ _ X E) as (A & _ & B).
    apply covers_never_panics; assumption.
Qed.

(** ** What is given *)

Definition tie_in_memory (tie : RootTie) : Prop :=
  short (parts_dictionary (tie_parts tie)) /\ short (parts_commitment_root (tie_parts tie)) /\
  parts_size (tie_parts tie) < 2 ^ 64 /\
  forall v, In v (tie_vectors tie) -> tied_number v < 2 ^ 64 /\ seq_length (tied_path v) < 2 ^ 64.

Definition proof_in_memory (proof : AnswerProof) : Prop :=
  short (proof_dictionary proof) /\ question_in_memory (proof_question proof) /\
  (forall c, In c (proof_claims proof) -> short_slot (claim_slot c)) /\
  (forall tie, proof_tie proof = Some tie -> tie_in_memory tie).

Definition trusted_in_memory (trusted : Trusted) : Prop :=
  1 <= trusted_vector_size trusted /\
  match trusted with Trusted_TrustedCommitments _ => True | Trusted_TrustedRoot known => short (root_digest known) end.

Lemma bytes_equal_never_panics_right : forall a b, short b -> bytes_equal_safe a b = true.
Proof.
  intros a b S. unfold bytes_equal_safe. destruct (N.eqb_spec (seq_length a) (seq_length b)) as [E|E]; [|reflexivity].
  apply first_difference_never_panics. unfold short in *. rewrite E. exact S.
Qed.

Lemma claimed_slots_in_memory : forall items,
  (forall c, In c items -> short_slot (claim_slot c)) -> forall x, In x (claimed_slots items) -> short_slot x.
Proof.
  intros items S x I. unfold claimed_slots in I. rewrite (loop_over_elements _ _ _ claimed_slots_step) in I.
  change (In x (fold_left (fun acc c => acc ++ [claim_slot c]) items [])) in I.
  rewrite (Sequences.fold_append claim_slot items []) in I. cbn [app] in I. apply in_map_iff in I.
  destruct I as (c & <- & I). apply S. exact I.
Qed.

(** ** The basis *)

Lemma is_claimed_vector_never_panics : forall items n number, 1 <= n -> is_claimed_vector_safe items n number = true.
Proof.
  intros items n number L. unfold is_claimed_vector_safe. each_check Hi. in_range Hi. unfold is_claimed_vector_step_safe.
  destruct checked; [reflexivity|]. apply vector_of_never_panics. exact L.
Qed.

Lemma check_tied_vectors_never_panics : forall vectors items n, 1 <= n -> check_tied_vectors_safe vectors items n = true.
Proof.
  intros vectors items n P. unfold check_tied_vectors_safe. each_check Hi. destruct Hi as [_ Hi].
  unfold check_tied_vectors_step_safe. destruct checked as [[]|]; [|reflexivity].
  assert (L : (i <? seq_length vectors) = true) by (apply N.ltb_lt; exact Hi). rewrite L.
  rewrite is_claimed_vector_never_panics by exact P. cbn [andb].
  assert (B : 0 < i -> (1 <=? i) = true /\ (i - 1 <? seq_length vectors) = true).
  { intros Q. rewrite N.leb_le, N.ltb_lt. lia. }
  destruct (N.ltb_spec 0 i) as [Q|Q]; [destruct (B Q) as [-> ->]|]; cbn [andb orb];
    repeat match goal with |- context [if ?b then _ else _] => destruct b; cbn [andb orb] end; reflexivity.
Qed.

Lemma stated_vector_count_never_panics : forall s n, 1 <= n -> s < 2 ^ 64 ->
  stated_vector_count_safe s n = true /\ stated_vector_count s n < 2 ^ 64.
Proof.
  intros s n P L. unfold stated_vector_count_safe, stated_vector_count, within_usize.
  assert (Z : negb (n =? 0) = true) by (apply negb_true_iff, N.eqb_neq; lia). rewrite Z. cbn [andb].
  destruct (N.eqb_spec (s mod n) 0) as [E|E].
  - split; [reflexivity|]. apply N.le_lt_trans with s; [|exact L]. apply N.div_le_upper_bound; [lia|]. nia.
  - assert (B : s / n < s).
    { apply N.div_lt; [|destruct (N.eq_dec n 1) as [->|]; [rewrite N.mod_1_r in E; contradiction|lia]].
      destruct (N.eq_dec s 0) as [->|]; [rewrite N.mod_0_l in E by lia; contradiction|lia]. }
    revert B. generalize (s / n). intros q B. split; [apply N.ltb_lt|]; lia.
Qed.

(** A path is followed for 64 levels: it is never computed here. *)
Strategy 1000 [root_of_path root_of_path_safe].

Lemma check_paths_never_panics : forall vectors count r,
  count < 2 ^ 64 -> short r ->
  (forall v, In v vectors -> tied_number v < 2 ^ 64 /\ seq_length (tied_path v) < 2 ^ 64) ->
  check_paths_safe vectors count r = true.
Proof.
  intros vectors count r C R V. unfold check_paths_safe. each_check Hi. destruct Hi as [_ Hi].
  destruct (V _ (seq_at_in _ _ vectors i Hi)) as [A B]. apply N.ltb_lt in Hi. rewrite Hi. cbn [andb].
  unfold check_paths_step_safe. destruct checked as [[]|]; [|reflexivity]. unfold path_holds_safe.
  rewrite root_of_path_never_panics by assumption. cbn [andb]. destruct (root_of_path _ _ _ _); [|reflexivity].
  apply bytes_equal_never_panics_right. exact R.
Qed.

Lemma answer_basis_never_panics : forall trusted proof,
  trusted_in_memory trusted -> proof_in_memory proof ->
  answer_basis_safe trusted proof = true /\
  (forall basis, answer_basis trusted proof = Ok basis -> 1 <= basis_vector_size basis).
Proof.
  intros [known|known] proof [P R] (_ & _ & _ & T); cbn [answer_basis_safe answer_basis trusted_vector_size] in *.
  - split; [reflexivity|]. intros basis E. destruct (proof_tie proof); [discriminate|]. injection E as <-. exact P.
  - destruct (proof_tie proof) as [tie|]; [|split; [reflexivity|discriminate]].
    destruct (T tie eq_refl) as (D & C & S & V). unfold basis_of_tie_safe, basis_of_tie. cbv zeta.
    rewrite check_tied_vectors_never_panics by exact P. cbn [andb].
    destruct (check_tied_vectors _ _ _) as [[]|]; [|split; [reflexivity|discriminate]].
    destruct (stated_vector_count_never_panics (parts_size (tie_parts tie)) (root_vector_size known) P S) as [-> B].
    rewrite check_paths_never_panics by assumption. cbn [andb]. split.
    + apply andb_true_iff. split; [|destruct (check_parts _ _ _); reflexivity].
      unfold check_parts_safe. destruct (negb _); [reflexivity|]. unfold parts_hold_safe.
      rewrite bytes_equal_never_panics by exact D. cbn [andb]. destruct (_ && _); [|reflexivity].
      apply bytes_equal_never_panics_right. exact R.
    + intros basis E. destruct (check_parts _ _ _) as [[]|]; [|discriminate].
      destruct (check_paths _ _ _) as [[]|]; [|discriminate]. injection E as <-. exact P.
Qed.

Lemma basis_commitment_never_panics : forall basis number, basis_commitment_safe basis number = true.
Proof. intros basis number. unfold basis_commitment_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

(** ** The phases *)

Variable setup : Setup.
Hypothesis setup_small : small setup.

Lemma check_answer_positions_never_panics : forall basis items, 1 <= basis_vector_size basis ->
  check_answer_positions_safe basis items = true.
Proof.
  intros basis items P. unfold check_answer_positions_safe. each_check Hi. in_range Hi.
  unfold check_answer_positions_step_safe. destruct checked as [[]|]; [|reflexivity]. destruct (_ <=? _); [reflexivity|].
  rewrite vector_of_never_panics by exact P. apply basis_commitment_never_panics.
Qed.

Lemma check_answer_openings_never_panics : forall basis items,
  1 <= basis_vector_size basis -> check_answer_openings_safe setup basis items = true.
Proof.
  intros basis items P. unfold check_answer_openings_safe. each_check Hi. in_range Hi.
  unfold check_answer_openings_step_safe. destruct checked as [[]|]; [|reflexivity]. unfold answer_opening_holds_safe. cbv zeta.
  rewrite vector_of_never_panics, basis_commitment_never_panics by exact P. cbn [andb].
  destruct (basis_commitment _ _); [|reflexivity]. rewrite index_of_never_panics by exact P. apply verify_never_panics.
  exact setup_small.
Qed.

Lemma check_answer_form_never_panics : forall question proof,
  question_in_memory question -> check_answer_form_safe question proof = true.
Proof.
  intros question proof Q. unfold check_answer_form_safe. rewrite question_legal_never_panics by exact Q. cbn [andb].
  destruct (question_legal question); [|reflexivity]. unfold check_answer_slots_safe. each_check Hi. apply N.ltb_lt. lia.
Qed.

Lemma check_answer_about_never_panics : forall trusted question proof,
  proof_in_memory proof -> check_answer_about_safe trusted question proof = true.
Proof.
  intros trusted question proof (D & Q & _). unfold check_answer_about_safe.
  rewrite bytes_equal_never_panics by exact D. cbn [andb].
  destruct (negb (bytes_equal _ _)); [reflexivity|]. destruct (negb (_ =? _)); [reflexivity|].
  destruct (negb _); [reflexivity|]. apply same_questions_never_panics. exact Q.
Qed.

Lemma answer_of_claims_never_panics : forall question items,
  question_in_memory question -> (forall c, In c items -> short_slot (claim_slot c)) ->
  answer_of_claims_safe question items = true.
Proof.
  intros question items Q S. unfold answer_of_claims_safe. apply andb_true_iff. split.
  - unfold claimed_slots_safe. each_check Hi. apply N.ltb_lt. lia.
  - apply answer_of_slots_never_panics; [exact Q|]. apply claimed_slots_in_memory. exact S.
Qed.

Theorem verify_answer_never_panics : forall trusted question proof,
  trusted_in_memory trusted -> question_in_memory question -> proof_in_memory proof ->
  verify_answer_safe setup trusted question proof = true.
Proof.
  intros trusted question proof T Q P. pose proof (answer_basis_never_panics trusted proof T P) as [B BN].
  unfold verify_answer_safe. rewrite check_answer_form_never_panics by exact Q. cbn [andb].
  destruct (check_answer_form question proof); [|reflexivity]. rewrite check_answer_about_never_panics by exact P. cbn [andb].
  destruct (check_answer_about trusted question proof); [|reflexivity].
  rewrite B. cbn [andb]. destruct (answer_basis trusted proof) as [basis|]; [|reflexivity]. specialize (BN basis eq_refl).
  rewrite check_answer_positions_never_panics by exact BN. cbn [andb].
  destruct (check_answer_positions basis (proof_claims proof)); [|reflexivity].
  assert (E : check_answer_encodings_safe (proof_claims proof) = true) by (unfold check_answer_encodings_safe; each_check Hi; apply N.ltb_lt; lia).
  rewrite E. cbn [andb]. destruct (check_answer_encodings (proof_claims proof)); [|reflexivity].
  rewrite check_answer_openings_never_panics by exact BN. cbn [andb].
  destruct (check_answer_openings setup basis (proof_claims proof)); [|reflexivity].
  apply answer_of_claims_never_panics; [exact Q|apply P].
Qed.

(** ** Folded openings *)

Lemma check_fold_never_panics : forall basis proof bound_claims opening,
  1 <= basis_vector_size basis -> check_fold_safe setup basis proof bound_claims opening = true.
Proof.
  intros basis proof bound_claims opening P. unfold check_fold_safe. destruct setup as [kzg|]; [|reflexivity].
  apply andb_true_iff. split.
  - unfold folded_claims_safe. each_check Hi. in_range Hi. unfold folded_claims_step_safe, claimed_commitment_safe.
    rewrite vector_of_never_panics, basis_commitment_never_panics by exact P. apply index_of_never_panics. exact P.
  - unfold verify_folded_safe. cbv zeta. apply andb_true_iff. split.
    { unfold fold_claims_seed_safe. each_check Hi. apply N.ltb_lt. lia. }
    unfold verify_fold_safe. apply andb_true_iff. split.
    { unfold fold_commitments_safe. each_check Hi. apply N.ltb_lt. lia. }
    unfold point_is_claimed_safe. each_check Hi. apply N.ltb_lt. lia.
Qed.

Theorem verify_folded_answer_never_panics : forall trusted question proof bound_claims,
  trusted_in_memory trusted -> question_in_memory question -> proof_in_memory (unopened_proof proof) ->
  verify_folded_answer_safe setup trusted question proof bound_claims = true.
Proof.
  intros trusted question proof bound_claims T Q P.
  pose proof (answer_basis_never_panics trusted (unopened_proof proof) T P) as [B BN].
  unfold verify_folded_answer_safe. rewrite check_answer_form_never_panics by exact Q. cbn [andb].
  destruct (check_answer_form _ _); [|reflexivity]. rewrite check_answer_about_never_panics by exact P. cbn [andb].
  destruct (check_answer_about _ _ _); [|reflexivity]. rewrite B. cbn [andb].
  destruct (answer_basis trusted (unopened_proof proof)) as [basis|]; [|reflexivity]. specialize (BN basis eq_refl).
  rewrite check_answer_positions_never_panics by exact BN. cbn [andb]. destruct (check_answer_positions _ _); [|reflexivity].
  destruct (decoded_fold proof) as [opening|]; [|reflexivity]. rewrite check_fold_never_panics by exact BN. cbn [andb].
  destruct (check_fold _ _ _ _ _); [|reflexivity]. apply answer_of_claims_never_panics; [exact Q|apply P].
Qed.

End Safe.
