(* Translated from spec/src/policy/accounts.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy `accounts`: money that only its owners spend and nobody makes.

    A key is an account, the SHA-256 of its owner's public key, and a value a balance: 8 bytes.
    Operations are `Require`, `Add`, `Sub`, and `Delete` right after the requirement that the
    balance is zero. In each transaction the sum of what is added equals the sum of what is
    subtracted, owners sign what takes from them, a fee is added to one account, and no account but
    that one is left with less than a minimum.

    Signers are given by their accounts here; that their signatures are true is checked elsewhere.
    The minimum is decided without any state: the last operation that changes an account is an
    `Add` of at least the minimum, or the `Delete`. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Block.Operation Block.Transaction
  Policy.PolicyReason Policy.Signers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The length of an account's key, in bytes. *)
Definition ACCOUNT_LENGTH : usize :=
  32.

(** The largest sum: what 16 bytes write. *)
Definition MAX_SUM : u128 :=
  340282366920938463463374607431768211455.

(** What a transaction pays, and to whom. *)
Record FeeRule : Type := {
  (** The account that fees are added to. *)
  fee_account : ByteString;
  (** For any transaction. *)
  fee_base : u64;
  (** For each byte of the transaction without openings. *)
  fee_byte : u64;
  (** For each claim. *)
  fee_claim : u64;
  (** For each operation. *)
  fee_operation : u64;
}.

#[global] Instance Default_FeeRule : Default FeeRule := {| fee_account := default; fee_base := default; fee_byte := default; fee_claim := default; fee_operation := default |}.

(** What the policy asks of transactions, as genesis says. *)
Record AccountsPolicy : Type := {
  (** What a transaction pays. *)
  accounts_fee : FeeRule;
  (** The least that an account holds. *)
  accounts_minimum : u64;
}.

#[global] Instance Default_AccountsPolicy : Default AccountsPolicy := {| accounts_fee := default; accounts_minimum := default |}.

(** One step of [`keys_are_accounts`]. *)
Definition keys_are_accounts_step (all_accounts : bool) (operation : Operation) : bool :=
  all_accounts && (seq_length operation.(operation_key) =? ACCOUNT_LENGTH).

(** Whether all keys have the length of an account's. *)
Definition keys_are_accounts (items : Seq Operation) : bool :=
  fold_left
    (fun all_accounts j => keys_are_accounts_step all_accounts (seq_at items j))
    (range 0 (seq_length items))
    true.

(** Whether an operation requires that the balance of `k` is zero. *)
Definition requires_zero (operation : Operation) (k : ByteString) : bool :=
  match operation.(action) with
  | Action_RequireValue required =>
      bytes_equal operation.(operation_key) k && bytes_equal required (value_of_number 0)
  | _ => false
  end.

(** Whether operation `j` is a `Delete` that no requirement of a balance of zero precedes directly. *)
Definition delete_unguarded (items : Seq Operation) (j : usize) : bool :=
  is_delete (seq_at items j).(action) &&
  ((j =? 0) || negb (requires_zero (seq_at items (j - 1)) (seq_at items j).(operation_key))).

(** Whether the action writes a value whatever was there. *)
Definition is_put (act : Action) : bool :=
  match act with
  | Action_Put _ => true
  | _ => false
  end.

(** One step of [`check_actions`]. *)
Definition check_actions_step
    (checked : Result unit PolicyReason)
    (items : Seq Operation)
    (j : usize) : Result unit PolicyReason :=
  match checked with
  | Err why => Err why
  | Ok _ =>
      if is_put (seq_at items j).(action) then
        Err PolicyReason_OperationForbidden
      else if delete_unguarded items j then
        Err PolicyReason_DeleteUnguarded
      else
        Ok tt
  end.

(** Whether all operations are of the policy's kinds. *)
Definition check_actions (items : Seq Operation) : Result unit PolicyReason :=
  fold_left (fun checked j => check_actions_step checked items j) (range 0 (seq_length items)) (Ok tt).

(** The amount that an operation adds to a balance. *)
Definition added_amount (operation : Operation) : u64 :=
  match operation.(action) with
  | Action_Add amount => amount
  | _ => 0
  end.

(** The amount that an operation subtracts from a balance. *)
Definition subtracted_amount (operation : Operation) : u64 :=
  match operation.(action) with
  | Action_Sub amount => amount
  | _ => 0
  end.

(** A sum with one amount more; none where 16 bytes are too few. *)
Definition sum_with (total : Option u128) (amount : u64) : Option u128 :=
  match total with
  | None => None
  | Some so_far => if MAX_SUM - so_far <? u128_of_u64 amount then None else Some (so_far + u128_of_u64 amount)
  end.

(** One step of [`sum_added`]. *)
Definition sum_added_step (total : Option u128) (operation : Operation) : Option u128 :=
  sum_with total (added_amount operation).

(** What is added, in all. *)
Definition sum_added (items : Seq Operation) : Option u128 :=
  fold_left (fun total j => sum_added_step total (seq_at items j)) (range 0 (seq_length items)) (Some 0).

(** One step of [`sum_subtracted`]. *)
Definition sum_subtracted_step (total : Option u128) (operation : Operation) : Option u128 :=
  sum_with total (subtracted_amount operation).

(** What is subtracted, in all. *)
Definition sum_subtracted (items : Seq Operation) : Option u128 :=
  fold_left (fun total j => sum_subtracted_step total (seq_at items j)) (range 0 (seq_length items)) (Some 0).

(** Whether as much is added as is subtracted. *)
Definition sums_equal (items : Seq Operation) : bool :=
  match sum_added items with
  | None => false
  | Some added =>
      match sum_subtracted items with
      | None => false
      | Some subtracted => added =? subtracted
      end
  end.

(** Whether the action is `Sub`. *)
Definition is_sub (act : Action) : bool :=
  match act with
  | Action_Sub _ => true
  | _ => false
  end.

(** One step of [`has_payer`]. *)
Definition has_payer_step (found : bool) (operation : Operation) : bool :=
  found || is_sub operation.(action).

(** Whether something is subtracted from somebody. *)
Definition has_payer (items : Seq Operation) : bool :=
  fold_left (fun found j => has_payer_step found (seq_at items j)) (range 0 (seq_length items)) false.

(** Whether the action takes from an account, so that its owner has to sign. *)
Definition takes (act : Action) : bool :=
  is_sub act || is_delete act.

(** One step of [`owners_sign`]. *)
Definition owners_sign_step (all_sign : bool) (operation : Operation) (signers : Seq ByteString) : bool :=
  all_sign && (negb (takes operation.(action)) || is_listed signers operation.(operation_key)).

(** Whether all accounts that something is taken from are among the signers'. *)
Definition owners_sign (items : Seq Operation) (signers : Seq ByteString) : bool :=
  fold_left
    (fun all_sign j => owners_sign_step all_sign (seq_at items j) signers)
    (range 0 (seq_length items))
    true.

(** One step of [`is_taken_from`]. *)
Definition is_taken_from_step (found : bool) (operation : Operation) (k : ByteString) : bool :=
  found || (takes operation.(action) && bytes_equal operation.(operation_key) k).

(** Whether something is taken from an account. *)
Definition is_taken_from (items : Seq Operation) (k : ByteString) : bool :=
  fold_left (fun found j => is_taken_from_step found (seq_at items j) k) (range 0 (seq_length items)) false.

(** One step of [`signers_own`]. *)
Definition signers_own_step (all_own : bool) (items : Seq Operation) (signer : ByteString) : bool :=
  all_own && is_taken_from items signer.

(** Whether something is taken from the account of every signer. *)
Definition signers_own (items : Seq Operation) (signers : Seq ByteString) : bool :=
  fold_left
    (fun all_own i => signers_own_step all_own items (seq_at signers i))
    (range 0 (seq_length signers))
    true.

(** A sum; the largest one where 16 bytes are too few. *)
Definition capped_sum (a b : u128) : u128 :=
  if MAX_SUM - a <? b then MAX_SUM else a + b.

(** A price for each of so many things. *)
Definition price_of (price : u64) (count : usize) : u128 :=
  u128_of_u64 price * u128_of_usize count.

(** The length of a transaction without its openings, in bytes. *)
Definition bare_length (tx : Transaction) : usize :=
  transaction_length tx - 48 * seq_length tx.(claims).

(** What a transaction has to pay. *)
Definition fee_of (rule : FeeRule) (tx : Transaction) : u128 :=
  let bytes_price := price_of rule.(fee_byte) (bare_length tx) in
  let claims_price := price_of rule.(fee_claim) (seq_length tx.(claims)) in
  let operations_price := price_of rule.(fee_operation) (seq_length tx.(operations)) in
  capped_sum
    (capped_sum (capped_sum (u128_of_u64 rule.(fee_base)) bytes_price) claims_price)
    operations_price.

(** One step of [`fee_paid`]. *)
Definition fee_paid_step (paid : u128) (operation : Operation) (rule : FeeRule) : u128 :=
  if bytes_equal operation.(operation_key) rule.(fee_account) then
    capped_sum paid (u128_of_u64 (added_amount operation))
  else
    paid.

(** What operations add to the account of fees. *)
Definition fee_paid (rule : FeeRule) (items : Seq Operation) : u128 :=
  fold_left (fun paid j => fee_paid_step paid (seq_at items j) rule) (range 0 (seq_length items)) 0.

(** Whether the action only asks. *)
Definition is_requirement (act : Action) : bool :=
  match act with
  | Action_RequireAbsent => true
  | Action_RequireValue _ => true
  | _ => false
  end.

(** One step of [`changed_later`]. *)
Definition changed_later_step (found : bool) (items : Seq Operation) (j i : usize) : bool :=
  found ||
  ((j <? i) && negb (is_requirement (seq_at items i).(action)) &&
    bytes_equal (seq_at items i).(operation_key) (seq_at items j).(operation_key)).

(** Whether an operation after operation `j` changes the same key. *)
Definition changed_later (items : Seq Operation) (j : usize) : bool :=
  fold_left (fun found i => changed_later_step found items j i) (range 0 (seq_length items)) false.

(** Whether an action leaves no account, or one with at least the minimum, whatever was there. *)
Definition leaves_enough (act : Action) (minimum : u64) : bool :=
  match act with
  | Action_Add amount => minimum <=? amount
  | Action_Delete => true
  | _ => false
  end.

(** One step of [`keeps_minimum`]. *)
Definition keeps_minimum_step
    (keeps : bool)
    (items : Seq Operation)
    (rule : AccountsPolicy)
    (j : usize) : bool :=
  keeps &&
  (is_requirement (seq_at items j).(action) ||
    bytes_equal (seq_at items j).(operation_key) rule.(accounts_fee).(fee_account) ||
    changed_later items j ||
    leaves_enough (seq_at items j).(action) rule.(accounts_minimum)).

(** Whether the last operation that changes an account, for each but that of fees, leaves enough. *)
Definition keeps_minimum (rule : AccountsPolicy) (items : Seq Operation) : bool :=
  fold_left (fun keeps j => keeps_minimum_step keeps items rule j) (range 0 (seq_length items)) true.

(** The rules that look at signers, fee and minimum. *)
Definition check_payment
    (rule : AccountsPolicy)
    (tx : Transaction)
    (signers : Seq ByteString) : Result unit PolicyReason :=
  if negb (owners_sign tx.(operations) signers) then
    Err PolicyReason_SignerMissing
  else if negb (signers_own tx.(operations) signers) then
    Err PolicyReason_SignerSuperfluous
  else if fee_paid rule.(accounts_fee) tx.(operations) <? fee_of rule.(accounts_fee) tx then
    Err PolicyReason_FeeTooLow
  else if negb (keeps_minimum rule tx.(operations)) then
    Err PolicyReason_BelowMinimum
  else
    Ok tt.

(** The rules that look at keys and kinds of operations. *)
Definition check_kinds (items : Seq Operation) : Result unit PolicyReason :=
  if keys_are_accounts items then check_actions items else Err PolicyReason_KeyNotAccount.

(** The rules that look at amounts. *)
Definition check_amounts (items : Seq Operation) : Result unit PolicyReason :=
  if negb (has_payer items) then
    Err PolicyReason_PayerMissing
  else if negb (sums_equal items) then
    Err PolicyReason_SumsDiffer
  else
    Ok tt.

(** Whether the policy lets these accounts' owners do a transaction; or the first rule that is
    broken. *)
Definition check_accounts
    (rule : AccountsPolicy)
    (tx : Transaction)
    (signers : Seq ByteString) : Result unit PolicyReason :=
  match check_kinds tx.(operations) with
  | Ok _ =>
      match check_amounts tx.(operations) with
      | Ok _ => check_payment rule tx signers
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
