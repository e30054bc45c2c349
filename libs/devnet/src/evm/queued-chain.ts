import { encodeFunctionData, numberToHex, type Address, type Hex } from 'viem';
import { linkBytecode, type Artifact } from './artifacts';
import type { AnvilRpc } from './rpc';
import { TransactionQueue } from './transaction-queue';

const PLENTY = numberToHex(10n ** 24n);
const CALL_GAS = 500_000n;

/** One call of a contract. */
export interface Call {
  /** Absent: the operator. */
  from?: Address;
  to: Address;
  abi: Artifact['abi'];
  name: string;
  args?: readonly unknown[];
  gas?: bigint;
}

/** A node on which contracts are deployed and called, each time until it is in a block. */
export interface QueuedChain {
  operator: Address;
  /** Deploys a contract and waits for it. */
  deploy(
    artifact: Artifact,
    args?: readonly unknown[],
    libraries?: Record<string, Address>,
  ): Promise<Address>;
  /** Sends calls in order, by default from the operator, and waits for all. */
  send(calls: readonly Call[]): Promise<void>;
}

/** The data of a call. */
export function dataOf({ abi, name, args = [] }: Omit<Call, 'from'>): Hex {
  return encodeFunctionData({ abi, functionName: name, args });
}

/** @param operator an unlocked account of the node; other senders get coins, and must be impersonated */
export function queuedChain(rpc: AnvilRpc, operator: Address): QueuedChain {
  return {
    operator,
    deploy: async (artifact, args = [], libraries = {}) => {
      const queue = await TransactionQueue.open(rpc, [operator]);
      const code = linkBytecode(artifact, libraries);
      const address = queue.deploy(operator, 'contract', artifact.abi, code, args);
      await queue.flush();
      return address.toLowerCase() as Address;
    },
    send: async (calls) => {
      const senders = [...new Set(calls.map(({ from = operator }) => from))];
      const fresh = senders.filter((sender) => sender !== operator);
      await Promise.all(fresh.map((sender) => rpc.request('anvil_setBalance', [sender, PLENTY])));
      const queue = await TransactionQueue.open(rpc, senders);
      for (const call of calls)
        queue.call(call.from ?? operator, call.name, call.to, dataOf(call), call.gas ?? CALL_GAS);
      await queue.flush();
    },
  };
}
