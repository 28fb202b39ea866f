(** Theorems for auditors: what changes the validators of a chain with a council.

    To understand a statement of this file you need this file and the generated definitions. Signers are given: that their
    signatures are true is checked beside. So are the guilty, whom consensus names.

    - [only_the_council_changes]: a change is made only where as many members as the council's threshold signed, each counted
      once, and nobody else did;
    - [change_names_its_set]: only for the set that it names, whose last change was before; then its own height is the last
      change;
    - [change_is_made_once]: so it is not made again, whoever signs it, nor at any height;
    - [changed_set_is_permitted]: the set after it is not empty, and within the bounds of number and power;
    - [removal_keeps_permitted]: so is the set after evidence, where the set before it was;
    - [removal_removes_the_guilty]: where a validator is left, evidence leaves exactly those whom it does not name. *)
From Coq Require Import NArith List Bool Lia Sorted.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Policy.Signers Policy.ValidatorChange.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Spec.Policy.Signers.
Import ListNotations.
Local Open Scope N_scope.

Lemma all_members_forall : forall council keys,
  all_members council keys = true <-> Forall (fun k => In k council.(council_keys)) keys.
Proof.
  intros council keys. unfold all_members.
  rewrite (loop_over_elements _ _ _ (fun all_are k => all_members_step all_are council.(council_keys) k)).
  assert (G : forall all_are, fold_left (fun all_are k => all_members_step all_are council.(council_keys) k) keys all_are = true <->
    all_are = true /\ Forall (fun k => In k council.(council_keys)) keys).
  { induction keys as [|k keys IH]; intros all_are; cbn [List.fold_left].
    - split; [intros ->; split; [reflexivity|constructor]|tauto].
    - rewrite IH. unfold all_members_step. rewrite andb_true_iff, is_listed_in, Forall_cons_iff. tauto. }
  rewrite G. tauto.
Qed.

Lemma neighbours_ascend : forall keys, members_ascend keys = true ->
  forall i, 0 < i < seq_length keys -> bytes_less (seq_at keys (i - 1)) (seq_at keys i) = true.
Proof.
  intros keys. unfold members_ascend.
  pose (P := fun (n : N) (acc : bool) => acc = true ->
    forall i, 0 < i < n -> bytes_less (seq_at keys (i - 1)) (seq_at keys i) = true).
  apply (loop_invariant bool P); unfold P.
  - lia.
  - intros _ i H. lia.
  - intros i acc Hi IH E j Hj. unfold members_ascend_step in E. destruct (N.eqb_spec i 0) as [->|Z]; [lia|].
    apply andb_true_iff in E as [E L]. destruct (N.eq_dec j i) as [->|N]; [exact L|]. apply IH; [exact E|lia].
Qed.

Lemma ascending_are_different : forall keys, members_ascend keys = true -> NoDup keys.
Proof.
  intros keys A. pose proof (neighbours_ascend keys A) as L.
  assert (G : forall d i, i + d + 1 < seq_length keys -> bytes_less (seq_at keys i) (seq_at keys (i + d + 1)) = true).
  { induction d as [|d IH] using N.peano_ind; intros i H.
    - rewrite N.add_0_r. specialize (L (i + 1)). replace (i + 1 - 1) with i in L by lia. apply L. lia.
    - apply (blt_transitive _ (seq_at keys (i + d + 1))).
      + apply IH. lia.
      + specialize (L (i + N.succ d + 1)). replace (i + N.succ d + 1 - 1) with (i + d + 1) in L by lia. apply L. lia. }
  apply (proj2 (NoDup_nth keys default)). intros i j Hi Hj E.
  assert (K : forall a b : nat, (a < b)%nat -> (b < length keys)%nat -> nth a keys default <> nth b keys default).
  { intros a b Hab Hb Eq. specialize (G (N.of_nat b - N.of_nat a - 1) (N.of_nat a)).
    replace (N.of_nat a + (N.of_nat b - N.of_nat a - 1) + 1) with (N.of_nat b) in G by lia.
    unfold seq_at, seq_length in G. rewrite !Nnat.Nat2N.id, Eq in G. apply (blt_irreflexive (nth b keys default)). apply G. lia. }
  destruct (PeanoNat.Nat.lt_total i j) as [H|[H|H]]; [|exact H|]; exfalso.
  - exact (K i j H Hj E).
  - exact (K j i H Hi (eq_sym E)).
Qed.

Lemma council_agrees_iff : forall council keys, council_agrees council keys = Ok tt <->
  members_ascend keys = true /\ Forall (fun k => In k council.(council_keys)) keys /\
  keys <> [] /\ council.(council_threshold) <= seq_length keys.
