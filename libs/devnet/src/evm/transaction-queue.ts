import { encodeDeployData, getContractAddress, numberToHex, type Abi, type Address, type Hex } from 'viem';
import type { AnvilRpc } from './rpc';

/** The fields of a receipt that the devnet uses. */
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
  value?: Hex;
  data: Hex;
}

const DEPLOY_GAS = 8_000_000n;
const CALL_GAS = 1_500_000n;
const PAY_GAS = 30_000n;
/** Below anvil's 30 M a block: with mixed mining it drops transactions that no longer fit into the block. */
const BLOCK_GAS = 28_000_000n;
const RECEIPT_DEADLINE_MS = 20_000;
const RECEIPT_POLL_MS = 5;
/**
 * Anvil can lose a transaction when the clock requests a block while another one is mined. It is then sent
 * again.
 */
const RESEND_MS = 1_000;

/**
 * Transactions that are collected first and sent together, in one JSON-RPC batch for each flush.
 * Nonces are counted here, so the address of a contract is known before it is deployed, and gas is always
 * explicit (an estimate would run against a state in which the earlier transactions are missing).
 */
export class TransactionQueue {
  private readonly queued: QueuedTransaction[] = [];
  private readonly nonces = new Map<Address, number>();

  private constructor(private readonly rpc: AnvilRpc) {}

  /** A queue for the given senders. Each must be unlocked or impersonated on the node. */
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
    return this.create(from, label, encodeDeployData({ abi, bytecode, args }));
  }

  /** As deploy, with the constructor's arguments already in `data`. */
  create(from: Address, label: string, data: Hex): Address {
    const nonce = this.takeNonce(from);
    this.queued.push({ label, from, nonce, gas: DEPLOY_GAS, data });
    return getContractAddress({ from, nonce: BigInt(nonce) });
  }

  /** Queues a call of a contract. */
  call(from: Address, label: string, to: Address, data: Hex, gas = CALL_GAS): void {
    this.queued.push({ label, from, nonce: this.takeNonce(from), gas, to, data });
  }

  /** Queues a payment of the chain's own coin. */
  pay(from: Address, label: string, to: Address, wei: bigint): void {
    const value = numberToHex(wei);
    this.queued.push({ label, from, nonce: this.takeNonce(from), gas: PAY_GAS, to, value, data: '0x' });
  }

  /**
   * Sends the queue, in order, and waits for every receipt.
   * @throws naming the first transaction that reverted, or when receipts do not come within 20 s
   */
  async flush(): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const wave of batchesWithin(this.queued.splice(0), BLOCK_GAS))
      receipts.push(...(await this.send(wave)));
    return receipts;
  }

  private async send(wave: readonly QueuedTransaction[]): Promise<Receipt[]> {
    const submit = ({ label: _label, nonce, gas, ...transaction }: QueuedTransaction): Promise<Hex> =>
      this.rpc.request<Hex>('eth_sendTransaction', [
        { ...transaction, nonce: numberToHex(nonce), gas: numberToHex(gas) },
      ]);
    // A transaction that arrives while a block is mined may stay queued forever, so a chain that mines each
    // transaction immediately is paused.
    const isAutomine = await this.rpc.request<boolean>('anvil_getAutomine', []);
    if (isAutomine) await this.rpc.request('evm_setAutomine', [false]);
    const hashes = await Promise.all(wave.map(submit));
    if (isAutomine) {
      await this.rpc.request('evm_mine', []);
      await this.rpc.request('evm_setAutomine', [true]);
    }
    const receipts = await waitForReceipts(this.rpc, hashes, (index) => submit(wave[index]!));
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

function batchesWithin(transactions: readonly QueuedTransaction[], limit: bigint): QueuedTransaction[][] {
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

/**
 * @param resend sends the transaction of this index again and returns its new hash (the node may set another
 * fee)
 */
async function waitForReceipts(
  rpc: AnvilRpc,
  hashes: Hex[],
  resend: (index: number) => Promise<Hex>,
): Promise<Receipt[]> {
  const found: (Receipt | null)[] = hashes.map(() => null);
  const deadline = Date.now() + RECEIPT_DEADLINE_MS;
  for (let resendAt = Date.now() + RESEND_MS; ;) {
    const open = hashes.flatMap((_, index) => (found[index] ? [] : [index]));
    await Promise.all(
      open.map(async (index) => {
        found[index] = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hashes[index]]);
      }),
    );
    const receipts = found.filter((receipt) => receipt !== null);
    if (receipts.length === hashes.length) return receipts;
    if (Date.now() > deadline) {
      const missing = hashes.length - receipts.length;
      throw new Error(`${missing} devnet transactions were not mined in time: is mining on?`);
    }
    if (Date.now() > resendAt) {
      resendAt = Date.now() + RESEND_MS;
      for (const index of open.filter((each) => !found[each])) {
        const isLost = (await rpc.request('eth_getTransactionByHash', [hashes[index]])) === null;
        if (isLost) hashes[index] = await resend(index);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS));
  }
}
