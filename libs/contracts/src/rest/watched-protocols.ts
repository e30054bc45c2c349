import { type Static, Type } from '@sinclair/typebox';
import { itemCount, timestamp } from './fields';

/** Most protocols that one account may watch. */
export const MOST_WATCHED_PROTOCOLS = 50;
/** Pattern of a protocol id. */
export const PROTOCOL_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A protocol whose whale activity the account watches. */
export const WatchedProtocol = Type.Object({
  protocol: Type.String({ description: 'Protocol id, as in GET /v1/protocols.', examples: ['aave-v3'] }),
  createdAt: timestamp('Since when it is watched.'),
});
export type WatchedProtocol = Static<typeof WatchedProtocol>;

/** Response of GET /v1/alerts/protocols. */
export const WatchedProtocolList = Type.Object({
  protocols: Type.Array(WatchedProtocol, { description: 'Newest first.' }),
  count: itemCount,
  limit: Type.Integer({ minimum: 0, description: 'Most protocols that an account may watch.' }),
});
export type WatchedProtocolList = Static<typeof WatchedProtocolList>;

/** Response of DELETE /v1/alerts/protocols/:protocol. */
export const UnwatchedProtocol = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: Type.String({ description: 'Id of the protocol that is no longer watched.' }),
});
export type UnwatchedProtocol = Static<typeof UnwatchedProtocol>;
