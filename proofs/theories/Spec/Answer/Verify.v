(** An answer that is accepted is the map's, or a function returns a break: of the openings, or of the hash under the root.

    - [accepted_openings_true]: claims accepted under true commitments are true, or [find_claim_break] returns a break;
    - [answer_correct_or_breaks]: so it is for a whole proof under trusted commitments;
    - [rooted_answer_correct_or_breaks]: and under a root, where [find_tie_collision] may return a collision of SHA-256. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Vectors Block.Transaction
  Commitment.CommitmentTree Block.Root Answer.Question Answer.Scan Answer.IdealAnswer Block.Map
  Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Answer.Verify.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Spec.Dictionary.Vectors
  Lemmas.PhaseLemmas Lemmas.Break Spec.Commitment.CommitmentTree Lemmas.CommitmentPath Lemmas.RootLemmas
  Spec.Block.Root Spec.Answer.Scan Spec.Answer.IdealAnswer.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** The first thing that is found in a list. *)
Fixpoint first_some {A B : Type} (look : A -> option B) (items : list A) : option B :=
  match items with
  | [] => None
  | x :: rest => match look x with Some b => Some b | None => first_some look rest end
  end.

Lemma first_some_found : forall A B (look : A -> option B) items b,
  first_some look items = Some b -> exists x, In x items /\ look x = Some b.
Proof.
  intros A B look items b. induction items as [|x items IH]; [discriminate|]. cbn [first_some].
  destruct (look x) as [c|] eqn:E.
  - intros H. injection H as <-. exists x. split; [left; reflexivity|exact E].
  - intros H. destruct (IH H) as (y & I & Y). exists y. split; [right|]; assumption.
Qed.

Lemma first_some_none : forall A B (look : A -> option B) items,
  first_some look items = None -> forall x, In x items -> look x = None.
Proof.
  intros A B look items. induction items as [|y items IH]; [intros _ x []|]. cbn [first_some].
  destruct (look y) as [c|] eqn:E; [discriminate|]. intros H x [<-|I]; [exact E|apply IH; assumption].
Qed.

Lemma stated_vector_count_is : forall s n, 1 <= n -> stated_vector_count s n = vector_count s n.
Proof.
  intros s n P. unfold stated_vector_count, vector_count. pose proof (N.div_mod' s n) as E.
  pose proof (N.mod_lt s n ltac:(lia)) as L. revert E L. generalize (s / n) as q, (s mod n) as r. intros q r -> L.
  destruct (N.eqb_spec r 0) as [Z|Z].
  - apply (N.div_unique _ _ _ (n - 1)); lia.
  - apply (N.div_unique _ _ _ (r - 1)); lia.
Qed.

Section VerifyAnswer.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** ** What a verifier has checked *)

Lemma basis_commitment_known : forall basis number c,
  basis_commitment basis number = Some c ->
  exists v, In v (basis_vectors basis) /\ tied_number v = number /\ tied_commitment v = Opening_Point c.
Proof.
  intros basis number c. unfold basis_commitment.
  rewrite (loop_over_elements _ _ _ (fun found v => basis_commitment_step found v number)).
  assert (G : forall l found, fold_left (fun found v => basis_commitment_step found v number) l found = Some c ->
    found = Some c \/ exists v, In v l /\ tied_number v = number /\ tied_commitment v = Opening_Point c).
  { induction l as [|v l IH]; intros found H; [left; exact H|]. cbn [fold_left] in H. apply IH in H.
    destruct H as [H|(w & I & H)]; [|right; exists w; split; [right|]; assumption].
    unfold basis_commitment_step in H. destruct (N.eqb_spec (tied_number v) number) as [E|E]; [|left; exact H].
    destruct (tied_commitment v) as [|e] eqn:T; [discriminate|]. injection H as <-.
    right. exists v. split; [left; reflexivity|auto]. }
  intros H. destruct (G _ _ H) as [D|D]; [discriminate|exact D].
Qed.

Lemma verify_answer_checked : forall trusted question proof ans,
  verify_answer setup trusted question proof = Ok ans ->
  question_legal question = true /\
  exists basis, answer_basis trusted proof = Ok basis /\
    (forall c, In c (proof_claims proof) ->
      claim_position c < basis_size basis /\ answer_opening_holds setup basis c = true) /\
    answer_of_slots question (map claim_slot (proof_claims proof)) = Ok ans.
