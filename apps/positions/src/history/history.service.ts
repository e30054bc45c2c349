import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type HistoryBucket,
  type Identity,
  type NetWorthHistory,
  type NetWorthHistoryQuery,
  invalidRequest,
  isId,
  notFound,
  parseAddress,
} from '@plimsoll/contracts';
import { Clock, decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { refuseAboveCap } from '../analytics/historical.service';
import { PositionKeysRepository } from '../positions/position-keys.repository';
import { historyItems } from './history-item';
import { HistoryRepository, type HistoryScope } from './history.repository';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS: Readonly<Record<HistoryBucket, number>> = { hour: HOUR_MS, day: DAY_MS };

/** Hours of all wallets of a page together. Each has a snapshot of each position, or several. */
const MOST_WALLET_HOURS = 50_000;

/** Net worth and lowest health factor of watched wallets, by buckets. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: HistoryRepository,
    private readonly keys: PositionKeysRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found for a position of a wallet that the account does not watch */
  async ofPosition(identity: Identity, id: string, query: NetWorthHistoryQuery): Promise<NetWorthHistory> {
    const key = isId('pos', id) ? await this.keys.find(id) : null;
    if (!key) throw notFound('position');
    const found = await this.list(identity, { address: key.wallet, positionId: id }, query);
    if (!found) throw notFound('position');
    return found;
  }

  /** @throws not_found for a wallet that the account does not watch, or that is above its cap */
  async ofWallet(identity: Identity, text: string, query: NetWorthHistoryQuery): Promise<NetWorthHistory> {
    const found = await this.list(identity, { address: parseAddress(text, 'address') }, query);
    if (!found) throw notFound('watched wallet');
    return found;
  }

  /** @throws not_found for a group that the account does not have */
  async ofGroup(identity: Identity, id: string, query: NetWorthHistoryQuery): Promise<NetWorthHistory> {
    if (!(await this.history.hasGroup(identity.accountId, id))) throw notFound('wallet group');
    return (await this.list(identity, { groupId: id }, query)) ?? emptyHistory(identity, query);
  }

  async ofAccount(identity: Identity, query: NetWorthHistoryQuery): Promise<NetWorthHistory> {
    return (await this.list(identity, {}, query)) ?? emptyHistory(identity, query);
  }

  /** Returns null when no wallet of the scope is watched. */
  private async list(
    { accountId, tier }: Identity,
    narrowed: Partial<HistoryScope>,
    { bucket, since, until, limit, cursor }: NetWorthHistoryQuery,
  ): Promise<NetWorthHistory | null> {
    const nowMs = this.clock.now();
    const maxDays = TIER_LIMITS[tier].historyDays;
    const sinceMs = since === undefined ? nowMs - maxDays * DAY_MS : Date.parse(since);
    const untilMs = until === undefined ? nowMs : Math.min(nowMs, Date.parse(until));
    if (untilMs <= sinceMs) throw invalidRequest([EMPTY_RANGE]);
    refuseAboveCap(tier, Math.ceil((nowMs - sinceMs) / DAY_MS), 'since');
    const [endOfPage] = decodeCursor(cursor, ['time']) ?? [];

    const scope = { accountId, address: null, groupId: null, positionId: null, ...narrowed };
    const { wallets, watchedSince } = await this.history.scope(scope);
    if (watchedSince === null) return null;
    const lengthMs = LENGTH_MS[bucket];
    const floor = (ms: number): number => Math.floor(ms / lengthMs) * lengthMs;
    const firstMs = floor(Math.max(sinceMs, watchedSince.getTime()));
    const endMs = floor(Math.min(Number(endOfPage ?? Infinity), untilMs + lengthMs - 1));
    const most = Math.min(
      limit,
      Math.max(1, Math.floor((MOST_WALLET_HOURS * HOUR_MS) / (wallets * lengthMs))),
    );
    const count = Math.max(0, Math.min(most, (endMs - firstMs) / lengthMs));
    const starts = Array.from({ length: count }, (_, at) => endMs - (count - at) * lengthMs);
    const history = count === 0 ? [] : await this.read(scope, bucket, starts);
    const [oldest] = starts;
    return {
      history: history.toReversed(),
      count,
      bucket,
      maxDays,
      nextCursor: oldest !== undefined && oldest > firstMs ? encodeCursor([oldest]) : null,
    };
  }

  private async read(scope: HistoryScope, bucket: HistoryBucket, starts: readonly number[]) {
    const lengthMs = LENGTH_MS[bucket];
    const [from, to] = [new Date(starts[0]!), new Date(starts.at(-1)! + lengthMs)];
    const known = await this.history.known(scope, from, to);
    const samples = await this.history.samples(scope, from, to, bucket);
    return historyItems(starts, lengthMs, known, samples);
  }
}

const EMPTY_RANGE = {
  field: 'until',
  code: 'out_of_range',
  message: 'until must be later than since, and since must not be in the future.',
};

const emptyHistory = ({ tier }: Identity, { bucket }: NetWorthHistoryQuery): NetWorthHistory => ({
  history: [],
  count: 0,
  bucket,
  maxDays: TIER_LIMITS[tier].historyDays,
  nextCursor: null,
});
