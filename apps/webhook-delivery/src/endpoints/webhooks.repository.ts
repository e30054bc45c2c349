import { Injectable } from '@nestjs/common';
import type { Severity, WebhookDisabledReason, WebhookEventType, WebhookItem } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { currentCorrelation, inTransaction, type SealedSecret } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { type DeliveryCount, PrismaClient, type Webhook } from '../generated/prisma/client';
import { applyCaps, lockAccounts } from './webhook-caps';
import type { EventFilter } from '../events/event-filter';
import type { WebhookTarget } from '../outgoing/webhook-target';

/** The filters as the account states them. */
interface StoredFilter extends EventFilter {
  walletGroupIds: string[];
}

export interface NewWebhook extends SealedSecret, StoredFilter {
  id: string;
  accountId: string;
  url: string;
  events: WebhookEventType[];
  createdAt: Date;
}

/** Changes of a PATCH. Null: no change. */
export interface WebhookChanges extends NullableFilter {
  url: string | null;
  events: WebhookEventType[] | null;
  isEnabled: boolean | null;
}

type NullableFilter = { [K in keyof StoredFilter]: StoredFilter[K] | null };

/** Columns for responses, without secrets. */
const SHOWN = {
  include: { deliveryCount: true },
  omit: { secretSealed: true, nextSecretSealed: true },
} as const;

@Injectable()
export class WebhooksRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  async list(accountId: string, beforeId: string | null, limit: number): Promise<WebhookItem[]> {
    const rows = await this.prisma.webhook.findMany({
      where: { accountId, deletedAt: null, ...(beforeId !== null && { id: { lt: beforeId } }) },
      orderBy: { id: 'desc' },
      take: limit,
      ...SHOWN,
    });
    return rows.map(shown);
  }

  async find(accountId: string, id: string): Promise<WebhookItem | null> {
    const row = await this.prisma.webhook.findFirst({ where: { id, accountId, deletedAt: null }, ...SHOWN });
    return row && shown(row);
  }

  async target(accountId: string, id: string): Promise<WebhookTarget | null> {
    const row = await this.prisma.webhook.findFirst({ where: { id, accountId, deletedAt: null } });
    return row && { ...row, webhookId: id, isVerified: row.verifiedAt !== null };
  }

  /**
   * Returns false when the account already has `cap` endpoints. Simultaneous requests never exceed it. `cap`
   * null means no limit.
   */
  async insert(tx: PoolClient, webhook: NewWebhook, cap: number | null): Promise<boolean> {
    await lockAccounts(tx, [webhook.accountId]);
    const { rowCount } = await tx.query(
      `INSERT INTO webhooks (id, account_id, url, events, secret_key_id, secret_sealed, created_at, severities, protocols,
         chain_ids, wallet_group_ids)
       SELECT $1, $2, $3, $4, $5, $6, $7, $9, $10, $11, $12
       WHERE $8::int IS NULL OR (SELECT count(*) FROM webhooks WHERE account_id = $2 AND deleted_at IS NULL) < $8`,
      [
        webhook.id,
        webhook.accountId,
        webhook.url,
        webhook.events,
        webhook.keyId,
        webhook.sealed,
        webhook.createdAt,
        cap,
        webhook.severities,
        webhook.protocols,
        webhook.chainIds,
        webhook.walletGroupIds,
      ],
    );
    return rowCount === 1;
  }

  /**
   * Returns false when the account has no such endpoint. A new URL, or enabling it, resets its health. A new
   * URL must be verified again.
   */
  async update(accountId: string, id: string, changes: WebhookChanges): Promise<boolean> {
    const { url, events, isEnabled, severities, protocols, chainIds, walletGroupIds } = changes;
    const { rowCount } = await this.pool.query(
      `UPDATE webhooks
       SET url = coalesce($3, url), events = coalesce($4, events), is_enabled = coalesce($5, is_enabled),
           severities = coalesce($6, severities), protocols = coalesce($7, protocols),
           chain_ids = coalesce($8, chain_ids), wallet_group_ids = coalesce($9, wallet_group_ids),
           disabled_reason = CASE WHEN $5::boolean IS NULL THEN disabled_reason END,
           failing_since = CASE WHEN $5 OR $3 <> url THEN NULL ELSE failing_since END,
           verified_at = CASE WHEN $3 <> url THEN NULL ELSE verified_at END
       WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
      [id, accountId, url, events, isEnabled, severities, protocols, chainIds, walletGroupIds],
    );
    return rowCount === 1;
  }

  /**
   * Returns false when the account has no such endpoint. Its deliveries stay in the log and its secret is
   * deleted. An endpoint above the cap may then be enabled.
   */
  delete(accountId: string, id: string, nowMs: number): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccounts(tx, [accountId]);
      const { rowCount } = await tx.query(
        `UPDATE webhooks SET deleted_at = $3, secret_sealed = '', next_secret_sealed = NULL, next_secret_key_id = NULL
         WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
        [id, accountId, new Date(nowMs)],
      );
      await applyCaps(tx, [accountId]);
      if (rowCount !== 1) return false;
      const value = {
        webhookId: id,
        accountId,
        change: 'deleted' as const,
        at: new Date(nowMs).toISOString(),
      };
      await appendToOutbox(tx, [outgoing('webhook.v1', value, currentCorrelation())]);
      return true;
    });
  }

  /** Records that the endpoint responded to test.ping with 2xx at this URL. */
  async verify(tx: PoolClient, id: string, url: string, nowMs: number): Promise<void> {
    await tx.query(
      'UPDATE webhooks SET verified_at = $3 WHERE id = $1 AND url = $2 AND verified_at IS NULL',
      [id, url, new Date(nowMs)],
    );
  }

  /** Returns the ids of the keys that encrypt stored secrets. */
  async secretKeyIds(): Promise<string[]> {
    const rows = await this.prisma.webhook.findMany({
      where: { deletedAt: null },
      distinct: ['secretKeyId', 'nextSecretKeyId'],
      select: { secretKeyId: true, nextSecretKeyId: true },
    });
    const ids = rows.flatMap(({ secretKeyId, nextSecretKeyId }) => [
      secretKeyId,
      nextSecretKeyId ?? secretKeyId,
    ]);
    return [...new Set(ids)];
  }
}

type ShownRow = Omit<Webhook, 'secretSealed' | 'nextSecretSealed'> & { deliveryCount: DeliveryCount | null };

function shown(row: ShownRow): WebhookItem {
  const { id, url, events, isEnabled, withinCap, disabledReason, deliveryCount, createdAt } = row;
  const { severities, protocols, chainIds, walletGroupIds } = row;
  return {
    id,
    url,
    events: events as WebhookEventType[],
    severities: severities as Severity[],
    protocols,
    chainIds,
    walletGroupIds,
    isEnabled: isEnabled && withinCap,
    disabledReason: isEnabled && !withinCap ? 'tier_cap' : (disabledReason as WebhookDisabledReason | null),
    deliveryCount: Number(deliveryCount?.deliveries ?? 0),
    createdAt: createdAt.toISOString(),
  };
}
