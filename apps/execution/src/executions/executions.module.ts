import { Module } from '@nestjs/common';
import { AuditRepository } from './audit.repository';
import { ExecutionCleaner } from './execution-cleaner';
import { ExecutionsRepository } from './executions.repository';
import { Switches } from './switches';

/** Stored executions, their audit log, and the kill switch. */
@Module({
  providers: [AuditRepository, ExecutionCleaner, ExecutionsRepository, Switches],
  exports: [AuditRepository, ExecutionsRepository, Switches],
})
export class ExecutionsModule {}
