import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module';
import { AuditModule } from '../audit/audit.module';
import { FactsModule } from '../facts/facts.module';
import { PostmortemController } from './postmortem.controller';
import { PostmortemService } from './postmortem.service';

/** Explains an incident. */
@Module({
  imports: [AnswersModule, AuditModule, FactsModule],
  controllers: [PostmortemController],
  providers: [PostmortemService],
})
export class PostmortemModule {}