Proof.
  intros trusted question proof ans E. unfold verify_answer in E.
  destruct (check_answer_form question proof) as [[]|] eqn:E1; [|discriminate].
  destruct (check_answer_about trusted question proof) as [[]|]; [|discriminate].
  destruct (answer_basis trusted proof) as [basis|]; [|discriminate].
  destruct (check_answer_positions basis (proof_claims proof)) as [[]|] eqn:E3; [|discriminate].
  destruct (check_answer_encodings (proof_claims proof)) as [[]|]; [|discriminate].
  destruct (check_answer_openings setup basis (proof_claims proof)) as [[]|] eqn:E5; [|discriminate].
  split. { unfold check_answer_form in E1. destruct (question_legal question); [reflexivity|discriminate]. }
  exists basis. split; [reflexivity|]. split.
  - intros c I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). split.
    + pose proof (passed_each _ (fun i => if basis_size basis <=? claim_position (seq_at (proof_claims proof) i)
        then Err (refuse_answer_item AnswerReason_AnswerPositionOutOfRange i)
        else match basis_commitment basis (vector_of (claim_position (seq_at (proof_claims proof) i)) (basis_vector_size basis)) with
             | None => Err (refuse_answer_item AnswerReason_TiedVectorsMismatched i)
             | Some _ => Ok tt
             end) _ _ E3) as H.
      specialize (H ltac:(intros [[]|] j; reflexivity) i Hi).
      cbv beta in H. destruct (N.leb_spec (basis_size basis) (claim_position (seq_at (proof_claims proof) i))); [discriminate|assumption].
    + pose proof (passed_each _ (fun i => if answer_opening_holds setup basis (seq_at (proof_claims proof) i) then Ok tt
        else Err (refuse_answer_item AnswerReason_AnswerOpeningFalse i)) _ _ E5) as H.
      specialize (H ltac:(intros [[]|] j; reflexivity) i Hi).
      cbv beta in H. destruct (answer_opening_holds setup basis (seq_at (proof_claims proof) i)); [reflexivity|discriminate].
  - unfold answer_of_claims in E. destruct (answer_of_slots question (claimed_slots (proof_claims proof))) as [x|] eqn:A; [|discriminate].
    injection E as <-. rewrite <- A. f_equal. unfold claimed_slots.
    rewrite (loop_over_elements _ _ _ claimed_slots_step). symmetry.
    exact (Sequences.fold_append claim_slot (proof_claims proof) []).
Qed.

(** ** Claims *)

(** What a verifier believes before the openings is true of the array. *)
Definition basis_true (basis : AnswerBasis) : Prop :=
  basis_vector_size basis = n /\ basis_size basis = array_size a /\
  forall number c, number < vector_count (array_size a) n -> basis_commitment basis number = Some c ->
    c = vector_commitment setup n (array_slots a) number.

(** The first break among the claims of a proof. *)
Definition find_claim_break (proof : AnswerProof) : option Break :=
  first_break (break_in_claim (commit setup) (open setup) n a) (proof_claims proof).

Theorem accepted_openings_true : forall basis question proof ans,
  basis_true basis -> question_legal question = true ->
  (forall c, In c (proof_claims proof) -> claim_position c < basis_size basis /\ answer_opening_holds setup basis c = true) ->
  answer_of_slots question (map claim_slot (proof_claims proof)) = Ok ans ->
  match find_claim_break proof with
  | Some b => is_break setup b
  | None => ans = ideal_answer question (map_of_array a)
  end.
Proof.
  intros basis question proof ans (BN & BS & BC) Q H A. unfold find_claim_break.
  assert (ACC : forall c, In c (proof_claims proof) -> claim_accepted setup n a c).
  { intros c I. destruct (H c I) as [P O]. rewrite BS in P. unfold answer_opening_holds in O. cbv zeta in O.
    rewrite BN in O. destruct (basis_commitment basis (vector_of (claim_position c) n)) as [x|] eqn:E; [|discriminate].
    unfold claim_accepted. rewrite <- (BC (vector_of (claim_position c) n) x); [exact O| |exact E].
    apply (below_vector_count _ _ _ positive). destruct (position_split (claim_position c) n positive) as [S _]. lia. }
  destruct (first_break _ (proof_claims proof)) as [b|] eqn:E.
  - destruct (first_break_some _ _ _ _ E) as (c & I & EC).
    exact (break_in_claim_is_break setup n made sized positive a c b (ACC c I) EC).
  - apply (answer_of_slots_ideal a a_well_formed question (map claim_slot (proof_claims proof)) ans Q); [|exact A].
    intros x I. apply in_map_iff in I. destruct I as (c & <- & I). exists (claim_position c).
    exact (break_in_claim_none setup n a c (ACC c I) (first_break_none _ _ _ E c I)).
Qed.

(** ** Under trusted commitments *)

