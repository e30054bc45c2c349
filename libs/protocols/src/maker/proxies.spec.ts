import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, zeroAddress, type Address } from 'viem';
import { openRecording } from '../../test/open-recording';
import { OwnerProxies } from '../proxies/owner-proxies';
import { logIndex } from '../reader/log-index';
import { FamilyReader } from '../reader/family-reader';
import { maker } from './reader';

const { row, scope, client, wallets, block } = openRecording('maker/maker-400-days');
const { multicall } = scope;
const registry = contractOf(row, 'proxyRegistry');
const abi = parseAbi([
  'function proxies(address owner) view returns (address)',
  'function owner() view returns (address)',
]);

/** The DSProxy of each wallet in the registry, and who owns it now. */
async function registered(): Promise<{ wallet: Address; proxy: Address; owner: Address }[]> {
  const listed = await readAll(scope, 'proxies', block, (plan) =>
    wallets.map((wallet) => plan.call(registry, abi, 'proxies', [wallet])),
  );
  const known = wallets
    .map((wallet, at) => ({ wallet, proxy: lowerCase(listed[at]!) }))
    .filter(({ proxy }) => proxy !== zeroAddress);
  const owners = await readAll(scope, 'owners', block, (plan) =>
    known.map(({ proxy }) => plan.call(proxy, abi, 'owner', [])),
  );
  return known.map((each, at) => ({ ...each, owner: lowerCase(owners[at]!) }));
}

describe('DSProxies of Maker, by their own code', () => {
  it('a proxy that was given away but is still in the registry belongs to no wallet', async () => {
    const all = await registered();
    const given = all.filter(({ wallet, owner }) => owner !== wallet);
    expect(given).toHaveLength(1);
    const owners = new OwnerProxies({ dsProxyRegistry: registry }, row.chainId, {
      multicall,
      index: logIndex(client),
    });
    const owned = await owners.of(wallets, block);
    expect(owned.get(given[0]!.wallet)).toEqual({ proxies: [], isComplete: true });
    const kept = all.filter(({ wallet, owner }) => owner === wallet);
    expect(kept.length).toBeGreaterThan(5);
    for (const { wallet, proxy } of kept)
      expect(owned.get(wallet)).toEqual({
        proxies: [{ kind: 'ds-proxy', address: proxy }],
        isComplete: true,
      });
  });

  it('the vaults of a proxy are those of its owner, and not of the wallet that gave it away', async () => {
    const all = await registered();
    const { positions } = await new FamilyReader(maker, row, { client, multicall }).readPositions(
      wallets,
      block,
    );
    const held = positions.flatMap(({ wallet, proxy }) => (proxy ? [{ wallet, proxy: proxy.address }] : []));
    expect(held.length).toBeGreaterThan(5);
    for (const { wallet, proxy } of held) expect(all).toContainEqual({ wallet, proxy, owner: wallet });
  });
});
