import { Simulation, type MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import { checkPositions } from '../src/check-reading';
import { WAD } from '../src/fixed-point/math';
import { logIndex } from '../src/reader/log-index';
import type { RawPosition } from '../src/reader/raw-position';
import { countChecks, differencesOf, type CheckedPositions } from '../src/verdicts/checked-positions';
import type { LocalChain } from './local-chain';

/** A price with which some positions can be moved to either side of 1. */
interface Mover {
  symbol: string;
  price: bigint;
  setPrice(price: bigint): Promise<unknown>;
}

/** Positions that are moved to just above and just below 1. */
const MOVED = 4;
const LEAST = 10;

/**
 * The liquidation itself is the judge: it succeeds for exactly those positions that we call liquidatable, also one
 * millionth below 1, and reverts a billionth above it. The sender of simulations needs tokens and approvals.
 */
export async function expectLiquidations(
  chain: LocalChain,
  row: MarketRow,
  wallets: readonly Address[],
  { symbol, price, setPrice }: Mover,
): Promise<void> {
  const check = async (of: readonly Address[]): Promise<CheckedPositions> => {
    const { client, multicall, multicall3 } = chain;
    const simulation = new Simulation(client, multicall3);
    return checkPositions(
      row,
      { client, multicall, simulation, index: logIndex(client) },
      of,
      await chain.head(),
    );
  };
  const all = await check(wallets);
  expect(differencesOf(all)).toEqual([]);
  const { succeed, revert } = countChecks([all]).liquidations;
  expect(Math.min(succeed, revert)).toBeGreaterThan(LEAST);
  const outcomes: [healthFactor: bigint, succeeds: boolean][] = [];
  for (const position of movedBy(all, symbol)) {
    const atOne = (price * WAD) / position.healthFactorRaw!;
    for (const moved of [atOne + atOne / 10n ** 9n, atOne - atOne / 10n ** 6n]) {
      await setPrice(moved);
      const [found] = (await check([position.wallet])).positions;
      const outcome = found!.verdicts.find(({ isLiquidation }) => isLiquidation)!;
      outcomes.push([found!.position.healthFactorRaw!, outcome.contract as boolean]);
    }
    await setPrice(price);
  }
  expect(outcomes.map(([factor]) => factor < WAD)).toEqual(outcomes.map((_, at) => at % 2 === 1));
  expect(outcomes.map(([, succeeds]) => succeeds)).toEqual(outcomes.map((_, at) => at % 2 === 1));
  expect(outcomes).toHaveLength(2 * MOVED);
}

/** Positions with a liquidation that could be called, whose whole collateral is one asset, and no debt. */
function movedBy({ positions }: CheckedPositions, symbol: string): RawPosition[] {
  return positions
    .filter(({ position: { legs }, verdicts }) => {
      const counted = legs.filter((leg) => leg.usedAsCollateral && leg.liquidationThresholdBps > 0n);
      const others = legs.filter((leg) => leg.side === 'debt');
      return (
        verdicts.some(({ isLiquidation }) => isLiquidation) &&
        counted.every((leg) => leg.symbol === symbol) &&
        others.every((leg) => leg.symbol !== symbol)
      );
    })
    .map(({ position }) => position)
    .filter(({ totalDebtRaw }) => totalDebtRaw > WAD)
    .slice(0, MOVED);
}
