import { createHash } from 'node:crypto';
import {
  type LogConsistency,
  type LogInclusion,
  type LogRoot,
  type Receipt,
  consistencyRanges,
  inclusionRanges,
  leafBytes,
  logEntry,
  rootOfNodes,
} from '@plimsoll/receipts';
import type { ReceiptKey, VerifyCode } from '@plimsoll/sdk/verify';
import { DAY_MS, forecastReceipt } from './made-forecasts';
import { SIGNED_AT, type Signer } from './made-receipts';
import { textOf } from './tamperings';

const SIZES = [1, 2, 3, 7, 8, 20];
const LATER_MS = 600_000;

/** A statement of the log with the code that verifiers give. Null: nothing differs. */
export interface LogCase {
  name: string;
  keys: readonly ReceiptKey[];
  code: VerifyCode | null;
  /** The receipt of a proof of inclusion. Null: the case is about two roots. */
  text: string | null;
  /** The root that the client kept. */
  kept: unknown;
  /** The response of the service. */
  proof: unknown;
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A log of receipts in memory, with proofs as the service makes them. */
export class MadeLog {
  readonly leaves: Uint8Array[];

  constructor(
    readonly signer: Signer,
    readonly receipts: readonly Pick<Receipt, 'hash' | 'signature'>[],
  ) {
    this.leaves = receipts.map((receipt) => sha256(leafBytes(Buffer.from(logEntry(receipt)))));
  }

  root(size: number): LogRoot {
    return this.signer.signRoot(size, hex(this.rootOf(0, size)), SIGNED_AT + LATER_MS);
  }

  inclusion(index: number, size: number): LogInclusion {
    return { index, root: this.root(size), proof: this.hashes(inclusionRanges(index, size)) };
  }

  consistency(earlier: number, later: number): LogConsistency {
    const proof = this.hashes(consistencyRanges(earlier, later));
    return { earlier: this.root(earlier), later: this.root(later), proof };
  }

  private hashes(ranges: ReturnType<typeof inclusionRanges>): string[] {
    return ranges.map(({ from, to }) => hex(this.rootOf(from, to)));
  }

