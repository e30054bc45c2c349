import { type Static, Type } from '@sinclair/typebox';
import { timestamp } from './fields';

/** Seconds for which a stream ticket is valid. */
export const STREAM_TICKET_SECONDS = 60;

/** Response of POST /v1/streams/tickets. */
export const StreamTicket = Type.Object({
  ticket: Type.String({
    pattern: '^tkt_[0-9A-Za-z_-]{43}$',
    description: 'Opens one stream, once, as ?ticket= in its URL.',
    examples: [`tkt_${'A'.repeat(43)}`],
  }),
  expiresAt: timestamp('When it expires, 60 seconds after its creation.'),
});
export type StreamTicket = Static<typeof StreamTicket>;
