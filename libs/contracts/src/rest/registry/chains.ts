import { SHOWN_CHAIN_STATUSES } from '../../protocols';
import { Example, Field, TIMESTAMP } from '../fields';

const CHAIN = { id: 1, name: 'Ethereum', status: 'operational' };

/** Status of a chain; unconfigured without a node. */
export type ChainItemStatus = (typeof SHOWN_CHAIN_STATUSES)[number];

class ChainFields {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) id!: number;
  @Field.Text('Name of the chain.', { example: 'Ethereum' }) name!: string;

  @Field.Word(
    SHOWN_CHAIN_STATUSES,
    'degraded: the newest block is older than ten block times or 60 seconds, or a market cannot be read. down: the node does not respond. unconfigured: no node is set.',
  )
  status!: ChainItemStatus;
}

/** List form of a chain. */
export class ChainItem extends ChainFields {
  @Field.Number(
    'Seconds per block, measured over the last ten minutes, otherwise the published value. 0: unknown.',
    { min: 0 },
  )
  blockTime!: number;

  @Field.Boolean('True: measured by the platform.') isBlockTimeMeasured!: boolean;
}

class ChainDetailHead {
  @Field.Integer('Block number.', { min: 0 }) number!: number;
  @Field.Timestamp('Time of the block.') time!: string;
}

class ChainDetailFailing {
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Text('Market of the protocol.') market!: string;
  @Field.Text('Reason as a stable word.') reason!: string;
}

/** Detail form of a chain. */
export class ChainDetail extends ChainFields {
  @Field.Text('Symbol of the coin that pays fees.', { example: 'ETH' }) nativeCurrency!: string;
  @Field.Text('Host name of the explorer; empty for a local chain.') blockExplorer!: string;

  @Field.Number(
    'Seconds per block, measured over the last ten minutes, otherwise the published value. 0: unknown.',
    { min: 0 },
  )
  avgBlockTime!: number;

  @Field.Boolean('True: measured by the platform.') isBlockTimeMeasured!: boolean;

  @Field.Object(() => ChainDetailHead, 'The newest block. Null without a node.', { nullable: true })
  head!: ChainDetailHead | null;

  @Field.Integer(
    'Blocks between the head and the last block whose positions were read. Null without a node.',
    { min: 0, nullable: true },
  )
  lagBlocks!: number | null;

  @Field.Object(() => ChainDetailFailing, 'Markets that cannot be read.', { list: true })
  failing!: ChainDetailFailing[];

  @Field.Timestamp('Time of this status. Null without a node.', { nullable: true }) updatedAt!: string | null;
}

/** Response of GET /v1/chains. */
@Example({
  chains: [{ ...CHAIN, blockTime: 12.04, isBlockTimeMeasured: true }],
  count: 1,
  nextCursor: null,
})
export class ChainList {
  @Field.Object(() => ChainItem, 'By id.', { list: true }) chains!: ChainItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of GET /v1/chains/:id. */
@Example({
  chain: {
    ...CHAIN,
    nativeCurrency: 'ETH',
    blockExplorer: 'etherscan.io',
    avgBlockTime: 12.04,
    isBlockTimeMeasured: true,
    head: { number: 24_100_207, time: TIMESTAMP },
    lagBlocks: 0,
    failing: [],
    updatedAt: TIMESTAMP,
  },
})
export class ChainAnswer {
  @Field.Object(() => ChainDetail, 'The chain.') chain!: ChainDetail;
}