Proof.
  intros council keys. unfold council_agrees. rewrite <- all_members_forall.
  destruct (members_ascend keys); cbn [negb]; [|split; [discriminate|intros [H _]; discriminate]].
  destruct (all_members council keys); cbn [negb]; [|split; [discriminate|intros (_ & H & _); discriminate]].
  destruct keys as [|k keys]; [cbn; split; [discriminate|intros (_ & _ & H & _); congruence]|].
  rewrite seq_length_cons. replace (seq_length keys + 1 =? 0) with false by (symmetry; apply N.eqb_neq; lia).
  cbn [orb]. destruct (N.ltb_spec (seq_length keys + 1) council.(council_threshold)) as [H|H].
  - split; [discriminate|intros (_ & _ & _ & K)]. lia.
  - split; [intros _|reflexivity]. repeat split; [discriminate|exact H].
Qed.

(** What passed where a change is made. *)
Lemma change_made : forall council before change keys height after,
  change_validators council before change keys height = Ok after ->
  council_agrees council keys = Ok tt /\ check_change before change = Ok tt /\
  permitted_set (updated_validators before.(chain_validators) change.(power_updates)) height = Ok after.
Proof.
  intros council before change keys height after. unfold change_validators.
  destruct (council_agrees council keys) as [[]|]; [|discriminate].
  destruct (check_change before change) as [[]|]; [|discriminate]. auto.
Qed.

Theorem only_the_council_changes : forall council before change keys height after,
  change_validators council before change keys height = Ok after ->
  NoDup keys /\ Forall (fun k => In k council.(council_keys)) keys /\ keys <> [] /\
  council.(council_threshold) <= seq_length keys.
Proof.
  intros council before change keys height after H. apply change_made in H as [H _]. apply council_agrees_iff in H as (A & H).
  split; [exact (ascending_are_different keys A)|exact H].
Qed.

Lemma checked_change_follows : forall before change,
  check_change before change = Ok tt -> change.(follows_change) = before.(last_change).
Proof.
  intros before change. unfold check_change. destruct (_ || _); [discriminate|].
  destruct (N.eqb_spec change.(follows_change) before.(last_change)) as [E|E]; cbn [negb]; [intros _; exact E|discriminate].
Qed.

Lemma permitted_set_is : forall listed height after, permitted_set listed height = Ok after ->
  after.(last_change) = height /\ is_permitted after.(chain_validators) = true.
Proof.
  intros listed height after. unfold permitted_set. destruct (is_permitted listed) eqn:E; [|discriminate].
  intros H. injection H as <-. split; [reflexivity|exact E].
Qed.

Theorem change_names_its_set : forall council before change keys height after,
  change_validators council before change keys height = Ok after ->
  change.(follows_change) = before.(last_change) /\ after.(last_change) = height.
Proof.
  intros council before change keys height after H. apply change_made in H as (_ & C & P).
  split; [exact (checked_change_follows _ _ C)|exact (proj1 (permitted_set_is _ _ _ P))].
Qed.

Theorem change_is_made_once : forall council before change keys height after other others later again,
  before.(last_change) < height ->
  change_validators council before change keys height = Ok after ->
  after.(last_change) <= other.(last_change) ->
  change_validators council other change others later <> Ok again.
Proof.
  intros council before change keys height after other others later again L H O A.
  apply change_names_its_set in H as [F E]. apply change_names_its_set in A as [G _]. lia.
Qed.

Theorem changed_set_is_permitted : forall council before change keys height after,
  change_validators council before change keys height = Ok after -> is_permitted after.(chain_validators) = true.
Proof.
  intros council before change keys height after H. apply change_made in H as (_ & _ & P).
  exact (proj2 (permitted_set_is _ _ _ P)).
Qed.

Lemma innocent_is_filter : forall listed guilty,
  innocent_validators listed guilty = filter (fun entry => negb (is_listed guilty entry.(validator_key))) listed.
Proof.
  intros listed guilty. unfold innocent_validators.
  rewrite (loop_over_elements _ _ _ (fun kept entry => innocent_validators_step kept entry guilty)).
  assert (G : forall kept, fold_left (fun kept entry => innocent_validators_step kept entry guilty) listed kept =
    kept ++ filter (fun entry => negb (is_listed guilty entry.(validator_key))) listed).
  { induction listed as [|entry listed IH]; intros kept; cbn [List.fold_left filter]; [rewrite app_nil_r; reflexivity|].
    rewrite IH. unfold innocent_validators_step. destruct (is_listed guilty entry.(validator_key)); cbn [negb]; [reflexivity|].
    rewrite <- app_assoc. reflexivity. }
  exact (G []).
