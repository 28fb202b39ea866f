(** The answer that slots of a well-formed array give is the answer of the array's map.

    - [entries_same]: entries in ascending order are determined by which they are;
    - [range_ideal], [keys_ideal], [predecessor_ideal], [successor_ideal]: by the kind of question;
    - [answer_of_slots_ideal]: whatever the question. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Answer.Question Answer.Scan Answer.IdealAnswer Block.Map.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap Spec.Block.Execution Spec.Block.Map Spec.Answer.Scan.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** ** Entries in order *)

Lemma entries_same : forall s t, entries_ascend s -> entries_ascend t -> (forall e, In e s <-> In e t) -> s = t.
Proof.
  induction s as [|x s IH]; intros [|y t] S T H.
  - reflexivity.
  - destruct (proj2 (H y) (or_introl eq_refl)).
  - destruct (proj1 (H x) (or_introl eq_refl)).
  - inversion S as [|? ? S' X]; subst. inversion T as [|? ? T' Y]; subst. rewrite Forall_forall in X, Y.
    assert (E : x = y).
    { destruct (proj1 (H x) (or_introl eq_refl)) as [E|E]; [congruence|].
      destruct (proj2 (H y) (or_introl eq_refl)) as [D|D]; [congruence|]. exfalso.
      exact (blt_asymmetric _ _ (X _ D) (Y _ E)). }
    subst y. f_equal. apply IH; [exact S'|exact T'|]. intros e. split; intros I.
    + destruct (proj1 (H e) (or_intror I)) as [<-|J]; [|exact J]. exfalso. exact (blt_irreflexive _ (X _ I)).
    + destruct (proj2 (H e) (or_intror I)) as [<-|J]; [|exact J]. exfalso. exact (blt_irreflexive _ (Y _ I)).
Qed.

