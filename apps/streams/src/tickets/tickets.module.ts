import { Module } from '@nestjs/common';
import { Tickets } from './tickets';
import { TicketsController } from './tickets.controller';

/** Tickets with which browsers open a stream. */
@Module({ controllers: [TicketsController], providers: [Tickets], exports: [Tickets] })
export class TicketsModule {}
