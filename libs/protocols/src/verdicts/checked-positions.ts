import type { Mismatch, Unreadable } from '../reader/protocol-reader';
import type { RawPosition } from '../reader/raw-position';
import { isExact, type Verdict } from './verdict';

/** Positions of a row with what the contract states of each. */
export interface CheckedPositions {
  positions: { position: RawPosition; verdicts: Verdict[] }[];
  /** Differences from the figures that readers request from the contract in every read. */
  mismatches: Mismatch[];
  unreadable: Unreadable[];
}

/** The numbers of a check, which descriptions of recordings state. */
export interface CheckCounts {
  positions: number;
  /** Positions in which our value of every verdict is the contract's. */
  exact: number;
  different: number;
  /** Wallets with a part that could not be read. */
  unreadable: number;
  verdicts: number;
  /** Outcomes of the liquidation itself. */
  liquidations: { succeed: number; revert: number };
}

/** Counts checked positions of several rows. */
export function countChecks(checks: readonly CheckedPositions[]): CheckCounts {
  const positions = checks.flatMap((check) => check.positions);
  const verdicts = positions.flatMap((each) => each.verdicts);
  const outcomes = verdicts.filter(({ isLiquidation }) => isLiquidation);
  const mismatched = new Set(checks.flatMap(({ mismatches }) => mismatches.map(({ wallet }) => wallet)));
  const different = positions.filter(
    ({ position, verdicts: own }) => mismatched.has(position.wallet) || !own.every(isExact),
  ).length;
  return {
    positions: positions.length,
    exact: positions.length - different,
    different,
    unreadable: new Set(checks.flatMap(({ unreadable }) => unreadable.flatMap(({ wallets }) => wallets)))
      .size,
    verdicts: verdicts.length,
    liquidations: {
      succeed: outcomes.filter(({ contract }) => contract === true).length,
      revert: outcomes.filter(({ contract }) => contract === false).length,
    },
  };
}

/** Every difference as a line: wallet, function, our value, the contract's. */
export function differencesOf({ positions, mismatches }: CheckedPositions): string[] {
  const lines = positions.flatMap(({ position: { market, wallet, subId }, verdicts }) =>
    verdicts
      .filter((verdict) => !isExact(verdict))
      .map(({ of, computed, contract }) => {
        return `${market} ${wallet} ${subId} ${of}: ours ${computed}, the contract's ${contract}`;
      }),
  );
  const figures = mismatches.map(
    ({ wallet, figure, computed, contract }) =>
      `${wallet} ${figure}: ours ${computed}, the contract's ${contract}`,
  );
  return [...lines, ...figures];
}
