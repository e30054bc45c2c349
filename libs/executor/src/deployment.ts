import { encodeDeployData, zeroAddress, type Address, type Hex } from 'viem';
import { executorCode, executorConstructors } from './generated/executor';

/** A contract of contracts/src that can be deployed: one for each protocol family. */
export type ExecutorName = keyof typeof executorCode;

/** The settings of an executor at its deployment. They cannot be changed. */
export interface ExecutorSetup {
  /** Names keepers and pauses. It cannot move funds. */
  owner: Address;
  /** All markets that it can ever call. */
  markets: readonly Address[];
  /** The uptime feed of a rollup's sequencer. Absent on a chain without one. */
  sequencerFeed?: Address;
  /** Morpho Blue, which lends the flash loans of Comet and Compound v2. Absent on a chain without it. */
  flashLender?: Address;
}

/**
 * Data of the transaction that deploys an executor. @throws for a flash lender that this executor does not
 * use
 */
export function encodeDeployExecutor(name: ExecutorName, setup: ExecutorSetup): Hex {
  const { owner, markets, sequencerFeed = zeroAddress, flashLender } = setup;
  const args = [owner, markets, sequencerFeed] as const;
  if (name === 'CometExecutor' || name === 'CompoundV2Executor')
    return encodeDeployData({
      abi: executorConstructors[name],
      bytecode: executorCode[name],
      args: [...args, flashLender ?? zeroAddress],
    });
  if (flashLender) throw new Error(`${name} borrows from its own market: omit flashLender`);
  return encodeDeployData({ abi: executorConstructors[name], bytecode: executorCode[name], args });
}
