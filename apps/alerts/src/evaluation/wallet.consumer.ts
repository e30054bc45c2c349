import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type Correlation, type WalletV1, parseWalletKey } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { type WatchChange, WatchesRepository } from '../accounts/watches.repository';
import { again } from '../positions/evaluation';
import { PositionsRepository } from '../positions/positions.repository';
import { HoldingChanges } from '../sources/asset-price/holding-changes';
import { WhaleAlerts } from '../sources/whale/whale-alerts.service';
import { EvaluationService } from './evaluation.service';

/**
 * Handles a change of watchers: evaluates the stored positions of the wallet, also for the account that
 * stopped watching.
 */
@Controller()
export class WalletConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
    private readonly holdings: HoldingChanges,
    private readonly whaleAlerts: WhaleAlerts,
    private readonly clock: Clock,
  ) {}

  @EventPattern('wallet.v1')
  async handle(@Payload() { events, tx }: EventBatch<WalletV1>): Promise<void> {
    const latest = new Map<string, WatchChange>();
    const causes = new Map<string, Correlation & { accountId: string }>();
    for (const event of events) {
      const change = watchChange(event);
      latest.set(event.key, change);
      const { requestId, traceparent } = event;
      causes.set(change.wallet, { requestId, traceparent, accountId: change.accountId });
    }
    await this.watches.lockForWriting(tx);
    const wallets = await this.watches.apply(tx, [...latest.values()]);
    const positions = await this.positions.ofWallets(tx, wallets);
    const atMs = this.clock.now();
    // The last event of a position is as good as a new read, because every change of a basis point publishes
    // one.
    const evaluations = positions.map((position) => {
      const { accountId, ...cause } = causes.get(position.wallet)!;
      return again(position, atMs, cause, accountId);
    });
    await this.evaluation.run(tx, evaluations);
    const accountIds = new Set([...latest.values()].map(({ accountId }) => accountId));
    await this.holdings.ofWatchers(tx, evaluations, [...accountIds]);
    await this.whaleAlerts.watchersChanged(tx, wallets);
  }
}

function watchChange({ key, value, time }: ReceivedEvent<WalletV1>): WatchChange {
  const { accountId, wallet } = parseWalletKey(key);
  return {
    accountId,
    wallet,
    watching: value?.enabled ?? false,
    label: value?.label ?? null,
    groupIds: value?.groupIds ?? [],
    changedAtMs: time,
  };
}
