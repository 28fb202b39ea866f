(** Which dealings remain, and the keys that follow from them.

    - [qualified_iff]: a dealing remains if it is valid and no valid verdict is about its dealer.
    - [honest_dealer_stays]: an honest dealing remains, but for a lucky complaint.
    - [false_shares_out]: what an honest server received of the dealings that remain passes its check.
    - [summed_shares_hold]: shares that pass the check of each dealing add up to one that passes that of the keys.
    - [shares_combine]: shares that pass the check of the keys combine to the key. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation Mixnet.Column
  Mixnet.Sharing Mixnet.Dealing Mixnet.KeyPosts Mixnet.ServersRead Mixnet.KeyGeneration.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Mixnet.LinearRelation
  Spec.Mixnet.Permutation Spec.Mixnet.Column Spec.Mixnet.Sharing Spec.Mixnet.Lagrange Spec.Mixnet.Dealing Spec.Mixnet.KeyPosts.
From Aardvark Require Spec.Mixnet.CeremonyView.
Import ListNotations.
Local Open Scope N_scope.

Section Generation.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variable encode : G1 -> ByteString.

(** * Who remains *)

Lemma number_among_iff (numbers : list N) (n : N) : number_among numbers n = true <-> In n numbers.
Proof.
  split; [apply CeremonyView.number_among_in |]. intros I. destruct (number_among numbers n) eqn:E; [reflexivity |].
  now apply CeremonyView.not_number_among in E.
Qed.

Lemma complaint_dealers_map (complaints : list KeyComplaint) : complaint_dealers complaints = map complaint_dealer complaints.
Proof.
  unfold complaint_dealers, complaint_dealers_step.
  rewrite (fold_range_elements (fun dealers complaint => dealers ++ [complaint_dealer complaint])).
  exact (fold_append complaint_dealer complaints []).
Qed.

Lemma convicted_in (terms : KeyTerms) (valid : list KeyDealing) (verdicts : list KeyVerdict) (dealer : N) :
  In dealer (convicted_dealers terms valid verdicts) <->
  exists verdict complaint, In verdict verdicts /\ verdict_holds terms valid verdict = true /\
    In complaint (verdict_complaints verdict) /\ complaint_dealer complaint = dealer.
Proof.
  unfold convicted_dealers. rewrite (fold_range_elements (fun convicted verdict => convicted_dealers_step convicted terms valid verdict)).
  enough (forall s acc, In dealer (fold_left (fun convicted verdict => convicted_dealers_step convicted terms valid verdict) s acc) <->
    In dealer acc \/ exists verdict complaint, In verdict s /\ verdict_holds terms valid verdict = true /\
      In complaint (verdict_complaints verdict) /\ complaint_dealer complaint = dealer) as G
    by (rewrite G; split; [intros [[] | H]; exact H | now right]).
  induction s as [| x s IH]; intros acc; cbn [fold_left].
  - split; [now left |]. now intros [H | (? & ? & [] & _)].
  - rewrite IH. unfold convicted_dealers_step. destruct (verdict_holds terms valid x) eqn:E.
    + rewrite in_app_iff, complaint_dealers_map, in_map_iff. split.
      * intros [[H | (y & <- & I)] | (v & y & I & H)]; [now left | right | right].
        -- exists x, y. split; [now left |]. now split.
        -- exists v, y. split; [now right | exact H].
      * intros [H | (v & y & [-> | I] & H & C & D)]; [now left; left | left; right | right].
        -- now exists y.
        -- now exists v, y.
    + split.
      * intros [H | (v & y & I & H)]; [now left | right]. exists v, y. split; [now right | exact H].
      * intros [H | (v & y & [-> | I] & H & R)]; [now left | congruence | right]. now exists v, y.
Qed.

Lemma qualified_filter (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) :
  qualified_dealings terms dealings verdicts
  = filter (fun dealing => negb (number_among (convicted_dealers terms (valid_dealings terms dealings) verdicts) (deal_author dealing)))
      (valid_dealings terms dealings).
Proof.
  unfold qualified_dealings. cbv zeta. set (convicted := convicted_dealers _ _ _).
  rewrite (fold_range_elements (fun qualified dealing => qualified_dealings_step qualified dealing convicted)).
  etransitivity; [| exact (fold_filter (fun dealing => negb (number_among convicted (deal_author dealing))) _ [])].
  apply fold_left_ext_in. intros acc x _. unfold qualified_dealings_step.
  now destruct (number_among convicted (deal_author x)).
Qed.

Theorem qualified_iff (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) (dealing : KeyDealing) :
  In dealing (qualified_dealings terms dealings verdicts) <->
  In dealing dealings /\ dealing_holds terms dealing = true /\
  forall verdict, In verdict verdicts -> verdict_holds terms (valid_dealings terms dealings) verdict = true ->
    ~ In (deal_author dealing) (map complaint_dealer (verdict_complaints verdict)).
Proof.
  rewrite qualified_filter, filter_In, negb_true_iff. rewrite valid_dealings_filter at 1. rewrite filter_In.
  set (valid := valid_dealings terms dealings). split.
  - intros ((I & H) & C). split; [exact I |]. split; [exact H |]. intros verdict V Holds A.
    apply in_map_iff in A as (complaint & E & A).
    assert (In (deal_author dealing) (convicted_dealers terms valid verdicts)) as B
      by (apply convicted_in; now exists verdict, complaint).
    apply number_among_iff in B. congruence.
  - intros (I & H & C). split; [now split |].
    destruct (number_among _ _) eqn:E; [| reflexivity]. apply number_among_iff in E.
    apply convicted_in in E as (verdict & complaint & V & Holds & A & B). exfalso. apply (C verdict V Holds).
    rewrite <- B. now apply in_map.
Qed.

Theorem honest_dealer_stays (terms : KeyTerms) (coefficients : list (list Scalar)) (randomness nonces : list Scalar)
    (dealing : KeyDealing) (dealings : list KeyDealing) (verdicts : list KeyVerdict) :
  honest_dealing encode terms coefficients randomness nonces dealing ->
  NoDup (map deal_author dealings) -> In dealing dealings ->
  (forall verdict complaint, In verdict verdicts -> In complaint (verdict_complaints verdict) ->
    posted_bytes (complaint_shared complaint) = encode (posted_element (complaint_shared complaint))) ->
  ~ In dealing (qualified_dealings terms dealings verdicts) ->
  exists verdict complaint, In verdict verdicts /\ In complaint (verdict_complaints verdict) /\
    complaint_dealer complaint = deal_author dealing /\ lucky_complaint terms dealing (verdict_author verdict) complaint.
Proof.
  intros H D I B Out. rewrite qualified_filter, filter_In in Out. set (valid := valid_dealings terms dealings) in *.
  assert (In dealing valid) as V.
  { unfold valid. rewrite valid_dealings_filter, filter_In. split; [exact I |]. now apply honest_dealing_holds with (1 := H). }
  destruct (number_among (convicted_dealers terms valid verdicts) (deal_author dealing)) eqn:E;
    [| exfalso; apply Out; now split].
  apply number_among_iff in E. apply convicted_in in E as (verdict & complaint & IV & Holds & IC & Ed).
  exists verdict, complaint. split; [exact IV |]. split; [exact IC |]. split; [exact Ed |].
  apply verdict_holds_iff in Holds as [A Holds]. apply in_seq_at in IC as (i & L & Ei). destruct (Holds i L) as [_ Founded].
  rewrite Ei in Founded.
  apply (shown_complaint_opens encode terms coefficients randomness nonces dealing H valid); try assumption.
  - rewrite Ed. apply find_own; [| exact V]. unfold valid. rewrite valid_dealings_filter. now apply nodup_filter_authors.
  - apply (B verdict complaint IV). rewrite <- Ei. now apply seq_at_in.
Qed.

Theorem false_shares_out (terms : KeyTerms) (secret : Scalar) (verdict : KeyVerdict) (dealings : list KeyDealing)
    (verdicts : list KeyVerdict) (dealing : KeyDealing) :
  NoDup (map deal_author dealings) ->
  In verdict verdicts -> honest_verdict encode terms (valid_dealings terms dealings) secret verdict ->
  In dealing (qualified_dealings terms dealings verdicts) ->
  dealt_shares_hold (deal_committed dealing) (verdict_author verdict)
    (received_shares encode terms (verdict_author verdict) secret dealing) = true.
Proof.
  intros D I H Q. apply qualified_iff in Q as (Id & Holds & Unblamed).
  destruct (dealt_shares_hold _ _ _) eqn:E; [reflexivity | exfalso].
  assert (In dealing (valid_dealings terms dealings)) as V by (rewrite valid_dealings_filter, filter_In; now split).
  apply (Unblamed verdict I).
  - apply (honest_verdict_holds encode) with (secret := secret); [| exact H].
    rewrite valid_dealings_filter. now apply nodup_filter_authors.
  - destruct H as (_ & _ & _ & _ & All). now apply All.
Qed.

(** * Sums *)

Lemma share_public_sum (a b : list G1) (server : N) :
  seq_length a = seq_length b ->
  share_public (linear_sum_elements a b) server = g1_add (share_public a server) (share_public b server).
Proof.
  intros L. unfold share_public, share_public_step. rewrite linear_sum_elements_length, <- L.
  assert (forall i, g1_at (linear_sum_elements a b) i = g1_add (g1_at a i) (g1_at b i)) as At.
  { intros i. destruct (N.lt_ge_cases i (seq_length a)) as [Li | Li]; [now apply linear_sum_elements_at |].
    rewrite !g1_at_beyond by (rewrite ?linear_sum_elements_length; lia). group_solve. }
  enough (forall s p q r, r = g1_add p q ->
    fold_left (fun total i => g1_add (g1_scale (share_point server) total)
      (g1_at (linear_sum_elements a b) (seq_length a - 1 - i))) s r
    = g1_add (fold_left (fun total i => g1_add (g1_scale (share_point server) total) (g1_at a (seq_length a - 1 - i))) s p)
      (fold_left (fun total i => g1_add (g1_scale (share_point server) total) (g1_at b (seq_length a - 1 - i))) s q)) as E
    by (apply E; group_solve).
  induction s as [| i s IH]; intros p q r ->; [reflexivity |]. cbn [fold_left]. apply IH. rewrite At. group_solve.
Qed.

Lemma share_public_empty (threshold server : N) : share_public (linear_empty_row threshold) server = g1_identity.
Proof.
  unfold share_public, share_public_step. generalize (range 0 (seq_length (linear_empty_row threshold))). intros s.
  enough (forall p, p = g1_identity -> fold_left (fun total i => g1_add (g1_scale (share_point server) total)
    (g1_at (linear_empty_row threshold) (seq_length (linear_empty_row threshold) - 1 - i))) s p = g1_identity) as E by now apply E.
  induction s as [| i s IH]; intros p E; [exact E |]. cbn [fold_left]. apply IH. rewrite E, empty_row_at. group_solve.
Qed.

(** The share of key l that a server received of a dealing, against the commitments to it. *)
Lemma summed_row_share (dealings : list KeyDealing) (received : KeyDealing -> list Scalar) (threshold count l server : N)
    (row : list G1) (sums : list Scalar) :
  l < count -> seq_length row = threshold -> seq_length sums = count ->
  g1_multiple (scalar_at sums l) = share_public row server ->
  (forall dealing, In dealing dealings -> seq_length (committed_row (deal_committed dealing) l) = threshold /\
    g1_multiple (scalar_at (received dealing) l) = share_public (committed_row (deal_committed dealing) l) server) ->
  g1_multiple (scalar_at (fold_left linear_sum_scalars (map received dealings) sums) l)
  = share_public (fold_left (fun total dealing => summed_row_step total dealing l) dealings row) server.
Proof.
  intros L. revert row sums. induction dealings as [| x s IH]; intros row sums R S E Each; [exact E |]. cbn [fold_left map].
  destruct (Each x (or_introl eq_refl)) as [W X]. apply IH.
  - unfold summed_row_step. now rewrite linear_sum_elements_length.
  - now rewrite linear_sum_scalars_length.
  - unfold summed_row_step. rewrite share_public_sum by congruence. rewrite <- E, <- X, linear_sum_scalars_map, scalar_at_map by lia.
    group_solve.
  - intros y I. apply Each. now right.
Qed.

Lemma summed_row_length (dealings : list KeyDealing) (threshold l : N) : seq_length (summed_row dealings threshold l) = threshold.
Proof.
  unfold summed_row. rewrite (fold_range_elements (fun sums dealing => summed_row_step sums dealing l)).
  enough (forall row, seq_length row = threshold ->
    seq_length (fold_left (fun sums dealing => summed_row_step sums dealing l) dealings row) = threshold) as E
    by (apply E, empty_row_length).
  induction dealings as [| x s IH]; intros row R; [exact R |]. cbn [fold_left]. apply IH. unfold summed_row_step.
  now rewrite linear_sum_elements_length.
Qed.

Lemma summed_commitments_map (terms : KeyTerms) (dealings : list KeyDealing) :
  summed_commitments terms dealings = map (summed_row dealings (keys_threshold terms)) (range 0 (keys_count terms)).
Proof. exact (fold_range_append (summed_row dealings (keys_threshold terms)) 0 (keys_count terms) []). Qed.

Lemma summed_commitments_row (terms : KeyTerms) (dealings : list KeyDealing) (l : N) : l < keys_count terms ->
  committed_row (summed_commitments terms dealings) l = summed_row dealings (keys_threshold terms) l.
Proof.
  intros L. unfold committed_row. rewrite summed_commitments_map, seq_length_map, seq_length_range.
  rewrite (proj2 (N.ltb_lt _ _) L). now apply nth_map_range.
Qed.

Lemma summed_shares_fold (terms : KeyTerms) (received : list (list Scalar)) :
  summed_shares terms received = fold_left linear_sum_scalars received (scalars_resized [] (keys_count terms)).
Proof. exact (fold_range_elements linear_sum_scalars received _). Qed.

Lemma summed_shares_length (terms : KeyTerms) (received : list (list Scalar)) :
  seq_length (summed_shares terms received) = keys_count terms.
Proof.
  rewrite summed_shares_fold. enough (forall sums, seq_length sums = keys_count terms ->
    seq_length (fold_left linear_sum_scalars received sums) = keys_count terms) as E by apply E, scalars_resized_length.
  induction received as [| x s IH]; intros sums S; [exact S |]. cbn [fold_left]. apply IH. now rewrite linear_sum_scalars_length.
Qed.

Lemma fitting_row (terms : KeyTerms) (dealing : KeyDealing) (l : N) : dealing_holds terms dealing = true -> l < keys_count terms ->
  seq_length (deal_committed dealing) = keys_count terms /\
  committed_row (deal_committed dealing) l = seq_at (deal_committed dealing) l /\
  seq_length (committed_row (deal_committed dealing) l) = keys_threshold terms.
Proof.
  intros H L. unfold dealing_holds in H. apply andb_true_iff in H as [H _]. unfold dealing_fits in H. cbv zeta in H.
  rewrite !andb_true_iff, !N.eqb_eq in H. destruct H as ((((((_ & _) & C) & W) & _) & _) & _).
  assert (committed_row (deal_committed dealing) l = seq_at (deal_committed dealing) l) as E
    by (unfold committed_row; rewrite C; now rewrite (proj2 (N.ltb_lt _ _) L)).
  split; [exact C |]. split; [exact E |]. rewrite E. unfold column_widths, column_widths_step in W.
  rewrite (fold_range_elements (fun fits (row : list G1) => fits && (seq_length row =? keys_threshold terms))) in W.
  rewrite (fold_all (fun row : list G1 => seq_length row =? keys_threshold terms)) in W.
  apply N.eqb_eq. apply (proj1 (forallb_forall _ _) W). apply seq_at_in. lia.
Qed.

Theorem summed_shares_hold (terms : KeyTerms) (dealings : list KeyDealing) (server : N) (received : KeyDealing -> list Scalar) :
  (forall dealing, In dealing dealings -> dealing_holds terms dealing = true /\
    dealt_shares_hold (deal_committed dealing) server (received dealing) = true) ->
  forall l, l < keys_count terms ->
  g1_multiple (scalar_at (summed_shares terms (map received dealings)) l)
  = share_public (summed_row dealings (keys_threshold terms) l) server.
Proof.
  intros Each l L. rewrite summed_shares_fold. unfold summed_row.
  rewrite (fold_range_elements (fun sums dealing => summed_row_step sums dealing l)).
  apply (summed_row_share dealings received (keys_threshold terms) (keys_count terms)); try assumption.
  - apply empty_row_length.
  - apply scalars_resized_length.
  - rewrite share_public_empty, scalar_at_resized. destruct (l <? keys_count terms); [| group_solve].
    rewrite scalar_at_beyond by apply N.le_0_l. group_solve.
  - intros dealing I. destruct (Each dealing I) as [H S]. destruct (fitting_row terms dealing l H L) as (C & E & W).
    split; [exact W |]. apply dealt_shares_hold_iff in S as [_ S]. rewrite E. apply g1_equal_iff. apply (S l). lia.
Qed.

(** * Combinations *)

(** Every row of commitments is to a polynomial, whoever made it. *)
Lemma committed_exponents (row : list G1) : share_commitments (map g1_exponent row) = row.
Proof.
  unfold share_commitments. rewrite g1_multiples_map, map_map. rewrite <- (map_id row) at 2. apply map_ext. intros a.
  symmetry. apply g1_exponent_of.
Qed.

Theorem shares_combine (row : list G1) (servers : list N) (shares : N -> Scalar) (element : G1) :
  distinct_servers servers -> (length row <= length servers)%nat ->
  (forall k, In k servers -> share_verify row k (shares k) = true) ->
  share_combine servers (map (fun k => g1_scale (shares k) element) servers)
  = g1_scale (g1_exponent (g1_at row 0)) element.
Proof.
  intros D L V. pose proof (lagrange_correct (map g1_exponent row) servers element D) as E.
  rewrite map_length in E. specialize (E L).
  assert (scalar_at (map g1_exponent row) 0 = g1_exponent (g1_at row 0)) as <-.
  { unfold scalar_at, g1_at. rewrite seq_length_map. destruct row as [| a row]; [reflexivity |].
    rewrite (proj2 (N.ltb_lt 0 _)) by (rewrite seq_length_cons; lia). reflexivity. }
  rewrite <- E. f_equal. apply map_ext_in. intros k I. f_equal. apply share_verify_iff. rewrite committed_exponents. now apply V.
Qed.

End Generation.
