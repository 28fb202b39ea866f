(** The policy `accounts`: what its rules say of a map of balances.

    - [supply_put]: what a put does to the sum of all balances;
    - [transaction_conserves_supply]: a transaction that the policy accepts, run on a map, leaves the sum as it was;
    - [transactions_conserve_supply]: and so do those of a block, one after the other;
    - [takers_sign]: a balance falls, or an account goes, only where its owner is among the signers;
    - [transaction_keeps_minimum]: an account that a transaction changes holds at least the minimum afterwards, or is
      gone, but for the account of fees. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap
  Block.Rejection Block.Operation Block.Transaction Block.Map Policy.PolicyReason Policy.Signers Policy.Accounts.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap Spec.Policy.Signers.
Import ListNotations.
Local Open Scope N_scope.

(** ** Balances *)

(** The balance that a value writes; none counts as 0. *)
Definition balance_of_value (v : ByteString) : N := match number_of_value v with Ok number => number | Err _ => 0 end.

(** The balance of a content; no account has 0. *)
Definition balance_of (content : option ByteString) : N :=
  match content with
  | Some v => balance_of_value v
  | None => 0
  end.

(** The balance of an account. *)
Definition balance (entries : KeyMap) (k : ByteString) : N := balance_of (key_map_get entries k).

(** The sum of all balances. *)
Definition supply (entries : KeyMap) : N :=
  fold_right (fun e total => balance_of_value (entry_value e) + total) 0 entries.

Lemma supply_app : forall s t, supply (s ++ t) = supply s + supply t.
Proof. induction s as [|e s IH]; intros t; [reflexivity|]. cbn [app supply fold_right]. fold (supply (s ++ t)) (supply s). rewrite IH. lia. Qed.

Lemma supply_cons : forall e s, supply (e :: s) = balance_of_value (entry_value e) + supply s.
Proof. reflexivity. Qed.

Lemma supply_entries_of : forall k content, supply (entries_of k content) = balance_of content.
Proof. intros k [v|]; cbn; lia. Qed.

(** The balances below a key, of the key, and above it are all balances. *)
Lemma supply_split : forall entries k, entries_ascend entries ->
  supply entries =
  supply (filter (below_by entry_key k) entries) + balance entries k + supply (filter (above_by entry_key k) entries).
Proof.
  intros entries k A. unfold balance. rewrite key_map_get_last. induction A as [|e entries A IH H]; [reflexivity|].
  rewrite supply_cons, IH, last_by_cons. cbn [filter]. unfold below_by, above_by.
  assert (N : entry_key e = k \/ blt k (entry_key e) -> last_by entry_key k entries = None).
  { intros E. apply last_by_none. intros d I. rewrite Forall_forall in H. specialize (H d I). intros <-.
    destruct E as [E|E]; [rewrite E in H; exact (blt_irreflexive _ H)|exact (blt_asymmetric _ _ H E)]. }
  destruct (bytes_dec (entry_key e) k) as [E|D].
  - rewrite N by (left; assumption). subst k. rewrite bytes_equal_refl. cbn [option_map balance_of].
    replace (bytes_less (entry_key e) (entry_key e)) with false by (symmetry; apply bytes_less_false, blt_irreflexive).
    lia.
  - apply bytes_equal_false in D as D'. rewrite D'. destruct (blt_total _ _ D) as [B|B].
    + replace (bytes_less (entry_key e) k) with true by (symmetry; exact B).
      replace (bytes_less k (entry_key e)) with false by (symmetry; apply bytes_less_false, blt_asymmetric; exact B).
      rewrite supply_cons. destruct (last_by entry_key k entries); lia.
    + replace (bytes_less k (entry_key e)) with true by (symmetry; exact B).
      replace (bytes_less (entry_key e) k) with false by (symmetry; apply bytes_less_false, blt_asymmetric; exact B).
      rewrite N by (right; assumption). rewrite supply_cons. cbn [option_map balance_of]. lia.
Qed.

Lemma supply_put : forall entries k content, entries_ascend entries ->
  supply (key_map_put entries k content) + balance entries k = supply entries + balance_of content.
Proof.
  intros entries k content A. rewrite key_map_put_filters, !supply_app, supply_entries_of, (supply_split entries k A). lia.
Qed.

Lemma balance_put : forall entries k content q,
  balance (key_map_put entries k content) q = if bytes_equal k q then balance_of content else balance entries q.
Proof. intros. unfold balance. rewrite key_map_get_put. destruct (bytes_equal k q); reflexivity. Qed.

Lemma balance_of_number : forall number, number <= MAX_NUMBER -> balance_of (Some (value_of_number number)) = number.
Proof.
  intros number H. cbn [balance_of]. unfold balance_of_value, number_of_value, value_of_number, u128_of_u64.
  rewrite big_endian_length. cbn [N.eqb Pos.eqb]. unfold MAX_NUMBER in H. rewrite number_of_big_endian.
  - unfold u64_of_u128. change (2 ^ 64) with 18446744073709551616. rewrite (N.mod_small number) by lia. apply N.mod_small. lia.
  - change (256 ^ 8) with 18446744073709551616. lia.
Qed.

(** ** One operation *)

(** What an allowed action does to its account's balance. *)
Lemma action_balance : forall content op after,
  run_action content (action op) = Ok after ->
  is_put (action op) = false ->
  (is_delete (action op) = true -> balance_of content = 0) ->
  balance_of after + subtracted_amount op = balance_of content + added_amount op.
Proof.
  intros content op after E P D. unfold subtracted_amount, added_amount.
  destruct (action op) as [|required|v| |u|u]; cbn [run_action] in E.
  - unfold run_require in E. destruct (contents_equal _ _); [|discriminate]. injection E as <-. lia.
  - unfold run_require in E. destruct (contents_equal _ _); [|discriminate]. injection E as <-. lia.
  - discriminate.
  - injection E as <-. rewrite D by reflexivity. reflexivity.
  - unfold run_add in E. destruct (number_or_zero content) as [number|] eqn:Z; [|discriminate].
    assert (B : balance_of content = number).
    { destruct content as [v|]; cbn [number_or_zero balance_of] in *; [|congruence]. unfold balance_of_value.
      rewrite Z. reflexivity. }
    destruct (N.ltb_spec (MAX_NUMBER - number) u); [discriminate|]. injection E as <-. rewrite B.
    destruct (N.le_gt_cases number MAX_NUMBER).
    + rewrite balance_of_number by lia. lia.
    + exfalso. destruct content as [v|]; cbn [number_or_zero] in Z.
      * unfold number_of_value in Z. destruct (_ =? 8); [|discriminate]. injection Z as <-. revert H0. unfold u64_of_u128, MAX_NUMBER.
        pose proof (N.mod_lt (number_of_bytes v mod 18446744073709551616) (2 ^ 64) ltac:(discriminate)).
        change (2 ^ 64) with 18446744073709551616 in *. lia.
      * injection Z as <-. unfold MAX_NUMBER in *. lia.
  - unfold run_sub in E. destruct (number_present content) as [number|] eqn:Z; [|discriminate].
    destruct content as [v|]; cbn [number_present] in Z; [|discriminate].
    assert (B : balance_of (Some v) = number) by (cbn [balance_of]; unfold balance_of_value; rewrite Z; reflexivity).
    destruct (N.ltb_spec number u); [discriminate|]. injection E as <-. rewrite B.
    assert (number <= MAX_NUMBER).
    { unfold number_of_value in Z. destruct (_ =? 8); [|discriminate]. injection Z as <-. unfold u64_of_u128, MAX_NUMBER.
      pose proof (N.mod_lt (number_of_bytes v mod 18446744073709551616) (2 ^ 64) ltac:(discriminate)).
      change (2 ^ 64) with 18446744073709551616 in *. lia. }
    rewrite balance_of_number by lia. lia.
Qed.

(** ** Sums over the first operations *)

Section Sums.

Context (amount : Operation -> N) (items : list Operation).

Definition sum_upto (j : N) : N := fold_left (fun total i => total + amount (seq_at items i)) (range 0 j) 0.

Lemma sum_upto_succ : forall j, sum_upto (j + 1) = sum_upto j + amount (seq_at items j).
Proof. intros j. unfold sum_upto. rewrite range_snoc by lia. rewrite fold_left_app. reflexivity. Qed.

End Sums.

(** A sum that is not too large is the sum of all amounts. *)
Lemma sum_loop_upto : forall amount items total,
  fold_left (fun total j => sum_with total (amount (seq_at items j))) (range 0 (seq_length items)) (Some 0) = Some total ->
  total = sum_upto amount items (seq_length items).
Proof.
  intros amount items. apply (loop_invariant _ (fun j run => forall total, run = Some total -> total = sum_upto amount items j)).
  - lia.
  - intros total E. injection E as <-. reflexivity.
  - intros j run Hj IH total. unfold sum_with. destruct run as [so_far|]; [|discriminate].
    destruct (_ <? _); [discriminate|]. intros E. injection E as <-. rewrite sum_upto_succ, (IH so_far eq_refl). reflexivity.
Qed.

Lemma sums_equal_upto : forall items, sums_equal items = true ->
  sum_upto added_amount items (seq_length items) = sum_upto subtracted_amount items (seq_length items).
Proof.
  intros items E. unfold sums_equal in E. destruct (sum_added items) eqn:A; [|discriminate].
  destruct (sum_subtracted items) eqn:S; [|discriminate]. apply N.eqb_eq in E. subst.
  rewrite <- (sum_loop_upto added_amount _ _ A), <- (sum_loop_upto subtracted_amount _ _ S). reflexivity.
Qed.

(** ** What the checks of kinds and signers say *)

Lemma check_actions_each : forall items, check_actions items = Ok tt -> forall j, j < seq_length items ->
  is_put (action (seq_at items j)) = false /\ delete_unguarded items j = false.
Proof.
  intros items. unfold check_actions.
  apply (loop_invariant _ (fun n checked => checked = Ok tt -> forall j, j < n ->
    is_put (action (seq_at items j)) = false /\ delete_unguarded items j = false)).
  - lia.
  - intros _ j Hj. lia.
  - intros n checked Hn IH E j Hj. unfold check_actions_step in E. destruct checked as [[]|]; [|discriminate].
    destruct (is_put _) eqn:P; [discriminate|]. destruct (delete_unguarded items n) eqn:D; [discriminate|].
    destruct (N.eq_dec j n) as [->|]; [split; assumption|]. apply IH; [reflexivity|lia].
Qed.

Lemma owners_sign_each : forall items signers, owners_sign items signers = true -> forall j, j < seq_length items ->
  takes (action (seq_at items j)) = true -> is_listed signers (operation_key (seq_at items j)) = true.
Proof.
  intros items signers. unfold owners_sign.
  apply (loop_invariant _ (fun n all_sign => all_sign = true -> forall j, j < n ->
    takes (action (seq_at items j)) = true -> is_listed signers (operation_key (seq_at items j)) = true)).
  - lia.
  - intros _ j Hj. lia.
  - intros n all_sign Hn IH E j Hj T. unfold owners_sign_step in E. apply andb_true_iff in E. destruct E as [-> E].
    destruct (N.eq_dec j n) as [->|]; [rewrite T in E; exact E|]. apply IH; [reflexivity|lia|assumption].
Qed.

Lemma keeps_minimum_each : forall rule items, keeps_minimum rule items = true -> forall j, j < seq_length items ->
  is_requirement (action (seq_at items j)) = true \/
  operation_key (seq_at items j) = fee_account (accounts_fee rule) \/
  changed_later items j = true \/
  leaves_enough (action (seq_at items j)) (accounts_minimum rule) = true.
Proof.
  intros rule items. unfold keeps_minimum.
  apply (loop_invariant _ (fun n keeps => keeps = true -> forall j, j < n ->
    is_requirement (action (seq_at items j)) = true \/
    operation_key (seq_at items j) = fee_account (accounts_fee rule) \/
    changed_later items j = true \/
    leaves_enough (action (seq_at items j)) (accounts_minimum rule) = true)).
  - lia.
  - intros _ j Hj. lia.
  - intros n keeps Hn IH E j Hj. unfold keeps_minimum_step in E. apply andb_true_iff in E. destruct E as [-> E].
    destruct (N.eq_dec j n) as [->|]; [|apply IH; [reflexivity|lia]].
    apply orb_true_iff in E. destruct E as [E|E]; [|tauto]. apply orb_true_iff in E. destruct E as [E|E]; [|tauto].
    apply orb_true_iff in E. destruct E as [E|E]; [tauto|]. apply bytes_equal_iff in E. tauto.
Qed.

(** Whether an operation changes the content of a key. *)
Definition changes_key (op : Operation) (k : ByteString) : bool :=
  negb (is_requirement (action op)) && bytes_equal (operation_key op) k.

Lemma changed_later_exists : forall items j, changed_later items j = true ->
  exists i, j < i < seq_length items /\ changes_key (seq_at items i) (operation_key (seq_at items j)) = true.
Proof.
  intros items j. unfold changed_later.
  apply (loop_invariant _ (fun n found => found = true -> exists i, j < i < n /\
    changes_key (seq_at items i) (operation_key (seq_at items j)) = true)).
  - lia.
  - discriminate.
  - intros n found Hn IH E. unfold changed_later_step in E. apply orb_true_iff in E. destruct E as [->|E].
    + destruct (IH eq_refl) as (i & Hi & Ci). exists i. split; [lia|exact Ci].
    + rewrite <- andb_assoc in E. apply andb_true_iff in E. destruct E as (L & Ci). apply N.ltb_lt in L.
      exists n. split; [lia|]. exact Ci.
Qed.

(** ** A transaction *)

Section Transaction.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma check_accounts_parts : forall rule tx signers, check_accounts rule tx signers = Ok tt ->
  check_actions (operations tx) = Ok tt /\ sums_equal (operations tx) = true /\
  owners_sign (operations tx) signers = true /\ keeps_minimum rule (operations tx) = true.
Proof.
  intros rule tx signers E. unfold check_accounts, check_kinds, check_amounts, check_payment in E.
  destruct (keys_are_accounts _); [|discriminate]. destruct (check_actions _) as [[]|]; [|discriminate].
  destruct (has_payer _); [|discriminate]. destruct (sums_equal _); [|discriminate]. cbn [negb] in E.
  destruct (owners_sign _ _); [|discriminate]. destruct (signers_own _ _); [|discriminate]. cbn [negb] in E.
  destruct (_ <? _); [discriminate|]. destruct (keeps_minimum _ _); [|discriminate]. repeat split.
Qed.

(** The prefix of a run: what holds of the map after the first operations. *)
Lemma map_operations_invariant : forall (P : N -> KeyMap -> Prop) items before x after,
  map_operations before items x = Ok after ->
  P 0 before ->
  (forall j entries content, j < seq_length items -> P j entries ->
    run_action (key_map_get entries (operation_key (seq_at items j))) (action (seq_at items j)) = Ok content ->
    P (j + 1) (key_map_put entries (operation_key (seq_at items j)) content)) ->
  P (seq_length items) after.
Proof.
  intros P items before x after E H0 H. revert after E. unfold map_operations.
  apply (loop_invariant _ (fun j run => forall after, run = Ok after -> P j after)).
  - lia.
  - intros after E. injection E as <-. exact H0.
  - intros j run Hj IH after. unfold map_operations_step, map_operation. destruct run as [entries|]; [|discriminate].
    destruct (run_action _ _) as [content|] eqn:R; [|discriminate]. intros E. injection E as <-.
    apply H; [lia|apply IH; reflexivity|exact R].
Qed.

Theorem transaction_conserves_supply : forall rule tx signers before x after,
  entries_ascend before ->
  check_accounts rule tx signers = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  entries_ascend after /\ supply after = supply before.
Proof.
  intros rule tx signers before x after A C E. apply check_accounts_parts in C. destruct C as (K & S & _ & _).
  pose proof (check_actions_each _ K) as Each. set (items := operations tx) in *.
  assert (G : entries_ascend after /\
    supply after + sum_upto subtracted_amount items (seq_length items) =
      supply before + sum_upto added_amount items (seq_length items) /\
    (0 < seq_length items -> forall k, requires_zero (seq_at items (seq_length items - 1)) k = true ->
      key_map_get after k = Some (value_of_number 0))).
  { apply (map_operations_invariant (fun j entries => entries_ascend entries /\
      supply entries + sum_upto subtracted_amount items j = supply before + sum_upto added_amount items j /\
      (0 < j -> forall k, requires_zero (seq_at items (j - 1)) k = true -> key_map_get entries k = Some (value_of_number 0)))
      items before x after E).
    - split; [exact A|]. split; [reflexivity|]. lia.
    - intros j entries content Hj (An & Sum & Zero) R. destruct (Each j Hj) as (P & D).
      set (op := seq_at items j) in *. split; [apply key_map_put_ascends; exact An|]. split.
      + pose proof (supply_put entries (operation_key op) content An) as Put.
        rewrite !sum_upto_succ. fold op.
        assert (B : balance_of content + subtracted_amount op = balance entries (operation_key op) + added_amount op).
        { apply (action_balance _ op content R P). intros Del. unfold delete_unguarded in D. fold op in D. rewrite Del in D.
          cbn [andb] in D. apply orb_false_iff in D. destruct D as (J & Q). apply N.eqb_neq in J. apply negb_false_iff in Q.
          rewrite (Zero ltac:(lia) _ Q). apply balance_of_number. unfold MAX_NUMBER. lia. }
        lia.
      + intros _ k Q. replace (j + 1 - 1) with j in Q by lia. fold op in Q. unfold requires_zero in Q.
        destruct (action op) as [|required|v| |u|u]; try discriminate. apply andb_true_iff in Q. destruct Q as (Q1 & Q2).
        apply bytes_equal_iff in Q1, Q2. subst k required. rewrite key_map_get_put, bytes_equal_refl.
        cbn [run_action] in R. unfold run_require in R. destruct (contents_equal _ _) eqn:Ce; [|discriminate].
        injection R as <-. apply contents_equal_iff in Ce. exact Ce. }
  destruct G as (An & Sum & _). split; [exact An|]. pose proof (sums_equal_upto _ S). lia.
Qed.

(** An account's balance falls, or the account goes, only where its owner is among the signers. *)
Theorem takers_sign : forall rule tx signers before x after k,
  check_accounts rule tx signers = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  balance after k < balance before k \/ (key_map_get before k <> None /\ key_map_get after k = None) ->
  In k signers.
Proof.
  intros rule tx signers before x after k C E Less. apply check_accounts_parts in C. destruct C as (K & _ & O & _).
  pose proof (check_actions_each _ K) as Each. pose proof (owners_sign_each _ _ O) as Signs.
  set (items := operations tx) in *. apply is_listed_in. destruct (is_listed signers k) eqn:N; [reflexivity|]. exfalso.
  assert (G : balance before k <= balance after k /\ (key_map_get after k = None -> key_map_get before k = None)).
  { apply (map_operations_invariant (fun j entries => balance before k <= balance entries k /\
      (key_map_get entries k = None -> key_map_get before k = None)) items before x after E).
    - split; [lia|tauto].
    - intros j entries content Hj (B & G) R. destruct (Each j Hj) as (P & D). specialize (Signs j Hj).
      set (op := seq_at items j) in *. rewrite balance_put, key_map_get_put.
      destruct (bytes_equal_spec (operation_key op) k) as [Ek|]; [|split; assumption]. rewrite Ek in Signs, R.
      assert (T : takes (action op) = false) by (destruct (takes (action op)); [rewrite Signs in N by reflexivity; discriminate|reflexivity]).
      unfold takes in T. apply orb_false_iff in T. destruct T as (Sub & Del).
      assert (Bal : balance_of content + subtracted_amount op = balance entries k + added_amount op).
      { apply (action_balance _ op content R P). rewrite Del. discriminate. }
      assert (subtracted_amount op = 0) by (unfold subtracted_amount; destruct (action op); try reflexivity; discriminate).
      split; [lia|]. intros ->. apply G. destruct (action op); cbn [run_action] in R; try discriminate;
        try (unfold run_require in R; destruct (contents_equal _ _); [injection R as R; exact R|discriminate]);
        try (unfold run_add in R; destruct (number_or_zero _); [|discriminate]; destruct (_ <? _); discriminate). }
  destruct G as (B & G). destruct Less as [L|(L & M)]; [lia|]. exact (L (G M)).
Qed.

(** An account that a transaction changes holds at least the minimum afterwards, or is gone; but for that of fees. *)
Theorem transaction_keeps_minimum : forall rule tx signers before x after k,
  check_accounts rule tx signers = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  k <> fee_account (accounts_fee rule) ->
  key_map_get after k = key_map_get before k \/ key_map_get after k = None \/ accounts_minimum rule <= balance after k.
Proof.
  intros rule tx signers before x after k C E NotFees. apply check_accounts_parts in C. destruct C as (K & _ & _ & M).
  pose proof (check_actions_each _ K) as Each. pose proof (keeps_minimum_each _ _ M) as Keeps.
  set (items := operations tx) in *.
  assert (G : key_map_get after k = key_map_get before k \/
    exists i, i < seq_length items /\ changes_key (seq_at items i) k = true /\
      (forall i', i < i' < seq_length items -> changes_key (seq_at items i') k = false) /\
      (leaves_enough (action (seq_at items i)) (accounts_minimum rule) = true ->
        key_map_get after k = None \/ accounts_minimum rule <= balance after k)).
  { apply (map_operations_invariant (fun j entries => key_map_get entries k = key_map_get before k \/
      exists i, i < j /\ changes_key (seq_at items i) k = true /\
        (forall i', i < i' < j -> changes_key (seq_at items i') k = false) /\
        (leaves_enough (action (seq_at items i)) (accounts_minimum rule) = true ->
          key_map_get entries k = None \/ accounts_minimum rule <= balance entries k)) items before x after E).
    - left. reflexivity.
    - intros j entries content Hj H R. destruct (Each j Hj) as (P & _). set (op := seq_at items j) in *.
      destruct (changes_key op k) eqn:Ck.
      + right. exists j. split; [lia|]. fold op. split; [exact Ck|]. split; [lia|]. intros L.
        unfold changes_key in Ck. apply andb_true_iff in Ck. destruct Ck as (_ & Ck). rewrite key_map_get_put, balance_put, Ck.
        destruct (is_delete (action op)) eqn:Del.
        * left. destruct (action op); try discriminate. cbn [run_action] in R. congruence.
        * right. assert (B : balance_of content + subtracted_amount op = balance entries (operation_key op) + added_amount op).
          { apply (action_balance _ op content R P). rewrite Del. discriminate. }
          unfold subtracted_amount, added_amount in B. destruct (action op); try discriminate.
          cbn [leaves_enough] in L. apply N.leb_le in L. lia.
      + assert (Same : key_map_get (key_map_put entries (operation_key op) content) k = key_map_get entries k).
        { rewrite key_map_get_put. unfold changes_key in Ck. destruct (bytes_equal_spec (operation_key op) k) as [Ek|]; [|reflexivity].
          rewrite andb_true_r in Ck. apply negb_false_iff in Ck. rewrite Ek in R. symmetry.
          destruct (action op); try discriminate; cbn [run_action] in R; unfold run_require in R;
            destruct (contents_equal _ _); congruence. }
        unfold balance. rewrite Same. destruct H as [H|(i & Hi & Ci & Later & L)]; [left; exact H|]. right. exists i.
        split; [lia|]. split; [exact Ci|]. split; [|exact L]. intros i' Hi'.
        destruct (N.eq_dec i' j) as [->|]; [exact Ck|]. apply Later. lia. }
  destruct G as [G|(i & Hi & Ci & Later & L)]; [left; exact G|]. right. apply L.
  unfold changes_key in Ci. apply andb_true_iff in Ci. destruct Ci as (Req & Ek). apply negb_true_iff in Req. apply bytes_equal_iff in Ek.
  destruct (Keeps i Hi) as [Q|[Q|[Q|Q]]]; [congruence|congruence| |exact Q].
  apply changed_later_exists in Q. destruct Q as (i' & Hi' & Ci'). rewrite Ek in Ci'. rewrite (Later i' Hi') in Ci'. discriminate.
Qed.

(** ** Blocks *)

Theorem transactions_conserve_supply : forall rule items before after,
  entries_ascend before ->
  (forall tx, In tx items -> exists signers, check_accounts rule tx signers = Ok tt) ->
  map_transactions before items = Ok after ->
  entries_ascend after /\ supply after = supply before.
Proof.
  intros rule items before after A C. revert after. unfold map_transactions.
  apply (loop_invariant _ (fun x run => forall after, run = Ok after -> entries_ascend after /\ supply after = supply before)).
  - lia.
  - intros after E. injection E as <-. split; [exact A|reflexivity].
  - intros x run Hx IH after. unfold map_transactions_step. destruct run as [entries|]; [|discriminate]. intros E.
    destruct (IH entries eq_refl) as (An & S). destruct (C (seq_at items x)) as (signers & K); [apply seq_at_in; lia|].
    destruct (transaction_conserves_supply _ _ _ _ _ _ An K E) as (Aa & S'). split; [exact Aa|congruence].
Qed.

End Transaction.
