(* Translated from spec/src/decoding/snapshot_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Snapshots: a validator's state as one that joins receives it.

    Nothing of a snapshot is believed: it counts only if the state that it gives has the root that
    consensus certifies. Source: docs/network.md, "Snapshots". *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.State Block.Root Decoding.DecodeReason
  Decoding.Cursor Decoding.SlotDecoder Decoding.AggregatedDecoder Decoding.RecordDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The length of a transaction's id, in bytes. *)
Definition ID_LENGTH : usize :=
  32.

(** One step of [`encode_records`]. *)
Definition encode_records_step (encoded : ByteString) (record : HashedRecord) : ByteString :=
  encoded ++ record_bytes record.

(** The records one after the other. *)
Definition encode_records (items : Seq HashedRecord) : ByteString :=
  fold_left (fun encoded i => encode_records_step encoded (seq_at items i)) (range 0 (seq_length items)) [].

(** `u64 version || u64 size || u64 tail_start || u64 number || commitments || u64 number || records
    || u64 number || slots of the tail || u64 number || (id (32) || u64 last_valid)*`: the state but
    for the dictionary's id. *)
Definition encode_snapshot (state : HashedState) : ByteString :=
  u64_bytes state.(hashed_version) ++
  u64_bytes state.(hashed_size) ++
  u64_bytes state.(hashed_tail_start) ++
  u64_bytes (seq_length state.(hashed_commitments)) ++
  encode_points state.(hashed_commitments) ++
  u64_bytes (seq_length state.(hashed_window)) ++
  encode_records state.(hashed_window) ++
  tail_bytes state.(hashed_tail) ++
  replay_bytes state.(hashed_replay_set).

(** One step of [`read_records`]. *)
Definition read_records_step
    (items : Result ((Seq HashedRecord) * ByteString) DecodeReason) : Result ((Seq HashedRecord) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_record bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next records, so many. *)
Definition read_records
    (bytes : ByteString)
    (count : usize) : Result ((Seq HashedRecord) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_records_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** The next entry of a replay set. *)
Definition read_replay (bytes : ByteString) : Result (ReplayEntry * ByteString) DecodeReason :=
  match take_bytes bytes ID_LENGTH with
  | Ok (id, after_id) =>
      match read_number after_id 8 with
      | Ok (last, rest) => Ok ({| replay_id := id; replay_last_valid := last |}, rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_replays`]. *)
Definition read_replays_step
    (items : Result ((Seq ReplayEntry) * ByteString) DecodeReason) : Result ((Seq ReplayEntry) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_replay bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next entries of a replay set, so many. *)
Definition read_replays
    (bytes : ByteString)
    (count : usize) : Result ((Seq ReplayEntry) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_replays_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** The state that a snapshot of this dictionary is. *)
Definition decode_snapshot (dictionary bytes : ByteString) : Result HashedState DecodeReason :=
  match read_number bytes 8 with
  | Ok (t, after_version) =>
      match read_number after_version 8 with
      | Ok (s, after_size) =>
          match read_number after_size 8 with
          | Ok (start, after_start) =>
              match read_number after_start 8 with
              | Ok (commitment_count, before_commitments) =>
                  match read_points before_commitments commitment_count with
                  | Ok (points, after_commitments) =>
                      match read_number after_commitments 8 with
                      | Ok (record_count, before_records) =>
                          match read_records before_records record_count with
                          | Ok (records, after_records) =>
                              match read_number after_records 8 with
                              | Ok (slot_count, before_slots) =>
                                  match read_slots before_slots slot_count with
                                  | Ok (slots, after_slots) =>
                                      match read_number after_slots 8 with
                                      | Ok (replay_count, before_replays) =>
                                          match read_replays before_replays replay_count with
                                          | Ok (replays, rest) =>
                                              match expect_end rest with
                                              | Ok _end =>
                                                  Ok
                                                    {| hashed_dictionary := dictionary;
                                                      hashed_version := t;
                                                      hashed_size := s;
                                                      hashed_tail_start := start;
                                                      hashed_commitments := points;
                                                      hashed_tail := slots;
                                                      hashed_replay_set := replays;
                                                      hashed_window := records |}
                                              | Err e' => Err e'
                                              end
                                          | Err e' => Err e'
                                          end
                                      | Err e' => Err e'
                                      end
                                  | Err e' => Err e'
                                  end
                              | Err e' => Err e'
                              end
                          | Err e' => Err e'
                          end
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
