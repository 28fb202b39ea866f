(** Theorems for auditors: what the policies of a chain let happen to the map.

    To understand a statement of this file you need this file, the generated definitions, [balance] and [supply], the
    balance of an account and the sum of all balances (Spec/Policy/Accounts.v), and for accepted blocks Blocks.v. Signers are given: that their signatures are
    true is checked before (Signatures.v says what they cover). The minimum, the fees, maps, and transactions are arbitrary.

    - [transaction_conserves_supply], [block_conserves_supply], [history_conserves_supply]: nobody makes or loses money: the
      sum of all balances is the same after each transaction, block, and history of blocks that the policy `accounts` lets
      pass, whatever else stands in the map;
    - [accepted_block_conserves_supply]: so it is after an aggregated block that a network's validator accepts, of which
      [find_in_aggregated] finds no break: when it finds one, Drawn.v says;
    - [only_owners_spend]: a balance falls, or an account goes, only where the account is among the signers';
    - [minimum_kept]: an account that a transaction changes holds at least the minimum afterwards, or is gone, but for the
      account of fees;
    - [accounts_pass_iff]: a transaction passes under `accounts` exactly where each rule holds: its keys are accounts, somebody
      pays, something is taken from each who signed, the account of fees is given no less than is owed ([added_to], [owed]:
      Lemmas/AccountsRules.v), the rules that the theorems above draw on, and that it brings no certificates;
    - [publishers_only]: under the policy `publisher`, a transaction passes exactly where somebody signed, all who signed
      are listed, and it brings no certificates;
    - [tables_writers_only]: under the policy `tables`, exactly where it is a write of a table, its certificates cover what it
      puts, somebody signed, and all who signed are creators, where it begins a table, else writers of the schema
      ([writers_of]: Spec/Policy/CheckPolicy.v);
    - [check_policy_never_panics]: no transaction that a machine can receive makes the check of a policy panic, `tables`
      included ([policy_in_memory], [transaction_in_memory], [signer_in_memory]: Safety/PoliciesSafe.v). What is looked at
      behind the openings: SafeTables.v. *)
From Coq Require Import NArith List Bool Sorted.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.KeyMap Dictionary.Array
  Block.Operation Block.Transaction Block.BlockData Block.Map Policy.PolicyReason Policy.Signers Policy.Accounts Policy.Publisher
  Policy.TableWrite Policy.TableCovered Policy.CheckPolicy Policy.CheckPolicySafe.
From Coq Require Import Ring_theory.
From AardvarkSpec Require Import Commitment.Kzg Commitment.LibertYung Commitment.Scheme Commitment.Transcript
  Dictionary.Genesis Dictionary.Vectors Block.State Block.AggregatedBlock Block.DrawnBlock.
From Aardvark Require Spec.Block.Map Spec.Dictionary.KeyMap.
From Aardvark Require Import Lemmas.AccountsRules.
From Aardvark Require Import Spec.Policy.Accounts Spec.Policy.CheckPolicy Safety.PoliciesSafe Theorems.Breaks Theorems.Blocks Theorems.Drawn.
Import ListNotations.
Local Open Scope N_scope.

Section Policies.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The keys stand in strictly ascending order, as in every map of an array. *)
Definition entries_ascend (entries : KeyMap) : Prop :=
  StronglySorted (fun c d => bytes_less (entry_key c) (entry_key d) = true) entries.

(** Each transaction was let pass, for some signers. *)
Definition policed (rule : AccountsPolicy) (items : list Transaction) : Prop :=
  forall tx, In tx items -> exists signed_by brought, check_policy (Policy_PolicyAccounts rule) tx signed_by brought = Ok tt.

Theorem transaction_conserves_supply : forall rule tx signed_by brought before x after,
  entries_ascend before ->
  check_policy (Policy_PolicyAccounts rule) tx signed_by brought = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  supply after = supply before.
