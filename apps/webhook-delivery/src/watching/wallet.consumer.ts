import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type WalletV1, parseWalletKey } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { type WatchChange, WatchesRepository } from './watches.repository';

/** Keeps who watches which wallet. */
@Controller()
export class WalletConsumer {
  constructor(private readonly watches: WatchesRepository) {}

  @EventPattern('wallet.v1')
  async handle(@Payload() { events, tx }: EventBatch<WalletV1>): Promise<void> {
    const latest = new Map<string, WatchChange>();
    for (const { key, value, time } of events) {
      latest.set(key, { ...parseWalletKey(key), watching: value?.enabled ?? false, changedAtMs: time });
    }
    await this.watches.apply(tx, [...latest.values()]);
  }
}
