import { FAMILIES } from '../readers/families';
import { loadRegistry } from '../registry/load-registry';
import { allMarkets } from '../registry/registry';
import { ACTIVITY_FAMILIES } from './activity-families';

describe('ACTIVITY_FAMILIES', () => {
  it('reads activities of every family whose positions are read, and of no other', () => {
    expect(Object.keys(ACTIVITY_FAMILIES).toSorted()).toEqual(Object.keys(FAMILIES).toSorted());
  });

  it('every row of the registry has a reader of its positions and one of its activity', async () => {
    const rows = allMarkets(await loadRegistry());
    expect(rows.length).toBeGreaterThan(100);
    const without = rows.filter(({ family }) => !(family in FAMILIES) || !(family in ACTIVITY_FAMILIES));
    expect(without.map(({ protocol, chainId, market }) => `${protocol} ${chainId} ${market}`)).toEqual([]);
  });
});
