import {
  type BlockRef,
  type CallResults,
  type PlanBuilder,
  contractOf,
  lowerCase,
  optionalContractOf,
  type MarketRow,
} from '@plimsoll/evm';
import { zeroAddress, type Address, type Hex } from 'viem';
import type { MakerUrn } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { readEach, readFurther } from '../reader/read-each';
import { engineAbi, makerAbi, vatAbi } from './abi';
import { readRawUrns } from './raw-urns';

/**
 * A vault of the CDP manager, by its number, an urn of lockstake, by its address, or another urn of the vat, by its
 * ilk and address.
 */
export interface MakerVault extends MakerUrn {
  id: string;
  ilk: Hex;
  /** The proxy of the wallet that owns it. Absent if the wallet does. */
  proxy?: Address;
}

/** A wallet with its vaults. */
export interface MakerAccount extends HeldAccount {
  vaults: readonly MakerVault[];
}

type Cdp = Pick<MakerVault, 'id' | 'ilk' | 'proxy'> & { urn: Address };

/** The vaults of an owner, and the number of its urns with each engine. */
interface Owned {
  /** The wallet, and its proxy if it has one. */
  owners: readonly Address[];
  cdps: readonly Cdp[];
  opened: readonly { owner: Address; engine: Address; count: bigint }[];
}

/** Vaults and urns that a wallet owns itself or by its proxy, if it still owns the proxy. */
export async function readMakerAccounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
): Promise<AccountsResult<MakerAccount>> {
  const vat = contractOf(scope.row, 'vat');
  const owned = await readOwned(scope, holders, block);
  const known = await readFurther(owned, (found) => readUrns(scope, found, block));
  return readFurther(known, (found) =>
    readEach(scope, 'vaults', found, block, (plan, { wallet, cdps }) => {
      const slots = cdps.map(({ urn, ...vault }) => ({
        ...vault,
        state: plan.call(vat, vatAbi, 'urns', [vault.ilk, urn]),
      }));
      return ({ value }): MakerAccount => {
        const vaults = slots
          .map(({ state, ...vault }): MakerVault => {
            const [ink, art] = value(state);
            return { ...vault, ink, art };
          })
          .filter(({ ink, art }) => ink + art > 0n);
        return { wallet, keys: vaults.map(({ ilk }) => ilk), vaults };
      };
    }),
  );
}

/** The vaults and urns of each wallet, and those of its proxy. */
async function readOwned(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
): Promise<AccountsResult<Owned & { wallet: Address }>> {
  const [lister, manager] = ['getCdps', 'cdpManager'].map((name) => contractOf(scope.row, name)) as [
    Address,
    Address,
  ];
  const proxies = optionalContractOf(scope.row.contracts, 'proxyRegistry');
  const addOwned = (plan: PlanBuilder, owner: Address): ((results: CallResults) => Owned) => {
    const slot = plan.call(lister, makerAbi, 'getCdpsAsc', [manager, owner]);
    const counts = enginesOf(scope.row).map((engine) => ({
      engine,
      count: plan.call(engine, engineAbi, 'ownerUrnsCount', [owner]),
    }));
    return ({ value }) => {
      const [ids, urns, ilks] = value(slot);
      return {
        owners: [owner],
        cdps: ids.map((id, index) => ({ id: String(id), urn: lowerCase(urns[index]!), ilk: ilks[index]! })),
        opened: counts.map(({ engine, count }) => ({ owner, engine, count: value(count) })),
      };
    };
  };
  const owners = await readEach(scope, 'vault owners', holders, block, (plan, { wallet }) => {
    const own = addOwned(plan, wallet);
    const proxy = proxies && plan.call(proxies, makerAbi, 'proxies', [wallet]);
    return (results) => ({
      wallet,
      own: own(results),
      proxy: proxy ? lowerCase(results.value(proxy)) : zeroAddress,
    });
  });
  return readFurther(owners, (found) =>
    readEach(scope, 'vaults of proxies', found, block, (plan, { wallet, own, proxy }) => {
      if (proxy === zeroAddress) return () => ({ wallet, ...own });
      const owner = plan.call(proxy, makerAbi, 'owner', []);
      const behind = addOwned(plan, proxy);
      return (results) => {
        if (lowerCase(results.value(owner)) !== wallet) return { wallet, ...own };
        const { owners, cdps, opened } = behind(results);
        return {
          wallet,
          owners: [...own.owners, ...owners],
          cdps: [...own.cdps, ...cdps.map((cdp) => ({ ...cdp, proxy }))],
          opened: [...own.opened, ...opened],
        };
      };
    }),
  );
}

/**
 * The vaults of each wallet with the urns that it opened with the engines of lockstake, and those that it has in the
 * vat itself.
 */
async function readUrns(
  scope: ReadScope,
  found: readonly (Owned & { wallet: Address })[],
  block: BlockRef,
): Promise<AccountsResult<{ wallet: Address; cdps: readonly Cdp[] }>> {
  const rawUrnsOf = await readRawUrns(
    scope,
    found.flatMap(({ owners }) => owners),
    block,
  );
  return readEach(scope, 'urns', found, block, (plan, { wallet, owners, cdps, opened }) => {
    const byProxy = (owner: Address): Pick<Cdp, 'proxy'> => (owner === wallet ? {} : { proxy: owner });
    const raw = owners.flatMap((owner) =>
      rawUrnsOf(owner).map((urn): Cdp => ({ ...urn, ...byProxy(owner) })),
    );
    const slots = opened
      .filter(({ count }) => count > 0n)
      .map(({ owner, engine, count }) => ({
        owner,
        ilk: plan.call(engine, engineAbi, 'ilk', []),
        urns: Array.from({ length: Number(count) }, (_, index) =>
          plan.call(engine, engineAbi, 'ownerUrns', [owner, BigInt(index)]),
        ),
      }));
    return ({ value }) => {
      const staked = slots.flatMap(({ owner, ilk, urns }) =>
        urns.map((slot): Cdp => {
          const urn = lowerCase(value(slot));
          return { id: urn, urn, ilk: value(ilk), ...byProxy(owner) };
        }),
      );
      return { wallet, cdps: [...cdps, ...staked, ...raw] };
    };
  });
}

/** The engines of lockstake that the row names: that of SKY, and the first one, of MKR. */
export function enginesOf({ contracts }: MarketRow): Address[] {
  return ['lockstakeEngine', 'lockstakeEngineV1'].flatMap(
    (name) => optionalContractOf(contracts, name) ?? [],
  );
}
