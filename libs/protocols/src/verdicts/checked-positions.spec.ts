import { zeroHash } from 'viem';
import { unreadablePosition } from '../reader/legs';
import { countChecks, differencesOf, type CheckedPositions } from './checked-positions';
import { isExact, type Verdict } from './verdict';

const row = { protocol: 'p', family: 'comet', chainId: 1, market: 'm', contracts: {} };
const block = { number: 1n, hash: zeroHash, timestamp: 0n };
const [first, second, third] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as const);

function checked(verdicts: readonly Verdict[][], more: Partial<CheckedPositions> = {}): CheckedPositions {
  const wallets = [first!, second!, third!];
  return {
    positions: verdicts.map((own, at) => ({
      position: unreadablePosition(row, block, wallets[at]!),
      verdicts: own,
    })),
    mismatches: [],
    unreadable: [],
    ...more,
  };
}

const liquidation = (computed: boolean, contract: boolean): Verdict => ({
  of: 'liquidate',
  computed,
  contract,
  isLiquidation: true,
});

describe('isExact', () => {
  it.each<[Verdict['computed'], Verdict['contract'], bigint | undefined, boolean]>([
    [5n, 5n, undefined, true],
    [5n, 6n, undefined, false],
    [5n, 6n, 1n, true],
    [5n, 7n, 1n, false],
    [true, false, undefined, false],
    [null, null, undefined, true],
    [5n, null, 9n, false],
  ])('%s and %s, exact to %s: %s', (computed, contract, exactTo, expected) => {
    expect(isExact({ of: 'f', computed, contract, ...(exactTo !== undefined && { exactTo }) })).toBe(
      expected,
    );
  });
});

describe('countChecks', () => {
  it('counts a position as different for one verdict, or for a figure of its reading', () => {
    const same: Verdict = { of: 'debt', computed: 1n, contract: 1n };
    const wrong: Verdict = { of: 'debt', computed: 1n, contract: 2n };
    const check = checked(
      [[same, liquidation(true, true)], [same, wrong, liquidation(false, true)], [same]],
      {
        mismatches: [{ wallet: third!, figure: 'healthFactor', computed: 1n, contract: 2n }],
        unreadable: [
          { protocol: 'p', chainId: 1, market: 'm', reason: 'call_failed', wallets: ['0x9', '0x9'] },
        ],
      },
    );
    expect(countChecks([check])).toEqual({
      positions: 3,
      exact: 1,
      different: 2,
      unreadable: 1,
      verdicts: 6,
      liquidations: { succeed: 2, revert: 0 },
    });
    expect(differencesOf(check)).toEqual([
      `m ${second}  debt: ours 1, the contract's 2`,
      `m ${second}  liquidate: ours false, the contract's true`,
      `${third} healthFactor: ours 1, the contract's 2`,
    ]);
  });
});
