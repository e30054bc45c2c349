import { Controller, Post } from '@nestjs/common';
import { type Identity, StreamTicket } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { Tickets } from './tickets';

@Controller('v1/streams/tickets')
export class TicketsController {
  constructor(private readonly tickets: Tickets) {}

  @Post()
  @Documented({
    operationId: 'createStreamTicket',
    tag: 'Streams',
    summary: 'Create a ticket for a stream',
    description:
      'For browsers, which cannot set headers on a WebSocket: connect with `?ticket=` within 60 seconds. A ticket opens one stream that the key may open, once.',
    responses: [{ status: 201, description: 'The ticket. It is shown once.', schema: StreamTicket }],
    errors: ['upstream_unavailable'],
  })
  make(@CurrentIdentity() identity: Identity): Promise<StreamTicket> {
    return this.tickets.make(identity);
  }
}
