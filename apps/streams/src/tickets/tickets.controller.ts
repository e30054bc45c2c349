import { Controller, Post } from '@nestjs/common';
import type { Identity, StreamTicket } from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { Tickets } from './tickets';

@Controller('v1/streams/tickets')
export class TicketsController {
  constructor(private readonly tickets: Tickets) {}

  @Post()
  make(@CurrentIdentity() identity: Identity): Promise<StreamTicket> {
    return this.tickets.make(identity);
  }
}
