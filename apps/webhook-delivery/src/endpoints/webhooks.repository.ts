import { Injectable } from '@nestjs/common';
import type { WebhookEventType, WebhookItem } from '@plimsoll/contracts';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { PrismaService } from '../prisma.service';
import type { SealedSecret } from '../secrets/secret-box';
import { applyCaps, lockAccounts } from './webhook-caps';

export interface NewWebhook extends SealedSecret {
  id: string;
  accountId: string;
  url: string;
  events: WebhookEventType[];
  createdAt: Date;
}

/** An endpoint as a request to it needs it. */
export interface WebhookTarget {
  webhookId: string;
  url: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
}

@Injectable()
export class WebhooksRepository {
  constructor(
    private readonly prisma: PrismaService,
    private readonly pool: Pool,
  ) {}

  async list(accountId: string, beforeId: string | null, limit: number): Promise<WebhookItem[]> {
    const rows = await this.prisma.webhook.findMany({
      where: { accountId, deletedAt: null, ...(beforeId !== null && { id: { lt: beforeId } }) },
      orderBy: { id: 'desc' },
      take: limit,
      include: { deliveryCount: true },
      omit: { secretSealed: true },
    });
    return rows.map(({ id, url, events, isEnabled, withinCap, deliveryCount, createdAt }) => ({
      id,
      url,
      events: events as WebhookEventType[],
      isEnabled: isEnabled && withinCap,
      deliveryCount: Number(deliveryCount?.deliveries ?? 0),
      createdAt: createdAt.toISOString(),
    }));
  }

  async find(accountId: string, id: string): Promise<WebhookTarget | null> {
    const row = await this.prisma.webhook.findFirst({ where: { id, accountId, deletedAt: null } });
    if (!row) return null;
    return { webhookId: id, url: row.url, secretKeyId: row.secretKeyId, secretSealed: row.secretSealed };
  }

  /** False when the account has `cap` endpoints already; two calls at once never pass it. `cap` null: no limit. */
  async insert(tx: PoolClient, webhook: NewWebhook, cap: number | null): Promise<boolean> {
    await lockAccounts(tx, [webhook.accountId]);
    const { rowCount } = await tx.query(
      `INSERT INTO webhooks (id, account_id, url, events, secret_key_id, secret_sealed, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7
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
      ],
    );
    return rowCount === 1;
  }

  /**
   * False when the account has no such endpoint. Its deliveries stay for the log and its secret goes; one that stood
   * above the cap may come back in its place.
   */
  delete(accountId: string, id: string, nowMs: number): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccounts(tx, [accountId]);
      const { rowCount } = await tx.query(
        `UPDATE webhooks SET deleted_at = $3, secret_sealed = '' WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
        [id, accountId, new Date(nowMs)],
      );
      await applyCaps(tx, [accountId]);
      return rowCount === 1;
    });
  }

  /** The keys that stored secrets are sealed with. */
  async secretKeyIds(): Promise<string[]> {
    const rows = await this.prisma.webhook.findMany({
      where: { deletedAt: null },
      distinct: ['secretKeyId'],
      select: { secretKeyId: true },
    });
    return rows.map(({ secretKeyId }) => secretKeyId);
  }
}
