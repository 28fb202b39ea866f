(* Translated from spec/src/policy/accounts.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.Accounts Base.BytesSafe Block.OperationSafe Block.TransactionSafe
  Policy.SignersSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [keys_are_accounts] does not panic. *)
Definition keys_are_accounts_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun all_accounts j => keys_are_accounts_step all_accounts (seq_at items j))
    (fun all_accounts j => j <? seq_length items)
    (range 0 (seq_length items))
    true.

(** When [requires_zero] does not panic. *)
Definition requires_zero_safe (operation : Operation) (k : ByteString) : bool :=
  match operation.(action) with
  | Action_RequireValue required =>
      bytes_equal_safe operation.(operation_key) k &&
      (if bytes_equal operation.(operation_key) k then
          bytes_equal_safe required (value_of_number 0)
        else
          true)
  | _ => true
  end.

(** When [delete_unguarded] does not panic. *)
Definition delete_unguarded_safe (items : Seq Operation) (j : usize) : bool :=
  (j <? seq_length items) &&
  (if is_delete (seq_at items j).(action) then
      if j =? 0 then
        true
      else
        (1 <=? j) && (j - 1 <? seq_length items) && (j <? seq_length items) &&
        requires_zero_safe (seq_at items (j - 1)) (seq_at items j).(operation_key)
    else
      true).

(** When [check_actions_step] does not panic. *)
Definition check_actions_step_safe
    (checked : Result unit PolicyReason)
    (items : Seq Operation)
    (j : usize) : bool :=
  match checked with
  | Err why => true
  | Ok _ =>
      (j <? seq_length items) &&
      (if is_put (seq_at items j).(action) then true else delete_unguarded_safe items j)
  end.

(** When [check_actions] does not panic. *)
Definition check_actions_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun checked j => check_actions_step checked items j)
    (fun checked j => check_actions_step_safe checked items j)
    (range 0 (seq_length items))
    (Ok tt).

(** When [sum_with] does not panic. *)
Definition sum_with_safe (total : Option u128) (amount : u64) : bool :=
  match total with
  | None => true
  | Some so_far =>
      (so_far <=? MAX_SUM) &&
      (if MAX_SUM - so_far <? u128_of_u64 amount then true else within_u128 (so_far + u128_of_u64 amount))
  end.

(** When [sum_added_step] does not panic. *)
Definition sum_added_step_safe (total : Option u128) (operation : Operation) : bool :=
  sum_with_safe total (added_amount operation).

(** When [sum_added] does not panic. *)
Definition sum_added_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun total j => sum_added_step total (seq_at items j))
    (fun total j => (j <? seq_length items) && sum_added_step_safe total (seq_at items j))
    (range 0 (seq_length items))
    (Some 0).

(** When [sum_subtracted_step] does not panic. *)
Definition sum_subtracted_step_safe (total : Option u128) (operation : Operation) : bool :=
  sum_with_safe total (subtracted_amount operation).

(** When [sum_subtracted] does not panic. *)
Definition sum_subtracted_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun total j => sum_subtracted_step total (seq_at items j))
    (fun total j => (j <? seq_length items) && sum_subtracted_step_safe total (seq_at items j))
    (range 0 (seq_length items))
    (Some 0).

(** When [sums_equal] does not panic. *)
Definition sums_equal_safe (items : Seq Operation) : bool :=
  sum_added_safe items &&
  (match sum_added items with
    | None => true
    | Some added => sum_subtracted_safe items
    end).

(** When [has_payer] does not panic. *)
Definition has_payer_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun found j => has_payer_step found (seq_at items j))
    (fun found j => j <? seq_length items)
    (range 0 (seq_length items))
    false.

(** When [owners_sign_step] does not panic. *)
Definition owners_sign_step_safe
    (all_sign : bool)
    (operation : Operation)
    (signers : Seq ByteString) : bool :=
  if all_sign then
    if negb (takes operation.(action)) then true else is_listed_safe signers operation.(operation_key)
  else
    true.

