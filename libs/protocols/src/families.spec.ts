import { allMarkets, type ChainClient, loadRegistry, type Multicall } from '@plimsoll/evm';
import { FAMILIES, familyOf, marketListsOf, usdOraclesOf } from './families';
import { FORMULAS } from './formulas-math';
import type { HoldingsIndex } from './reader/family';

describe('FAMILIES', () => {
  it('has the family of every row of the registry', async () => {
    const rows = allMarkets(await loadRegistry());
    expect(rows.length).toBeGreaterThan(100);
    const without = rows.filter((row) => !familyOf(row));
    expect(without.map(({ protocol, chainId, market }) => `${protocol} ${chainId} ${market}`)).toEqual([]);
  });
});

describe('FORMULAS', () => {
  it('has a formula of every family', () => {
    expect(Object.keys(FORMULAS)).toEqual(Object.keys(FAMILIES));
  });
});

describe('marketListsOf', () => {
  const LISTED = new Set(['aave-v3', 'spark', 'hyperlend', 'compound-v3', 'venus', 'crvusd']);

  it('has a root on every chain of the protocols whose markets a contract lists', async () => {
    const registry = await loadRegistry();
    const [multicall, index] = [{} as Multicall, {} as HoldingsIndex];
    const found = registry.chains.flatMap(({ id: chainId }) => {
      const client: ChainClient = { chainId, request: () => Promise.reject(new Error('nothing is read')) };
      const lists = marketListsOf(registry, { client, multicall, index });
      return lists.incomplete(0n).map(({ row: { protocol } }) => `${protocol} ${chainId}`);
    });
    const wanted = registry.protocols
      .filter(({ id }) => LISTED.has(id))
      .flatMap(({ id, chains }) => Object.keys(chains).map((chainId) => `${id} ${chainId}`));
    expect(new Set(found)).toEqual(new Set(wanted));
  });
});

describe('usdOraclesOf', () => {
  it('has an oracle on every chain with protocols', async () => {
    const registry = await loadRegistry();
    const without = registry.chains.filter(({ id }) => usdOraclesOf(registry, id).length === 0);
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
