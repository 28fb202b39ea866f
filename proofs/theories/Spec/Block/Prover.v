(** What an honest archive hands out is true, accepted, and enough.

    - [honest_claims_true]: each claim is of what the array holds, at a position of the array;
    - [honest_claims_accepted_each]: its opening is accepted under the commitment to its vector;
    - [honest_claims_distinct]: no position is claimed twice;
    - [honest_claims_serve]: each claim serves an operation;
    - [honest_claims_enough]: for each key there is a claim whose slot covers it, and for each delete one whose slot precedes
      the key, present or not;
    - [honest_tail_vectors_true], [honest_tail_vectors_accepted], [honest_tail_vectors_checked]: the tail vectors are those
      of the array, as many as asked for, and pass the check. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis
  Dictionary.Vectors Block.Tail Block.Transaction Block.State Block.BlockData Block.Checks Block.Prover.
From Aardvark Require Import Lemmas.Field
  Spec.Base.Group.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Block.Tail Lemmas.VectorLemmas
  Lemmas.ChecksLemmas Lemmas.History Spec.Dictionary.Window Spec.Dictionary.Vectors Spec.Block.State
  Spec.Block.Checks Lemmas.BlockChecks Lemmas.Resolution Lemmas.Break.
Import ListNotations.
Local Open Scope N_scope.

Section Prover.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Claims *)

Section Claims.

Variables (setup : Setup) (a : Array).
Hypothesis good : well_formed a.

Let slots := array_slots a.

(** The claim is what an honest archive says of its position. *)
Definition honest_of (c : Claim) : Prop := honest_claim setup slots (claim_position c) = Some c.

(** Some claim is of position [p]. *)
Definition claimed (items : list Claim) (p : N) : Prop := exists c, In c items /\ claim_position c = p.

Lemma claimed_before_all : forall items p, claimed_before items (seq_length items) p = true <-> claimed items p.
Proof.
  intros items p. rewrite claimed_before_iff. split.
  - intros (i & Hi & E). exists (seq_at items i). split; [apply seq_at_in; assumption|assumption].
  - intros (c & I & E). destruct (in_seq_at _ _ items c I) as (i & Hi & <-). exists i. auto.
Qed.

Lemma honest_claim_at : forall p x, live slots p x ->
  exists c, honest_claim setup slots p = Some c /\ claim_position c = p /\ claim_slot c = x /\ honest_of c.
Proof.
  intros p x L. unfold honest_of, honest_claim. rewrite L. eexists. split; [reflexivity|]. cbn [claim_position claim_slot].
  split; [reflexivity|]. split; [reflexivity|]. rewrite L. reflexivity.
Qed.

Lemma honest_of_slot : forall c, honest_of c -> slot_at slots (claim_position c) = Some (claim_slot c).
Proof.
  intros c H. unfold honest_of, honest_claim in H. destruct (slot_at slots (claim_position c)) as [x|]; [|discriminate].
  cbv zeta in H. injection H as H. rewrite <- H. reflexivity.
Qed.

(** What is kept while claims are collected. *)
Definition collected (items : list Claim) : Prop :=
  (forall c, In c items -> honest_of c) /\ NoDup (map claim_position items).

(** Adding a claim of a slot that stands: it is there afterwards, those before stay, and nothing else comes. *)
Lemma add_claim_spec : forall items p x, collected items -> live slots p x ->
  collected (add_claim items setup slots p) /\ claimed (add_claim items setup slots p) p /\
  (forall c, In c items -> In c (add_claim items setup slots p)) /\
  (forall c, In c (add_claim items setup slots p) -> In c items \/ claim_position c = p /\ claim_slot c = x).
Proof.
  intros items p x [H D] L. unfold add_claim. destruct (claimed_before items (seq_length items) p) eqn:B.
  - apply claimed_before_all in B. repeat split; auto.
  - destruct (honest_claim_at p x L) as (c & E & P & S & O). rewrite E.
    assert (Fresh : ~ claimed items p).
    { intros G. apply claimed_before_all in G. congruence. }
    split; [split|split; [|split]].
    + intros d I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [apply H; assumption|assumption].
    + rewrite map_app. cbn [map]. rewrite P.
      apply (NoDup_Add (a := p) (l := map claim_position items)).
      * rewrite <- (app_nil_r (map claim_position items)) at 1. apply Add_app.
      * split; [assumption|]. intros I. apply in_map_iff in I. destruct I as (d & Ed & I). apply Fresh. exists d. auto.
    + exists c. split; [apply in_app_iff; right; left; reflexivity|assumption].
    + intros d I. apply in_app_iff. auto.
    + intros d I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [auto|]. right. auto.
