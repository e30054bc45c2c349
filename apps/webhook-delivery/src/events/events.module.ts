import { Module } from '@nestjs/common';
import { EventsController } from './events.controller';
import { EventsRepository } from './events.repository';

/** The list of events that an account received. */
@Module({ controllers: [EventsController], providers: [EventsRepository] })
export class EventsModule {}
