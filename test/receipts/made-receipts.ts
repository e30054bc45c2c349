import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { ChainRecording, Multicall, type RpcHeader, parseHead, recordingClient } from '@plimsoll/evm';
import { familyOf, logIndex } from '@plimsoll/protocols';
import { FORMULAS } from '@plimsoll/protocols/math';
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
import type { LocalChain } from '../../libs/protocols/test/local-chain';
import { openRecording } from '../../libs/protocols/test/open-recording';
import type { VenusBook } from '../../libs/protocols/test/venus-books';
import { recordedChain, recordingNames } from './recorded-chains';

/** The families that have a formula. */
export const FAMILIES = Object.keys(FORMULAS);
/** Every wallet of a recording would be thousands of receipts. */
const MOST_OF_A_RECORDING = 5;
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

/** Receipts of recorded positions, evenly over each recording. @param nodeUrl of the node that serves them */
export async function recordedReceipts(signer: Signer, nodeUrl: string): Promise<MadeReceipt[]> {
  const made: MadeReceipt[] = [];
  for (const name of recordingNames(FAMILIES)) {
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

/** Receipts of the seeded wallets of a local chain in some families. */
export async function chainReceipts(
  signer: Signer,
  chain: Parameters<typeof recordedPositions>[0] & Pick<ChainFixture, 'wallets'>,
  families: readonly string[] = ['aave-v3'],
): Promise<MadeReceipt[]> {
  const made: MadeReceipt[] = [];
  for (const family of families)
    for (const { address } of chain.wallets)
      for (const position of await recordedPositions(chain, address, family)) {
        const { content, results } = receiptContent(position);
        const name = `chain ${family} ${address}`;
        made.push({ name, receipt: signer.sign(content), results, rpcUrl: chain.endpoint.rpcUrl });
      }
  return made;
}

/** Wallets with positions in a row. */
export type Book = Pick<VenusBook, 'row' | 'wallets'>;

/** Receipts of the positions of wallets in a row at the newest block, with one reading for all of them. */
export async function bookReceipts(
  signer: Signer,
  { client, multicall3, node }: Pick<LocalChain, 'client' | 'multicall3' | 'node'>,
  { row, wallets }: Book,
): Promise<MadeReceipt[]> {
  const header = await client.request<RpcHeader>('eth_getBlockByNumber', ['latest', false]);
  const recording = new ChainRecording(client.chainId, multicall3, header);
  const own = recordingClient(client, recording);
  const parts = { client: own, multicall: new Multicall(own, multicall3), index: logIndex(own) };
  const reader = familyOf(row)!.makeReader(row, { ...parts, usdOracles: [], nativeCurrency: 'ETH' });
  const block = parseHead(header);
  const { positions } = await reader.readPositions(wallets, block);
  return positions.map((position) => {
    const { content, results } = receiptContent({ row, block, position, recording });
    const name = `chain ${row.family} ${position.wallet}`;
    return { name, receipt: signer.sign(content), results, rpcUrl: node.url };
  });
}
