import type { AccountRegistries } from '@plimsoll/evm';
import type { Address } from 'viem';
import { openListing } from '../../test/open-listing';
import { OwnerProxies } from './owner-proxies';

interface ListedAccounts {
  contracts: AccountRegistries;
  names: Record<'anna' | 'ben' | 'carl' | 'dora', Address>;
  /** The accounts of each wallet, in the order in which it got them. */
  accounts: Record<'anna' | 'ben' | 'carl' | 'dora', readonly Address[]>;
}

const KEPT = 32;

describe.each(['summer', 'instadapp'] as const)('the accounts of %s, by their own code', (kind) => {
  const { description, parts, block } = openListing<ListedAccounts>(kind);
  const { contracts, names, accounts } = description;

  it('belong to the wallets that the contracts state now; more than are read leave a wallet incomplete', async () => {
    const wallets = [names.anna, names.ben, names.carl, names.dora];
    const owned = await new OwnerProxies(contracts, 1, parts).of(wallets, block);
    const all = [accounts.anna, accounts.ben, accounts.carl, accounts.dora];
    expect(wallets.map((wallet) => owned.get(wallet))).toEqual(
      all.map((own) => ({
        proxies: own.slice(0, KEPT).map((address) => ({ kind, address })),
        isComplete: own.length <= KEPT,
      })),
    );
    expect(all.some((own) => own.length > 0)).toBe(true);
  });
});
