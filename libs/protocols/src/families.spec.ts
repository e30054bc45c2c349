import { allMarkets, loadRegistry } from '@plimsoll/evm';
import { familyOf } from './families';

describe('FAMILIES', () => {
  it('has the family of every row of the registry', async () => {
    const rows = allMarkets(await loadRegistry());
    expect(rows.length).toBeGreaterThan(100);
    const without = rows.filter((row) => !familyOf(row));
    expect(without.map(({ protocol, chainId, market }) => `${protocol} ${chainId} ${market}`)).toEqual([]);
  });
});
