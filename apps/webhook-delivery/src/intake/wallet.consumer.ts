import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type WalletV1, parseWalletKey } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { DeliveriesIntake } from './deliveries.intake';
import { RecentEventsRepository } from '../watching/recent-events.repository';
import { type WatchChange, WatchesRepository } from '../watching/watches.repository';

/**
 * Maintains the watches of wallets. An event about a position may arrive before its watch, especially the one
 * that a new watch found. The consumer delivers the events since the watch began. An endpoint never receives
 * an event twice.
 */
@Controller()
export class WalletConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly recent: RecentEventsRepository,
    private readonly intake: DeliveriesIntake,
  ) {}

  @EventPattern('wallet.v1')
  async handle(@Payload() batch: EventBatch<WalletV1>): Promise<void> {
    const latest = new Map<string, WatchChange>();
    for (const { key, value, time } of batch.events) {
      // A tombstone does not name the groups. They decide who receives the end of the wallet's alerts.
      const groupIds = value === null ? null : (value.groupIds ?? []);
      latest.set(key, {
        ...parseWalletKey(key),
        watching: value?.enabled ?? false,
        groupIds,
        changedAtMs: time,
      });
    }
    await this.watches.lockForWriting(batch.tx);
    const changes = await this.watches.apply(batch.tx, [...latest.values()]);
    const begun = changes.flatMap(({ watching, changedAtMs, ...watch }) =>
      watching ? [{ ...watch, sinceMs: changedAtMs }] : [],
    );
    if (begun.length > 0) await this.intake.take(batch, await this.recent.findSince(batch.tx, begun));
  }
}
