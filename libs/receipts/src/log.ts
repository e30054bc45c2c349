import type { Json } from './canonical';
import { address, hash, hex32, listOf, object, signature, whole } from './checks';
import { type Receipt, signedText } from './receipt';

/** The root of the log of receipts, as it was published. */
export interface LogRoot {
  /** Receipts in the log. */
  size: number;
  /** In hexadecimal digits. */
  rootHash: string;
  signature: { keyId: string; signedAt: number; value: string };
  /** The transaction that has it. Absent: none is in a block yet. */
  anchor?: LogAnchor;
}

/** A transaction on a chain whose data is the entry of a root. */
export interface LogAnchor {
  chainId: number;
  transactionHash: string;
  /** Its sender. */
  account: string;
}

/** A proof that the log had a receipt. Hashes are hexadecimal digits. */
export interface LogInclusion {
  /** Its place in the log, from 0. */
  index: number;
  root: LogRoot;
  proof: readonly string[];
}

/** A proof that the log only grew between two roots. */
export interface LogConsistency {
  earlier: LogRoot;
  later: LogRoot;
  proof: readonly string[];
}

/**
 * The entry of a receipt in the log: what is signed, and the signature. No one can compute it without the receipt, so
 * the hashes in a proof do not show which other receipts exist.
 */
export function logEntry({
  hash,
  signature: { keyId, signedAt, value },
}: Pick<Receipt, 'hash' | 'signature'>): string {
  return `${signedText(hash, keyId, signedAt)}\n${value}`;
}

/** The text that is signed for a root. */
export function signedRoot(size: number, rootHash: string, keyId: string, signedAt: number): string {
  return `plimsoll-receipt-root-1\n${size}\n${rootHash}\n${keyId}\n${signedAt}`;
}

/** The data of the transaction of a root: what is signed, and the signature. */
export function rootEntry({
  size,
  rootHash,
  signature: { keyId, signedAt, value },
}: Pick<LogRoot, 'size' | 'rootHash' | 'signature'>): string {
  return `${signedRoot(size, rootHash, keyId, signedAt)}\n${value}`;
}

const root = object(
  { size: whole, rootHash: hash, signature },
  { anchor: object({ chainId: whole, transactionHash: hex32, account: address }) },
);
const FORMS = {
  root,
  inclusion: object({ index: whole, root, proof: listOf(hash) }),
  consistency: object({ earlier: root, later: root, proof: listOf(hash) }),
};

/** The path of the first part of a value that does not have the form. Null: it has. */
export function wrongLogPart(form: keyof typeof FORMS, value: Json): string | null {
  return FORMS[form](value, form);
}
