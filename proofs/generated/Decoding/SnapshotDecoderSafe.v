(* Translated from spec/src/decoding/snapshot_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.SnapshotDecoder Base.BytesSafe Block.StateSafe Block.RootSafe
  Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.AggregatedDecoderSafe Decoding.RecordDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_records_step] does not panic. *)
Definition encode_records_step_safe (encoded : ByteString) (record : HashedRecord) : bool :=
  record_bytes_safe record.

(** When [encode_records] does not panic. *)
Definition encode_records_safe (items : Seq HashedRecord) : bool :=
  loop_safe
    (fun encoded i => encode_records_step encoded (seq_at items i))
    (fun encoded i => (i <? seq_length items) && encode_records_step_safe encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** When [encode_snapshot] does not panic. *)
Definition encode_snapshot_safe (state : HashedState) : bool :=
  encode_points_safe state.(hashed_commitments) && encode_records_safe state.(hashed_window) &&
  tail_bytes_safe state.(hashed_tail) &&
  replay_bytes_safe state.(hashed_replay_set).

(** When [read_records_step] does not panic. *)
Definition read_records_step_safe (items : Result ((Seq HashedRecord) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_record_safe bytes
  | Err _ => true
  end.

(** When [read_records] does not panic. *)
Definition read_records_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_records_step items)
      (fun items _i => read_records_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_replay] does not panic. *)
Definition read_replay_safe (bytes : ByteString) : bool :=
  take_bytes_safe bytes ID_LENGTH &&
  (match take_bytes bytes ID_LENGTH with
    | Ok (id, after_id) => read_number_safe after_id 8
    | Err _ => true
    end).

(** When [read_replays_step] does not panic. *)
Definition read_replays_step_safe (items : Result ((Seq ReplayEntry) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_replay_safe bytes
  | Err _ => true
  end.

(** When [read_replays] does not panic. *)
Definition read_replays_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_replays_step items)
      (fun items _i => read_replays_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [decode_snapshot] does not panic. *)
Definition decode_snapshot_safe (dictionary bytes : ByteString) : bool :=
  read_number_safe bytes 8 &&
  (match read_number bytes 8 with
    | Ok (t, after_version) =>
        read_number_safe after_version 8 &&
        (match read_number after_version 8 with
          | Ok (s, after_size) =>
              read_number_safe after_size 8 &&
              (match read_number after_size 8 with
                | Ok (start, after_start) =>
                    read_number_safe after_start 8 &&
                    (match read_number after_start 8 with
                      | Ok (commitment_count, before_commitments) =>
                          read_points_safe before_commitments commitment_count &&
                          (match read_points before_commitments commitment_count with
                            | Ok (points, after_commitments) =>
                                read_number_safe after_commitments 8 &&
                                (match read_number after_commitments 8 with
                                  | Ok (record_count, before_records) =>
                                      read_records_safe before_records record_count &&
                                      (match read_records before_records record_count with
                                        | Ok (records, after_records) =>
                                            read_number_safe after_records 8 &&
                                            (match read_number after_records 8 with
                                              | Ok (slot_count, before_slots) =>
                                                  read_slots_safe before_slots slot_count &&
                                                  (match read_slots before_slots slot_count with
                                                    | Ok (slots, after_slots) =>
                                                        read_number_safe after_slots 8 &&
                                                        (match read_number after_slots 8 with
                                                          | Ok (replay_count, before_replays) =>
                                                              read_replays_safe before_replays replay_count
                                                          | Err _ => true
                                                          end)
                                                    | Err _ => true
                                                    end)
                                              | Err _ => true
                                              end)
                                        | Err _ => true
                                        end)
                                  | Err _ => true
                                  end)
                            | Err _ => true
                            end)
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
