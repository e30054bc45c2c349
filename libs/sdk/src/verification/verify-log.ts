import {
  type Json,
  type LogConsistency,
  type LogInclusion,
  type LogRoot,
  type Receipt,
  isConsistent,
  isIncluded,
  leafBytes,
  logEntry,
  rootEntry,
  signedRoot,
  signedText,
  wrongLogPart,
} from '@plimsoll/receipts';
import { bytesOf, hexOf, sha256, utf8 } from './bytes';
import type { VerifyCode } from './codes';
import { Node } from './node';
import { type ReceiptKey, checkSigned } from './signatures';
import { Difference, type Step } from './steps';
import { isForecast, parseReceipt } from './verify-receipt';

/** The outcome of a verification of the log. */
export interface LogVerification extends Step {
  /** The first difference. Null: none was found. */
  code: VerifyCode | null;
  /** The meaning of the code. */
  meaning: string | null;
}

interface Keys {
  /** The published keys. */
  keys: readonly ReceiptKey[];
}

/**
 * The leaf of a receipt in the log, for GET /v1/receipts/inclusion.
 * @throws Difference for a text that is no receipt
 */
export async function leafOf(text: string): Promise<string> {
  return hexOf(await leafBytesOf(parseReceipt(text)));
}

/**
 * Verifies that the log has a receipt: its signature, that of the root, and the proof. It never throws for a receipt
 * or a proof.
 * @param text the receipt exactly as it was received
 * @param inclusion the response of GET /v1/receipts/inclusion
 */
export function verifyInclusion(text: string, inclusion: unknown, { keys }: Keys): Promise<LogVerification> {
  return outcomeOf('inclusion', async () => {
    const receipt = parseReceipt(text);
    const { index, root, proof } = formOf<LogInclusion>('inclusion', inclusion);
    const { keyId, signedAt } = receipt.signature;
    await checkSigned(signedText(receipt.hash, keyId, signedAt), receipt.signature, keys);
    await checkRoot(root, keys);
    const leaf = await leafBytesOf(receipt);
    const statement = { leaf, index, ...headOf(root) };
    if (!(await isIncluded(sha256, statement, proof.map(bytesOf))))
      throw new Difference('not_included', `place ${index} of ${root.size}, ${root.rootHash}`);
    if (isForecast(receipt))
      (await import('./forecast')).checkLogged(receipt.content, root.signature.signedAt);
    const seconds = Math.round((root.signature.signedAt - signedAt) / 1_000);
    return `place ${index} of ${root.size}, in a root signed ${seconds} s after the receipt`;
  });
}

/**
 * Verifies that the log only grew since a root: both signatures and the proof. It never throws for a root or a proof.
 * @param earlier the root that you kept
 * @param consistency the response of GET /v1/receipts/consistency. Its own earlier root is not used
 */
export function verifyConsistency(
  earlier: unknown,
  consistency: unknown,
  { keys }: Keys,
): Promise<LogVerification> {
  return outcomeOf('consistency', async () => {
    const own = formOf<LogRoot>('root', earlier);
    const { later, proof } = formOf<LogConsistency>('consistency', consistency);
    for (const root of [own, later]) await checkRoot(root, keys);
    if (!(await isConsistent(sha256, headOf(own), headOf(later), proof.map(bytesOf))))
      throw new Difference('not_consistent', `${own.size} ${own.rootHash}, ${later.size} ${later.rootHash}`);
    return `the log grew from ${own.size} to ${later.size} receipts`;
  });
}

/**
 * Verifies that a root is on a chain: its signature, and the data of its transaction on your node. It never throws for a root
 * or a node.
 * @param root of an inclusion, or of GET /v1/receipts/roots
 */
export function verifyAnchor(
  root: unknown,
  { keys, rpcUrl, fetch: send = fetch }: Keys & { rpcUrl: string; fetch?: typeof fetch },
): Promise<LogVerification> {
  return outcomeOf('anchor', async () => {
    const own = formOf<LogRoot>('root', root);
    await checkRoot(own, keys);
    if (!own.anchor) throw new Difference('anchor_missing', `the root of size ${own.size}`);
    const { chainId, transactionHash, account } = own.anchor;
    const { from, input, block } = await new Node(rpcUrl, send).transaction(chainId, transactionHash);
    if (from !== account) throw new Difference('anchor_differs', `the sender is ${from}, not ${account}`);
    if (input !== `0x${hexOf(utf8(rootEntry(own)))}`)
      throw new Difference(
        'anchor_differs',
        `the data of ${transactionHash} is not the root of size ${own.size}`,
      );
    const seconds = Number(block.timestamp) - Math.round(own.signature.signedAt / 1_000);
    return `by ${account} in block ${Number(block.number)} of chain ${chainId}, ${seconds} s after the root was signed`;
  });
}

async function outcomeOf(
  name: 'inclusion' | 'consistency' | 'anchor',
  work: () => Promise<string>,
): Promise<LogVerification> {
  try {
    return { name, ok: true, detail: await work(), code: null, meaning: null };
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    return { name, ok: false, detail: error.message, code: error.code, meaning: error.meaning };
  }
}

function formOf<T>(form: Parameters<typeof wrongLogPart>[0], value: unknown): T {
  const wrong = wrongLogPart(form, value as Json);
  if (wrong !== null) throw new Difference('schema_invalid', wrong);
  return value as T;
}

async function checkRoot({ size, rootHash, signature }: LogRoot, keys: readonly ReceiptKey[]): Promise<void> {
  await checkSigned(signedRoot(size, rootHash, signature.keyId, signature.signedAt), signature, keys);
}

const leafBytesOf = (receipt: Pick<Receipt, 'hash' | 'signature'>) =>
  sha256(leafBytes(utf8(logEntry(receipt))));

const headOf = ({ size, rootHash }: LogRoot) => ({ size, root: bytesOf(rootHash) });
