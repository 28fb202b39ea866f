(** Answers under a root: an honest archive's is accepted, and a root needs no second thing to be known beside it.

    - [honest_rooted_answer_accepted]: what an honest archive says to those who trust the root of the array's state;
    - [rooted_identity_binds]: what an accepted proof gives out as the name and parameters under the root is what the dictionary
      began with, or [find_identity_collision] returns a collision of SHA-256;
    - [root_alone_correct_or_breaks]: so an answer that is accepted under a root alone is the map's, or a function returns a
      break or a collision;
    - [honest_root_alone_accepted]: and an honest one is accepted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Commitment.Opening Commitment.Scheme Dictionary.Genesis
  Dictionary.Vectors Block.Transaction Block.Prover Commitment.CommitmentTree Block.Root Answer.Question
  Answer.Scan Answer.IdealAnswer Block.Map Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify Answer.AnswerProver Answer.RootedAnswer.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas Spec.Dictionary.Vectors
  Lemmas.PhaseLemmas Lemmas.Break Spec.Commitment.CommitmentTree Lemmas.CommitmentPath Lemmas.RootLemmas
  Spec.Block.Root Spec.Commitment.Challenge Lemmas.Identity Spec.Answer.Scan Spec.Answer.IdealAnswer
  Spec.Answer.AnswerProver Spec.Answer.Verify Lemmas.AcceptedAnswers.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section RootedAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variables (setup : Setup) (n : N).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

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

(** A path is followed for 64 levels: it is never computed here. *)
Strategy 1000 [root_of_path path_end path_inputs find_collision state_inputs commitment_root root_of_parts vector_count
  stated_vector_count commitment_path].

Lemma state_vectors : seq_length (hashed_commitments state) = vector_count (array_size a) n.
Proof. rewrite state_commitments, seq_length_map. apply seq_length_array_commitments. Qed.

(** ** Honest vectors *)

Lemma is_claimed_vector_iff : forall items number,
  is_claimed_vector items n number = true <-> exists c, In c items /\ vector_of (claim_position c) n = number.
Proof.
  intros items number. unfold is_claimed_vector.
  rewrite (loop_over_elements _ _ _ (fun found c => is_claimed_vector_step found c n number)).
  assert (G : forall l found, fold_left (fun found c => is_claimed_vector_step found c n number) l found = true <->
    found = true \/ exists c, In c l /\ vector_of (claim_position c) n = number).
  { induction l as [|c l IH]; intros found; cbn [fold_left].
    - split; [auto|]. intros [H|(c & [] & _)]. exact H.
    - rewrite IH. unfold is_claimed_vector_step. rewrite orb_true_iff, N.eqb_eq. split.
      + intros [[H|H]|(d & I & H)]; [left; exact H|right; exists c; split; [left; reflexivity|exact H]|].
        right. exists d. split; [right|]; assumption.
      + intros [H|(d & [<-|I] & H)]; [left; left; exact H|left; right; exact H|]. right. exists d. split; assumption. }
  rewrite G. split; [intros [H|H]; [discriminate|exact H]|right; assumption].
Qed.

Definition tied_at (number : N) : TiedVector :=
  {| tied_number := number; tied_bytes := seq_at (hashed_commitments state) number;
     tied_commitment := Opening_Point (vector_commitment setup n (array_slots a) number);
     tied_path := commitment_path (hashed_commitments state) number |}.

Section OfClaims.

Variable items : list Claim.

Let tied : list TiedVector := honest_tied_vectors setup (array_slots a) (hashed_commitments state) items.

Lemma tied_vectors_filter :
  tied = map tied_at (filter (is_claimed_vector items n) (range 0 (seq_length (hashed_commitments state)))).
Proof.
  unfold tied, honest_tied_vectors. generalize (range 0 (seq_length (hashed_commitments state))). intros numbers.
  assert (G : forall start, fold_left (fun tied number =>
      honest_tied_vectors_step tied setup (array_slots a) (hashed_commitments state) items number) numbers start =
    start ++ map tied_at (filter (is_claimed_vector items n) numbers)).
  { induction numbers as [|number numbers IH]; intros start; cbn [fold_left filter]; [rewrite app_nil_r; reflexivity|].
    rewrite IH. unfold honest_tied_vectors_step. cbv zeta. rewrite sized.
    destruct (is_claimed_vector items n number); [|reflexivity]. rewrite <- app_assoc. reflexivity. }
  apply (G []).
Qed.

Lemma tied_in : forall v, In v tied ->
  exists number, v = tied_at number /\ number < seq_length (hashed_commitments state) /\
    is_claimed_vector items n number = true.
Proof.
  intros v I. rewrite tied_vectors_filter in I. apply in_map_iff in I. destruct I as (number & <- & I).
  apply filter_In in I. destruct I as [I C]. apply in_range in I. exists number. split; [reflexivity|]. split; [lia|exact C].
Qed.

Lemma filter_range_ascends : forall (keep : N -> bool) count i,
  i + 1 < seq_length (filter keep (range 0 count)) ->
  seq_at (filter keep (range 0 count)) i < seq_at (filter keep (range 0 count)) (i + 1).
Proof.
  intros keep count.
  assert (G : forall count, (forall x, In x (filter keep (range 0 count)) -> x < count) /\
    forall i, i + 1 < seq_length (filter keep (range 0 count)) ->
    seq_at (filter keep (range 0 count)) i < seq_at (filter keep (range 0 count)) (i + 1)).
  { clear count. intros count. split.
    { intros x I. apply filter_In in I. destruct I as [I _]. apply in_range in I. lia. }
    induction count as [|count IH] using N.peano_ind; intros i H.
    - rewrite range_empty in H by lia. cbn in H. lia.
    - rewrite <- N.add_1_r in *. rewrite range_snoc in * by lia. rewrite filter_app in *. cbn [filter] in *.
      destruct (keep count) eqn:K; [|rewrite app_nil_r in *; apply IH; exact H].
      rewrite seq_length_app in H. change (seq_length [count]) with 1 in H. rewrite !seq_at_app.
      set (before := filter keep (range 0 count)) in *.
      destruct (N.ltb_spec i (seq_length before)); [|lia]. destruct (N.ltb_spec (i + 1) (seq_length before)); [apply IH; assumption|].
      replace (i + 1 - seq_length before) with 0 by lia. change (seq_at [count] 0) with count.
      assert (I : In (seq_at before i) before) by (apply seq_at_in; assumption). unfold before in I at 2.
      apply filter_In in I. destruct I as [I _]. apply in_range in I. lia. }
  apply G.
Qed.

Lemma tied_checked : check_tied_vectors tied items n = Ok tt.
Proof.
  unfold check_tied_vectors. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
  intros i checked Hi ->. unfold check_tied_vectors_step.
  destruct (tied_in (seq_at tied i)) as (number & E & _ & C); [apply seq_at_in; lia|].
  assert (A : (0 <? i) && (tied_number (seq_at tied i) <=? tied_number (seq_at tied (i - 1))) = false).
  { destruct (N.ltb_spec 0 i) as [P|P]; [|reflexivity]. cbn [andb]. apply N.leb_gt.
    rewrite tied_vectors_filter in Hi |- *. set (numbers := filter _ _) in *. rewrite seq_length_map in Hi.
    rewrite !(seq_at_map _ _ Default_N _ tied_at) by lia. cbn [tied_at tied_number].
    replace i with (i - 1 + 1) at 2 by lia. apply filter_range_ascends. fold numbers. lia. }
  rewrite A, E. cbn [tied_at tied_number tied_commitment]. rewrite C. reflexivity.
Qed.

Lemma tied_paths : check_paths tied (seq_length (hashed_commitments state)) (commitment_root (hashed_commitments state)) = Ok tt.
Proof.
  unfold check_paths. apply (loop_invariant _ (fun _ checked => checked = Ok tt)); [lia|reflexivity|].
  intros i checked Hi ->. unfold check_paths_step, path_holds.
  destruct (tied_in (seq_at tied i)) as (number & -> & L & _); [apply seq_at_in; lia|].
  cbn [tied_at tied_number tied_bytes tied_path].
  rewrite (commitment_path_complete n state number state_fits L), bytes_equal_refl. reflexivity.
Qed.

Lemma tied_commitment_known : forall basis number,
  basis_vectors basis = tied -> number < seq_length (hashed_commitments state) -> is_claimed_vector items n number = true ->
  basis_commitment basis number = Some (vector_commitment setup n (array_slots a) number).
Proof.
  intros basis number B L C. unfold basis_commitment. rewrite B.
  rewrite (loop_over_elements _ _ _ (fun found v => basis_commitment_step found v number)).
  assert (I : In (tied_at number) tied).
  { rewrite tied_vectors_filter. apply in_map. apply filter_In. split; [apply in_range; lia|exact C]. }
  assert (All : forall v, In v tied -> exists m, v = tied_at m).
  { intros v J. destruct (tied_in v J) as (m & E & _). exists m. exact E. }
  revert I All. generalize tied as l. clear.
  assert (G : forall l found, (forall v, In v l -> exists m, v = tied_at m) ->
    (In (tied_at number) l \/ found = Some (vector_commitment setup n (array_slots a) number)) ->
    fold_left (fun found v => basis_commitment_step found v number) l found =
      Some (vector_commitment setup n (array_slots a) number)).
  { induction l as [|v l IH]; intros found All H; cbn [fold_left].
    - destruct H as [[]|H]. exact H.
    - destruct (All v (or_introl eq_refl)) as [m ->].
      assert (S : basis_commitment_step found (tied_at m) number =
        if m =? number then Some (vector_commitment setup n (array_slots a) m) else found) by reflexivity.
      rewrite S. apply IH; [intros w J; apply All; right; exact J|].
      destruct (N.eqb_spec m number) as [->|D]; [right; reflexivity|].
      destruct H as [[E|J]|H]; [|left; exact J|right; exact H]. exfalso. apply D.
      exact (f_equal tied_number E). }
  intros l I All. apply G; [exact All|left; exact I].
Qed.

End OfClaims.

(** ** Honest proofs *)

(** The lengths of all slots are those of some dictionary. *)
Hypothesis slots_answerable : forall p x, live (array_slots a) p x -> slot_answerable x = true.

(** What a verifier knows of an honest proof before the openings, under the root of the array's state. *)
Lemma honest_rooted_basis : forall known question,
  let items := claims_at setup (array_slots a) (answer_positions question (array_slots a)) in
  let proof := honest_rooted_answer setup a state question in
  root_dictionary known = hashed_dictionary state -> root_vector_size known = n -> root_digest known = state_root state ->
  question_legal question = true ->
  proof_claims proof = items /\ check_answer_about (Trusted_TrustedRoot known) question proof = Ok tt /\
  exists basis, answer_basis (Trusted_TrustedRoot known) proof = Ok basis /\
    basis_vector_size basis = n /\ basis_size basis = array_size a /\
    forall c, In c items -> basis_commitment basis (vector_of (claim_position c) n) =
      Some (vector_commitment setup n (array_slots a) (vector_of (claim_position c) n)).
Proof.
  intros known question items proof KD KN KR Q. split; [reflexivity|]. split.
  { unfold check_answer_about, proof, honest_rooted_answer. cbv zeta.
    cbn [proof_dictionary proof_vector_size proof_version proof_question trusted_dictionary trusted_vector_size version_fits].
    rewrite KD, KN, sized, bytes_equal_refl, N.eqb_refl, same_questions_refl. reflexivity. }
  set (tied := honest_tied_vectors setup (array_slots a) (hashed_commitments state) items).
  exists {| basis_vector_size := n; basis_size := hashed_size state; basis_vectors := tied |}.
  split; [|split; [reflexivity|split; [exact state_size|]]].
  - unfold proof, honest_rooted_answer. cbv zeta. cbn [answer_basis proof_tie]. unfold basis_of_tie.
    cbn [tie_vectors tie_parts proof_claims proof_version]. cbv zeta. fold items. fold tied.
    rewrite KN. unfold tied at 1. rewrite tied_checked.
    assert (P : check_parts known (hashed_version state) (parts_of_state state) = Ok tt).
    { unfold check_parts.
      assert (W : parts_well_formed (parts_of_state state) = true).
      { destruct (parts_fit digest_length n state state_fits) as (W1 & _ & _ & _ & W2 & W3 & W4 & W5).
        unfold parts_well_formed. rewrite W1, W2, W3, W4, W5. reflexivity. }
      rewrite W. cbn [negb]. unfold parts_hold. rewrite KD, KR.
      change (parts_dictionary (parts_of_state state)) with (hashed_dictionary state).
      change (parts_version (parts_of_state state)) with (hashed_version state).
      change (root_of_parts (parts_of_state state)) with (state_root state).
      rewrite !bytes_equal_refl, N.eqb_refl. reflexivity. }
    rewrite P. change (parts_size (parts_of_state state)) with (hashed_size state).
    change (parts_commitment_root (parts_of_state state)) with (commitment_root (hashed_commitments state)).
    rewrite stated_vector_count_is, state_size, <- state_vectors by exact positive. unfold tied at 1. rewrite tied_paths.
    rewrite <- state_size. reflexivity.
  - intros c I. pose proof (honest_claim_vector setup n sized positive a a_well_formed question c Q I) as V.
    apply (tied_commitment_known items); [reflexivity|rewrite state_vectors; exact V|].
    apply is_claimed_vector_iff. exists c. split; [exact I|reflexivity].
Qed.

Theorem honest_rooted_answer_accepted : forall known question,
  root_dictionary known = hashed_dictionary state -> root_vector_size known = n -> root_digest known = state_root state ->
  question_legal question = true ->
  verify_answer setup (Trusted_TrustedRoot known) question (honest_rooted_answer setup a state question) =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros known question KD KN KR Q.
  destruct (honest_rooted_basis known question KD KN KR Q) as (C & A & basis & B & BN & BS & BC).
  destruct (honest_claims_answer setup n made sized positive a a_well_formed slots_answerable basis question Q BN BS BC)
    as (E1 & E3 & E4 & E5 & E6).
  unfold verify_answer, check_answer_form. rewrite Q, C, E1, A, B, E3, E4, E5. exact E6.
Qed.

(** ** A root alone *)

(** What the dictionary began with. *)
Variable genesis : Genesis.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis state_dictionary : hashed_dictionary state = id_of_dictionary genesis.

(** The first collision: among the parts under the root, then between the two strings under the id. *)
Definition find_identity_collision (proof : RootedProof) : option (Input * Input) :=
  match proof_tie (rooted_proof proof) with
  | None => None
  | Some tie =>
      match find_collision [(tag_state, parts_bytes (tie_parts tie))] (state_inputs state) with
      | Some both => Some both
      | None =>
          find_collision [(tag_dictionary, bytes_of_identity (rooted_identity proof))] [(tag_dictionary, identity_bytes genesis)]
      end
  end.

Lemma identity_of_bytes : forall identity,
  identity_well_formed identity = true -> bytes_of_identity identity = identity_bytes genesis ->
  identity = identity_of_genesis genesis.
Proof.
  intros identity W E. unfold identity_well_formed in W. pose proof legal as L. unfold genesis_legal, identity_legal in L.
  rewrite !andb_true_iff, ?N.leb_le, ?N.eqb_eq in W. rewrite !andb_true_iff, ?N.leb_le, ?N.eqb_eq in L.
  destruct W as [[[[[P _] N'] S] D] C], L as [[[[P' [[_ N2] S']] D'] _] _].
  apply legal_parameters_fit in P. apply legal_parameters_fit in P'. unfold bytes_of_identity, identity_bytes in E.
  apply bytes8_split in E; [|change (2 ^ 8) with 256; lia|change (2 ^ 8) with 256; lia]. destruct E as [E1 E].
  apply app_split in E; [|congruence]. destruct E as [E2 E]. apply parameters_splits in E; auto. destruct E as [E3 E].
  apply app_split in E; [|congruence]. destruct E as [E4 E].
  apply app_split in E; [|unfold content_digest; rewrite digest_length; exact C]. destruct E as [E5 E6].
  destruct identity. cbn in *. subst. reflexivity.
Qed.

(** An identity under which the root's parts hold is the dictionary's. *)
Lemma basis_identity_binds : forall proof basis,
  (forall tie, proof_tie (rooted_proof proof) = Some tie -> tie_fits tie) ->
  identity_well_formed (rooted_identity proof) = true ->
  answer_basis (Trusted_TrustedRoot (known_root_of (state_root state) (rooted_identity proof))) (rooted_proof proof) = Ok basis ->
  match find_identity_collision proof with
  | Some both => collision both
  | None => rooted_identity proof = identity_of_genesis genesis
  end.
Proof.
  intros proof basis TF W B. cbn [answer_basis] in B. unfold find_identity_collision.
  destruct (proof_tie (rooted_proof proof)) as [tie|]; [|discriminate]. destruct (TF tie eq_refl) as (FV & FS & FT).
  unfold basis_of_tie in B. cbv zeta in B. destruct (check_tied_vectors _ _ _) as [[]|]; [|discriminate].
  destruct (check_parts _ _ _) as [[]|] eqn:CP; [|discriminate]. clear B.
  unfold check_parts in CP. destruct (parts_well_formed (tie_parts tie)) eqn:PW; [|discriminate]. cbn [negb] in CP.
  destruct (parts_hold _ _ _) eqn:H; [|discriminate]. unfold parts_hold in H. rewrite !andb_true_iff in H.
  destruct H as [[HD _] HR]. apply bytes_equal_iff in HD. apply bytes_equal_iff in HR.
  cbn [known_root_of root_dictionary root_digest] in HD, HR.
  destruct (find_collision [(tag_state, _)] _) as [both|] eqn:C1; [eapply find_collision_sound; exact C1|].
  destruct (find_collision [(tag_dictionary, _)] _) as [both|] eqn:C2; [eapply find_collision_sound; exact C2|].
  assert (P : tie_parts tie = parts_of_state state).
  { destruct (root_of_parts_binds digest_length n state (tie_parts tie) state_fits) as [P|(both & P & _)];
      [|exact HR|exact P|rewrite C1 in P; discriminate].
    unfold parts_well_formed in PW. rewrite !andb_true_iff, !N.eqb_eq in PW. unfold fits_parts. tauto. }
  apply identity_of_bytes; [exact W|]. apply no_collision_found in C2.
  apply (same_string tag_dictionary _ _ _ _ C2); [left; reflexivity|left; reflexivity|].
  change (id_of_identity (rooted_identity proof) = id_of_dictionary genesis). rewrite <- state_dictionary, <- HD, P. reflexivity.
Qed.

(** What an accepted proof says about the dictionary under the root is so. *)
Theorem rooted_identity_binds : forall question proof ans,
  (forall tie, proof_tie (rooted_proof proof) = Some tie -> tie_fits tie) ->
  verify_rooted_answer setup (state_root state) question proof = Ok ans ->
  match find_identity_collision proof with
  | Some both => collision both
  | None => rooted_identity proof = identity_of_genesis genesis
  end.
Proof.
  intros question proof ans TF E. unfold verify_rooted_answer in E.
  destruct (identity_well_formed (rooted_identity proof)) eqn:W; [|discriminate]. cbv zeta in E.
  destruct (verify_answer_checked _ _ _ _ _ E) as (_ & basis & B & _). exact (basis_identity_binds proof basis TF W B).
Qed.

Hypothesis genesis_size : vector_size (genesis_parameters genesis) = n.

(** An answer that is accepted under the root, of which nothing else is known, is the map's. *)
Theorem root_alone_correct_or_breaks : forall question proof tie ans,
  proof_tie (rooted_proof proof) = Some tie -> tie_decoded encode tie -> tie_fits tie ->
  verify_rooted_answer setup (state_root state) question proof = Ok ans ->
  match find_identity_collision proof with
  | Some both => collision both
  | None =>
      match find_tie_collision state tie with
      | Some both => collision both
      | None =>
          match find_claim_break setup n a (rooted_proof proof) with
          | Some b => is_break setup b
          | None => rooted_identity proof = identity_of_genesis genesis /\ ans = ideal_answer question (map_of_array a)
          end
      end
  end.
Proof.
  intros question proof tie ans T D TF E.
  pose proof (rooted_identity_binds question proof ans) as I. specialize (I ltac:(intros t Ht; congruence) E).
  destruct (find_identity_collision proof); [exact I|]. unfold verify_rooted_answer in E.
  destruct (identity_well_formed (rooted_identity proof)); [|discriminate]. cbv zeta in E.
  pose proof (rooted_answer_correct_or_breaks setup n made sized positive a a_well_formed digest_length encode encode_injective
    state state_fits state_size state_commitments (known_root_of (state_root state) (rooted_identity proof)) question
    (rooted_proof proof) tie ans) as H.
  specialize (H ltac:(rewrite I; exact genesis_size) eq_refl T D TF E).
  destruct (find_tie_collision state tie); [exact H|].
  destruct (find_claim_break setup n a (rooted_proof proof)); [exact H|]. split; assumption.
Qed.

Lemma genesis_identity_well_formed : identity_well_formed (identity_of_genesis genesis) = true.
Proof.
  pose proof legal as L. unfold genesis_legal, identity_legal in L. unfold identity_well_formed, identity_of_genesis.
  cbn [identity_parameters identity_name identity_salt identity_setup_digest identity_content_digest]. unfold content_digest.
  rewrite digest_length. rewrite !andb_true_iff in *. change (32 =? 32) with true. tauto.
Qed.

Theorem honest_root_alone_accepted : forall question,
  question_legal question = true ->
  verify_rooted_answer setup (state_root state) question
    {| rooted_identity := identity_of_genesis genesis; rooted_proof := honest_rooted_answer setup a state question |} =
  Ok (ideal_answer question (map_of_array a)).
Proof.
  intros question Q. unfold verify_rooted_answer. cbn [rooted_identity rooted_proof]. rewrite genesis_identity_well_formed.
  apply honest_rooted_answer_accepted; [|exact genesis_size|reflexivity|exact Q].
  rewrite state_dictionary. reflexivity.
Qed.

End RootedAnswers.
