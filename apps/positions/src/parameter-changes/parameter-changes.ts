import { setImmediate } from 'node:timers/promises';
import {
  MOST_PARAMETER_CHANGES,
  MOST_PARAMETER_EFFECTS,
  type ParameterChangeV1,
  positionId,
} from '@plimsoll/contracts';
import type { ReadChange } from '@plimsoll/protocols';
import { healthFactorNumber } from '../amounts/units';
import type { MarketTracker } from '../tracking/market-tracker';

/** Other work of the process waits for at most so many accounts. */
const ACCOUNTS_AT_ONCE = 200;

/**
 * The announcements of governance for a market as of its last block, with the effects on its tracked positions. Several events
 * if there are more effects than one holds. None while the market cannot be read, and for families without announcements.
 * @throws ChainReadError
 */
export async function readParameterChanges(
  market: MarketTracker,
  { nowMs, heartbeatMs }: { nowMs: number; heartbeatMs: number },
): Promise<ParameterChangeV1[]> {
  const { figures, failure, reader } = market;
  if (!reader.hasAnnouncements || figures === null || failure !== null) return [];
  const held = [...market.heldAccounts()];
  const { changes, ended } = await reader.readAnnouncements(
    figures.block,
    held.map(([, account]) => account),
  );
  const shown = changes.slice(0, MOST_PARAMETER_CHANGES);
  const effects: ParameterChangeV1['effects'] = [];
  const { protocol, chainId, market: name } = reader.row;
  for (const [at, [wallet, account]] of (shown.length === 0 ? [] : held).entries()) {
    if (at % ACCOUNTS_AT_ONCE === 0) await setImmediate();
    for (const change of shown)
      for (const { subId, healthFactor, healthFactorAfter } of change.effectsOn(account))
        effects.push({
          changeId: change.id,
          positionId: positionId({ protocol, chainId, market: name, subId, wallet }),
          healthFactor: healthFactorNumber(healthFactor)!,
          healthFactorAfter: healthFactorNumber(healthFactorAfter),
        });
  }
  const { number, hash, timestamp } = figures.block;
  return pagesOf(effects).map((page) => ({
    protocol,
    chainId,
    market: name,
    changes: shown.map(changeOf),
    ended: [...ended],
    effects: page,
    block: Number(number),
    blockHash: hash,
    blockTime: timeOf(timestamp),
    publishedAt: new Date(nowMs).toISOString(),
    heartbeatMs,
  }));
}

/** At least one. */
function pagesOf(effects: ParameterChangeV1['effects']): ParameterChangeV1['effects'][] {
  const pages = [effects.slice(0, MOST_PARAMETER_EFFECTS)];
  for (let from = MOST_PARAMETER_EFFECTS; from < effects.length; from += MOST_PARAMETER_EFFECTS)
    pages.push(effects.slice(from, from + MOST_PARAMETER_EFFECTS));
  return pages;
}

function changeOf({
  id,
  proposalId,
  source,
  token,
  symbol,
  values,
  earliestAt,
  expiresAt,
  isGradual,
}: ReadChange<unknown>): ParameterChangeV1['changes'][number] {
  return {
    id,
    proposalId,
    source,
    asset: symbol || token || id,
    token,
    values: [...values],
    earliestAt: timeOf(earliestAt),
    expiresAt: expiresAt === null ? null : timeOf(expiresAt),
    isGradual,
  };
}

/** A contract may state any number. This is the end of the last year with four digits. */
const LAST_SECOND = 253_402_300_799n;

function timeOf(seconds: bigint): string {
  return new Date(Number(seconds < LAST_SECOND ? seconds : LAST_SECOND) * 1_000).toISOString();
}
