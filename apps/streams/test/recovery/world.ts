import {
  type AlertV1,
  BANDS,
  type PositionV1,
  SEVERITIES,
  type StreamFilter,
  type StreamName,
  newId,
} from '@plimsoll/contracts';
import { type OutgoingEvent, outgoing } from '@plimsoll/event-bus';
import { samplePosition, sampleWallet, sampleWatch } from '@plimsoll/testing';

export const WALLETS_PER_ACCOUNT = 5;
const CHAINS = [1, 10, 8453];
const PROTOCOLS = ['aave-v3', 'spark', 'morpho-blue'];

/** A published event, with the data that decides its receivers. */
export interface Published {
  stream: StreamName;
  eventId: string;
  /** Events of one key must arrive in order. */
  key: string;
  position: PositionV1;
  alert: AlertV1 | null;
}

/** Accounts that watch wallets, and positions and alerts that change at random. */
export class World {
  readonly accounts: string[];
  readonly published: Published[] = [];
  readonly trialIds = new Set<string>();
  private trial = 0;
  private readonly wallets: readonly (readonly string[])[];
  private readonly sequences = new Map<string, number>();

  /** @param firstWallet worlds in one Kafka must not share wallets */
  constructor(
    accountCount: number,
    firstWallet: number,
    private readonly random: () => number,
  ) {
    this.accounts = Array.from({ length: accountCount }, () => newId('acc'));
    this.wallets = this.accounts.map((_, account) =>
      Array.from({ length: WALLETS_PER_ACCOUNT }, (__, at) =>
        sampleWallet(firstWallet + account * WALLETS_PER_ACCOUNT + at),
      ),
    );
  }

  watches(): OutgoingEvent[] {
    return this.accounts.flatMap((accountId, at) =>
      this.walletsOf(at).map((wallet) => outgoing('wallet.v1', sampleWatch(accountId, wallet))),
    );
  }

  /** Closed positions, one per wallet, that only show which accounts are notified. */
  trials(): OutgoingEvent[] {
    this.trial += 1;
    const events = this.accounts.flatMap((_, at) =>
      this.walletsOf(at).map((wallet) =>
        outgoing('position.v1', samplePosition(wallet, this.trial, 'none', { closed: true })),
      ),
    );
    for (const { eventId } of events) this.trialIds.add(eventId);
    return events;
  }

  /** Returns the next change to publish. */
  change(): OutgoingEvent {
    const account = Math.floor(this.random() * this.accounts.length);
    const position = this.nextPosition(this.pick(this.walletsOf(account)));
    const isAlert = this.random() < 0.3;
    const alert = isAlert ? alertOf(this.accounts[account] ?? '', position, this.pick(SEVERITIES)) : null;
    const event = alert ? outgoing('alert.v1', alert) : outgoing('position.v1', position);
    if (!isAlert) this.sequences.set(position.id, position.sequence);
    const stream = isAlert ? 'alerts' : 'positions';
    this.published.push({ stream, eventId: event.eventId, key: event.key, position, alert });
    return event;
  }

  /** Returns a random filter. */
  anyFilter(account: number, stream: StreamName): StreamFilter {
    const filters: StreamFilter[] = [
      {},
      { wallets: [this.pick(this.walletsOf(account)).toUpperCase().replace('0X', '0x')] },
      { chainIds: [this.pick(CHAINS)], protocols: PROTOCOLS.slice(0, 2) },
      { protocols: [this.pick(PROTOCOLS)] },
      { maxHealthFactor: 1.3, minUsd: 100 },
      stream === 'alerts' ? { minSeverity: 'high' } : { chainIds: CHAINS, maxHealthFactor: 2 },
    ];
    return this.pick(filters);
  }

  /**
   * Returns whether a subscriber should receive a published event. It repeats the rules without an index or a
   * compiler.
   */
  isFor({ stream, position, alert }: Published, subscriber: Interest): boolean {
    const { account, filter } = subscriber;
    if (stream !== subscriber.stream) return false;
    const mine = alert
      ? alert.accountId === this.accounts[account]
      : this.walletsOf(account).includes(position.wallet);
    const { wallets, protocols, chainIds, maxHealthFactor, minUsd, minSeverity } = filter;
    const rank = (severity: string): number => (SEVERITIES as readonly string[]).indexOf(severity);
    return (
      mine &&
      (wallets?.some((wallet) => wallet.toLowerCase() === position.wallet) ?? true) &&
      (protocols?.includes(position.protocol) ?? true) &&
      (chainIds?.includes(position.chainId) ?? true) &&
      (maxHealthFactor === undefined ||
        (position.healthFactor !== null && position.healthFactor <= maxHealthFactor)) &&
      (minUsd === undefined || position.totalCollateralUsd >= minUsd) &&
      (minSeverity === undefined || (alert !== null && rank(alert.severity) >= rank(minSeverity)))
    );
  }

  private walletsOf(account: number): readonly string[] {
    return this.wallets[account] ?? [];
  }

  private nextPosition(wallet: string): PositionV1 {
    const streamOffset = { chainId: this.pick(CHAINS), protocol: this.pick(PROTOCOLS) };
    const id = `pos_${BigInt(wallet).toString().padStart(16, '0')}${String(streamOffset.chainId).padStart(5, '0')}${PROTOCOLS.indexOf(streamOffset.protocol)}`;
    const sequence = (this.sequences.get(id) ?? 0) + 1;
    return samplePosition(wallet, sequence, this.pick(BANDS), { ...streamOffset, id });
  }

  private pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }
}

/** The messages that one subscriber expects. */
export interface Interest {
  stream: StreamName;
  account: number;
  filter: StreamFilter;
}

function alertOf(accountId: string, position: PositionV1, severity: AlertV1['severity']): AlertV1 {
  const { id, healthFactor, totalCollateralUsd, totalDebtUsd, protocol, chainId, wallet, band } = position;
  return {
    alertId: newId('alt'),
    accountId,
    status: 'active',
    type: 'liquidation_risk',
    severity,
    title: 'Liquidation risk',
    message: 'Add collateral or repay debt.',
    position: {
      id,
      healthFactor,
      collateralUsd: totalCollateralUsd,
      debtUsd: totalDebtUsd,
      protocol,
      chainId,
      wallet,
      band,
    },
    confidenceScore: 0.9,
    createdAt: new Date().toISOString(),
    resolvedAt: null,
  };
}