Qed.

(** What an operation asks of the claims. *)
Definition covered (items : list Claim) (op : Operation) : Prop :=
  (exists c, In c items /\ covers (claim_slot c) (operation_key op) = true) /\
  (is_delete (action op) = true -> exists c, In c items /\ precedes (claim_slot c) (operation_key op) = true).

Lemma covered_more : forall items more op, (forall c, In c items -> In c more) -> covered items op -> covered more op.
Proof.
  intros items more op H [(c & I & C) P]. split; [exists c; auto|]. intros Del. destruct (P Del) as (d & J & Q). exists d. auto.
Qed.

Lemma has_key_iff : forall k, has_key slots k = true <-> live_key a k.
Proof.
  intros k. unfold has_key. destruct (covering_slot_exists a k good) as (p & x & _ & S & L & C). fold slots in S. rewrite S.
  rewrite bytes_equal_iff. split.
  - intros E. exists p, x. auto.
  - intros H. eapply covering_present; eassumption.
Qed.

Lemma honest_step : forall items op, collected items ->
  let more := honest_claims_step items setup slots op in
  collected more /\ (forall c, In c items -> In c more) /\ covered more op /\
  forall c, In c more -> In c items \/ serves c op = true.
Proof.
  intros items op Col more. set (k := operation_key op).
  destruct (covering_slot_exists a k good) as (p & x & P & _ & L & C).
  assert (E1 : add_covering_claim items setup slots k = add_claim items setup slots p).
  { unfold add_covering_claim. fold slots in P. rewrite P. reflexivity. }
  destruct (add_claim_spec items p x Col L) as (Col1 & Cl1 & Keep1 & New1).
  destruct Cl1 as (c1 & I1 & P1).
  assert (S1 : claim_slot c1 = x).
  { pose proof (honest_of_slot c1 (proj1 Col1 c1 I1)) as G. rewrite P1 in G. unfold live in L. fold slots in L. congruence. }
  assert (Serve1 : forall c, In c (add_claim items setup slots p) -> In c items \/ serves c op = true).
  { intros c I. destruct (New1 c I) as [|[_ G]]; [auto|right]. unfold serves. rewrite G. fold k. rewrite C. reflexivity. }
  unfold more, honest_claims_step. cbv zeta. fold k. rewrite E1.
  destruct (is_delete (action op) && has_key slots k) eqn:DK.
  - apply andb_true_iff in DK. destruct DK as [Del K]. apply has_key_iff in K.
    destruct (preceding_slot_exists a k good) as (r & y & Q & M & B).
    assert (E2 : forall before, add_preceding_claim before setup slots k = add_claim before setup slots r).
    { intros before. unfold add_preceding_claim. fold slots in Q. rewrite Q. reflexivity. }
    rewrite E2. destruct (add_claim_spec _ r y Col1 M) as (Col2 & Cl2 & Keep2 & New2).
    destruct Cl2 as (c2 & I2 & P2).
    assert (S2 : claim_slot c2 = y).
    { pose proof (honest_of_slot c2 (proj1 Col2 c2 I2)) as G. rewrite P2 in G. unfold live in M. fold slots in M. congruence. }
    split; [assumption|]. split; [auto|]. split.
    + split; [exists c1; split; [auto|rewrite S1; exact C]|]. intros _. exists c2. split; [assumption|]. rewrite S2. exact B.
    + intros c I. destruct (New2 c I) as [J|[_ G]]; [apply Serve1; assumption|right].
      unfold serves. rewrite Del. cbn [andb]. apply orb_true_iff. right. apply bytes_equal_iff. rewrite G. fold k.
      destruct K as (q & z & Lz & Ez). exact (precedes_live_key a k r q y z good M B Lz Ez).
  - split; [assumption|]. split; [assumption|]. split; [|assumption].
    split; [exists c1; split; [assumption|rewrite S1; exact C]|]. intros Del. rewrite Del in DK. cbn [andb] in DK.
    exists c1. split; [assumption|]. rewrite S1. apply covers_precedes; [assumption|]. intros E.
    rewrite <- not_true_iff_false in DK. apply DK, has_key_iff. exists p, x. auto.
