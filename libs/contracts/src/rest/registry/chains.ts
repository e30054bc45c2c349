import { SHOWN_CHAIN_STATUSES } from '../../chains';
import {
  BooleanField,
  IntegerField,
  ItemCount,
  NextCursor,
  NumberField,
  ObjectField,
  TextField,
  TimestampField,
  WordField,
} from '../fields/fields';
import { Example } from '../fields/response-schema';
import { TIMESTAMP } from '../fields/samples';

const CHAIN = { id: 1, name: 'Ethereum', status: 'operational' };

/** Status of a chain; unconfigured without a node. */
export type ChainItemStatus = (typeof SHOWN_CHAIN_STATUSES)[number];

class ChainFields {
  @IntegerField('Chain id (EIP-155).', { min: 1 }) id!: number;
  @TextField('Name of the chain.', { example: 'Ethereum' }) name!: string;

  @WordField(
    SHOWN_CHAIN_STATUSES,
    'degraded: the newest block is older than ten block times or 60 seconds, or a market cannot be read. down: the node does not respond. unconfigured: no node is set.',
  )
  status!: ChainItemStatus;
}

/** List form of a chain. */
export class ChainItem extends ChainFields {
  @NumberField(
    'Seconds per block, measured over the last ten minutes, otherwise the published value. 0: unknown.',
    { min: 0 },
  )
  blockTime!: number;

  @BooleanField('True: measured by the platform.') isBlockTimeMeasured!: boolean;
}

class ChainDetailHead {
  @IntegerField('Block number.', { min: 0 }) number!: number;
  @TimestampField('Time of the block.') time!: string;
}

class ChainDetailFailing {
  @TextField('Protocol id.') protocol!: string;
  @TextField('Market of the protocol.') market!: string;
  @TextField('Reason as a stable word.') reason!: string;
}

/** Detail form of a chain. */
export class ChainDetail extends ChainFields {
  @TextField('Symbol of the coin that pays fees.', { example: 'ETH' }) nativeCurrency!: string;
  @TextField('Host name of the explorer; empty for a local chain.') blockExplorer!: string;

  @NumberField(
    'Seconds per block, measured over the last ten minutes, otherwise the published value. 0: unknown.',
    { min: 0 },
  )
  avgBlockTime!: number;

  @BooleanField('True: measured by the platform.') isBlockTimeMeasured!: boolean;

  @ObjectField(() => ChainDetailHead, 'The newest block. Null without a node.', { nullable: true })
  head!: ChainDetailHead | null;

  @IntegerField(
    'Blocks between the head and the last block whose positions were read. Null without a node.',
    { min: 0, nullable: true },
  )
  lagBlocks!: number | null;

  @ObjectField(() => ChainDetailFailing, 'Markets that cannot be read.', { list: true })
  failing!: ChainDetailFailing[];

  @TimestampField('Time of this status. Null without a node.', { nullable: true }) updatedAt!: string | null;
}

/** Response of GET /v1/chains. */
@Example({
  chains: [{ ...CHAIN, blockTime: 12.04, isBlockTimeMeasured: true }],
  count: 1,
  nextCursor: null,
})
export class ChainList {
  @ObjectField(() => ChainItem, 'By id.', { list: true }) chains!: ChainItem[];
  @ItemCount() count!: number;
  @NextCursor() nextCursor!: string | null;
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
  @ObjectField(() => ChainDetail) chain!: ChainDetail;
}
