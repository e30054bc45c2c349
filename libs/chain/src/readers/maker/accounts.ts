import type { MakerUrn } from '@plimsoll/protocol-math';
import { zeroAddress, type Address, type Hex } from 'viem';
import type { BlockRef } from '../../multicall/pinned-call';
import type { Answers, PlanBuilder } from '../../multicall/plan-builder';
import { readCall } from '../../multicall/read-call';
import type { AccountsAnswer, HeldAccount, Holder, ReadScope } from '../family';
import { readEach, readFurther } from '../read-each';
import { contractOf, lowerCase, optionalContractOf } from '../row-text';
import { makerAbi, vatAbi } from './abi';

/** A vault of the CDP manager. */
export interface MakerVault extends MakerUrn {
  id: string;
  ilk: Hex;
}

/** A wallet with its vaults. */
export interface MakerAccount extends HeldAccount {
  vaults: readonly MakerVault[];
}

type Cdp = Pick<MakerVault, 'id' | 'ilk'> & { urn: Address };

/** Vaults that a wallet owns itself or by its proxy, if the proxy still is its own. */
export async function readMakerAccounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
): Promise<AccountsAnswer<MakerAccount>> {
  const [vat, lister, manager] = ['vat', 'getCdps', 'cdpManager'].map((name) =>
    contractOf(scope.row, name),
  ) as [Address, Address, Address];
  const proxies = optionalContractOf(scope.row.contracts, 'proxyRegistry');
  const addCdps = (plan: PlanBuilder, owner: Address): ((answers: Answers) => Cdp[]) => {
    const slot = plan.add(readCall(lister, makerAbi, 'getCdpsAsc', [manager, owner]));
    return ({ value }) => {
      const [ids, urns, ilks] = value(slot);
      return ids.map((id, index) => ({ id: String(id), urn: lowerCase(urns[index]!), ilk: ilks[index]! }));
    };
  };
  const owners = await readEach(scope, 'vault owners', holders, block, (plan, { wallet }) => {
    const own = addCdps(plan, wallet);
    const proxy = proxies && plan.add(readCall(proxies, makerAbi, 'proxies', [wallet]));
    return (answers) => ({
      wallet,
      own: own(answers),
      proxy: proxy ? lowerCase(answers.value(proxy)) : zeroAddress,
    });
  });
  const known = await readFurther(owners, (found) =>
    readEach(scope, 'vaults of proxies', found, block, (plan, { wallet, own, proxy }) => {
      if (proxy === zeroAddress) return () => ({ wallet, cdps: own });
      const owner = plan.add(readCall(proxy, makerAbi, 'owner', []));
      const behind = addCdps(plan, proxy);
      return (answers) => {
        const isOwn = lowerCase(answers.value(owner)) === wallet;
        return { wallet, cdps: isOwn ? [...own, ...behind(answers)] : own };
      };
    }),
  );
  return readFurther(known, (found) =>
    readEach(scope, 'vaults', found, block, (plan, { wallet, cdps }) => {
      const slots = cdps.map(({ id, ilk, urn }) => ({
        id,
        ilk,
        state: plan.add(readCall(vat, vatAbi, 'urns', [ilk, urn])),
      }));
      return ({ value }): MakerAccount => {
        const vaults = slots
          .map(({ id, ilk, state }) => {
            const [ink, art] = value(state);
            return { id, ilk, ink, art };
          })
          .filter(({ ink, art }) => ink + art > 0n);
        return { wallet, keys: vaults.map(({ ilk }) => ilk), vaults };
      };
    }),
  );
}
