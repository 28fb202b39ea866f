// The verifier: root -> commitment -> opening -> slot covers the key -> answer. docs/format.md has the bytes.
//
// What is trusted: a state root, the dictionary's id and its vector size N. The proof is believed for nothing; what it says of
// itself is compared. With g1, g2 the generators, [tau]_2 of the Ethereum KZG ceremony and w = 7^((r-1)/N), a slot with
// scalar m stands at index i of the vector with commitment C if and only if (but for a break of KZG)
//
//     e(C - m g1 + w^i pi, g2) = e(pi, [tau]_2)
//
// Openings outside of the subgroup are refused here, as `aardvark verify --strict` does: honest ones lie in it.

import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp12, Fr } = bls12_381.fields;
const TAU_G2 = G2.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2');

/** What is no proof at all, or not about what was asked. */
export class Malformed extends Error {}
/** What is a proof, and not true. */
export class False extends Error {}

const malformed = (what) => { throw new Malformed(what); };
const unless = (holds, what) => { if (!holds) throw new False(what); };

/** Bytes of lower-case hexadecimal behind 0x, exactly `length` of them where that is given. */
export function bytes(text, what, length) {
  if (typeof text !== 'string' || !/^0x([0-9a-f]{2})*$/.test(text)) malformed(`${what} is not hexadecimal`);
  const found = hexToBytes(text.slice(2));
  if (length !== undefined && found.length !== length) malformed(`${what} has ${found.length} bytes, not ${length}`);
  return found;
}

/** A whole number that JavaScript holds exactly. */
function number(value, what) {
  return Number.isSafeInteger(value) && value >= 0 ? value : malformed(`${what} is not a whole number below 2^53`);
}

const bigEndian = (value, length) => hexToBytes(BigInt(value).toString(16).padStart(2 * length, '0'));
const tagged = (tag, ...parts) => sha256(concatBytes(bigEndian(tag.length, 1), utf8ToBytes(tag), ...parts));
const equal = (a, b) => bytesToHex(a) === bytesToHex(b);
/** Byte strings in lexicographic order: lower-case hexadecimal has the same. */
const before = (a, b) => bytesToHex(a) < bytesToHex(b);

/** encode(slot): u16 len(key) || key || u16 len(next) || next || value. */
export function encodeSlot({ key, value, next }) {
  return concatBytes(bigEndian(key.length, 2), key, bigEndian(next.length, 2), next, value);
}

/** hash_to_field of RFC 9380 into the scalar field. */
export function slotScalar(slot) {
  const options = { p: Fr.ORDER, m: 1, k: 128, expand: 'xmd', hash: sha256, DST: 'AARDVARK-V1-SLOT' };
  return hash_to_field(encodeSlot(slot), 1, options)[0][0];
}

/** Whether a slot covers a key: the key lies in the cyclic interval [slot.key, slot.next). */
export function covers(slot, key) {
  const [first, last] = [!before(key, slot.key), before(key, slot.next)];
  return before(slot.key, slot.next) ? first && last : first || last;
}

function point(encoded, what) {
  try {
    return G1.fromBytes(encoded);
  } catch {
    return malformed(`${what} is not a point of the group`);
  }
}

/** Whether `opening` opens `commitment` at `index` to `scalar`. */
export function verifyOpening(vectorSize, commitment, index, scalar, opening) {
  const [c, pi] = [point(commitment, 'the commitment'), point(opening, 'the opening')];
  if (index >= vectorSize) return false;
  const root = Fr.pow(7n, (Fr.ORDER - 1n) / BigInt(vectorSize));
  const at = Fr.pow(root, BigInt(index));
  const times = (base, factor) => (factor === 0n ? G1.ZERO : base.multiplyUnsafe(factor));
  const left = c.subtract(times(G1.BASE, scalar)).add(times(pi, at));
  const pairs = [{ g1: left, g2: G2.BASE }, { g1: pi.negate(), g2: TAU_G2 }].filter(({ g1 }) => !g1.is0());
  return Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
}