Qed.

Lemma honest_claims_fold : forall items,
  honest_claims setup a items = fold_left (fun collected op => honest_claims_step collected setup slots op) items [].
Proof. intros. apply (loop_over_elements _ _ _ (fun collected op => honest_claims_step collected setup slots op)). Qed.

Lemma honest_claims_spec : forall items,
  let cs := honest_claims setup a items in
  collected cs /\ (forall op, In op items -> covered cs op) /\
  forall c, In c cs -> exists op, In op items /\ serves c op = true.
Proof.
  intros items. cbv zeta. rewrite honest_claims_fold.
  assert (G : forall todo before, collected before ->
    let cs := fold_left (fun collected op => honest_claims_step collected setup slots op) todo before in
    collected cs /\ (forall c, In c before -> In c cs) /\ (forall op, In op todo -> covered cs op) /\
    forall c, In c cs -> In c before \/ exists op, In op todo /\ serves c op = true).
  { induction todo as [|op todo IH]; intros before Col; cbn [fold_left].
    - split; [assumption|]. split; [auto|]. split; [intros op []|auto].
    - destruct (honest_step before op Col) as (Col1 & Keep1 & Cov1 & New1).
      destruct (IH _ Col1) as (Col2 & Keep2 & Cov2 & New2). split; [assumption|]. split; [auto|]. split.
      + intros o [<-|I]; [eapply covered_more; eassumption|auto].
      + intros c I. destruct (New2 c I) as [J|(o & Io & So)].
        * destruct (New1 c J) as [|S]; [auto|]. right. exists op. split; [left; reflexivity|assumption].
        * right. exists o. split; [right; assumption|assumption]. }
  destruct (G items []) as (Col & _ & Cov & New).
  - split; [intros c []|constructor].
  - split; [assumption|]. split; [assumption|]. intros c I. destruct (New c I) as [[]|H]. exact H.
Qed.

Theorem honest_claims_true : forall items c, In c (honest_claims setup a items) ->
  slot_at (array_slots a) (claim_position c) = Some (claim_slot c) /\ claim_position c < array_size a.
Proof.
  intros items c I. destruct (honest_claims_spec items) as ([H _] & _ & _). pose proof (honest_of_slot c (H c I)) as E.
  split; [exact E|]. destruct good as ((_ & D) & _). apply D. exists (claim_slot c). exact E.
Qed.

Theorem honest_claims_no_position_twice : forall items, NoDup (map claim_position (honest_claims setup a items)).
Proof. intros items. destruct (honest_claims_spec items) as ([_ D] & _ & _). exact D. Qed.

Theorem honest_claims_distinct : forall items i j,
  i < j -> j < seq_length (honest_claims setup a items) ->
  claim_position (seq_at (honest_claims setup a items) i) <> claim_position (seq_at (honest_claims setup a items) j).
Proof.
  intros items i j Hij Hj E. pose proof (honest_claims_no_position_twice items) as D.
  set (cs := honest_claims setup a items) in *. unfold seq_length in Hj.
  rewrite (NoDup_nth _ (claim_position default)) in D. specialize (D (N.to_nat i) (N.to_nat j)).
  rewrite map_length, !map_nth in D. unfold seq_at in E. specialize (D ltac:(lia) ltac:(lia) E). lia.
Qed.

Theorem honest_claims_not_claimed_before : forall items c, c < seq_length (honest_claims setup a items) ->
  claimed_before (honest_claims setup a items) c (claim_position (seq_at (honest_claims setup a items) c)) = false.
Proof.
  intros items c Hc. apply not_true_iff_false. rewrite claimed_before_iff. intros (i & Hi & E).
  exact (honest_claims_distinct items i c Hi Hc E).
Qed.

Theorem honest_claims_serve : forall items c, In c (honest_claims setup a items) -> serves_some c items = true.
Proof. intros items c I. apply serves_some_iff. destruct (honest_claims_spec items) as (_ & _ & S). exact (S c I). Qed.

Theorem honest_claims_enough : forall items op, In op items ->
  (exists c, In c (honest_claims setup a items) /\ covers (claim_slot c) (operation_key op) = true) /\
  (is_delete (action op) = true ->
   exists c, In c (honest_claims setup a items) /\ precedes (claim_slot c) (operation_key op) = true).
