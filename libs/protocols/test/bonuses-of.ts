import type { FamilyReader } from '../src/reader/family-reader';
import type { HeldAccount, MarketAtBlock } from '../src/reader/family';
import type { Address } from 'viem';
import type { LocalChain } from './local-chain';

/** The liquidation bonuses of all collateral that secures debt of the wallets, each once. */
export async function bonusesOf<L, M extends MarketAtBlock, A extends HeldAccount>(
  reader: FamilyReader<L, M, A>,
  wallets: readonly Address[],
  chain: LocalChain,
): Promise<Set<bigint | undefined>> {
  const { positions } = await reader.readPositions(wallets, await chain.head());
  const securing = positions.flatMap(({ legs }) =>
    legs.filter((leg) => leg.usedAsCollateral && leg.liquidationThresholdBps > 0n),
  );
  return new Set(securing.map(({ liquidationBonusBps }) => liquidationBonusBps));
}
