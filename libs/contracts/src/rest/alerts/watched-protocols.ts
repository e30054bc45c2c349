import { Example, Field, TIMESTAMP } from '../fields';

const WATCHED = { protocol: 'aave-v3', createdAt: TIMESTAMP };

/** Most protocols that one account may watch. */
export const MOST_WATCHED_PROTOCOLS = 50;

/** Pattern of a protocol id. */
export const PROTOCOL_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A protocol whose whale activity the account watches. */
@Example(WATCHED)
export class WatchedProtocol {
  @Field.Text('Protocol id, as in GET /v1/protocols.', { example: 'aave-v3' }) protocol!: string;
  @Field.Timestamp('Since when it is watched.') createdAt!: string;
}

/** Response of GET /v1/alerts/protocols. */
@Example({ protocols: [WATCHED], count: 1, limit: 50 })
export class WatchedProtocolList {
  @Field.Object(() => WatchedProtocol, 'Newest first.', { list: true }) protocols!: WatchedProtocol[];
  @Field.ItemCount() count!: number;
  @Field.Integer('Most protocols that an account may watch.', { min: 0 }) limit!: number;
}

/** Response of DELETE /v1/alerts/protocols/:protocol. */
@Example({ success: true, deleted: 'aave-v3' })
export class UnwatchedProtocol {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Text('Id of the protocol that is no longer watched.') deleted!: string;
}
