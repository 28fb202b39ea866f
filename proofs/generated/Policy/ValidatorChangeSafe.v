(* Translated from spec/src/policy/validator_change.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.ValidatorChange Base.BytesSafe Policy.SignersSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [power_of_step] does not panic. *)
Definition power_of_step_safe (found : Option u64) (entry : ChainValidator) (k : ByteString) : bool :=
  bytes_equal_safe entry.(validator_key) k.

(** When [power_of] does not panic. *)
Definition power_of_safe (listed : Seq ChainValidator) (k : ByteString) : bool :=
  loop_safe
    (fun found i => power_of_step found (seq_at listed i) k)
    (fun found i => (i <? seq_length listed) && power_of_step_safe found (seq_at listed i) k)
    (range 0 (seq_length listed))
    None.

(** When [has_validator] does not panic. *)
Definition has_validator_safe (listed : Seq ChainValidator) (k : ByteString) : bool :=
  power_of_safe listed k.

(** When [total_power_step] does not panic. *)
Definition total_power_step_safe (total : u128) (entry : ChainValidator) : bool :=
  within_u128 (total + u128_of_u64 entry.(voting_power)).

(** When [total_power] does not panic. *)
Definition total_power_safe (listed : Seq ChainValidator) : bool :=
  loop_safe
    (fun total i => total_power_step total (seq_at listed i))
    (fun total i => (i <? seq_length listed) && total_power_step_safe total (seq_at listed i))
    (range 0 (seq_length listed))
    0.

(** When [is_permitted] does not panic. *)
Definition is_permitted_safe (listed : Seq ChainValidator) : bool :=
  if (1 <=? seq_length listed) && (seq_length listed <=? MOST_VALIDATORS) then
    total_power_safe listed
  else
    true.

(** When [updates_ascend_step] does not panic. *)
Definition updates_ascend_step_safe (all_ascend : bool) (listed : Seq ChainValidator) (i : usize) : bool :=
  if i =? 0 then
    true
  else if all_ascend then
    (1 <=? i) && (i - 1 <? seq_length listed) && (i <? seq_length listed) &&
    bytes_less_safe (seq_at listed (i - 1)).(validator_key) (seq_at listed i).(validator_key)
  else
    true.

(** When [updates_ascend] does not panic. *)
Definition updates_ascend_safe (listed : Seq ChainValidator) : bool :=
  loop_safe
    (fun all_ascend i => updates_ascend_step all_ascend listed i)
    (fun all_ascend i => updates_ascend_step_safe all_ascend listed i)
    (range 0 (seq_length listed))
    true.

(** When [members_ascend_step] does not panic. *)
Definition members_ascend_step_safe (all_ascend : bool) (signing_keys : Seq ByteString) (i : usize) : bool :=
  if i =? 0 then
    true
  else if all_ascend then
    (1 <=? i) && (i - 1 <? seq_length signing_keys) && (i <? seq_length signing_keys) &&
    bytes_less_safe (seq_at signing_keys (i - 1)) (seq_at signing_keys i)
  else
    true.

(** When [members_ascend] does not panic. *)
Definition members_ascend_safe (signing_keys : Seq ByteString) : bool :=
  loop_safe
    (fun all_ascend i => members_ascend_step all_ascend signing_keys i)
    (fun all_ascend i => members_ascend_step_safe all_ascend signing_keys i)
    (range 0 (seq_length signing_keys))
    true.

(** When [all_members_step] does not panic. *)
Definition all_members_step_safe
    (all_are : bool)
    (members : Seq ByteString)
    (public_key : ByteString) : bool :=
  if all_are then is_listed_safe members public_key else true.

(** When [all_members] does not panic. *)
Definition all_members_safe (council : Council) (signing_keys : Seq ByteString) : bool :=
  loop_safe
    (fun all_are i => all_members_step all_are council.(council_keys) (seq_at signing_keys i))
    (fun all_are i =>
      (i <? seq_length signing_keys) &&
      all_members_step_safe all_are council.(council_keys) (seq_at signing_keys i))
    (range 0 (seq_length signing_keys))
    true.

(** When [council_agrees] does not panic. *)
Definition council_agrees_safe (council : Council) (signing_keys : Seq ByteString) : bool :=
  members_ascend_safe signing_keys &&
  (if negb (members_ascend signing_keys) then true else all_members_safe council signing_keys).

