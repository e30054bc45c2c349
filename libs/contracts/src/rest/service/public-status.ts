import { CHAIN_STATUSES, type ChainStatus } from '../../protocols';
import { Example, Field, TIMESTAMP } from '../fields';
import { CONDITIONS, type Condition } from './status';

/** UTC days for which conditions are kept, with the present one. */
export const STATUS_DAYS = 90;

const LATENCY = 'from the timestamp of a block to the commit of its events';

/** A UTC day of a part of the platform. */
export class StatusDay {
  @Field.Day('UTC day.') date!: string;
  @Field.Integer('Minutes in which it was operational.', { min: 0 }) operational!: number;
  @Field.Integer('Minutes in which it was degraded.', { min: 0 }) degraded!: number;
  @Field.Integer('Minutes in which it was down.', { min: 0 }) down!: number;

  @Field.Integer('Minutes without a record. They count as unavailable.', { min: 0 }) unrecorded!: number;

  @Field.Number(
    `Time ${LATENCY}, milliseconds: mean of the 95th percentiles of each minute. Null for a part that is no chain, and without a block.`,
    { min: 0, nullable: true },
  )
  eventLatencyMs!: number | null;

  @Field.Number('The highest of these percentiles, milliseconds. Null in the same cases.', {
    min: 0,
    nullable: true,
  })
  eventLatencyMaxMs!: number | null;
}

/** The record of a part of the platform. */
export class StatusHistory {
  @Field.Timestamp(
    'When its record began, or the first minute of the oldest day that is kept. Null before the first record.',
    {
      nullable: true,
    },
  )
  since!: string | null;

  @Field.Number(
    'Share of the minutes since then in which it was operational or degraded. Null before the first record.',
    {
      min: 0,
      max: 1,
      nullable: true,
    },
  )
  availability!: number | null;

  @Field.Object(() => StatusDay, `Every day since then, at most ${STATUS_DAYS}, the oldest first.`, {
    list: true,
  })
  days!: StatusDay[];
}

/** A part of the platform. */
export class StatusPart {
  @Field.Text('`platform` for all parts together, otherwise the name of a service.') id!: string;
  @Field.Word(CONDITIONS, 'Its present condition. degraded: it works with a problem.') condition!: Condition;
  @Field.Object(() => StatusHistory, 'Its record.') history!: StatusHistory;
}

/** A block that was read. */
export class StatusBlock {
  @Field.Integer('Block number.', { min: 0 }) number!: number;
  @Field.Timestamp('Time of the block.') time!: string;
}

/** A chain with a node, as it is now. */
export class ChainCondition {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) id!: number;
  @Field.Text('Name of the chain.', { example: 'Ethereum' }) name!: string;

  @Field.Word(
    CHAIN_STATUSES,
    'degraded: the newest block is older than ten block times or 60 seconds, or a market cannot be read. down: the node does not respond.',
  )
  status!: ChainStatus;

  @Field.Object(() => StatusBlock, 'The newest block. Null before the first.', { nullable: true })
  head!: StatusBlock | null;

  @Field.Integer(
    'Blocks between the newest one and the last one whose positions were read. Null before the first.',
    {
      min: 0,
      nullable: true,
    },
  )
  lagBlocks!: number | null;

  @Field.Number(
    `Time ${LATENCY}, milliseconds: the 95th percentile of the last minute. Null without a block in it.`,
    {
      min: 0,
      nullable: true,
    },
  )
  eventLatencyMs!: number | null;

  @Field.Timestamp('Time of these figures.') updatedAt!: string;
}

/** A market of a protocol on a chain, as it is now. */
export class MarketCondition {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @Field.Text('Name of the protocol.', { example: 'Aave V3' }) protocolName!: string;
  @Field.Text('Market of the protocol.', { example: 'AaveV3Ethereum' }) market!: string;

  @Field.Text('Why it cannot be read, as a stable word. `chain_down`: its chain is down. Null: it is read.', {
    nullable: true,
  })
  failure!: string | null;

  @Field.Object(() => StatusBlock, 'The newest block at which it was read. Null: none.', { nullable: true })
  lastRead!: StatusBlock | null;
}

/** A chain with its record. */
export class StatusChain extends ChainCondition {
  @Field.Object(() => StatusHistory, 'Its record.') history!: StatusHistory;
}

/** A market with its record. */
export class StatusMarket extends MarketCondition {
  @Field.Timestamp(
    'The minute in which it was first found unreadable. Null while it is read, and before that is recorded.',
    {
      nullable: true,
    },
  )
  unreadableSince!: string | null;
}

const DAY = {
  date: '2026-11-21',
  operational: 719,
  degraded: 1,
  down: 0,
  unrecorded: 0,
  eventLatencyMs: null,
  eventLatencyMaxMs: null,
};
const HISTORY = { since: TIMESTAMP, availability: 1, days: [DAY] };
const BLOCK = { number: 24_100_207, time: TIMESTAMP };

/** Response of GET /inner/chains of market-data: chains with a node, and their markets. */
export interface ChainConditions {
  chains: ChainCondition[];
  markets: MarketCondition[];
}

/** Response of GET /public/v1/status. */
@Example({
  condition: 'operational',
  version: '1.4.0',
  timestamp: TIMESTAMP,
  recordedSince: TIMESTAMP,
  parts: [{ id: 'platform', condition: 'operational', history: HISTORY }],
  chains: [
    {
      id: 1,
      name: 'Ethereum',
      status: 'operational',
      head: BLOCK,
      lagBlocks: 0,
      eventLatencyMs: 1_420,
      updatedAt: TIMESTAMP,
      history: { ...HISTORY, days: [{ ...DAY, eventLatencyMs: 1_310, eventLatencyMaxMs: 4_020 }] },
    },
  ],
  markets: [
    {
      chainId: 1,
      protocol: 'aave-v3',
      protocolName: 'Aave V3',
      market: 'AaveV3Ethereum',
      failure: null,
      lastRead: BLOCK,
      unreadableSince: null,
    },
  ],
  chainsReadAt: TIMESTAMP,
})
export class PublicStatus {
  @Field.Word(CONDITIONS, 'Condition of the platform. degraded: at least one part has a problem.')
  condition!: Condition;

  @Field.Text('Version of the service: major.minor.patch.', { pattern: '^\\d+\\.\\d+\\.\\d+$' })
  version!: string;

  @Field.Timestamp('Time of this status.') timestamp!: string;

  @Field.Timestamp('When the first record that is kept was made. Null before it.', { nullable: true })
  recordedSince!: string | null;

  @Field.Object(() => StatusPart, 'The platform, and each service.', { list: true }) parts!: StatusPart[];

  @Field.Object(() => StatusChain, 'Chains with a node, by id.', { list: true }) chains!: StatusChain[];

  @Field.Object(() => StatusMarket, 'Markets on these chains.', { list: true }) markets!: StatusMarket[];

  @Field.Timestamp(
    'When chains and markets were read. Null: they cannot be read now, and the lists are empty.',
    {
      nullable: true,
    },
  )
  chainsReadAt!: string | null;
}