/** The root to which a path ties a commitment (RFC 9162, 2.1.3.2); neither size nor index is ever received. */
export function rootOfPath(vectors, vector, commitment, path) {
  let [digest, index, width, used] = [sha256(concatBytes(Uint8Array.of(0), commitment)), vector, vectors, 0];
  for (; width > 1; index = Math.floor(index / 2), width = Math.ceil(width / 2)) {
    if (index % 2 === 0 && index + 1 === width) continue;
    const sibling = path[used++] ?? malformed('the path is too short');
    digest = sha256(concatBytes(Uint8Array.of(1), ...(index % 2 === 0 ? [digest, sibling] : [sibling, digest])));
  }
  return used === path.length ? digest : malformed('the path is too long');
}

/** The state root over the parts that a proof carries, of a dictionary that the verifier names. */
export function stateRoot(dictionary, root) {
  const numbers = ['version', 'size', 'tail_start'].map((name) => bigEndian(number(root[name], name), 8));
  const digests = ['commitment_root', 'tail_digest', 'replay_digest', 'window_digest'];
  return tagged('AARDVARK-V1-STATE', dictionary, ...numbers, ...digests.map((name) => bytes(root[name], name, 32)));
}

/** One claim, under a root that was checked: the slot that stands at its position. */
function verifyClaim(claim, tie, size, commitmentRoot, vectorSize) {
  const position = number(claim.position, 'a position');
  unless(position < size, `position ${position} is not in use: there are ${size} slots`);
  const vector = Math.floor(position / vectorSize);
  const commitment = bytes(tie.commitment, 'a commitment', 48);
  if (!Array.isArray(tie.path) || tie.path.length > 64) malformed('a path is no list of digests');
  const path = tie.path.map((digest) => bytes(digest, 'a digest of a path', 32));
  const found = rootOfPath(Math.ceil(size / vectorSize), vector, commitment, path);
  unless(equal(found, commitmentRoot), 'the path does not lead from the commitment to the root');
  const slot = Object.fromEntries(
    ['key', 'value', 'next'].map((name) => [name, bytes(claim.slot?.[name], `a slot's ${name}`)]));
  if (slot.key.length > 255 || slot.next.length > 255 || slot.value.length > 1024) malformed('a slot is too long');
  const opening = bytes(claim.opening, 'an opening', 48);
  unless(verifyOpening(vectorSize, commitment, position % vectorSize, slotScalar(slot), opening),
    'the opening does not prove the slot: the equation fails');
  return { position, vector, index: position % vectorSize, slot, commitment: tie.commitment };
}

/**
 * Verifies a proof (format 1, with its root) for `key` (bytes) against what is trusted: `root` and `dictionary`
 * (32 bytes each), and `vectorSize`. Gives the version and the answer; throws Malformed or False.
 */
export function verify(proof, key, { root, dictionary, vectorSize }) {
  if (!Number.isInteger(vectorSize) || vectorSize < 1 || vectorSize > 4096 || (vectorSize & (vectorSize - 1)) !== 0) {
    malformed('the vector size is not a power of two from 1 to 4096');
  }
  const given = proof?.root ?? malformed('the proof has no root');
  if (proof.format !== 1 || proof.scheme !== 'kzg') malformed('the proof is not of format 1 on KZG');
  if (!equal(bytes(proof.dictionary, 'the dictionary', 32), dictionary)) malformed('the proof is of another dictionary');
  if (proof.vector_size !== vectorSize || proof.version !== given.version) malformed('the proof contradicts itself');
  if (!equal(bytes(proof.key, 'the key'), key) || key.length === 0) malformed('the proof is about another key');
  if (proof.claims?.length !== 1 || given.claims?.length !== 1) malformed('the proof has not one claim');
  unless(equal(stateRoot(dictionary, given), root), 'the proof does not belong to the trusted state root');
  const commitmentRoot = bytes(given.commitment_root, 'commitment_root', 32);
  const claim = verifyClaim(proof.claims[0], given.claims[0], given.size, commitmentRoot, vectorSize);
  unless(covers(claim.slot, key), 'the proved slot does not cover the key');
  const present = equal(claim.slot.key, key);
  return { version: given.version, size: given.size, present, value: present ? claim.slot.value : null, claim };
}