Qed.

Lemma total_power_is : forall listed, total_power listed = fold_right (fun entry sum => entry.(voting_power) + sum) 0 listed.
Proof.
  intros listed. unfold total_power. rewrite (loop_over_elements _ _ _ total_power_step).
  assert (G : forall total, fold_left total_power_step listed total =
    total + fold_right (fun entry sum => entry.(voting_power) + sum) 0 listed).
  { induction listed as [|entry listed IH]; intros total; cbn [List.fold_left fold_right]; [lia|].
    rewrite IH. unfold total_power_step, u128_of_u64. lia. }
  exact (G 0).
Qed.

Lemma fewer_are_permitted : forall keep listed,
  seq_length (filter keep listed) <> 0 -> is_permitted listed = true -> is_permitted (filter keep listed) = true.
Proof.
  intros keep listed Z. unfold is_permitted. rewrite !andb_true_iff, !N.leb_le, !total_power_is.
  intros [[_ L] T].
  assert (F : seq_length (filter keep listed) <= seq_length listed /\
    fold_right (fun entry sum => entry.(voting_power) + sum) 0 (filter keep listed) <=
    fold_right (fun entry sum => entry.(voting_power) + sum) 0 listed).
  { clear. induction listed as [|entry listed [IH1 IH2]]; cbn [filter fold_right]; [lia|].
    rewrite seq_length_cons. destruct (keep entry); cbn [fold_right]; [rewrite seq_length_cons|]; lia. }
  lia.
Qed.

Theorem removal_keeps_permitted : forall before guilty height,
  is_permitted before.(chain_validators) = true ->
  is_permitted (without_guilty before guilty height).(chain_validators) = true.
Proof.
  intros before guilty height P. unfold without_guilty. rewrite innocent_is_filter.
  match goal with |- context [filter ?keep _] => set (kept := filter keep before.(chain_validators)) end.
  cbv zeta. destruct (N.eqb_spec (seq_length kept) 0) as [Z|Z]; [exact P|]. cbn [orb].
  destruct (seq_length kept =? seq_length before.(chain_validators)); [exact P|].
  cbn [chain_validators]. exact (fewer_are_permitted _ _ Z P).
Qed.

Lemma filter_of_all : forall A (keep : A -> bool) listed,
  length (filter keep listed) = length listed -> filter keep listed = listed.
Proof.
  intros A keep listed. induction listed as [|x listed IH]; cbn [filter]; [reflexivity|].
  destruct (keep x); cbn [length]; intros H; [f_equal; apply IH; lia|].
  assert (L : (length (filter keep listed) <= length listed)%nat).
  { clear. induction listed as [|y listed IH]; cbn [filter]; [reflexivity|]. destruct (keep y); cbn [length]; lia. }
  lia.
Qed.

Theorem removal_removes_the_guilty : forall before guilty height innocent,
  In innocent before.(chain_validators) -> ~ In innocent.(validator_key) guilty ->
  forall entry, In entry (without_guilty before guilty height).(chain_validators) <->
    In entry before.(chain_validators) /\ ~ In entry.(validator_key) guilty.
Proof.
  intros before guilty height innocent I G entry. unfold without_guilty. rewrite innocent_is_filter. cbv zeta.
  set (keep := fun entry => negb (is_listed guilty entry.(validator_key))).
  assert (K : forall one, keep one = true <-> ~ In one.(validator_key) guilty).
  { intros one. unfold keep. rewrite negb_true_iff, <- is_listed_in. destruct (is_listed guilty one.(validator_key)); intuition congruence. }
  assert (F : In entry (filter keep before.(chain_validators)) <->
    In entry before.(chain_validators) /\ ~ In entry.(validator_key) guilty) by (rewrite filter_In, K; tauto).
  destruct (N.eqb_spec (seq_length (filter keep before.(chain_validators))) 0) as [Z|Z].
  - exfalso. assert (H : In innocent (filter keep before.(chain_validators))) by (apply filter_In; rewrite K; auto).
    destruct (filter keep before.(chain_validators)); [contradiction|]. rewrite seq_length_cons in Z. lia.
  - cbn [orb]. destruct (N.eqb_spec (seq_length (filter keep before.(chain_validators))) (seq_length before.(chain_validators))) as [E|E].
    + rewrite <- F. rewrite filter_of_all; [tauto|]. unfold seq_length in E. lia.
    + exact F.
Qed.
