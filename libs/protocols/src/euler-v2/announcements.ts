import type { BlockRef } from '@plimsoll/evm';
import { readAll } from '@plimsoll/evm';
import type { Address } from 'viem';
import {
  type AnnouncedChange,
  type Announcements,
  ENDED_FOR,
  type EndedAnnouncement,
  shareOfBps,
} from '../reader/announcements';
import type { AnnouncementScope } from '../reader/family';
import type { Token } from '../reader/tokens';
import { vaultAbi } from './abi';
import type { EulerAccount, EulerLoan } from './accounts';

interface TokensAtBlock {
  block: BlockRef;
  tokens: ReadonlyMap<string, Token>;
}

/**
 * The liquidation LTVs of the accounts' collaterals that are falling with time. Source: euler-vault-kit, Governance.sol,
 * setLTV and LTVFull; LTVConfig.sol, getLTV.
 */
export async function readEulerAnnouncements<Market extends TokensAtBlock>(
  scope: AnnouncementScope,
  market: Market,
  accounts: readonly EulerAccount[],
): Promise<Announcements<AnnouncedChange<Market, EulerAccount>>> {
  const { block, tokens } = market;
  const pairs = [...pairsOf(accounts).values()];
  const ramps = await readAll(scope, 'LTVs of collateral', block, (plan) =>
    pairs.map(({ controller, vault, ltvBps }) => ({
      controller,
      vault,
      ltvBps,
      full: plan.attempt(controller, vaultAbi, 'LTVFull', [vault]),
    })),
  );
  const changes: AnnouncedChange<Market, EulerAccount>[] = [];
  const ended: EndedAnnouncement[] = [];
  for (const { controller, vault, ltvBps, full } of ramps) {
    const token = tokens.get(vault);
    if (!full.ok || !token) continue;
    const [, target, , targetTimestamp] = full.value;
    const [to, completeAt] = [BigInt(target), BigInt(targetTimestamp)];
    const id = `ramp ${controller} ${vault} ${completeAt}`;
    if (completeAt > block.timestamp && to < ltvBps)
      changes.push({
        id,
        proposalId: id,
        source: controller,
        token: token.address,
        symbol: token.symbol,
        values: [{ parameter: 'liquidation_threshold', from: shareOfBps(ltvBps), to: shareOfBps(to) }],
        earliestAt: completeAt,
        expiresAt: null,
        isGradual: true,
        after: (account) => ({ market, account: withLtv(account, controller, vault, to) }),
      });
    else if (completeAt > 0n && completeAt <= block.timestamp && completeAt + ENDED_FOR > block.timestamp)
      ended.push({ proposalId: id, end: 'executed' });
  }
  return { changes, ended };
}

/** The LTV of each collateral of each controller, by both. */
function pairsOf(
  accounts: readonly EulerAccount[],
): Map<string, { controller: Address; vault: Address; ltvBps: bigint }> {
  const pairs = new Map<string, { controller: Address; vault: Address; ltvBps: bigint }>();
  for (const { controller, collaterals } of accounts.flatMap(loansOf))
    for (const { vault, ltvBps } of collaterals)
      pairs.set(`${controller} ${vault}`, { controller, vault, ltvBps });
  return pairs;
}

function loansOf({ accounts }: EulerAccount): EulerLoan[] {
  return accounts.flatMap(({ loan }) => (loan === null || loan === 'unreadable' ? [] : loan));
}

function withLtv(account: EulerAccount, controller: Address, vault: Address, ltvBps: bigint): EulerAccount {
  const lowered = (loan: EulerLoan): EulerLoan =>
    loan.controller === controller
      ? {
          ...loan,
          collaterals: loan.collaterals.map((each) => (each.vault === vault ? { ...each, ltvBps } : each)),
        }
      : loan;
  return {
    ...account,
    accounts: account.accounts.map((each) =>
      each.loan === null || each.loan === 'unreadable' ? each : { ...each, loan: lowered(each.loan) },
    ),
  };
}