(** When [owners_sign] does not panic. *)
Definition owners_sign_safe (items : Seq Operation) (signers : Seq ByteString) : bool :=
  loop_safe
    (fun all_sign j => owners_sign_step all_sign (seq_at items j) signers)
    (fun all_sign j => (j <? seq_length items) && owners_sign_step_safe all_sign (seq_at items j) signers)
    (range 0 (seq_length items))
    true.

(** When [is_taken_from_step] does not panic. *)
Definition is_taken_from_step_safe (found : bool) (operation : Operation) (k : ByteString) : bool :=
  if found then
    true
  else if takes operation.(action) then
    bytes_equal_safe operation.(operation_key) k
  else
    true.

(** When [is_taken_from] does not panic. *)
Definition is_taken_from_safe (items : Seq Operation) (k : ByteString) : bool :=
  loop_safe
    (fun found j => is_taken_from_step found (seq_at items j) k)
    (fun found j => (j <? seq_length items) && is_taken_from_step_safe found (seq_at items j) k)
    (range 0 (seq_length items))
    false.

(** When [signers_own_step] does not panic. *)
Definition signers_own_step_safe (all_own : bool) (items : Seq Operation) (signer : ByteString) : bool :=
  if all_own then is_taken_from_safe items signer else true.

(** When [signers_own] does not panic. *)
Definition signers_own_safe (items : Seq Operation) (signers : Seq ByteString) : bool :=
  loop_safe
    (fun all_own i => signers_own_step all_own items (seq_at signers i))
    (fun all_own i => (i <? seq_length signers) && signers_own_step_safe all_own items (seq_at signers i))
    (range 0 (seq_length signers))
    true.

(** When [capped_sum] does not panic. *)
Definition capped_sum_safe (a b : u128) : bool :=
  (a <=? MAX_SUM) && (if MAX_SUM - a <? b then true else within_u128 (a + b)).

(** When [price_of] does not panic. *)
Definition price_of_safe (price : u64) (count : usize) : bool :=
  within_u128 (u128_of_u64 price * u128_of_usize count).

(** When [bare_length] does not panic. *)
Definition bare_length_safe (tx : Transaction) : bool :=
  transaction_length_safe tx && within_usize (48 * seq_length tx.(claims)) &&
  (48 * seq_length tx.(claims) <=? transaction_length tx).

(** When [fee_of] does not panic. *)
Definition fee_of_safe (rule : FeeRule) (tx : Transaction) : bool :=
  bare_length_safe tx && price_of_safe rule.(fee_byte) (bare_length tx) &&
  (let bytes_price := price_of rule.(fee_byte) (bare_length tx) in
    price_of_safe rule.(fee_claim) (seq_length tx.(claims)) &&
    (let claims_price := price_of rule.(fee_claim) (seq_length tx.(claims)) in
      price_of_safe rule.(fee_operation) (seq_length tx.(operations)) &&
      (let operations_price := price_of rule.(fee_operation) (seq_length tx.(operations)) in
        capped_sum_safe (u128_of_u64 rule.(fee_base)) bytes_price &&
        capped_sum_safe (capped_sum (u128_of_u64 rule.(fee_base)) bytes_price) claims_price &&
        capped_sum_safe
          (capped_sum (capped_sum (u128_of_u64 rule.(fee_base)) bytes_price) claims_price)
          operations_price))).

(** When [fee_paid_step] does not panic. *)
Definition fee_paid_step_safe (paid : u128) (operation : Operation) (rule : FeeRule) : bool :=
  bytes_equal_safe operation.(operation_key) rule.(fee_account) &&
  (if bytes_equal operation.(operation_key) rule.(fee_account) then
      capped_sum_safe paid (u128_of_u64 (added_amount operation))
    else
      true).

