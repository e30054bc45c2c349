import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AccountV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { applyCaps } from './wallet-cap';

/** A lower cap disables an account's newest wallets and deletes none. A higher one enables them again. */
@Controller()
export class AccountUpdatedConsumer {
  constructor(private readonly tracked: TrackedWallets) {}

  @EventPattern('account.v1')
  async handle(@Payload() { events, tx }: EventBatch<AccountV1>): Promise<void> {
    // A tombstone ends the account: its wallets are no longer watched.
    const latest = new Map(events.map((event) => [event.key, event]));
    const accounts = [...latest].map(([accountId, { value }]) => ({
      accountId,
      cap: value ? value.limits.wallets : 0,
      updatedAt: value?.updatedAt ?? new Date(latest.get(accountId)?.time ?? 0).toISOString(),
    }));
    const { rows } = await tx.query<{ accountId: string; cap: number | null }>(
      `INSERT INTO accounts (account_id, wallets_cap, updated_at)
       SELECT * FROM unnest($1::text[], $2::int[], $3::timestamptz[]) ORDER BY 1
       ON CONFLICT (account_id) DO UPDATE SET wallets_cap = excluded.wallets_cap, updated_at = excluded.updated_at
       WHERE accounts.updated_at IS NULL OR accounts.updated_at <= excluded.updated_at
       RETURNING account_id AS "accountId", wallets_cap AS cap`,
      [
        accounts.map(({ accountId }) => accountId),
        accounts.map(({ cap }) => cap),
        accounts.map(({ updatedAt }) => updatedAt),
      ],
    );
    if (rows.length === 0) return;
    const last = events.at(-1);
    await applyCaps(tx, rows, { requestId: last?.requestId, traceparent: last?.traceparent });
    this.tracked.refreshSoon();
  }
}
