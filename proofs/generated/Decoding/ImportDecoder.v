(* Translated from spec/src/decoding/import_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Import blocks: their bytes, and how they are read.

    They stand in an archive's own log, whose owner makes them as large as wanted, so that no limit
    of a dictionary is for them: their number of changes has 32 bits, and reading ends at the first
    key that does not come after the one before it, which also bounds how many changes few bytes can
    hold. Lengths beyond the dictionary's maxima are read, and refused by [`check_import`]. Source:
    docs/format.md, "Blocks". *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Import Decoding.DecodeReason Decoding.Cursor
  Decoding.RecordDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The format number of an import block. *)
Definition IMPORT_FORMAT : usize :=
  2.

(** `u8 0`, or `u8 1 || bytes16(value)`. *)
Definition import_content_bytes (content : Option ByteString) : ByteString :=
  match content with
  | None => u8_bytes 0
  | Some present => u8_bytes 1 ++ bytes16 present
  end.

(** `bytes8(key) || content`. *)
Definition encode_import_change (change : ImportChange) : ByteString :=
  bytes8 change.(import_key) ++ import_content_bytes change.(import_content).

(** One step of [`encode_import_changes`]. *)
Definition encode_import_changes_step (encoded : ByteString) (change : ImportChange) : ByteString :=
  encoded ++ encode_import_change change.

(** The changes one after the other. *)
Definition encode_import_changes (items : Seq ImportChange) : ByteString :=
  fold_left
    (fun encoded i => encode_import_changes_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** `u8 format || u64 version || u32 number of changes || changes`. *)
Definition encode_import (block : ImportBlock) : ByteString :=
  u8_bytes IMPORT_FORMAT ++
  u64_bytes block.(import_version) ++
  u32_bytes (seq_length block.(import_changes)) ++
  encode_import_changes block.(import_changes).

(** The value that is present. *)
Definition read_present_value (bytes : ByteString) : Result ((Option ByteString) * ByteString) DecodeReason :=
  match read_bytes16 bytes with
  | Ok (found, rest) => Ok (Some found, rest)
  | Err e' => Err e'
  end.

(** The new content of a key. *)
Definition read_import_content
    (bytes : ByteString) : Result ((Option ByteString) * ByteString) DecodeReason :=
  match read_presence bytes with
  | Ok (present, rest) => if present then read_present_value rest else Ok (None, rest)
  | Err e' => Err e'
  end.

(** The next change. *)
Definition read_import_change (bytes : ByteString) : Result (ImportChange * ByteString) DecodeReason :=
  match read_bytes8 bytes with
  | Ok (k, after_key) =>
      match read_import_content after_key with
      | Ok (content, rest) => Ok ({| import_key := k; import_content := content |}, rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether the key of a change comes after the last of those before. *)
Definition expect_later_key (before : Seq ImportChange) (found : ImportChange) : Result unit DecodeReason :=
  if (seq_length before =? 0) ||
    bytes_less (seq_at before (seq_length before - 1)).(import_key) found.(import_key) then
    Ok tt
  else
    Err DecodeReason_UnorderedKeys.

(** One step of [`read_import_changes`]. *)
Definition read_import_changes_step
    (items : Result ((Seq ImportChange) * ByteString) DecodeReason) : Result ((Seq ImportChange) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_import_change bytes with
      | Ok (found, rest) =>
          match expect_later_key before found with
          | Ok _later => Ok (before ++ [found], rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next changes, so many, each of a larger key than the one before. *)
Definition read_import_changes
    (bytes : ByteString)
    (count : usize) : Result ((Seq ImportChange) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_import_changes_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** The import block that the bytes are. *)
Definition decode_import (bytes : ByteString) : Result ImportBlock DecodeReason :=
  match expect_format bytes IMPORT_FORMAT with
  | Ok after_format =>
      match read_number after_format 8 with
      | Ok (b, after_version) =>
          match read_number after_version 4 with
          | Ok (count, after_count) =>
              match read_import_changes after_count count with
              | Ok (changes, rest) =>
                  match expect_end rest with
                  | Ok _end => Ok {| import_version := b; import_changes := changes |}
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
