import { Injectable } from '@nestjs/common';
import {
  type AlertContent,
  type AlertItem,
  type AlertResolveReason,
  type AlertSilence,
  type AlertType,
  type Band,
  type ListAlertsQuery,
  NO_ALERT_CONTENT,
  type Severity,
  checksumAddress,
  firstIdAt,
  parseAddress,
} from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Conditions, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { Address } from 'viem';
import { columns, selectSql } from '../infrastructure/bulk-rows';

/** A row of the list. Times are in milliseconds since 1970. */
interface ListedAlert {
  id: string;
  type: AlertType;
  severity: Severity;
  title: string;
  message: string;
  createdAtMs: number;
  /** Null: active. */
  resolvedAtMs: number | null;
  acknowledgedAtMs: number | null;
  silence: AlertSilence | null;
  silencedUntilMs: number | null;
  positionId: string | null;
  ruleId: string | null;
  asset: string | null;
  incidentId: string | null;
  groupId: string | null;
  confidenceScore: number;
  level: Band | null;
  updatedAtMs: number | null;
  revision: number;
  resolveReason: AlertResolveReason | null;
  escalatedTo: string | null;
  /** Null: an alert of an earlier release, or without figures. */
  content: AlertContent | null;
}

const COLUMNS = selectSql(
  columns<ListedAlert>({
    text: [
      'id',
      'type',
      'severity',
      'title',
      'message',
      'positionId',
      'ruleId',
      'asset',
      'incidentId',
      'groupId',
      'level',
      'resolveReason',
      'escalatedTo',
      'silence',
    ],
    float8: ['confidenceScore'],
    time: ['createdAtMs', 'resolvedAtMs', 'updatedAtMs', 'acknowledgedAtMs', 'silencedUntilMs'],
    bigint: ['revision'],
    jsonb: ['content'],
  }),
);

/** Filters of GET /v1/alerts. */
export type AlertFilter = Omit<ListAlertsQuery, 'limit' | 'cursor'>;

/** Lists the alerts of accounts. */
@Injectable()
export class ListAlertsRepository {
  constructor(private readonly pool: Pool) {}

  /**
   * Newest first, starting after the alert `beforeId`. Ids sort by creation time.
   * @throws invalid_request for an invalid wallet
   */
  async list(
    accountId: string,
    filter: AlertFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<AlertItem[]> {
    const { walletGroupId } = filter;
    const wallets =
      walletGroupId === undefined ? null : await this.walletsOf(accountId, walletGroupId, filter.wallet);
    if (wallets?.length === 0) return [];
    const { text, values } = listSql(accountId, filter, beforeId, limit, wallets);
    // Without a name, so that Postgres plans each run with its values: the same filter matches few alerts or most of them.
    return (await this.pool.query<ListedAlert>({ text, values })).rows.map(alertItem);
  }

  /** Returns the watched wallets in the group, or only `wallet` where it is one. */
  private async walletsOf(accountId: string, groupId: string, wallet?: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ wallet: string }>(WALLETS_OF_GROUP, [accountId, groupId]);
    const wallets = rows.map((row) => checksumAddress(row.wallet as Address));
    if (wallet === undefined) return wallets;
    const only = checksumAddress(parseAddress(wallet, 'wallet'));
    return wallets.filter((each) => each === only);
  }