(** When [removals_known_step] does not panic. *)
Definition removals_known_step_safe
    (all_known : bool)
    (update : ChainValidator)
    (listed : Seq ChainValidator) : bool :=
  if all_known then
    if negb (update.(voting_power) =? 0) then true else has_validator_safe listed update.(validator_key)
  else
    true.

(** When [removals_known] does not panic. *)
Definition removals_known_safe (updates listed : Seq ChainValidator) : bool :=
  loop_safe
    (fun all_known i => removals_known_step all_known (seq_at updates i) listed)
    (fun all_known i =>
      (i <? seq_length updates) && removals_known_step_safe all_known (seq_at updates i) listed)
    (range 0 (seq_length updates))
    true.

(** When [kept_validators_step] does not panic. *)
Definition kept_validators_step_safe
    (kept : Seq ChainValidator)
    (entry : ChainValidator)
    (updates : Seq ChainValidator) : bool :=
  power_of_safe updates entry.(validator_key).

(** When [kept_validators] does not panic. *)
Definition kept_validators_safe (listed updates : Seq ChainValidator) : bool :=
  loop_safe
    (fun kept i => kept_validators_step kept (seq_at listed i) updates)
    (fun kept i => (i <? seq_length listed) && kept_validators_step_safe kept (seq_at listed i) updates)
    (range 0 (seq_length listed))
    [].

(** When [updated_validators_step] does not panic. *)
Definition updated_validators_step_safe
    (grown : Seq ChainValidator)
    (update : ChainValidator)
    (listed : Seq ChainValidator) : bool :=
  if update.(voting_power) =? 0 then true else has_validator_safe listed update.(validator_key).

(** When [updated_validators] does not panic. *)
Definition updated_validators_safe (listed updates : Seq ChainValidator) : bool :=
  kept_validators_safe listed updates &&
  (loop_safe
      (fun grown i => updated_validators_step grown (seq_at updates i) listed)
      (fun grown i =>
        (i <? seq_length updates) && updated_validators_step_safe grown (seq_at updates i) listed)
      (range 0 (seq_length updates))
      (kept_validators listed updates)).

(** When [check_change] does not panic. *)
Definition check_change_safe (before : ValidatorSet) (change : ValidatorChange) : bool :=
  (if seq_length change.(power_updates) =? 0 then true else updates_ascend_safe change.(power_updates)) &&
  (if (seq_length change.(power_updates) =? 0) || negb (updates_ascend change.(power_updates)) then
      true
    else if negb (change.(follows_change) =? before.(last_change)) then
      true
    else
      removals_known_safe change.(power_updates) before.(chain_validators)).

(** When [permitted_set] does not panic. *)
Definition permitted_set_safe (listed : Seq ChainValidator) (height : usize) : bool :=
  is_permitted_safe listed.

(** When [change_validators] does not panic. *)
Definition change_validators_safe
    (council : Council)
    (before : ValidatorSet)
    (change : ValidatorChange)
    (signing_keys : Seq ByteString)
    (height : usize) : bool :=
  council_agrees_safe council signing_keys &&
  (match council_agrees council signing_keys with
    | Ok _ =>
        check_change_safe before change &&
        (match check_change before change with
          | Ok _ =>
              updated_validators_safe before.(chain_validators) change.(power_updates) &&
              permitted_set_safe (updated_validators before.(chain_validators) change.(power_updates)) height
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [innocent_validators_step] does not panic. *)
Definition innocent_validators_step_safe
    (kept : Seq ChainValidator)
    (entry : ChainValidator)
    (guilty : Seq ByteString) : bool :=
  is_listed_safe guilty entry.(validator_key).

(** When [innocent_validators] does not panic. *)
Definition innocent_validators_safe (listed : Seq ChainValidator) (guilty : Seq ByteString) : bool :=
  loop_safe
    (fun kept i => innocent_validators_step kept (seq_at listed i) guilty)
    (fun kept i => (i <? seq_length listed) && innocent_validators_step_safe kept (seq_at listed i) guilty)
    (range 0 (seq_length listed))
    [].

(** When [without_guilty] does not panic. *)
Definition without_guilty_safe (before : ValidatorSet) (guilty : Seq ByteString) (height : usize) : bool :=
  innocent_validators_safe before.(chain_validators) guilty.
