import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, Optional, TIMESTAMP } from '../fields';

/** Seconds for which a stream ticket is valid. */
export const STREAM_TICKET_SECONDS = 60;

/** Query of the upgrade to a stream. */
export class StreamQuery {
  @JSONSchema({
    description:
      'A ticket of POST /v1/streams/tickets, in place of a key. Only for clients that cannot send headers.',
    pattern: '^tkt_[0-9A-Za-z_-]{43}$',
  })
  @Optional()
  @IsString()
  @MaxLength(100)
  ticket?: string;
}

/** Response of POST /v1/streams/tickets. */
@Example({ ticket: `tkt_${'A'.repeat(43)}`, expiresAt: TIMESTAMP })
export class StreamTicket {
  @Field.Text('Opens one stream, once, as ?ticket= in its URL.', {
    example: `tkt_${'A'.repeat(43)}`,
    pattern: '^tkt_[0-9A-Za-z_-]{43}$',
  })
  ticket!: string;

  @Field.Timestamp('When it expires, 60 seconds after its creation.') expiresAt!: string;
}