  /** Returns the alert of the account. The caller knows that it exists. */
  async one(tx: SqlExecutor, accountId: string, id: string): Promise<AlertItem> {
    const { rows } = await tx.query<ListedAlert>(
      `SELECT ${COLUMNS} FROM alerts WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    );
    return alertItem(rows[0] as ListedAlert);
  }

  /** Keeps the time of the first acknowledgement. Returns null without such an alert of the account. */
  async acknowledge(accountId: string, id: string, nowMs: number): Promise<AlertItem | null> {
    const { rows } = await this.pool.query<ListedAlert>(
      `UPDATE alerts SET acknowledged_at = coalesce(acknowledged_at, to_timestamp($3::float8 / 1000))
       WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`,
      [id, accountId, nowMs],
    );
    return rows[0] ? alertItem(rows[0]) : null;
  }
}

/** The index of the groups finds them alone: that of the account would read all its wallets. */
export const WALLETS_OF_GROUP = `
WITH grouped AS MATERIALIZED (SELECT * FROM watches WHERE group_ids @> to_jsonb($2::text))
SELECT wallet FROM grouped WHERE account_id = $1 AND watching`;

/**
 * The query of a page. Each filter has an index with the order of the list (`alerts_of_…`).
 * @param wallets only alerts of these; null: of any. Each has a page of its own, because no index has the order of
 * several.
 */
export function listSql(
  accountId: string,
  { status, silence, severity, type, wallet, protocol, chainId, positionId, since }: AlertFilter,
  beforeId: string | null,
  limit: number,
  wallets: readonly string[] | null = null,
): Statement {
  const conditions = new Conditions();
  conditions.equal('account_id', accountId);
  conditions.where((before) => `id < ${before}`, beforeId);
  conditions.equal('severity', severity);
  conditions.equal('type', type);
  conditions.equal('position_id', positionId);
  // In the words of the indexes on the content.
  conditions.equal(
    "content ->> 'wallet'",
    wallet === undefined ? undefined : checksumAddress(parseAddress(wallet, 'wallet')),
  );
  conditions.equal("content ->> 'protocol'", protocol);
  conditions.equal("content ->> 'chainId'", chainId?.toString());
  if (since !== undefined) {
    conditions.where((first) => `id >= ${first}`, firstIdAt('alt', Date.parse(since)));
    conditions.where((from) => `created_at >= ${from}`, new Date(since));
  }
  if (silence === 'none') conditions.add('silence IS NULL');
  else conditions.equal('silence', silence);
  if (status !== undefined) conditions.add(`resolved_at IS ${status === 'active' ? '' : 'NOT '}NULL`);
  const page = `ORDER BY id DESC LIMIT ${conditions.parameter(limit)}`;
  const { values } = conditions;
  if (wallets === null) {
    const text = `SELECT ${COLUMNS} FROM alerts WHERE ${conditions.sql} ${page}`;
    return { text, values };
  }
  conditions.add("content ->> 'wallet' = of.wallet");
  const text = `SELECT ${COLUMNS} FROM unnest(${conditions.parameter(wallets)}::text[]) AS of (wallet)
    CROSS JOIN LATERAL (SELECT * FROM alerts WHERE ${conditions.sql} ${page}) AS alerts ${page}`;
  return { text, values };
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

function alertItem(alert: ListedAlert): AlertItem {
  const { id, type, severity, title, message, ruleId, incidentId, asset } = alert;
  const { createdAtMs, resolvedAtMs, acknowledgedAtMs } = alert;
  return {
    id,
    type,
    severity,
    title,
    message,
    status: resolvedAtMs === null ? 'active' : 'resolved',
    createdAt: isoOf(createdAtMs),
    resolvedAt: resolvedAtMs === null ? null : isoOf(resolvedAtMs),
    ...(acknowledgedAtMs !== null && { acknowledgedAt: isoOf(acknowledgedAtMs) }),
    ...silenceOf(alert),
    ...(ruleId !== null && { ruleId }),
    ...(asset !== null && { asset }),
    ...(incidentId !== null && { incidentId }),
    ...lifeCycle(alert),
    ...contentOf(alert),
    groupId: alert.groupId,
    confidenceScore: alert.confidenceScore,
  };
}

function silenceOf({ silence, silencedUntilMs }: ListedAlert): Partial<AlertItem> {
  if (silence === null) return {};
  return { silence, ...(silencedUntilMs !== null && { snoozedUntil: isoOf(silencedUntilMs) }) };
}

function lifeCycle({
  level,
  updatedAtMs,
  revision,
  resolveReason,
  escalatedTo,
  createdAtMs,
}: ListedAlert): Partial<AlertItem> {
  return {
    ...(level !== null && { level, updatedAt: isoOf(updatedAtMs ?? createdAtMs), revision }),
    ...(resolveReason !== null && { resolveReason }),
    ...(escalatedTo !== null && { escalatedTo }),
  };
}

/** An alert of an earlier release has no figures. Its fields state that. */
function contentOf({ content, positionId }: ListedAlert): AlertContent {
  if (content !== null) return { ...NO_ALERT_CONTENT, ...content };
  if (positionId === null) return NO_ALERT_CONTENT;
  const reason = 'legs_unknown';
  return { ...NO_ALERT_CONTENT, positionId, liquidationPriceReason: reason, remediesReason: reason };
}
