import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/clusters.module';
import { ActivityCleaner } from './activity-cleaner';
import { ActivityController } from './activity.controller';
import { ActivityRepository } from './activity.repository';

/** The list of moves, and their deletion when they are old. */
@Module({
  imports: [ClustersModule],
  controllers: [ActivityController],
  providers: [ActivityCleaner, ActivityRepository],
})
export class ActivityModule {}
