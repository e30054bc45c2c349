import type { BlockRef, Simulation } from '@plimsoll/evm';
import type { RowScope } from '../reader/family';
import { isLiquidatable, type RawPosition } from '../reader/raw-position';

/** One value that a contract itself states of a position, beside ours. */
export interface Verdict {
  /** The function that states it: isLiquidatable. */
  of: string;
  computed: bigint | boolean | null;
  contract: bigint | boolean | null;
  /** Set if it is the outcome of the liquidation itself, called with this position. */
  isLiquidation?: true;
  /** The largest difference that the contract's own rounding explains. Default: none. */
  exactTo?: bigint;
}

/** The values that verdicts are read with. */
export interface VerdictScope extends RowScope {
  block: BlockRef;
  /**
   * Its sender is the liquidator. Where a liquidation needs tokens and approvals, it can be simulated only on a
   * chain on which the sender has both.
   */
  simulation: Simulation;
}

/**
 * Reads the verdicts on positions of a row, a list for each position in order. It computes nothing that the contract
 * states: its values come from the contract's functions, ours from the position. @throws ChainReadError
 */
export type ReadVerdicts = (scope: VerdictScope, positions: readonly RawPosition[]) => Promise<Verdict[][]>;

/**
 * The verdict of the liquidation itself, in a list.
 * @param of the function that liquidates
 * @param succeeds null: it could not be called, so the list is empty
 */
export function liquidationVerdict(of: string, position: RawPosition, succeeds: boolean | null): Verdict[] {
  if (succeeds === null) return [];
  return [{ of, computed: isLiquidatable(position), contract: succeeds, isLiquidation: true }];
}

/** Whether the contract states what we computed. */
export function isExact({ computed, contract, exactTo = 0n }: Verdict): boolean {
  if (typeof computed !== 'bigint' || typeof contract !== 'bigint') return computed === contract;
  const difference = computed > contract ? computed - contract : contract - computed;
  return difference <= exactTo;
}

/** Simulations at the same time. */
const AT_ONCE = 16;

/** The results for all items, in order, for a few items at a time. */
export async function forEachOf<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(read))));
  return results;
}
