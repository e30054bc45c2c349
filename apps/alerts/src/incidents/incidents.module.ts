import { Module } from '@nestjs/common';
import { IncidentsController } from './incidents.controller';
import { IncidentsReader } from './incidents.reader';
import { IncidentsRepository } from './incidents.repository';
import { IncidentsService } from './incidents.service';

/** Incidents and their timelines. */
@Module({
  controllers: [IncidentsController],
  providers: [IncidentsReader, IncidentsRepository, IncidentsService],
  exports: [IncidentsRepository, IncidentsService],
})
export class IncidentsModule {}
