(* Translated from spec/src/policy/validator_change.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The validators of a chain with a council: what changes them, and what does not.

    A state has the validators with their voting power and the height that changed them last. Two
    things change them: a change that enough members of the council signed ([`change_validators`]),
    and evidence of misbehaviour ([`without_guilty`]). A change names the last change that it
    follows, so that it is made at most once, and not after another change or a removal that its
    signers had not seen. Who the council is never changes: genesis names it.

    The set is never empty, and bounded in number and power ([`is_permitted`]). Evidence against all
    validators at once removes none: a chain cannot go on without any.

    That signatures are true is checked elsewhere, and so is whose the evidence is: consensus names
    the guilty.

    Source: docs/network.md, "Who decides". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Policy.Signers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Most validators of a set. *)
Definition MOST_VALIDATORS : usize :=
  100.

(** Most voting power of a set, of all validators together: 2^50, where consensus allows 2^60. *)
Definition MOST_VOTING_POWER : u128 :=
  1125899906842624.

(** A validator; in a change a voting power of 0 removes it. *)
Record ChainValidator : Type := {
  (** Its public key, 32 bytes. *)
  validator_key : ByteString;
  (** Its voting power. *)
  voting_power : u64;
}.

#[global] Instance Default_ChainValidator : Default ChainValidator := {| validator_key := default; voting_power := default |}.

(** The validators of a chain. *)
Record ValidatorSet : Type := {
  (** The height of the last change; 0 where there was none. *)
  last_change : usize;
  (** The validators. *)
  chain_validators : Seq ChainValidator;
}.

#[global] Instance Default_ValidatorSet : Default ValidatorSet := {| last_change := default; chain_validators := default |}.

(** Who may change validators: so many of these together. *)
Record Council : Type := {
  (** How many have to sign. *)
  council_threshold : usize;
  (** The public keys of the members. *)
  council_keys : Seq ByteString;
}.

#[global] Instance Default_Council : Default Council := {| council_threshold := default; council_keys := default |}.

(** A change of validators. *)
Record ValidatorChange : Type := {
  (** The last change of the set that it is made for. *)
  follows_change : usize;
  (** The voting powers that it sets, by strictly ascending key. *)
  power_updates : Seq ChainValidator;
}.

#[global] Instance Default_ValidatorChange : Default ValidatorChange := {| follows_change := default; power_updates := default |}.

(** Why a change is refused. *)
Inductive ChangeReason : Type :=
(** It changes nothing, or keys do not ascend. *)
| ChangeReason_ChangeMalformed
(** Somebody signed who is no member of the council. *)
| ChangeReason_CouncilSuperfluous
(** Too few members signed. *)
| ChangeReason_CouncilMissing
(** It was made for a set that is no longer, or not yet. *)
| ChangeReason_ChangeStale
(** It removes who is no validator. *)
| ChangeReason_ValidatorUnknown
(** It leaves no validator, or too many, or too much power. *)
| ChangeReason_SetForbidden.

(** One step of [`power_of`]. *)
Definition power_of_step (found : Option u64) (entry : ChainValidator) (k : ByteString) : Option u64 :=
  if bytes_equal entry.(validator_key) k then Some entry.(voting_power) else found.

(** The voting power that a list gives a key. *)
Definition power_of (listed : Seq ChainValidator) (k : ByteString) : Option u64 :=
  fold_left (fun found i => power_of_step found (seq_at listed i) k) (range 0 (seq_length listed)) None.

(** Whether a list has a key. *)
Definition has_validator (listed : Seq ChainValidator) (k : ByteString) : bool :=
  match power_of listed k with
  | Some _ => true
  | None => false
  end.

(** One step of [`total_power`]. *)
Definition total_power_step (total : u128) (entry : ChainValidator) : u128 :=
  total + u128_of_u64 entry.(voting_power).

(** The voting power of all validators together. *)
Definition total_power (listed : Seq ChainValidator) : u128 :=
  fold_left (fun total i => total_power_step total (seq_at listed i)) (range 0 (seq_length listed)) 0.

(** Whether a chain may have these validators. *)
Definition is_permitted (listed : Seq ChainValidator) : bool :=
  (1 <=? seq_length listed) && (seq_length listed <=? MOST_VALIDATORS) &&
  (total_power listed <=? MOST_VOTING_POWER).

(** One step of [`updates_ascend`]. *)
Definition updates_ascend_step (all_ascend : bool) (listed : Seq ChainValidator) (i : usize) : bool :=
  if i =? 0 then
    all_ascend
  else
    all_ascend && bytes_less (seq_at listed (i - 1)).(validator_key) (seq_at listed i).(validator_key).

(** Whether keys ascend strictly. *)
Definition updates_ascend (listed : Seq ChainValidator) : bool :=
  fold_left (fun all_ascend i => updates_ascend_step all_ascend listed i) (range 0 (seq_length listed)) true.

(** One step of [`members_ascend`]. *)
Definition members_ascend_step (all_ascend : bool) (signing_keys : Seq ByteString) (i : usize) : bool :=
  if i =? 0 then
    all_ascend
  else
    all_ascend && bytes_less (seq_at signing_keys (i - 1)) (seq_at signing_keys i).

(** Whether signers ascend strictly, so that nobody counts twice. *)
Definition members_ascend (signing_keys : Seq ByteString) : bool :=
  fold_left
    (fun all_ascend i => members_ascend_step all_ascend signing_keys i)
    (range 0 (seq_length signing_keys))
    true.