(** What a verifier knows of the array's version: its size, and its commitments. *)
Definition commitments_known (known : KnownCommitments) : Prop :=
  known_vector_size known = n /\ known_size known = array_size a /\
  known_commitments known = array_commitments setup n a.

Lemma known_vectors_in : forall committed v, In v (known_vectors committed) ->
  tied_commitment v = Opening_Point (g1_at committed (tied_number v)).
Proof.
  intros committed v. unfold known_vectors, known_vectors_step. rewrite (Sequences.fold_append
    (fun number => {| tied_number := number; tied_bytes := []; tied_commitment := Opening_Point (g1_at committed number);
                      tied_path := [] |})). cbn [app]. intros I. apply in_map_iff in I. destruct I as (i & <- & _). reflexivity.
Qed.

(** What is known of the version before the openings is true of the array. *)
Lemma known_basis_true : forall known proof basis,
  commitments_known known -> answer_basis (Trusted_TrustedCommitments known) proof = Ok basis -> basis_true basis.
Proof.
  intros known proof basis (KN & KS & KC) B. cbn [answer_basis] in B. destruct (proof_tie proof); [discriminate|].
  injection B as <-. split; [exact KN|]. split; [exact KS|]. intros number c L C.
  destruct (basis_commitment_known _ _ _ C) as (v & I & <- & T). cbn [basis_vectors] in I.
  rewrite (known_vectors_in _ _ I), KC in T. injection T as <-. apply g1_at_array_commitments. exact L.
Qed.

Theorem answer_correct_or_breaks : forall known question proof ans,
  commitments_known known -> verify_answer setup (Trusted_TrustedCommitments known) question proof = Ok ans ->
  match find_claim_break proof with
  | Some b => is_break setup b
  | None => ans = ideal_answer question (map_of_array a)
  end.
Proof.
  intros known question proof ans K E. destruct (verify_answer_checked _ _ _ _ E) as (Q & basis & B & H & A).
  exact (accepted_openings_true basis question proof ans (known_basis_true known proof basis K B) Q H A).
Qed.

(** ** Under a root *)

(** Digests have 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** How commitments are encoded, which is a matter of the curve. *)
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments setup n a).

(** The bytes of tied commitments are what these encode to: what a decoder of points sees to. *)
Definition tie_decoded (tie : RootTie) : Prop :=
  forall v c, In v (tie_vectors tie) -> tied_commitment v = Opening_Point c -> tied_bytes v = encode c.

(** Numbers of the parts fit their 64 bits: what their types see to. *)
Definition tie_fits (tie : RootTie) : Prop :=
  parts_version (tie_parts tie) < 2 ^ 64 /\ parts_size (tie_parts tie) < 2 ^ 64 /\ parts_tail_start (tie_parts tie) < 2 ^ 64.

(** The first collision under the root: among the parts, then on the paths. *)
Definition find_path_collision (v : TiedVector) : option (Input * Input) :=
  find_collision (path_inputs (seq_length (hashed_commitments state)) (tied_number v) (tied_bytes v) (tied_path v))
    (state_inputs state).

Definition find_tie_collision (tie : RootTie) : option (Input * Input) :=
  match find_collision [(tag_state, parts_bytes (tie_parts tie))] (state_inputs state) with
  | Some both => Some both
  | None => first_some find_path_collision (tie_vectors tie)
  end.

Lemma find_path_collision_sound : forall v both, find_path_collision v = Some both -> collision both.
Proof. intros v both. apply find_collision_sound. Qed.

Lemma check_parts_passed : forall known version parts, check_parts known version parts = Ok tt ->
  parts_well_formed parts = true /\ root_of_parts parts = root_digest known.
Proof.
  intros known version parts E. unfold check_parts in E. destruct (parts_well_formed parts); [|discriminate].
  destruct (parts_hold known version parts) eqn:H; [|discriminate]. split; [reflexivity|].
  unfold parts_hold in H. apply andb_true_iff in H. destruct H as [_ H]. apply bytes_equal_iff in H. exact H.
Qed.

(** A path is followed for 64 levels: it is never computed here. *)
Strategy 1000 [root_of_path path_end path_inputs find_collision state_inputs commitment_root root_of_parts vector_count
  stated_vector_count].

Lemma check_paths_passed : forall vectors count r, check_paths vectors count r = Ok tt ->
  forall v, In v vectors -> root_of_path count (tied_number v) (tied_bytes v) (tied_path v) = Some r.
Proof.
  intros vectors count r E v I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). unfold check_paths in E.
  pose proof (passed_each _ (fun i => if path_holds (seq_at vectors i) count r then Ok tt
    else Err (refuse_answer_item AnswerReason_PathFalse i)) _ _ E) as H.
  specialize (H ltac:(intros [[]|] j; reflexivity) i Hi). cbv beta in H. unfold path_holds in H.
  destruct (root_of_path _ _ _ _) as [x|]; [|discriminate]. destruct (bytes_equal x r) eqn:B; [|discriminate].
  apply bytes_equal_iff in B. congruence.