  private rootOf(from: number, to: number): Uint8Array {
    return rootOfNodes(sha256, this.leaves.slice(from, to));
  }
}

/** Whole and tampered statements of a log of these receipts. @param receipts at least 20 */
export function logCases(receipts: readonly Receipt[], signer: Signer, stranger: Signer): LogCase[] {
  const log = new MadeLog(signer, receipts);
  const common = { keys: [signer.key], code: null, kept: null };
  const inclusion = (name: string, more: Partial<LogCase>): LogCase => ({
    ...common,
    name: `inclusion: ${name}`,
    text: textOf(receipts[5]!),
    proof: log.inclusion(5, 20),
    ...more,
  });
  const consistency = (name: string, more: Partial<LogCase>): LogCase => ({
    ...common,
    name: `consistency: ${name}`,
    text: null,
    kept: log.root(7),
    proof: log.consistency(7, 20),
    ...more,
  });
  const { root, proof, ...place } = log.inclusion(5, 20);
  const { later, ...earlier } = log.consistency(7, 20);
  const other = 'ab'.repeat(32);
  const rewritten = new MadeLog(signer, receipts.toReversed());
  const unsigned = { ...root, signature: { ...root.signature, value: 'A'.repeat(86) } };
  const forecast = forecastReceipt(signer);
  const withForecast = new MadeLog(signer, [...receipts, forecast]);
  const ofForecast = withForecast.inclusion(receipts.length, receipts.length + 1);
  const { size, rootHash } = ofForecast.root;
  const lateRoot = signer.signRoot(size, rootHash, SIGNED_AT + DAY_MS);
  const foreign = stranger.signRoot(root.size, root.rootHash, SIGNED_AT);
  return [
    inclusion('a forecast', { text: textOf(forecast), proof: ofForecast }),
    inclusion('a forecast after its end', {
      text: textOf(forecast),
      proof: { ...ofForecast, root: lateRoot },
      code: 'logged_late',
    }),
    ...SIZES.flatMap((size) =>
      Array.from({ length: size }, (_, index) =>
        inclusion(`${index} of ${size}`, {
          text: textOf(receipts[index]!),
          proof: log.inclusion(index, size),
        }),
      ),
    ),
    ...SIZES.flatMap((from, at) =>
      SIZES.slice(at).map((to) =>
        consistency(`${from} to ${to}`, { kept: log.root(from), proof: log.consistency(from, to) }),
      ),
    ),
    inclusion('another receipt', { text: textOf(receipts[6]!), code: 'not_included' }),
    inclusion('another place', { proof: { ...place, index: 6, root, proof }, code: 'not_included' }),
    inclusion('a place after the end', { proof: { index: 20, root, proof }, code: 'not_included' }),
    inclusion('no proof', { proof: { ...place, root, proof: [] }, code: 'not_included' }),
    inclusion('a longer proof', {
      proof: { ...place, root, proof: [...proof, other] },
      code: 'not_included',
    }),
    inclusion('another hash', {
      proof: { ...place, root, proof: proof.with(1, other) },
      code: 'not_included',
    }),
    inclusion('another root', { proof: { ...place, root: rewritten.root(20), proof }, code: 'not_included' }),
    inclusion('another size', {
      proof: { ...place, root: { ...root, size: 19 }, proof },
      code: 'signature_invalid',
    }),
    inclusion('a changed root', {
      proof: { ...place, root: { ...root, rootHash: other }, proof },
      code: 'signature_invalid',
    }),
    inclusion('no signature', { proof: { ...place, root: unsigned, proof }, code: 'signature_invalid' }),
    inclusion('a foreign root', { proof: { ...place, root: foreign, proof }, code: 'key_unknown' }),
    inclusion('a key that ended', { keys: [{ ...signer.key, untilMs: SIGNED_AT }], code: 'key_expired' }),
    inclusion('a key that begins', {
      keys: [{ ...signer.key, fromMs: SIGNED_AT + 1 }],
      code: 'key_not_yet_valid',
    }),
    inclusion('a part too many', { proof: { ...place, root, proof, note: 1 }, code: 'schema_invalid' }),
    inclusion('a hash in capitals', {
      proof: { ...place, root, proof: proof.map((hash) => hash.toUpperCase()) },
      code: 'schema_invalid',
    }),
    inclusion('a negative place', { proof: { index: -1, root, proof }, code: 'schema_invalid' }),
    inclusion('nothing', { proof: null, code: 'schema_invalid' }),
    inclusion('no receipt', { text: '{', code: 'not_json' }),
    consistency('a rewritten past', { proof: rewritten.consistency(7, 20), code: 'not_consistent' }),
    consistency('another root kept', { kept: rewritten.root(7), code: 'not_consistent' }),
    consistency('a shorter log', {
      kept: log.root(20),
      proof: log.consistency(7, 8),
      code: 'not_consistent',
    }),
    consistency('the same size with another root', {
      kept: rewritten.root(20),
      proof: log.consistency(20, 20),
      code: 'not_consistent',
    }),
    consistency('no proof', { proof: { ...earlier, later, proof: [] }, code: 'not_consistent' }),
    consistency('another hash', {
      proof: { ...earlier, later, proof: earlier.proof.with(0, other) },
      code: 'not_consistent',
    }),
    consistency('a longer proof', {
      proof: { ...earlier, later, proof: [...earlier.proof, other] },
      code: 'not_consistent',
    }),
    consistency('a changed root', {
      proof: { ...earlier, later: { ...later, size: 21 } },
      code: 'signature_invalid',
    }),
    consistency('a foreign root', { kept: stranger.signRoot(7, other, SIGNED_AT), code: 'key_unknown' }),
    consistency('an empty log', { kept: signer.signRoot(0, other, SIGNED_AT), code: 'not_consistent' }),
    consistency('a root with other names', { kept: { ...later, root: other }, code: 'schema_invalid' }),
  ];
}