Proof. intros items op I. destruct (honest_claims_spec items) as (_ & C & _). exact (C op I). Qed.

Theorem honest_claims_well_formed : forall items c, In c (honest_claims setup a items) ->
  is_malformed (claim_opening c) = false.
Proof.
  intros items c I. destruct (honest_claims_spec items) as ([H _] & _ & _). specialize (H c I).
  unfold honest_of, honest_claim in H. destruct (slot_at slots (claim_position c)); [|discriminate].
  cbv zeta in H. injection H as H. rewrite <- H. reflexivity.
Qed.

(** *** Openings *)

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

Variable n : N.
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.

Theorem honest_claims_accepted_each : forall items c, In c (honest_claims setup a items) ->
  claim_accepted setup n a c.
Proof.
  intros items c I. destruct (honest_claims_spec items) as ([H _] & _ & _). specialize (H c I).
  pose proof (honest_of_slot c H) as E. unfold honest_of, honest_claim in H. rewrite E in H. cbv zeta in H.
  rewrite sized in H. injection H as H. unfold claim_accepted.
  rewrite <- H at 4. cbn [claim_opening].
  destruct (position_split (claim_position c) n positive) as [Ep L].
  assert (S : scalar_of_slot (claim_slot c) =
    scalar_at (vector_scalars slots n (vector_of (claim_position c) n)) (index_of (claim_position c) n)).
  { rewrite scalar_at_vector_scalars by assumption. rewrite <- Ep. unfold content_scalar. rewrite E. reflexivity. }
  rewrite S. apply Scheme.open_correct; [assumption|]. rewrite sized. assumption.
Qed.

End Claims.

(** ** Tail vectors *)

Section Tail.

Variables (a : Array) (start n count : N).
Hypothesis good : well_formed a.
Hypothesis positive : 1 <= n.
Hypothesis multiple : exists k, start = n * k.
Hypothesis inside : start <= array_size a.
Hypothesis few : count <= start / n.

Lemma tail_vector_taken : forall i, i < count ->
  exists number taken, tail_vector_number start n i = Some number /\
    slots_from (array_slots a) (number * n) (number * n + n) = Some taken /\ seq_length taken = n /\
    forall j, j < n -> slot_at (array_slots a) (number * n + j) = Some (seq_at taken j).
Proof.
  intros i Hi. pose proof (tail_vector_number_spec start n i positive multiple) as T.
  destruct (tail_vector_number start n i) as [number|] eqn:E.
  - destruct (slots_from_some (array_slots a) (number * n) (number * n + n)) as [taken G].
    { intros p Hp X. destruct good as (D & _). destruct (dense_live a p D) as [x L]; [nia|]. unfold live in L. congruence. }
    pose proof (slots_from_spec (array_slots a) (number * n) (number * n + n)) as S. rewrite G in S. destruct S as [L C].
    exists number, taken. split; [reflexivity|]. split; [assumption|]. split; [lia|]. intros j Hj. apply C. lia.
  - exfalso. unfold tail_vector_number in E. cbv zeta in E. destruct (N.ltb_spec i (start / n)); [discriminate|lia].
Qed.

Lemma honest_tail_vectors_spec :
  seq_length (honest_tail_vectors a start n count) = count /\ vectors_true (array_slots a) start n (honest_tail_vectors a start n count).
Proof.
  assert (G : seq_length (honest_tail_vectors a start n count) = count /\
    forall i, i < count -> exists number, tail_vector_number start n i = Some number /\
      seq_length (seq_at (honest_tail_vectors a start n count) i) = n /\
      forall j, j < n -> slot_at (array_slots a) (number * n + j) = Some (seq_at (seq_at (honest_tail_vectors a start n count) i) j)).
  { unfold honest_tail_vectors. apply (loop_invariant _ (fun k vectors => seq_length vectors = k /\
      forall i, i < k -> exists number, tail_vector_number start n i = Some number /\ seq_length (seq_at vectors i) = n /\
        forall j, j < n -> slot_at (array_slots a) (number * n + j) = Some (seq_at (seq_at vectors i) j))).
    - lia.
    - split; [reflexivity|]. intros i. lia.
    - intros k vectors Hk [L H]. destruct (tail_vector_taken k ltac:(lia)) as (number & taken & T & S & Lt & C).
      unfold honest_tail_vectors_step. rewrite T, S. split; [rewrite seq_length_app, L; reflexivity|].
      intros i Hi. rewrite seq_at_app, L. destruct (N.ltb_spec i k); [apply H; assumption|].
      replace i with k by lia. rewrite N.sub_diag. exists number. auto. }
  destruct G as [L H]. split; [assumption|]. intros i Hi. apply H. lia.
