import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, IsMoment, Optional, PageQuery, TIMESTAMP } from '../fields';

/** Lengths of the buckets of a history, in UTC. */
export const HISTORY_BUCKETS = ['hour', 'day'] as const;

export type HistoryBucket = (typeof HISTORY_BUCKETS)[number];

/** Reasons for which a bucket has no net worth. */
export const HISTORY_GAPS = ['no_samples', 'positions_missing', 'not_recorded'] as const;

export type HistoryGap = (typeof HISTORY_GAPS)[number];

/** Query of every history of net worth and health factor. */
export class NetWorthHistoryQuery extends PageQuery {
  @JSONSchema({ description: 'Length of a bucket. Hours and days begin in UTC.' })
  @IsIn(HISTORY_BUCKETS)
  bucket: HistoryBucket = 'hour';

  @JSONSchema({
    description:
      'The first bucket contains this time (ISO 8601). Absent: as far back as the tier allows. No bucket is before the account began to watch.',
  })
  @Optional()
  @IsMoment()
  since?: string;

  @JSONSchema({
    description:
      'The last bucket begins before this time (ISO 8601). Absent: now, so that the present bucket is the last one.',
  })
  @Optional()
  @IsMoment()
  until?: string;
}

/** A bucket of a history. */
export class NetWorthHistoryItem {
  @Field.Timestamp('Start of the bucket.') at!: string;

  @Field.Integer('Snapshots in the bucket. 0: nothing was recorded. No value is taken from another bucket.', {
    min: 0,
  })
  samples!: number;

  @Field.Integer('Positions that were open at the last snapshot of the bucket.', { min: 0 })
  positions!: number;

  @Field.Integer('Open positions without a snapshot in the bucket.', { min: 0 }) positionsMissing!: number;

  @Field.Usd(
    'Everything supplied minus everything owed at the last snapshots of the bucket. Null: see gap.',
    {
      nullable: true,
    },
  )
  netWorthUsd!: number | null;

  @Field.Text('The same with 18 decimals, rounded toward zero: a whole number, which may be negative.', {
    nullable: true,
    pattern: '^-?[0-9]+$',
  })
  netWorthUsdRaw!: string | null;

  @Field.Number(
    'Lowest health factor of all snapshots of the bucket. Null: no position has debt, or the gap is no_samples or positions_missing.',
    { min: 0, nullable: true },
  )
  lowestHealthFactor!: number | null;

  @Field.Digits('The same with 18 decimals.', { nullable: true }) lowestHealthFactorRaw!: string | null;

  @Field.Word(
    HISTORY_GAPS,
    'Why there is no net worth. no_samples: nothing was recorded. positions_missing: open positions have no snapshot. not_recorded: the snapshots have no price, or come from a release that did not store the net worth. Null: there is one.',
    { nullable: true },
  )
  gap!: HistoryGap | null;
}

/** Response of every history of net worth and health factor. */
@Example({
  history: [
    {
      at: TIMESTAMP,
      samples: 2,
      positions: 1,
      positionsMissing: 0,
      netWorthUsd: 2_500.5,
      netWorthUsdRaw: '2500500000000000000000',
      lowestHealthFactor: 1.2375,
      lowestHealthFactorRaw: '1237500000000000000',
      gap: null,
    },
    {
      at: '2026-11-21T11:00:00.000Z',
      samples: 0,
      positions: 0,
      positionsMissing: 1,
      netWorthUsd: null,
      netWorthUsdRaw: null,
      lowestHealthFactor: null,
      lowestHealthFactorRaw: null,
      gap: 'no_samples',
    },
  ],
  count: 2,
  bucket: 'hour',
  maxDays: 90,
  nextCursor: null,
})
export class NetWorthHistory {
  @Field.Object(() => NetWorthHistoryItem, 'Every bucket of the range, newest first.', { list: true })
  history!: NetWorthHistoryItem[];

  @Field.ItemCount() count!: number;
  @Field.Word(HISTORY_BUCKETS, 'As in the request.') bucket!: HistoryBucket;
  @Field.Integer('Most days back that the tier allows.', { min: 1 }) maxDays!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
