import type { InfiniteData } from '@tanstack/react-query';
import { type Change, withChanges } from './changes';
import type { Position, PositionFilter, PositionList } from './requests';

const position = (id: string, healthFactor: number, debt = 1_000): Position => ({
  id,
  protocol: 'aave-v3',
  chainId: 1,
  market: 'AaveV3Ethereum',
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  healthFactor,
  healthFactorRaw: BigInt(Math.round(healthFactor * 1e6)) * 10n ** 12n,
  totalCollateralUsd: 2_000,
  totalDebtUsd: debt,
  totalSuppliedUsd: 2_000,
  netWorthUsd: 2_000 - debt,
  isDust: false,
  probability7d: null,
  riskLevel: healthFactor < 1.25 ? 'high' : 'low',
  riskLevelBasis: 'health_factor',
  riskLevelReason: '',
});

const listOf = (...pages: Position[][]): InfiniteData<PositionList> => ({
  pages: pages.map((positions, index) => ({
    positions,
    nextCursor: index < pages.length - 1 ? 'next' : null,
    riskThresholds: {} as PositionList['riskThresholds'],
    asOfBlock: { 1: 100 },
    blockHash: {},
    unreadable: [],
    chainStatus: {},
  })),
  pageParams: pages.map(() => ''),
});

function apply(
  list: InfiniteData<PositionList>,
  changes: Change[],
  filter: PositionFilter = {},
): { ids: string[][]; isStale: boolean } {
  const { data, isStale } = withChanges(list, new Map(changes.map((each) => [each.id, each])), filter);
  return { ids: data.pages.map(({ positions }) => positions.map(({ id }) => id)), isStale };
}

describe('a list of positions with the changes of the stream', () => {
  const list = listOf([position('a', 1.1), position('b', 1.2)], [position('c', 1.3)]);

  it('has the new figures in the order of the API, over all pages', () => {
    const changed = { ...position('c', 1.05), block: 101 };
    expect(apply(list, [changed])).toEqual({ ids: [['c', 'a'], ['b']], isStale: false });
    expect(apply(list, [{ ...position('a', 1.4, 900), block: 101 }], { sort: 'totalDebtUsd' })).toEqual({
      ids: [['b', 'c'], ['a']],
      isStale: false,
    });
  });

  it('keeps its figures when a change is of an earlier block', () => {
    const changes = new Map([['c', { ...position('c', 1.05), block: 100 }]]);
    expect(withChanges(list, changes, {}).data).toBe(list);
  });

  it('loses a position that no longer has what its filter requires', () => {
    expect(apply(list, [{ ...position('b', 1.3), block: 101 }], { level: 'high' }).ids).toEqual([
      ['a', 'c'],
      [],
    ]);
  });

  it('has no flags that the change has not', () => {
    const flagged = listOf([{ ...position('a', 1.1), flags: ['soft_liquidation'] }]);
    const changes = new Map([['a', { ...position('a', 1.2), block: 101 }]]);
    expect(withChanges(flagged, changes, {}).data.pages[0]?.positions[0]).not.toHaveProperty('flags');
  });

  it('stays one that must be read again when its changes are shown already', () => {
    const changes = new Map([['c', { ...position('c', 1.3, 0), totalSuppliedUsd: 0, block: 101 }]]);
    const shown = withChanges(list, changes, {});
    expect(withChanges(shown.data, changes, {})).toEqual({ data: shown.data, isStale: true });
  });

  it('is read again for a position that was opened, closed, or entered it', () => {
    const opened = { ...position('d', 1.5), block: 101 };
    expect(apply(list, [opened]).isStale).toBe(true);
    expect(apply(list, [opened], { health: 1.4 }).isStale).toBe(false);
    const closed = { ...position('c', 1.3, 0), totalSuppliedUsd: 0, block: 101 };
    expect(apply(list, [closed]).isStale).toBe(true);
  });

  it('is not read again for a position after the pages that were read, or of another wallet', () => {
    const part = listOf([position('a', 1.1)], []);
    part.pages.pop();
    const later = { ...position('d', 1.5), block: 101 };
    expect(apply(part, [later]).isStale).toBe(false);
    expect(apply(part, [{ ...position('e', 1.05), block: 101 }]).isStale).toBe(true);
    expect(apply(list, [later], { group: 'wgr_1' }).isStale).toBe(false);
  });
});
