import { Module } from '@nestjs/common';
import { ExecutionsRepository } from './executions.repository';
import { RulesRepository } from './rules.repository';

/** Rules and their executions. */
@Module({
  providers: [ExecutionsRepository, RulesRepository],
  exports: [ExecutionsRepository, RulesRepository],
})
export class RuleModule {}
