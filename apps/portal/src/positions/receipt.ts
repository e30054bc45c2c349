import type { ReceiptKey } from '@plimsoll/sdk/verify';
import { plimsoll } from '../api/client';
import { receiptKeys } from '../api/origin';
import type { ToVerify, Verified } from './receipt-worker';

/** The longest verification: some calls on a slow node, and proofs. */
const DEADLINE_MS = 120_000;

export interface VerifiedReceipt {
  /** The receipt exactly as it was received. */
  text: string;
  outcome: Verified;
}

/** Reads a receipt of the position as it is now, and verifies it. @param rpcUrl empty: without a node */
export async function readAndVerify(id: string, rpcUrl: string, proof: boolean): Promise<VerifiedReceipt> {
  const [detail, published] = await Promise.all([
    // Without a node, the results of the calls come with the receipt.
    plimsoll.positions.get({ id, receipt: rpcUrl ? 'true' : 'full' }),
    receiptKeys(),
  ]);
  const text = JSON.stringify(detail.receipt);
  const { keys } = published as { keys: readonly ReceiptKey[] };
  return { text, outcome: await inWorker({ text, keys, proof, ...(rpcUrl && { rpcUrl }) }) };
}

/** Verifies in a worker, which alone may send requests to other hosts. */
async function inWorker(receipt: ToVerify): Promise<Verified> {
  const worker = new Worker(new URL('receipt-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<Verified>();
  worker.addEventListener('message', ({ data }: MessageEvent<Verified>) => resolve(data));
  worker.addEventListener('error', ({ message }) =>
    reject(new Error(message || 'The verifier did not start.')),
  );
  const timer = setTimeout(() => reject(new Error('The verification took too long.')), DEADLINE_MS);
  worker.postMessage(receipt, []);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

/** Whether the page may send requests to the node: the policy of the gateway permits no others. */
export function isAllowedNode(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
}
