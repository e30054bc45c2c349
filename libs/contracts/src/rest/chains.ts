import { type Static, Type } from '@sinclair/typebox';
import { SHOWN_CHAIN_STATUSES } from '../chains';
import { itemCount, nextCursor, nullable, oneOf, timestamp } from './fields';

/** Status of a chain; unconfigured without a node. */
export type ChainItemStatus = (typeof SHOWN_CHAIN_STATUSES)[number];

const common = {
  id: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  name: Type.String({ description: 'Name of the chain.', examples: ['Ethereum'] }),
  status: oneOf(SHOWN_CHAIN_STATUSES, {
    description:
      'degraded: the newest block is older than ten block times or 60 seconds, or a market cannot be read. down: the node does not respond. unconfigured: no node is set.',
  }),
};
const blockTime = Type.Number({
  minimum: 0,
  description:
    'Seconds per block, measured over the last ten minutes, otherwise the published value. 0: unknown.',
});
const isBlockTimeMeasured = Type.Boolean({ description: 'True: measured by the platform.' });

/** List form of a chain. */
export const ChainItem = Type.Object({ ...common, blockTime, isBlockTimeMeasured });
export type ChainItem = Static<typeof ChainItem>;

/** Detail form of a chain. */
export const ChainDetail = Type.Object({
  ...common,
  nativeCurrency: Type.String({ description: 'Symbol of the coin that pays fees.', examples: ['ETH'] }),
  blockExplorer: Type.String({ description: 'Host name of the explorer; empty for a local chain.' }),
  avgBlockTime: blockTime,
  isBlockTimeMeasured,
  head: nullable(
    Type.Object({
      number: Type.Integer({ minimum: 0, description: 'Block number.' }),
      time: timestamp('Time of the block.'),
    }),
    'The newest block. Null without a node.',
  ),
  lagBlocks: nullable(
    Type.Integer({ minimum: 0 }),
    'Blocks between the head and the last block whose positions were read. Null without a node.',
  ),
  failing: Type.Array(
    Type.Object({
      protocol: Type.String({ description: 'Protocol id.' }),
      market: Type.String({ description: 'Market of the protocol.' }),
      reason: Type.String({ description: 'Reason as a stable word.' }),
    }),
    { description: 'Markets that cannot be read.' },
  ),
  updatedAt: nullable(timestamp('A moment.'), 'Time of this status. Null without a node.'),
});
export type ChainDetail = Static<typeof ChainDetail>;

/** Response of GET /v1/chains. */
export const ChainList = Type.Object({
  chains: Type.Array(ChainItem, { description: 'By id.' }),
  count: itemCount,
  nextCursor,
});
export type ChainList = Static<typeof ChainList>;

/** Response of GET /v1/chains/:id. */
export const ChainAnswer = Type.Object({ chain: ChainDetail });
export type ChainAnswer = Static<typeof ChainAnswer>;
