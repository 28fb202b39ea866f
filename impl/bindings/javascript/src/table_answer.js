// Answers about tables of private rows, format 1, as JSON (docs/tables.md, "Answers as JSON").

import { U32, U64 } from './bytes.js';
import { formatField, optional, readJson } from './json.js';
import { claim, digest, tie, u64 } from './proof.js';

/** Most bytes of an answer's text. */
const LARGEST = 64 * 2 ** 20;
/** Most runs of an answer. */
export const MOST_RUNS = 65_536;

/** A decimal number as text, without leading zeros. */
const decimal = (digits) => (json) => {
  const text = json.string();
  return text.length <= digits && /^(0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : json.fail('not a decimal number');
};

/** A list that is absent where it is empty. */
const some = (read) => optional((json) => {
  const items = json.list(read);
  return items.length > 0 ? items : json.fail('an empty list, which is left out');
});

const end = (json) => json.object({ run: (field) => field.integer(U32), value: decimal(20) });
const bytes = (json) => json.hex('bytes', LARGEST);

/** Reads an answer: JSON as text or its bytes. It is only checked for its form. */
export function readTableAnswer(text) {
  return readJson(text, LARGEST, 'the answer', (json) => {
    const read = json.object({
      format: formatField(1),
      dictionary: digest,
      version: u64,
      table: (field) => field.string(),
      query: (field) => field.string(),
      schema: claim,
      runs: (field) => field.list(claim),
      totals: some((group) => group.list(decimal(78))),
      cut: optional((field) => field.object({
        splits: (splits) => splits.list((split) => split.integer(U64)), low: optional(end), high: optional(end),
      })),
      comparisons: some(bytes),
      row: optional((field) => field.object({
        position: (position) => position.integer(0xffffn), value: decimal(20), salt: (salt) => salt.bytes('a salt', 16),
        text: (texts) => texts.list((item) => item.string()), path: (path) => path.list(digest),
      })),
      opening: optional((field) => field.bytes('an opening', 96)),
      certificates: some((item) => item.object({ statement: bytes, certificate: bytes })),
      root: optional(tie),
    });
    if (read.runs.length > 2 * MOST_RUNS + 1) json.fail('more runs than an answer has');
    const { format, root, ...others } = read;
    return { ...others, tie: root ?? null };
  });
}