(** When [fee_paid] does not panic. *)
Definition fee_paid_safe (rule : FeeRule) (items : Seq Operation) : bool :=
  loop_safe
    (fun paid j => fee_paid_step paid (seq_at items j) rule)
    (fun paid j => (j <? seq_length items) && fee_paid_step_safe paid (seq_at items j) rule)
    (range 0 (seq_length items))
    0.

(** When [changed_later_step] does not panic. *)
Definition changed_later_step_safe (found : bool) (items : Seq Operation) (j i : usize) : bool :=
  if found then
    true
  else
    (if j <? i then i <? seq_length items else true) &&
    (if (j <? i) && negb (is_requirement (seq_at items i).(action)) then
        (i <? seq_length items) && (j <? seq_length items) &&
        bytes_equal_safe (seq_at items i).(operation_key) (seq_at items j).(operation_key)
      else
        true).

(** When [changed_later] does not panic. *)
Definition changed_later_safe (items : Seq Operation) (j : usize) : bool :=
  loop_safe
    (fun found i => changed_later_step found items j i)
    (fun found i => changed_later_step_safe found items j i)
    (range 0 (seq_length items))
    false.

(** When [keeps_minimum_step] does not panic. *)
Definition keeps_minimum_step_safe
    (keeps : bool)
    (items : Seq Operation)
    (rule : AccountsPolicy)
    (j : usize) : bool :=
  if keeps then
    (j <? seq_length items) &&
    (if is_requirement (seq_at items j).(action) then
        true
      else
        (j <? seq_length items) &&
        bytes_equal_safe (seq_at items j).(operation_key) rule.(accounts_fee).(fee_account)) &&
    (if is_requirement (seq_at items j).(action) ||
        bytes_equal (seq_at items j).(operation_key) rule.(accounts_fee).(fee_account) then
        true
      else
        changed_later_safe items j) &&
    (if is_requirement (seq_at items j).(action) ||
        bytes_equal (seq_at items j).(operation_key) rule.(accounts_fee).(fee_account) ||
        changed_later items j then
        true
      else
        j <? seq_length items)
  else
    true.

(** When [keeps_minimum] does not panic. *)
Definition keeps_minimum_safe (rule : AccountsPolicy) (items : Seq Operation) : bool :=
  loop_safe
    (fun keeps j => keeps_minimum_step keeps items rule j)
    (fun keeps j => keeps_minimum_step_safe keeps items rule j)
    (range 0 (seq_length items))
    true.

(** When [check_payment] does not panic. *)
Definition check_payment_safe (rule : AccountsPolicy) (tx : Transaction) (signers : Seq ByteString) : bool :=
  owners_sign_safe tx.(operations) signers &&
  (if negb (owners_sign tx.(operations) signers) then
      true
    else
      signers_own_safe tx.(operations) signers &&
      (if negb (signers_own tx.(operations) signers) then
          true
        else
          fee_paid_safe rule.(accounts_fee) tx.(operations) && fee_of_safe rule.(accounts_fee) tx &&
          (if fee_paid rule.(accounts_fee) tx.(operations) <? fee_of rule.(accounts_fee) tx then
              true
            else
              keeps_minimum_safe rule tx.(operations)))).

(** When [check_kinds] does not panic. *)
Definition check_kinds_safe (items : Seq Operation) : bool :=
  keys_are_accounts_safe items && (if keys_are_accounts items then check_actions_safe items else true).

(** When [check_amounts] does not panic. *)
Definition check_amounts_safe (items : Seq Operation) : bool :=
  has_payer_safe items && (if negb (has_payer items) then true else sums_equal_safe items).

(** When [check_accounts] does not panic. *)
Definition check_accounts_safe (rule : AccountsPolicy) (tx : Transaction) (signers : Seq ByteString) : bool :=
  check_kinds_safe tx.(operations) &&
  (match check_kinds tx.(operations) with
    | Ok _ =>
        check_amounts_safe tx.(operations) &&
        (match check_amounts tx.(operations) with
          | Ok _ => check_payment_safe rule tx signers
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