Qed.

(** What is known under the root before the openings is true of the array, or a collision is found. *)
Lemma root_basis_true : forall known proof tie basis,
  root_vector_size known = n -> root_digest known = state_root state ->
  proof_tie proof = Some tie -> tie_decoded tie -> tie_fits tie ->
  answer_basis (Trusted_TrustedRoot known) proof = Ok basis ->
  match find_tie_collision tie with
  | Some both => collision both
  | None => basis_true basis
  end.
Proof.
  intros known proof tie basis KN KR T D (FV & FS & FT) B.
  cbn [answer_basis] in B. rewrite T in B. unfold basis_of_tie in B. cbv zeta in B. rewrite KN in B.
  destruct (check_tied_vectors (tie_vectors tie) (proof_claims proof) n) as [[]|]; [|discriminate].
  destruct (check_parts known (proof_version proof) (tie_parts tie)) as [[]|] eqn:CP; [|discriminate].
  destruct (check_paths _ _ _) as [[]|] eqn:CH; [|discriminate]. injection B as EB.
  destruct (check_parts_passed _ _ _ CP) as [W R]. rewrite KR in R.
  unfold find_tie_collision. destruct (find_collision [(tag_state, _)] _) as [both|] eqn:C1.
  { eapply find_collision_sound. exact C1. }
  destruct (first_some find_path_collision (tie_vectors tie)) as [both|] eqn:C2.
  { destruct (first_some_found _ _ _ _ _ C2) as (v & _ & CV). exact (find_path_collision_sound v both CV). }
  assert (P : tie_parts tie = parts_of_state state).
  { destruct (root_of_parts_binds digest_length n state (tie_parts tie) state_fits) as [P|(both & P & _)];
      [|exact R|exact P|rewrite C1 in P; discriminate].
    unfold parts_well_formed in W. rewrite !andb_true_iff, !N.eqb_eq in W. unfold fits_parts. tauto. }
  rewrite <- EB in *. split; [reflexivity|]. cbn [basis_size]. rewrite P. split; [exact state_size|]. intros number c L C.
  destruct (basis_commitment_known _ _ _ C) as (v & I & <- & TC). cbn [basis_vectors] in I.
  pose proof (check_paths_passed _ _ _ CH v I) as PH.
  assert (PS : parts_size (tie_parts tie) = hashed_size state) by (rewrite P; reflexivity).
  assert (PC : parts_commitment_root (tie_parts tie) = commitment_root (hashed_commitments state)) by (rewrite P; reflexivity).
  rewrite PS, PC, stated_vector_count_is in PH by exact positive.
  assert (LC : seq_length (hashed_commitments state) = vector_count (array_size a) n).
  { rewrite state_commitments, seq_length_map. apply seq_length_array_commitments. }
  rewrite state_size, <- LC in PH.
  destruct (commitment_path_sound digest_length n state (tied_number v) (tied_bytes v) (tied_path v) state_fits PH)
    as [[_ X]|(both & X & _)].
  - rewrite (D v c I TC), state_commitments in X. apply encode_injective. rewrite X.
    rewrite <- (g1_at_array_commitments setup n a (tied_number v) L), g1_at_seq_at.
    apply (seq_at_map _ _ _ _ encode). rewrite seq_length_array_commitments. exact L.
  - pose proof (first_some_none _ _ _ _ C2 v I) as N. unfold find_path_collision in N. rewrite X in N. discriminate.
Qed.

Theorem rooted_answer_correct_or_breaks : forall known question proof tie ans,
  root_vector_size known = n -> root_digest known = state_root state ->
  proof_tie proof = Some tie -> tie_decoded tie -> tie_fits tie ->
  verify_answer setup (Trusted_TrustedRoot known) question proof = Ok ans ->
  match find_tie_collision tie with
  | Some both => collision both
  | None =>
      match find_claim_break proof with
      | Some b => is_break setup b
      | None => ans = ideal_answer question (map_of_array a)
      end
  end.
Proof.
  intros known question proof tie ans KN KR T D TF E.
  destruct (verify_answer_checked _ _ _ _ E) as (Q & basis & B & H & A).
  pose proof (root_basis_true known proof tie basis KN KR T D TF B) as TRUE. destruct (find_tie_collision tie); [exact TRUE|].
  exact (accepted_openings_true basis question proof ans TRUE Q H A).
Qed.

End VerifyAnswer.
