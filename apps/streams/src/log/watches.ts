import { type WalletV1, parseWalletKey } from '@plimsoll/contracts';

const NO_ACCOUNTS: ReadonlySet<string> = new Set();

/** Watches of wallets, from wallet.v1. They decide which account may receive an event. */
export class Watches {
  private readonly accountsByWallet = new Map<string, Set<string>>();
  private readonly walletsByAccount = new Map<string, Set<string>>();

  /** @param value null: no longer watched */
  apply(key: string, value: WalletV1 | null): void {
    const { accountId, wallet } = parseWalletKey(key);
    if (value?.enabled) {
      add(this.accountsByWallet, wallet, accountId);
      add(this.walletsByAccount, accountId, wallet);
    } else {
      remove(this.accountsByWallet, wallet, accountId);
      remove(this.walletsByAccount, accountId, wallet);
    }
  }

  /** @param wallet in any case */
  accountsOf(wallet: string): ReadonlySet<string> {
    return this.accountsByWallet.get(wallet.toLowerCase()) ?? NO_ACCOUNTS;
  }

  walletsOf(accountId: string): ReadonlySet<string> {
    return this.walletsByAccount.get(accountId) ?? NO_ACCOUNTS;
  }
}

function add(index: Map<string, Set<string>>, key: string, member: string): void {
  const members = index.get(key);
  if (members) members.add(member);
  else index.set(key, new Set([member]));
}

function remove(index: Map<string, Set<string>>, key: string, member: string): void {
  const members = index.get(key);
  members?.delete(member);
  if (members?.size === 0) index.delete(key);
}
