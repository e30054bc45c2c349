import { Module } from '@nestjs/common';
import { ExecutionsModule } from '../executions/executions.module';
import { PlanningModule } from '../planning/planning.module';
import { BuiltWatcher } from './built-watcher';
import { BuiltRepository } from './built.repository';

/** Follows executions whose transactions the wallet sends itself. */
@Module({
  imports: [ExecutionsModule, PlanningModule],
  providers: [BuiltRepository, BuiltWatcher],
})
export class BuiltModule {}
