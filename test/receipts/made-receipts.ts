import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ChainRecording } from '@plimsoll/evm';
import type { LogRoot, Receipt, ReceiptContent } from '@plimsoll/receipts';
import type { ReceiptKey } from '@plimsoll/sdk/verify';
import { receiptContent } from '../../apps/positions/src/receipts/receipt-content';
import {
  type SignedContent,
  signReceipt,
  signRoot,
} from '../../apps/positions/src/receipt-signing/sign-receipt';
import type { ChainFixture } from '../../apps/positions/test/chain-fixture';
import { recordedPositions } from '../../apps/positions/test/recorded-positions';
import { parseReading } from '../../libs/protocols/src/verdicts/recorded-reading';
import { openRecording } from '../../libs/protocols/test/open-recording';

const FOLDER = path.join(__dirname, '../recordings');
export const FAMILIES = ['aave-v3', 'comet', 'morpho-blue'];
/** Every wallet of a recording would be a thousand receipts. */
const MOST_OF_A_RECORDING = 40;
export const SIGNED_AT = 1_800_000_000_000;

/** A receipt of a real position, with the results of its calls. */
export interface MadeReceipt {
  name: string;
  receipt: Receipt;
  results: string[];
  rpcUrl: string;
}

/** Signs receipts as the service does, with a new key. */
export class Signer {
  readonly key: ReceiptKey;
  private readonly signing: KeyObject;

  constructor(readonly id = 'receipts-test-0') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.signing = privateKey;
    this.key = { id, publicKey: publicKey.export({ format: 'jwk' }).x!, fromMs: 0, untilMs: null };
  }

  sign<Content extends object = ReceiptContent>(content: Content, atMs = SIGNED_AT): SignedContent<Content> {
    return signReceipt(content, { id: this.id, signing: this.signing }, atMs);
  }

  signRoot(size: number, rootHash: string, atMs: number): LogRoot {
    return signRoot(size, rootHash, { id: this.id, signing: this.signing }, atMs);
  }
}

/** The recordings of genuine contracts of the families that have a formula. */
export function recordingNames(): string[] {
  return FAMILIES.flatMap((family) =>
    readdirSync(path.join(FOLDER, family))
      .filter((file) => file.endsWith('.json.gz'))
      .map((file) => `${family}/${file.slice(0, -'.json.gz'.length)}`),
  );
}

/** The chain of a recording. */
export function recordedChain(name: string): ChainRecording {
  return parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`))).chain;
}

/** Receipts of recorded positions, evenly over each recording. @param nodeUrl of the node that serves them */
export async function recordedReceipts(signer: Signer, nodeUrl: string): Promise<MadeReceipt[]> {
  const made: MadeReceipt[] = [];
  for (const name of recordingNames()) {
    const whole = await rowReceipts(signer, nodeUrl, name, 0);
    const step = Math.ceil(whole.length / MOST_OF_A_RECORDING);
    made.push(...whole.filter((_, index) => index % step === 0));
  }
  return made;
}

/** Receipts of all positions of one row of a recording. */
export async function rowReceipts(
  signer: Signer,
  nodeUrl: string,
  name: string,
  at: number,
): Promise<MadeReceipt[]> {
  const { reader, row, wallets, block } = openRecording(name, at);
  const recording = recordedChain(name);
  const { positions } = await reader.readPositions(wallets, block);
  const whole = positions.filter(({ unreadable }) => unreadable === undefined);
  return whole.map((position, index) => {
    const { content, results } = receiptContent({ row, block, position, recording });
    const receipt = signer.sign(content);
    return { name: `${name} ${index}`, receipt, results, rpcUrl: `${nodeUrl}/${name}` };
  });
}

/** Receipts of the seeded wallets of a local chain. */
export async function chainReceipts(signer: Signer, chain: ChainFixture): Promise<MadeReceipt[]> {
  const made: MadeReceipt[] = [];
  for (const { address } of chain.wallets)
    for (const position of await recordedPositions(chain, address)) {
      const { content, results } = receiptContent(position);
      made.push({ name: `chain ${address}`, receipt: signer.sign(content), results, rpcUrl: chain.node.url });
    }
  return made;
}