(** One step of [`all_members`]. *)
Definition all_members_step (all_are : bool) (members : Seq ByteString) (public_key : ByteString) : bool :=
  all_are && is_listed members public_key.

(** Whether all signers are members of the council. *)
Definition all_members (council : Council) (signing_keys : Seq ByteString) : bool :=
  fold_left
    (fun all_are i => all_members_step all_are council.(council_keys) (seq_at signing_keys i))
    (range 0 (seq_length signing_keys))
    true.

(** Whether the council lets these members change validators. *)
Definition council_agrees (council : Council) (signing_keys : Seq ByteString) : Result unit ChangeReason :=
  if negb (members_ascend signing_keys) then
    Err ChangeReason_ChangeMalformed
  else if negb (all_members council signing_keys) then
    Err ChangeReason_CouncilSuperfluous
  else if (seq_length signing_keys =? 0) || (seq_length signing_keys <? council.(council_threshold)) then
    Err ChangeReason_CouncilMissing
  else
    Ok tt.

(** One step of [`removals_known`]. *)
Definition removals_known_step
    (all_known : bool)
    (update : ChainValidator)
    (listed : Seq ChainValidator) : bool :=
  all_known && ((negb (update.(voting_power) =? 0)) || has_validator listed update.(validator_key)).

(** Whether all who are removed are validators. *)
Definition removals_known (updates listed : Seq ChainValidator) : bool :=
  fold_left
    (fun all_known i => removals_known_step all_known (seq_at updates i) listed)
    (range 0 (seq_length updates))
    true.

(** One step of [`kept_validators`]. *)
Definition kept_validators_step
    (kept : Seq ChainValidator)
    (entry : ChainValidator)
    (updates : Seq ChainValidator) : Seq ChainValidator :=
  match power_of updates entry.(validator_key) with
  | None => kept ++ [entry]
  | Some power =>
      if power =? 0 then
        kept
      else
        kept ++ [{| validator_key := entry.(validator_key); voting_power := power |}]
  end.

(** Those who stay, with the power that they then have. *)
Definition kept_validators (listed updates : Seq ChainValidator) : Seq ChainValidator :=
  fold_left
    (fun kept i => kept_validators_step kept (seq_at listed i) updates)
    (range 0 (seq_length listed))
    [].

(** One step of [`updated_validators`]. *)
Definition updated_validators_step
    (grown : Seq ChainValidator)
    (update : ChainValidator)
    (listed : Seq ChainValidator) : Seq ChainValidator :=
  if (update.(voting_power) =? 0) || has_validator listed update.(validator_key) then
    grown
  else
    grown ++ [update].

(** Those who stay, and then those who are new. *)
Definition updated_validators (listed updates : Seq ChainValidator) : Seq ChainValidator :=
  fold_left
    (fun grown i => updated_validators_step grown (seq_at updates i) listed)
    (range 0 (seq_length updates))
    (kept_validators listed updates).

(** Whether a change has a form, and is made for this set. *)
Definition check_change (before : ValidatorSet) (change : ValidatorChange) : Result unit ChangeReason :=
  if (seq_length change.(power_updates) =? 0) || negb (updates_ascend change.(power_updates)) then
    Err ChangeReason_ChangeMalformed
  else if negb (change.(follows_change) =? before.(last_change)) then
    Err ChangeReason_ChangeStale
  else if negb (removals_known change.(power_updates) before.(chain_validators)) then
    Err ChangeReason_ValidatorUnknown
  else
    Ok tt.

(** The set of a height, where a chain may have it. *)
Definition permitted_set (listed : Seq ChainValidator) (height : usize) : Result ValidatorSet ChangeReason :=
  if is_permitted listed then
    Ok {| last_change := height; chain_validators := listed |}
  else
    Err ChangeReason_SetForbidden.

(** The set after a change that these members of the council signed, in the block of a height. *)
Definition change_validators
    (council : Council)
    (before : ValidatorSet)
    (change : ValidatorChange)
    (signing_keys : Seq ByteString)
    (height : usize) : Result ValidatorSet ChangeReason :=
  match council_agrees council signing_keys with
  | Ok _ =>
      match check_change before change with
      | Ok _ => permitted_set (updated_validators before.(chain_validators) change.(power_updates)) height
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`innocent_validators`]. *)
Definition innocent_validators_step
    (kept : Seq ChainValidator)
    (entry : ChainValidator)
    (guilty : Seq ByteString) : Seq ChainValidator :=
  if is_listed guilty entry.(validator_key) then kept else kept ++ [entry].

(** The validators but for these. *)
Definition innocent_validators (listed : Seq ChainValidator) (guilty : Seq ByteString) : Seq ChainValidator :=
  fold_left
    (fun kept i => innocent_validators_step kept (seq_at listed i) guilty)
    (range 0 (seq_length listed))
    [].

(** The set after evidence against these public keys, in the block of a height: without them, where
    anybody is left. *)
Definition without_guilty (before : ValidatorSet) (guilty : Seq ByteString) (height : usize) : ValidatorSet :=
  let innocent := innocent_validators before.(chain_validators) guilty in
  if (seq_length innocent =? 0) || (seq_length innocent =? seq_length before.(chain_validators)) then
    before
  else
    {| last_change := height; chain_validators := innocent |}.
