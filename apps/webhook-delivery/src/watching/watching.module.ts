import { Module } from '@nestjs/common';
import { RecentEventsCleaner } from './recent-events.cleaner';
import { RecentEventsRepository } from './recent-events.repository';
import { WatchesRepository } from './watches.repository';

/** Which account watches which wallet, and recent events for which a watch may still arrive. */
@Module({
  providers: [RecentEventsCleaner, RecentEventsRepository, WatchesRepository],
  exports: [RecentEventsRepository, WatchesRepository],
})
export class WatchingModule {}
