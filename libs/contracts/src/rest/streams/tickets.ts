import { TextField, TimestampField } from '../fields/fields';
import { Example } from '../fields/response-schema';
import { TIMESTAMP } from '../fields/samples';

/** Seconds for which a stream ticket is valid. */
export const STREAM_TICKET_SECONDS = 60;

/** Response of POST /v1/streams/tickets. */
@Example({ ticket: `tkt_${'A'.repeat(43)}`, expiresAt: TIMESTAMP })
export class StreamTicket {
  @TextField('Opens one stream, once, as ?ticket= in its URL.', {
    example: `tkt_${'A'.repeat(43)}`,
    pattern: '^tkt_[0-9A-Za-z_-]{43}$',
  })
  ticket!: string;

  @TimestampField('When it expires, 60 seconds after its creation.') expiresAt!: string;
}
