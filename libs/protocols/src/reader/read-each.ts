import {
  planOf,
  type BlockRef,
  PlanBuilder,
  type CallResults,
  ChainReadError,
  type Outcome,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import type { AccountsResult, ReadScope } from './family';

/**
 * Reads data of each wallet, all in one multicall. A wallet with a failed call is in `failed`.
 * @param add adds the calls of one wallet and returns a function that combines their results
 * @throws ChainReadError when the multicall fails as a whole
 */
export async function readEach<Item extends { wallet: Address }, Account>(
  { row, multicall }: Pick<ReadScope, 'row' | 'multicall'>,
  what: string,
  items: readonly Item[],
  block: BlockRef,
  add: (plan: PlanBuilder, item: Item) => (results: CallResults) => Account,
): Promise<AccountsResult<Account>> {
  const plan = planOf(row, what);
  const slots = items.map((item) => ({ wallet: item.wallet, account: add(plan, item) }));
  return multicall.read(
    plan.build((results) => {
      const read: AccountsResult<Account> = { accounts: new Map(), failed: [] };
      for (const { wallet, account } of slots) {
        try {
          read.accounts.set(wallet, account(results));
        } catch (error) {
          if (!(error instanceof ChainReadError)) throw error;
          read.failed.push(wallet);
        }
      }
      return read;
    }),
    block,
  );
}

/** A result that depends on several calls. Null when one of them failed: it affects nothing else. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return null;
  }
}

/** The value of a call. Null when it failed. */
export function valueOrNull<T>(outcome: Outcome<T>): T | null {
  return outcome.ok ? outcome.value : null;
}

/** A result that depends on several calls, as the outcome of one. */
export function outcomeOf<T>(read: () => T): Outcome<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return { ok: false, reason: 'reverted' };
  }
}

/** A second read for the results of a first one. Wallets that failed in either have failed. */
export async function readFurther<First extends { wallet: Address }, Account>(
  first: AccountsResult<First>,
  second: (found: readonly First[]) => Promise<AccountsResult<Account>>,
): Promise<AccountsResult<Account>> {
  const { accounts, failed } = await second([...first.accounts.values()]);
  return { accounts, failed: [...first.failed, ...failed] };
}