Lemma entry_key_unique : forall s d e, entries_ascend s -> In d s -> In e s -> entry_key d = entry_key e -> d = e.
Proof.
  induction s as [|x s IH]; intros d e S D E K; [destruct D|]. inversion S as [|? ? S' X]; subst.
  rewrite Forall_forall in X. destruct D as [<-|D], E as [<-|E].
  - reflexivity.
  - exfalso. apply (blt_irreflexive (entry_key x)). rewrite K at 2. apply X. exact E.
  - exfalso. apply (blt_irreflexive (entry_key x)). rewrite <- K at 2. apply X. exact D.
  - apply IH; assumption.
Qed.

Lemma key_map_get_in : forall s k v, entries_ascend s ->
  (key_map_get s k = Some v <-> In {| entry_key := k; entry_value := v |} s).
Proof.
  intros s k v S. rewrite key_map_get_last. destruct (last_by entry_key k s) as [e|] eqn:E.
  - destruct (last_by_some _ _ _ _ E) as [I K]. cbn. split; intros H.
    + injection H as <-. subst k. destruct e. exact I.
    + assert (D : e = {| entry_key := k; entry_value := v |}) by (eapply entry_key_unique; eauto). subst e. reflexivity.
  - split; [discriminate|]. intros H. exfalso. apply (proj1 (last_by_none entry_key k s) E _ H). reflexivity.
Qed.

Lemma entries_ascend_filter : forall f s, entries_ascend s -> entries_ascend (filter f s).
Proof.
  intros f s S. induction S as [|x s S IH X]; [constructor|]. cbn. destruct (f x); [|exact IH]. constructor; [exact IH|].
  rewrite Forall_forall in X |- *. intros e I. apply filter_In in I. apply X, I.
Qed.

(** Entries in order are those below a key, followed by the others. *)
Lemma entries_split : forall c s, entries_ascend s ->
  s = filter (fun e => bytes_less (entry_key e) c) s ++ filter (fun e => negb (bytes_less (entry_key e) c)) s.
Proof.
  intros c s S. induction S as [|x s S IH X]; [reflexivity|]. cbn [filter].
  destruct (bytes_less (entry_key x) c) eqn:L; cbn [negb app]; [f_equal; exact IH|].
  rewrite Forall_forall in X. apply bytes_less_false in L.
  replace (filter (fun e => bytes_less (entry_key e) c) s) with (@nil KeyEntry) in IH |- *.
  - cbn [app] in IH |- *. f_equal. exact IH.
  - symmetry. clear - X L. induction s as [|y s IH]; [reflexivity|]. cbn [filter].
    destruct (bytes_less (entry_key y) c) eqn:Y.
    + exfalso. apply L. eapply blt_transitive; [apply (X y); left; reflexivity|exact Y].
    + apply IH. intros e I. apply X. right. exact I.
Qed.

(** The first of entries in order, when none is below its key. *)
Lemma entries_first : forall s e, entries_ascend s -> In e s -> (forall d, In d s -> ~ blt (entry_key d) (entry_key e)) ->
  exists rest, s = e :: rest.
Proof.
  intros [|x s] e S I M; [destruct I|]. inversion S as [|? ? _ X]; subst. rewrite Forall_forall in X.
  destruct I as [<-|I]; [eauto|]. exfalso. apply (M x (or_introl eq_refl)). apply X. exact I.
Qed.

(** The last, when none is above. *)
Lemma entries_last : forall s e, entries_ascend s -> In e s -> (forall d, In d s -> ~ blt (entry_key e) (entry_key d)) ->
  exists front, s = front ++ [e].
Proof.
  intros s e S I M. destruct (exists_last (l := s)) as (front & z & ->); [intros ->; exact I|].
  exists front. f_equal. f_equal. apply in_app_iff in I. destruct I as [I|[I|[]]]; [exfalso|exact I].
  apply (M z); [apply in_app_iff; right; left; reflexivity|]. clear M.
  induction front as [|x front IH]; [destruct I|]. cbn in S. inversion S as [|? ? S' X]; subst. rewrite Forall_forall in X.
  destruct I as [<-|I]; [apply X; apply in_app_iff; right; left; reflexivity|apply IH; assumption].
Qed.

(** ** Answers *)

Section Answers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

Let entries : KeyMap := map_of_array a.

Lemma entries_in : forall e, In e entries <-> map_of a (entry_key e) = Some (entry_value e).
Proof.
  intros [k v]. cbn. rewrite <- (map_of_array_correct a a_well_formed k). symmetry.
  apply key_map_get_in, map_of_array_ascends.
Qed.

Lemma live_entry : forall p x, live (array_slots a) p x -> key x <> [] ->
  map_of a (key x) = Some (value x).
Proof. intros p x L N. eapply membership_sound; eauto. apply covers_own_key. Qed.

Lemma next_is_key : forall p x, live (array_slots a) p x -> next x <> [] -> map_of a (next x) <> None.
Proof.
  intros p x L N. apply map_of_present_iff; [exact N|]. destruct a_well_formed as (_ & _ & _ & X).
  destruct (X p x L) as [[E _]|(_ & (q & y & Ly & Ey) & _)]; [contradiction|]. exists q, y. auto.
Qed.

(** *** Ranges *)

Lemma entries_within_filter : forall r s, entries_within s r = filter (fun e => is_within r (entry_key e)) s.
Proof.
  intros r s. unfold entries_within. rewrite (loop_over_elements _ _ _ (fun within e => entries_within_step within e r)).
  apply (fold_left_filter (fun e => is_within r (entry_key e)) s []).
Qed.

Lemma is_within_iff : forall r k, is_within r k = true <-> asked (Region_RegionRange r) k.
Proof.
  intros r k. unfold is_within. rewrite andb_true_iff, bytes_at_most_iff, is_below_end_iff. reflexivity.
Qed.

(** Besides what it has shown, a scan of a range keeps to the limit, and its cursor is a live key once it has moved. *)
Definition in_step (r : KeyRange) (scan : Scan) : Prop :=
  (forall most, range_limit r = Some most -> seq_length (scan_entries scan) <= most) /\
  (scan = scan_start (Region_RegionRange r) \/ forall c, scan_cursor scan = Some c -> map_of a c <> None).

Lemma scan_slot_in_step : forall r scan p x scan',
  shown a (Region_RegionRange r) scan -> in_step r scan -> live (array_slots a) p x ->
  scan_slot (Region_RegionRange r) scan x = Ok scan' -> in_step r scan'.
Proof.
  intros r scan p x scan' (_ & _ & R) (B & _) L E. unfold scan_slot in E.
  destruct (scan_cursor scan) as [c|] eqn:SC; [|discriminate]. specialize (R c eq_refl).
  unfold scan_done in E. rewrite SC in E. cbn [region_limit] in E.
  destruct (limit_reached (range_limit r) (seq_length (scan_entries scan))) eqn:D; [discriminate|].
  destruct (covers x c); [|discriminate]. injection E as <-. split.
  - intros most M. cbn [scan_entries]. specialize (B most M). rewrite M in D. cbn in D. apply N.leb_gt in D.
    unfold entries_after. destruct (_ && _); [|lia]. rewrite seq_length_app. change (seq_length [_]) with 1. lia.
  - right. cbn [scan_cursor]. intros m CA. unfold cursor_after in CA.
    destruct (bytes_less c (next x)) eqn:N; [|discriminate]. cbn [asked_from] in CA. unfold range_key_from in CA.
    destruct R as [R _]. replace (bytes_less (next x) (range_from r)) with false in CA.
    + destruct (is_below_end _ _); [|discriminate]. injection CA as <-. apply (next_is_key p x L).
      intros Z. rewrite Z in N. exact (bytes_less_empty c N).
    + symmetry. apply bytes_less_false. apply blt_asymmetric. eapply not_blt_blt_transitive; eauto.
Qed.

Lemma scan_list_in_step : forall r chain scan scan',
  shown a (Region_RegionRange r) scan -> in_step r scan ->
  (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  scan_list (Region_RegionRange r) (Ok scan) chain = Ok scan' -> in_step r scan'.
Proof.
  intros r chain. induction chain as [|x chain IH]; intros scan scan' S I L E.
  - injection E as <-. exact I.
  - cbn in E. destruct (L x (or_introl eq_refl)) as [p Lp].
    destruct (scan_slot (Region_RegionRange r) scan x) as [mid|fault] eqn:M.
    + apply (IH mid scan'); [| | |exact E].
      * eapply scan_slot_shown; eauto. exact Logic.I.
      * eapply scan_slot_in_step; eauto.
      * intros y Y. apply L. right. exact Y.
    + change (scan_list (Region_RegionRange r) (Err fault) chain = Ok scan') in E.
      rewrite scan_list_fault in E. discriminate.
Qed.

Theorem range_ideal : forall r chain ans,
  limit_legal (range_limit r) = true -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  answer_region (Region_RegionRange r) chain = Ok ans -> ans = Answer_AnswerRange (ideal_range r entries).
Proof.
  intros r chain ans G L E. unfold answer_region in E.
  destruct (scan_slots (Region_RegionRange r) chain) as [scan|] eqn:SE; [|discriminate].
  assert (S : shown a (Region_RegionRange r) scan) by (eapply scan_slots_sound; eauto; exact I).
  assert (K : in_step r scan).
  { rewrite scan_slots_list in SE. eapply scan_list_in_step; [| |exact L|exact SE].
    - apply scan_start_shown. exact I.
    - split; [|left; reflexivity]. intros most _. change (seq_length (scan_entries (scan_start (Region_RegionRange r)))) with 0. lia. }
  destruct (scan_done _ scan) eqn:D; [|discriminate]. injection E as <-. cbn [region_answer]. f_equal.
  destruct S as (A & M & R). destruct K as (B & V). unfold ideal_range.
  set (within := entries_within entries r).
  assert (WA : entries_ascend within).
  { unfold within. rewrite entries_within_filter. apply entries_ascend_filter, map_of_array_ascends. }
  assert (WI : forall e, In e within <-> map_of a (entry_key e) = Some (entry_value e) /\ asked (Region_RegionRange r) (entry_key e)).
  { intros e. unfold within. rewrite entries_within_filter, filter_In, entries_in, is_within_iff. reflexivity. }
  destruct scan as [cursor found]. cbn [scan_cursor scan_entries] in *. destruct cursor as [c|].
  - unfold scan_done in D. cbn [scan_cursor scan_entries region_limit] in D.
    destruct (range_limit r) as [most|] eqn:RL; [|discriminate]. cbn in D, G. apply N.leb_le in D, G.
    specialize (B most eq_refl).
    assert (Vc : map_of a c <> None).
    { destruct V as [V|V]; [|apply V; reflexivity]. exfalso. unfold scan_start in V. injection V as _ V. subst found.
      change (seq_length empty_key_map) with 0 in D. lia. }
    specialize (R c eq_refl).
    assert (FB : found = filter (fun e => bytes_less (entry_key e) c) within).
    { apply entries_same; [exact A|apply entries_ascend_filter; exact WA|]. intros e.
      rewrite M, filter_In, WI. cbn [below_cursor]. unfold blt. tauto. }
    destruct (map_of a c) as [v|] eqn:MC; [|congruence].
    assert (CI : In {| entry_key := c; entry_value := v |} within) by (apply WI; cbn; auto).
    destruct (entries_first (filter (fun e => negb (bytes_less (entry_key e) c)) within) {| entry_key := c; entry_value := v |})
      as [rest RE].
    + apply entries_ascend_filter. exact WA.
    + apply filter_In. split; [exact CI|]. cbn. apply negb_true_iff, bytes_less_false, blt_irreflexive.
    + intros d I'. apply filter_In in I'. destruct I' as [_ I']. apply negb_true_iff, bytes_less_false in I'. exact I'.
    + pose proof (entries_split c within WA) as SP. rewrite <- FB, RE in SP.
      assert (LM : seq_length found = most) by lia. unfold limited_range.
      assert (LW : (most <? seq_length within) = true).
      { apply N.ltb_lt. rewrite SP, seq_length_app, seq_length_cons. lia. }
      rewrite LW. f_equal.
      * rewrite SP. unfold seq_slice. cbn [skipn N.to_nat]. rewrite <- LM. unfold seq_length. rewrite Nnat.Nat2N.id.
        rewrite firstn_app, firstn_all, PeanoNat.Nat.sub_diag. cbn. rewrite app_nil_r. reflexivity.
      * rewrite SP, seq_at_app, LM, N.ltb_irrefl, N.sub_diag. reflexivity.
  - assert (FW : found = within).
    { apply entries_same; [exact A|exact WA|]. intros e. rewrite M, WI. cbn [below_cursor]. tauto. }
    subst found. destruct (range_limit r) as [most|] eqn:RL; [|reflexivity]. specialize (B most eq_refl).
    unfold limited_range. replace (most <? seq_length within) with false; [reflexivity|]. symmetry. apply N.ltb_ge. exact B.
Qed.

(** *** Lists of keys *)

Lemma key_answers_map : forall listed found,
  key_answers listed found = map (fun k => {| answered_key := k; answered_value := key_map_get found k |}) listed.
Proof.
  intros. unfold key_answers. rewrite (loop_over_elements _ _ _ (fun answers k => key_answers_step answers k found)).
  apply (Sequences.fold_append (fun k => {| answered_key := k; answered_value := key_map_get found k |}) listed []).
Qed.

Theorem keys_ideal : forall listed chain ans,
  StronglySorted blt listed -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  answer_region (Region_RegionKeys listed) chain = Ok ans -> ans = Answer_AnswerKeys (key_answers listed entries).
Proof.
  intros listed chain ans A L E. unfold answer_region in E.
  destruct (scan_slots (Region_RegionKeys listed) chain) as [scan|] eqn:SE; [|discriminate].
  destruct (scan_slots_sound a a_well_formed (Region_RegionKeys listed) chain scan A L SE) as (S & M & _).
  destruct (scan_done _ scan) eqn:D; [|discriminate]. injection E as <-. cbn [region_answer]. f_equal.
  unfold scan_done in D. destruct (scan_cursor scan) as [c|] eqn:SC; [discriminate|].
  rewrite !key_answers_map. apply map_ext_in. intros k K. f_equal. apply option_ext. intros v.
  rewrite !key_map_get_in by (assumption || apply map_of_array_ascends). rewrite M, entries_in. cbn. tauto.
Qed.

(** *** Neighbours *)

Lemma entries_below_filter : forall k s, entries_below s k = filter (below_by entry_key k) s.
Proof.
  intros. unfold entries_below. rewrite (loop_over_elements _ _ _ (fun below e => entries_below_step below e k)).
  apply (fold_left_filter (below_by entry_key k) s []).
Qed.

Lemma entries_above_filter : forall k s, entries_above s k = filter (above_by entry_key k) s.
Proof.
  intros. unfold entries_above. rewrite (loop_over_elements _ _ _ (fun above e => entries_above_step above e k)).
  apply (fold_left_filter (above_by entry_key k) s []).
Qed.

Lemma single_slot_in : forall chain x, single_slot chain = Ok x -> In x chain.
Proof.
  intros chain x E. unfold single_slot in E. destruct (N.ltb_spec (seq_length chain) 1); [discriminate|].
  destruct (1 <? seq_length chain); [discriminate|]. injection E as <-. apply seq_at_in. lia.
Qed.

Lemma entry_is_live : forall e, In e entries ->
  exists p y, live (array_slots a) p y /\ key y = entry_key e /\ entry_key e <> [].
Proof.
  intros e I. apply entries_in in I. apply map_of_some in I. destruct I as [N (p & y & L & K & _)]. exists p, y. auto.
Qed.

Theorem predecessor_ideal : forall k chain ans,
  k <> [] -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  answer_predecessor k chain = Ok ans -> ans = Answer_AnswerPredecessor (ideal_predecessor k entries).
Proof.
  intros k chain ans N L E. unfold answer_predecessor in E. destruct (single_slot chain) as [x|] eqn:S; [|discriminate].
  destruct (L x (single_slot_in _ _ S)) as [p Lp]. destruct (precedes x k) eqn:P; [|discriminate]. injection E as <-. f_equal.
  destruct a_well_formed as (_ & _ & _ & X). apply (precedes_greatest a x k (X p x Lp) N) in P. destruct P as [P G].
  unfold ideal_predecessor. rewrite entries_below_filter. set (below := filter _ _).
  assert (IB : forall e, In e below <-> In e entries /\ blt (entry_key e) k).
  { intros e. unfold below. rewrite filter_In. unfold below_by, blt. reflexivity. }
  unfold entry_of_slot. destruct (0 <? seq_length (key x)) eqn:Z.
  - apply key_nonempty in Z. set (e := {| entry_key := key x; entry_value := value x |}).
    assert (I : In e below). { apply IB. split; [apply entries_in, (live_entry p x Lp Z)|exact P]. }
    destruct (entries_last below e) as [front FE].
    + apply entries_ascend_filter, map_of_array_ascends.
    + exact I.
    + intros d D. apply IB in D. destruct D as [D1 D2]. destruct (entry_is_live d D1) as (q & y & Ly & Ey & _).
      rewrite <- Ey in D2 |- *. exact (G q y Ly D2).
    + rewrite FE, seq_length_app. change (seq_length [e]) with 1. replace (0 <? seq_length front + 1) with true
        by (symmetry; apply N.ltb_lt; lia).
      f_equal. rewrite seq_at_app. replace (seq_length front + 1 - 1) with (seq_length front) by lia.
      rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
  - assert (KE : key x = []).
    { destruct (bytes_dec (key x) []) as [D|D]; [exact D|]. apply key_nonempty in D. congruence. }
    destruct below as [|e rest] eqn:BE; [reflexivity|exfalso].
    destruct (proj1 (IB e) (or_introl eq_refl)) as [D1 D2]. destruct (entry_is_live e D1) as (q & y & Ly & Ey & NE).
    rewrite <- Ey in D2, NE. apply (G q y Ly D2). rewrite KE. apply blt_empty. exact NE.
Qed.

Theorem successor_ideal : forall k chain ans,
  (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  answer_successor k chain = Ok ans -> ans = Answer_AnswerSuccessor (ideal_successor k entries).
Proof.
  intros k chain ans L E. unfold answer_successor in E. destruct (single_slot chain) as [x|] eqn:S; [|discriminate].
  destruct (L x (single_slot_in _ _ S)) as [p Lp]. destruct (covers x k) eqn:C; [|discriminate]. injection E as <-. f_equal.
  destruct a_well_formed as (_ & _ & _ & X). pose proof (X p x Lp) as NX. pose proof C as C'. 
  apply (covers_greatest a x k NX) in C. destruct C as [KX G].
  unfold ideal_successor. rewrite entries_above_filter. set (above := filter _ _).
  assert (IA : forall e, In e above <-> In e entries /\ blt k (entry_key e)).
  { intros e. unfold above. rewrite filter_In. unfold above_by, blt. reflexivity. }
  unfold next_of_slot. destruct NX as [[NE NG]|(NL & (q & y & Ly & Ey) & NB)].
  - rewrite NE. cbn. destruct above as [|e rest] eqn:AE; [reflexivity|exfalso].
    destruct (proj1 (IA e) (or_introl eq_refl)) as [D1 D2]. destruct (entry_is_live e D1) as (q & y & Ly & Ey & _).
    rewrite <- Ey in D2. apply (NG q y Ly). eapply not_blt_blt_transitive; eauto.
  - assert (NN : next x <> []). { intros Z. rewrite Z in NL. exact (bytes_less_empty _ NL). }
    rewrite (proj2 (key_nonempty (next x)) NN).
    assert (KN : blt k (next x)).
    { destruct (blt_dec k (next x)) as [D|D]; [exact D|exfalso]. rewrite <- Ey in D, NL. exact (G q y Ly D NL). }
    set (e := {| entry_key := next x; entry_value := value y |}).
    assert (I : In e above).
    { apply IA. split; [|exact KN]. apply entries_in. cbn. rewrite <- Ey. apply (live_entry q y Ly). congruence. }
    destruct (entries_first above e) as [rest RE].
    + apply entries_ascend_filter, map_of_array_ascends.
    + exact I.
    + intros d D. apply IA in D. destruct D as [D1 D2]. destruct (entry_is_live d D1) as (z & w & Lw & Ew & _).
      cbn. rewrite <- Ew in D2 |- *. intros B. apply (NB z w Lw). split; [|exact B]. eapply not_blt_blt_transitive; eauto.
    + rewrite RE. rewrite seq_length_cons. replace (0 <? seq_length rest + 1) with true by (symmetry; apply N.ltb_lt; lia).
      reflexivity.
Qed.

(** *** All questions *)

Lemma keys_askable_sorted : forall listed, keys_askable listed = true -> StronglySorted blt listed.
Proof.
  intros listed H. apply Sorted_StronglySorted; [intros x y z; apply blt_transitive|].
  assert (G : forall i, i + 1 < seq_length listed -> blt (seq_at listed i) (seq_at listed (i + 1))).
  { intros i Hi. unfold keys_askable in H.
    assert (P : forall j, j <= seq_length listed ->
      fold_left (fun askable i => keys_askable_step askable listed i) (range 0 j) (1 <=? seq_length listed) = true ->
      forall i, i + 1 < j -> blt (seq_at listed i) (seq_at listed (i + 1))).
    { intros j. induction j as [|j IH] using N.peano_ind; intros J E k Hk; [lia|]. rewrite <- N.add_1_r in *.
      rewrite range_snoc, fold_left_app in E by lia. cbn [fold_left] in E. unfold keys_askable_step in E at 1.
      destruct (0 <? j) eqn:Z.
      - apply andb_true_iff in E. destruct E as [E B]. apply andb_true_iff in E. destruct E as [E _].
        destruct (N.eq_dec (k + 1) j) as [D|D]; [|apply IH; [lia|exact E|lia]].
        subst j. replace (k + 1 - 1) with k in B by lia. exact B.
      - apply N.ltb_ge in Z. lia. }
    apply (P (seq_length listed)); [lia|exact H|exact Hi]. }
  clear H. induction listed as [|x listed IH]; [constructor|]. constructor.
  - apply IH. intros i Hi. specialize (G (i + 1)). rewrite !seq_at_cons_succ, seq_length_cons in G. apply G. lia.
  - destruct listed as [|y listed]; constructor. specialize (G 0). rewrite !seq_length_cons in G. apply G. lia.
Qed.

Theorem answer_of_slots_ideal : forall question chain ans,
  question_legal question = true -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  answer_of_slots question chain = Ok ans -> ans = ideal_answer question (map_of_array a).
Proof.
  intros [[listed|r]|k|k] chain ans Q L E; cbn [answer_of_slots question_legal ideal_answer] in *.
  - apply (keys_ideal listed chain ans); [apply keys_askable_sorted; exact Q|exact L|exact E].
  - apply (range_ideal r chain ans); [|exact L|exact E]. unfold range_askable in Q. apply andb_true_iff in Q. apply Q.
  - apply (predecessor_ideal k chain ans); [|exact L|exact E]. unfold key_askable in Q. apply andb_true_iff in Q.
    destruct Q as [Q _]. apply N.leb_le in Q. intros Z. subst k. change (seq_length (@nil u8)) with 0 in Q. lia.
  - apply (successor_ideal k chain ans); [exact L|exact E].
Qed.

End Answers.
