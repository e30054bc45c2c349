import type { ContractRow, ProtocolRegistry } from '@plimsoll/evm';
import type { Address } from 'viem';
import { openListing } from '../../test/open-listing';
import { marketListsOf } from '../families';

interface Listed {
  protocol: string;
  contracts: ContractRow;
  /** All markets that the contracts list, in their order. The row names the first one. */
  listed: readonly Record<string, Address>[];
}

describe.each([
  ['llamma-mint', 'llamma', 'controller'],
  ['comet', 'comet', 'comet'],
] as const)('the markets of %s, listed by its own code', (name, protocolFamily, identity) => {
  const { description, parts, block } = openListing<Listed>(name);
  const { protocol, contracts, listed } = description;

  it('are all that were created, each once; those that the registry names keep their names', async () => {
    const row = {
      id: protocol,
      name: protocol,
      family: protocolFamily,
      category: 'lending',
      riskTier: 'low',
    } as const;
    const registry: ProtocolRegistry = { chains: [], protocols: [{ ...row, chains: { '1': contracts } }] };
    const lists = marketListsOf(registry, parts);
    expect(lists.rows.map(({ market }) => market)).toEqual(['first']);
    const added = listed.slice(1).map((own) => ({
      protocol,
      family: name,
      chainId: 1,
      market: own[identity],
      contracts: own,
    }));
    expect(added.length).toBeGreaterThan(0);
    expect(await lists.refresh(block)).toEqual({ added, failing: [] });
    expect(lists.rows.map(({ market }) => market)).toEqual(['first', ...added.map(({ market }) => market)]);
  });
});
