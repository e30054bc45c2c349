import { positionId } from '@plimsoll/contracts';
import { loadRegistry } from './load-registry';
import { allMarkets } from './registry';

describe('rows of the registry', () => {
  it('have a unique name in their protocol and chain', async () => {
    const rows = allMarkets(await loadRegistry());
    const names = rows.map(({ protocol, chainId, market }) =>
      `${protocol}|${chainId}|${market}`.toLowerCase(),
    );
    expect(new Set(names).size).toBe(rows.length);
  });

  it.each([
    ['aave-v3', 1, 'AaveV3Ethereum', 'pos_0By7qI40HP6g7dmn8k1CfK'],
    ['aave-v3', 8453, 'AaveV3Base', 'pos_0HxTMP5ZJhuUMShEN83rjk'],
    ['spark', 1, 'spark', 'pos_5anrOo0hZBhyQbjazTOAbq'],
  ])(
    'a position in %s on chain %d keeps the id that it was published under',
    async (protocol, chainId, market, id) => {
      const names = allMarkets(await loadRegistry(), chainId)
        .filter((row) => row.protocol === protocol)
        .map((row) => row.market);
      expect(names).toContain(market);
      const wallet = '0x00000000000000000000000000000000000000aa';
      expect(positionId({ protocol, chainId, market, subId: '', wallet })).toBe(id);
    },
  );
});
