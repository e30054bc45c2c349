import type { StreamFilter } from '@plimsoll/contracts';
import type { StreamConnection } from '../connection/stream-connection';
import type { StreamOffset } from '../log/cursor';
import { type CompiledFilter, compileFilter } from './stream-filter';

/** A filter of a client, and the part of the stream that it receives. */
export class Subscription {
  // First, because every event reads it for each subscription that is found.
  readonly connection: StreamConnection;
  readonly matchesRest: CompiledFilter['matchesRest'];
  readonly filter: CompiledFilter;
  /** First offsets that it receives. */
  from: StreamOffset = [];
  /** How far it has been served while its connection catches up. Null: live. */
  upTo: StreamOffset | null = null;
  /** The client waits for the frame that ends the replay. */
  isResuming = false;

  constructor(
    connection: StreamConnection,
    readonly id: string,
    filter: StreamFilter = {},
  ) {
    this.connection = connection;
    this.filter = compileFilter(filter);
    this.matchesRest = this.filter.matchesRest;
  }
}
