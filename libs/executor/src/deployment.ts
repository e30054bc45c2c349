import { encodeDeployData, zeroAddress, type Address, type Hex } from 'viem';
import { executorCode, executorConstructors } from './generated/executor';

/** A contract of contracts/src that can be deployed: one for each protocol family. */
export type ExecutorName = keyof typeof executorCode;

/** What an executor is told once, when it is deployed; it cannot be changed. */
export interface ExecutorSetup {
  /** Names keepers and pauses; moves nothing. */
  owner: Address;
  /** All markets that it will ever call. */
  markets: readonly Address[];
  /** The uptime feed of a rollup's sequencer; left out on a chain that has none. */
  sequencerFeed?: Address;
}

/** Data of the transaction that deploys an executor. */
export function encodeDeployExecutor(name: ExecutorName, setup: ExecutorSetup): Hex {
  const { owner, markets, sequencerFeed = zeroAddress } = setup;
  return encodeDeployData({
    abi: executorConstructors[name],
    bytecode: executorCode[name],
    args: [owner, markets, sequencerFeed],
  });
}