Proof.
  intros rule tx signed_by brought before x after A C E. apply check_policy_iff in C as [C _].
  exact (proj2 (Aardvark.Spec.Policy.Accounts.transaction_conserves_supply rule tx _ before x after A C E)).
Qed.

Theorem block_conserves_supply : forall rule block before after,
  entries_ascend before ->
  policed rule (transactions block) ->
  map_transactions before (transactions block) = Ok after ->
  supply after = supply before.
Proof.
  intros rule block before after A C E.
  refine (proj2 (Aardvark.Spec.Policy.Accounts.transactions_conserve_supply rule _ before after A _ E)).
  intros tx I. destruct (C tx I) as (signed_by & brought & K). apply check_policy_iff in K as [K _]. exists (signing_accounts signed_by). exact K.
Qed.

(** The arrays that blocks lead to, from the first: each block was let pass, and its transactions lead from the map of the
    array before to that of the array after. *)
Inductive policed_history (rule : AccountsPolicy) (first : Array) : Array -> Prop :=
| policed_first : policed_history rule first first
| policed_block : forall a block a',
    policed_history rule first a ->
    policed rule (transactions block) ->
    map_transactions (map_of_array a) (transactions block) = Ok (map_of_array a') ->
    policed_history rule first a'.

Theorem history_conserves_supply : forall rule first a,
  policed_history rule first a -> supply (map_of_array a) = supply (map_of_array first).
Proof.
  intros rule first a H. induction H as [|a block a' H IH P E]; [reflexivity|]. rewrite <- IH.
  exact (block_conserves_supply rule block _ _ (Aardvark.Spec.Block.Map.map_of_array_ascends a) P E).
Qed.

Theorem only_owners_spend : forall rule tx signed_by brought before x after k,
  check_policy (Policy_PolicyAccounts rule) tx signed_by brought = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  balance after k < balance before k \/ (key_map_get before k <> None /\ key_map_get after k = None) ->
  exists signer, In signer signed_by /\ signer_account signer = k.
Proof.
  intros rule tx signed_by brought before x after k C E Less. apply check_policy_iff in C as [C _].
  pose proof (Aardvark.Spec.Policy.Accounts.takers_sign rule tx _ before x after k C E Less) as I.
  unfold signing_accounts in I. rewrite (Aardvark.Lemmas.LoopLemmas.loop_over_elements _ _ _ signing_accounts_step) in I.
  assert (G : forall found, In k (fold_left signing_accounts_step signed_by found) ->
    In k found \/ exists signer, In signer signed_by /\ signer_account signer = k).
  { clear. induction signed_by as [|s signed_by IH]; intros found I; [left; exact I|]. cbn [fold_left] in I.
    destruct (IH _ I) as [J|(signer & J & Q)].
    - unfold signing_accounts_step in J. apply in_app_or in J. destruct J as [J|[<-|[]]]; [left; exact J|].
      right. exists s. split; [left|]; reflexivity.
    - right. exists signer. split; [right|]; assumption. }
  destruct (G _ I) as [[]|G']. exact G'.
Qed.

Theorem minimum_kept : forall rule tx signed_by brought before x after k,
  check_policy (Policy_PolicyAccounts rule) tx signed_by brought = Ok tt ->
  map_operations before (operations tx) x = Ok after ->
  k <> fee_account (accounts_fee rule) ->
  key_map_get after k = key_map_get before k \/ key_map_get after k = None \/ accounts_minimum rule <= balance after k.
Proof.
  intros rule tx signed_by brought before x after k C E N. apply check_policy_iff in C as [C _].
  exact (Aardvark.Spec.Policy.Accounts.transaction_keeps_minimum rule tx _ before x after k C E N).
Qed.

Theorem accounts_pass_iff : forall rule tx signed_by brought,
  fee_base (accounts_fee rule) < 2 ^ 64 ->
  check_policy (Policy_PolicyAccounts rule) tx signed_by brought = Ok tt <->
  (forall o, In o (operations tx) -> seq_length (operation_key o) = 32) /\
  check_actions (operations tx) = Ok tt /\
  (exists o amount, In o (operations tx) /\ action o = Action_Sub amount) /\
  sums_equal (operations tx) = true /\
  owners_sign (operations tx) (signing_accounts signed_by) = true /\
  (forall signer, In signer signed_by ->
    exists o, In o (operations tx) /\ takes (action o) = true /\ operation_key o = signer_account signer) /\
  N.min MAX_SUM (owed (accounts_fee rule) tx) <= added_to (fee_account (accounts_fee rule)) (operations tx) /\
  keeps_minimum rule (operations tx) = true /\
  brought = [].
Proof. exact Aardvark.Lemmas.AccountsRules.accounts_pass_iff. Qed.

Theorem publishers_only : forall publishers tx signed_by brought,
  check_policy (Policy_PolicyPublisher publishers) tx signed_by brought = Ok tt <->
  (signed_by <> [] /\ forall signer, In signer signed_by -> In (signer_public_key signer) publishers) /\ brought = [].
Proof.
  intros publishers tx signed_by brought. rewrite check_policy_iff, uncertified_iff by discriminate. cbn [check_signed].
  apply and_iff_compat_r. apply signed_listed.
Qed.

Theorem tables_writers_only : forall creators tx signed_by brought,
  check_policy (Policy_PolicyTables creators) tx signed_by brought = Ok tt <->
  exists write, read_table_write (operations tx) = Ok write /\ check_covered write brought = Ok tt /\
    signed_by <> [] /\ forall signer, In signer signed_by -> In (signer_public_key signer) (writers_of creators write).
Proof. exact Aardvark.Spec.Policy.CheckPolicy.tables_pass_iff. Qed.

Theorem check_policy_never_panics : forall policy tx signed_by brought,
  policy_in_memory policy -> transaction_in_memory tx -> Forall signer_in_memory signed_by ->
  check_policy_safe policy tx signed_by brought = true.
Proof. exact Aardvark.Safety.PoliciesSafe.check_policy_never_panics. Qed.

End Policies.

(** ** Accepted blocks *)

Section Dictionary.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The assumptions are those of Blocks.v. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.
Variables (setup : Setup) (genesis : Genesis).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis legal : genesis_legal genesis = true.
Let size_of_vectors : N := vector_size (genesis_parameters genesis).
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.

(** A block that is accepted under the challenges drawn for it, whose transactions the policy lets pass, and in which no break
    is found, leaves the sum of all balances as it was. *)
Theorem accepted_block_conserves_supply : forall rule h state aggregated encodings state' effects,
  let t := block_transcript state aggregated encodings in
  let coefficients := drawn_coefficients (transcript_claims_seed t) (seq_length (transcript_claims t)) in
  reachable setup genesis commit_to open_at h state ->
  apply_aggregated_block setup state aggregated encodings = Ok (state', effects) ->
  policed rule (transactions (plain_block aggregated)) ->
  find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients = None ->
  exists a', reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    supply (map_of_array a') = supply (map_of_array (latest h)).
Proof.
  intros rule h state aggregated encodings state' effects t coefficients R A P None'.
  rewrite drawn_is_challenged in A. cbv zeta in A. fold t in A.
  pose proof (accepted_aggregated_block_is_justified_or_breaks laws root setup genesis made sized legal commit_to open_at commits
    opens h state aggregated _ _ state' effects R A) as J.
  cbv zeta in J. fold size_of_vectors in J. change (transcript_claims_seed t) with
    (aggregate_claims_seed (dictionary_id state) (block_version (plain_block aggregated)) (transcript_claims t)) in coefficients.
  fold coefficients in J. rewrite None' in J. destruct J as (a' & M & _ & R' & _). exists a'. split; [exact R'|].
  exact (block_conserves_supply rule (plain_block aggregated) _ _ (Aardvark.Spec.Block.Map.map_of_array_ascends _) P M).
Qed.

End Dictionary.
