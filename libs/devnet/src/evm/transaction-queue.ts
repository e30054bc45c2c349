import { encodeDeployData, getContractAddress, numberToHex, type Abi, type Address, type Hex } from 'viem';
import type { AnvilRpc } from './rpc';

/** The part of a receipt that the devnet looks at. */
export interface Receipt {
  status: Hex;
  blockNumber: Hex;
  transactionHash: Hex;
}

interface QueuedTransaction {
  label: string;
  from: Address;
  nonce: number;
  gas: bigint;
  to?: Address;
  data: Hex;
}

const DEPLOY_GAS = 8_000_000n;
const CALL_GAS = 1_500_000n;
/** Below anvil's 30 M a block: with mixed mining it drops transactions that no longer fit into the block. */
const WAVE_GAS = 28_000_000n;
const RECEIPT_DEADLINE_MS = 20_000;
const RECEIPT_POLL_MS = 5;

/**
 * Transactions that are written down first and sent together, in one JSON-RPC batch for each flush.
 * Nonces are counted here, so the address of a contract is known before it is deployed, and gas is always explicit
 * (an estimate would run against a state in which the earlier transactions are not there yet).
 */
export class TransactionQueue {
  private readonly queued: QueuedTransaction[] = [];
  private readonly nonces = new Map<Address, number>();

  private constructor(private readonly rpc: AnvilRpc) {}

  /** A queue for the given senders; each must be unlocked or impersonated on the node. */
  static async open(rpc: AnvilRpc, senders: readonly Address[]): Promise<TransactionQueue> {
    const queue = new TransactionQueue(rpc);
    const counts = await Promise.all(
      senders.map((sender) => rpc.request<Hex>('eth_getTransactionCount', [sender, 'pending'])),
    );
    senders.forEach((sender, index) => queue.nonces.set(sender, Number(counts[index])));
    return queue;
  }

  /** Queues a deployment and returns the address the contract will have. */
  deploy(from: Address, label: string, abi: Abi, bytecode: Hex, args: readonly unknown[] = []): Address {
    const nonce = this.takeNonce(from);
    this.queued.push({
      label,
      from,
      nonce,
      gas: DEPLOY_GAS,
      data: encodeDeployData({ abi, bytecode, args }),
    });
    return getContractAddress({ from, nonce: BigInt(nonce) });
  }

  /** Queues a call of a contract. */
  call(from: Address, label: string, to: Address, data: Hex, gas = CALL_GAS): void {
    this.queued.push({ label, from, nonce: this.takeNonce(from), gas, to, data });
  }

  /**
   * Sends what is queued, in order, and waits until every receipt is there.
   * @throws naming the first transaction that reverted, or when receipts do not come within 20 s
   */
  async flush(): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const wave of wavesWithin(this.queued.splice(0), WAVE_GAS))
      receipts.push(...(await this.send(wave)));
    return receipts;
  }

  private async send(wave: readonly QueuedTransaction[]): Promise<Receipt[]> {
    const hashes = await Promise.all(
      wave.map(({ label: _label, nonce, gas, ...transaction }) =>
        this.rpc.request<Hex>('eth_sendTransaction', [
          { ...transaction, nonce: numberToHex(nonce), gas: numberToHex(gas) },
        ]),
      ),
    );
    const receipts = await waitForReceipts(this.rpc, hashes);
    const failed = receipts.findIndex((receipt) => receipt.status !== '0x1');
    if (failed >= 0) {
      const { label } = wave[failed]!;
      throw new Error(`devnet transaction "${label}" reverted (${hashes[failed]}): reset the chain's state`);
    }
    return receipts;
  }

  private takeNonce(from: Address): number {
    const nonce = this.nonces.get(from);
    if (nonce === undefined) throw new Error(`${from} is not a sender of this queue: name it in open()`);
    this.nonces.set(from, nonce + 1);
    return nonce;
  }
}

function wavesWithin(transactions: readonly QueuedTransaction[], limit: bigint): QueuedTransaction[][] {
  const waves: QueuedTransaction[][] = [];
  let gas = limit;
  for (const transaction of transactions) {
    if (gas + transaction.gas > limit) {
      waves.push([]);
      gas = 0n;
    }
    waves.at(-1)!.push(transaction);
    gas += transaction.gas;
  }
  return waves;
}

async function waitForReceipts(rpc: AnvilRpc, hashes: readonly Hex[]): Promise<Receipt[]> {
  const found = new Map<Hex, Receipt>();
  const deadline = Date.now() + RECEIPT_DEADLINE_MS;
  for (;;) {
    const open = hashes.filter((hash) => !found.has(hash));
    const answers = await Promise.all(
      open.map((hash) => rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])),
    );
    answers.forEach((receipt) => receipt && found.set(receipt.transactionHash, receipt));
    if (found.size === new Set(hashes).size) return hashes.map((hash) => found.get(hash)!);
    if (Date.now() > deadline) {
      throw new Error(
        `${hashes.length - found.size} devnet transactions were not mined in time: is mining on?`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS));
  }
}