Qed.

Theorem honest_tail_vectors_count : seq_length (honest_tail_vectors a start n count) = count.
Proof. apply honest_tail_vectors_spec. Qed.

Theorem honest_tail_vectors_true : vectors_true (array_slots a) start n (honest_tail_vectors a start n count).
Proof. apply honest_tail_vectors_spec. Qed.

(** Slots that are the content of a vector have its commitment. *)
Theorem honest_tail_vectors_accepted : forall setup i, i < count ->
  exists number, tail_vector_number start n i = Some number /\
    vector_accepted setup n a number (seq_at (honest_tail_vectors a start n count) i).
Proof.
  intros setup i Hi. destruct honest_tail_vectors_spec as [L H].
  destruct (H i ltac:(lia)) as (number & T & Ln & C). exists number. split; [assumption|]. split; [assumption|].
  unfold vector_commitment. f_equal. apply scalars_ext; rewrite !seq_length_vector_scalars; [reflexivity|].
  intros j Hj. rewrite !scalar_at_vector_scalars by assumption. unfold content_scalar.
  rewrite slot_at_lay_slots, Ln, C by assumption. rewrite N.mul_0_l, !N.add_0_l.
  destruct (N.leb_spec 0 j); [|lia]. destruct (N.ltb_spec j n); [|lia]. cbn [andb]. rewrite N.sub_0_r. reflexivity.
Qed.

(** The slots of the tail vectors are slots of the array. *)
Lemma honest_tail_vectors_live : forall i x, i < count -> In x (seq_at (honest_tail_vectors a start n count) i) ->
  exists p, live (array_slots a) p x.
Proof.
  intros i x Hi I. destruct honest_tail_vectors_spec as [L H].
  destruct (H i ltac:(lia)) as (number & T & Ln & C). destruct (in_seq_at _ _ _ x I) as (j & Hj & <-).
  exists (number * n + j). apply C. lia.
Qed.

Context {lawful : LawfulScalars F}.

(** They pass the check of a validator whose commitments are those of the array. *)
Theorem honest_tail_vectors_checked : forall setup p,
  vector_size p = n -> (forall q x, live (array_slots a) q x -> slot_fits p x = true) ->
  check_tail_vectors setup p (array_commitments setup n a) start (honest_tail_vectors a start n count) = Ok tt.
Proof.
  intros setup p Sp Fit. unfold check_tail_vectors.
  change (fold_left _ _ _) with (checks (fun i => check_tail_vector setup p (array_commitments setup n a) start
    (seq_at (honest_tail_vectors a start n count) i) i) (seq_length (honest_tail_vectors a start n count)) (Ok tt)).
  apply checks_pass_all. rewrite honest_tail_vectors_count. intros i Hi.
  destruct (honest_tail_vectors_accepted setup i Hi) as (number & T & Ln & C).
  unfold check_tail_vector. rewrite Sp, T, Ln, N.eqb_refl. cbn [negb].
  assert (Sf : slots_fit p (seq_at (honest_tail_vectors a start n count) i) = true).
  { unfold slots_fit. apply (every_element _ Default_Slot (slot_fits p)). split; [reflexivity|]. intros j Hj.
    destruct (honest_tail_vectors_live i (seq_at (seq_at (honest_tail_vectors a start n count) i) j) Hi) as [q Lq];
      [apply seq_at_in; assumption|]. exact (Fit q _ Lq). }
  rewrite Sf. cbn [negb]. unfold vector_matches. cbv zeta.
  assert (B : number < vector_count (array_size a) n).
  { apply below_vector_count; [assumption|]. pose proof (tail_vector_number_spec start n i positive multiple) as Q.
    rewrite T in Q. nia. }
  rewrite g1_at_array_commitments by assumption. rewrite C.
  unfold vector_commitment. rewrite (proj2 (g1_equal_iff _ _) eq_refl). reflexivity.
Qed.

End Tail.

End Prover.
