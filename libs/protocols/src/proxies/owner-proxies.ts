import type { AccountRegistries, BlockRef, MarketRow, Multicall } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HoldingsIndex } from '../reader/family';
import type { Proxy } from '../reader/proxy';
import {
  isOfRegistry,
  PROXY_REGISTRIES,
  type ListedProxies,
  type ProxyRegistry,
  type ProxyScope,
} from './registries';

/** The proxies of a wallet. `isComplete`: false if a registry could not be read, or lists more than are read. */
export interface OwnedProxies {
  proxies: readonly Proxy[];
  isComplete: boolean;
}

/** The time after which the proxies of a wallet are read again, in seconds of the chain. */
const KEPT_SECONDS = 600n;
const MAX_WALLETS = 50_000;
const NONE: OwnedProxies = { proxies: [], isComplete: true };

/** The proxies of wallets on one chain, which the readers of the chain share. */
export class OwnerProxies {
  private readonly known = new Map<Address, { at: bigint; owned: Promise<OwnedProxies> }>();
  private readonly registries: readonly { registry: ProxyRegistry; scope: ProxyScope }[];

  constructor(
    private readonly addresses: AccountRegistries,
    chainId: number,
    { multicall, index }: { multicall: Multicall; index: HoldingsIndex },
  ) {
    this.registries = PROXY_REGISTRIES.filter(({ name }) => addresses[name]).map((registry) => {
      const row: MarketRow = {
        protocol: 'accounts',
        family: 'accounts',
        chainId,
        market: registry.name,
        contracts: { [registry.name]: addresses[registry.name] },
      };
      return { registry, scope: { row, multicall, index } };
    });
  }

  /** The proxies of each wallet. @throws ChainReadError when the node fails */
  async of(wallets: readonly Address[], block: BlockRef): Promise<Map<Address, OwnedProxies>> {
    const missing = wallets.filter((wallet) => {
      const known = this.known.get(wallet);
      return !known || block.timestamp - known.at > KEPT_SECONDS;
    });
    if (missing.length > 0) {
      const batch = this.read(missing, block);
      for (const wallet of missing)
        this.put(
          wallet,
          block.timestamp,
          batch.then((read) => read.get(wallet) ?? NONE),
        );
    }
    const found = wallets.map(
      async (wallet) => [wallet, (await this.known.get(wallet)?.owned) ?? NONE] as const,
    );
    return new Map(await Promise.all(found));
  }

  private put(wallet: Address, at: bigint, owned: Promise<OwnedProxies>): void {
    const entry = { at, owned };
    const forget = (): void => {
      if (this.known.get(wallet) === entry) this.known.delete(wallet);
    };
    this.known.delete(wallet);
    this.known.set(wallet, entry);
    owned.then(({ isComplete }) => !isComplete && forget(), forget);
    const oldest = this.known.keys().next().value;
    if (this.known.size > MAX_WALLETS && oldest !== undefined) this.known.delete(oldest);
  }

  private async read(wallets: readonly Address[], block: BlockRef): Promise<Map<Address, OwnedProxies>> {
    const lists = await Promise.all(
      this.registries.map(async ({ registry, scope }) => {
        try {
          return await registry.read(scope, this.addresses, wallets, block);
        } catch (error) {
          if (isOfRegistry(error)) return new Map<Address, ListedProxies>();
          throw error;
        }
      }),
    );
    return new Map(
      wallets.map((wallet) => {
        const found = lists.map((list) => list.get(wallet));
        const proxies = found
          .flatMap((each) => each?.proxies ?? [])
          .filter(({ address }) => address !== wallet);
        return [wallet, { proxies, isComplete: found.every((each) => each?.hasMore === false) }];
      }),
    );
  }
}
