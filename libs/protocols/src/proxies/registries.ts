import {
  type AccountRegistries,
  type BlockRef,
  ChainReadError,
  lowerCase,
  type MarketRow,
  type Multicall,
  type PlanBuilder,
  planOf,
  type Slot,
} from '@plimsoll/evm';
import { parseAbi, slice, toEventSelector, zeroAddress, type Address } from 'viem';
import type { HoldingsIndex, IndexSource } from '../reader/family';
import type { Proxy } from '../reader/proxy';

/** The clients with which a registry is read. */
export interface ProxyScope {
  /** The registry as a row, which names the subject of errors and the source of an index. */
  row: MarketRow;
  multicall: Multicall;
  index: HoldingsIndex;
}

/** The proxies of a wallet, as far as they are read. */
export interface ListedProxies {
  proxies: readonly Proxy[];
  /** Whether the registry lists more than are read, which any account can bring about. */
  hasMore: boolean;
}

/** The proxies of each wallet. A wallet whose proxies could not be read is missing. */
export type ProxiesByWallet = ReadonlyMap<Address, ListedProxies>;

/** A contract that lists proxies by wallet. */
export interface ProxyRegistry {
  /** Its entry in the account registries of a chain. */
  name: keyof AccountRegistries;
  /** @throws ChainReadError when the read fails as a whole */
  read(
    scope: ProxyScope,
    registries: AccountRegistries,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<ProxiesByWallet>;
}

/** Any account can make a wallet an authority of further accounts, so the first ones are read and more are unknown. */
const MAX_PROXIES = 32;

const abi = parseAbi([
  'function proxies(address owner) view returns (address)',
  'function owner() view returns (address)',
  'function getAuthorityAccounts(address authority) view returns (address[])',
  'function owners(address proxy) view returns (address)',
]);

/**
 * The proxy registry of Maker. A proxy that was given away stays in it, so its owner is read too. Source:
 * makerdao/proxy-registry, ProxyRegistry.sol; dapphub/ds-proxy.
 */
const dsProxies: ProxyRegistry = {
  name: 'dsProxyRegistry',
  async read(scope, { dsProxyRegistry: registry }, wallets, block) {
    const found = await readEachWallet(scope, wallets, block, (plan, wallet) =>
      plan.call(registry!, abi, 'proxies', [wallet]),
    );
    const listed = [...found].map(([wallet, proxy]) => ({ wallet, proxies: [lowerCase(proxy)] }));
    return ownedOnly(scope, 'ds-proxy', listed, block, (plan, proxy) => plan.call(proxy, abi, 'owner', []));
  },
};

/**
 * The accounts in which a wallet is an authority, by the resolver of Instadapp. Source: Instadapp/dsa-contracts,
 * registry/list.sol (userLink, userList); Instadapp/dsa-resolvers, getAuthorityAccounts.
 */
const instadapp: ProxyRegistry = {
  name: 'instadappResolver',
  async read(scope, { instadappResolver: resolver }, wallets, block) {
    const found = await readEachWallet(scope, wallets, block, (plan, wallet) =>
      plan.call(resolver!, abi, 'getAuthorityAccounts', [wallet]),
    );
    return new Map(
      [...found].map(([wallet, accounts]) => {
        const listed = accounts.filter((account) => account !== zeroAddress);
        const read = listed.slice(0, MAX_PROXIES);
        const proxies = read.map((account): Proxy => ({ kind: 'instadapp', address: lowerCase(account) }));
        return [wallet, { proxies, hasMore: listed.length > read.length }];
      }),
    );
  },
};

const CREATED = toEventSelector('AccountCreated(address,address,uint256)');
const TRANSFERRED = toEventSelector('ProxyOwnershipTransferred(address,address,address)');

/**
 * The accounts of Summer.fi. No call lists them by owner: the factory logs who got an account, the guard who
 * received it later, and the guard knows the owner now. Source: OasisDEX/oasis-earn-sc, AccountFactory.sol and
 * AccountGuard.sol.
 */
const summer: ProxyRegistry = {
  name: 'summerFactory',
  async read(scope, { summerFactory: factory, summerGuard: guard }, wallets, block) {
    const source: IndexSource = {
      addresses: [lowerCase(factory!), lowerCase(guard!)],
      topics: [CREATED, TRANSFERRED],
      entriesOf: ({ topics: [topic, first, second, third] }) => {
        const [wallet, proxy] = topic === CREATED ? [second, first] : [first, third];
        return wallet && proxy ? [{ wallet: slice(wallet, 12), subId: slice(proxy, 12) }] : [];
      },
    };
    const found = await scope.index.subIdsOf(scope.row, source, wallets, block);
    const listed = wallets.map((wallet) => ({ wallet, proxies: (found.get(wallet) ?? []) as Address[] }));
    return ownedOnly(scope, 'summer', listed, block, (plan, proxy) =>
      plan.call(guard!, abi, 'owners', [proxy]),
    );
  },
};

/** Every registry of proxies. Safes have none by owner: a Safe is found when it is watched itself. */
export const PROXY_REGISTRIES: readonly ProxyRegistry[] = [dsProxies, instadapp, summer];

/** The result of a call for each wallet. A wallet whose call failed is missing. */
async function readEachWallet<T>(
  { row, multicall }: ProxyScope,
  wallets: readonly Address[],
  block: BlockRef,
  add: (plan: PlanBuilder, wallet: Address) => Slot<T>,
): Promise<Map<Address, T>> {
  const plan = planOf(row, 'proxies');
  const slots = wallets.map((wallet) => ({ wallet, slot: add(plan, wallet) }));
  const read = plan.build(({ outcome }) =>
    slots.flatMap(({ wallet, slot }): [Address, T][] => {
      const result = outcome(slot);
      return result.ok ? [[wallet, result.value]] : [];
    }),
  );
  return new Map(await multicall.read(read, block));
}

/** The listed proxies that still belong to their wallet. A proxy that does not state its owner has none. */
async function ownedOnly(
  { row, multicall }: ProxyScope,
  kind: Proxy['kind'],
  listed: readonly { wallet: Address; proxies: readonly Address[] }[],
  block: BlockRef,
  addOwner: (plan: PlanBuilder, proxy: Address) => Slot<Address>,
): Promise<ProxiesByWallet> {
  const plan = planOf(row, 'owners of proxies');
  const slots = listed.map(({ wallet, proxies }) => {
    const known = proxies.filter((proxy) => proxy !== zeroAddress);
    const read = known.slice(0, MAX_PROXIES);
    return {
      wallet,
      hasMore: known.length > read.length,
      owned: read.map((address) => ({ address, owner: addOwner(plan, address) })),
    };
  });
  return multicall.read(
    plan.build(({ outcome }) => {
      const isOwnedBy = (wallet: Address, owner: Slot<Address>): boolean => {
        const result = outcome(owner);
        return result.ok && lowerCase(result.value) === wallet;
      };
      return new Map(
        slots.map(({ wallet, hasMore, owned }) => {
          const own = owned.filter(({ owner }) => isOwnedBy(wallet, owner));
          return [wallet, { proxies: own.map(({ address }): Proxy => ({ kind, address })), hasMore }];
        }),
      );
    }),
    block,
  );
}

/** Whether a failure is that of the registry itself, and not of the node. */
export function isOfRegistry(error: unknown): error is ChainReadError {
  return (
    error instanceof ChainReadError && ['call_failed', 'unknown_layout', 'index_behind'].includes(error.code)
  );
}
