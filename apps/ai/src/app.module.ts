import { Module } from '@nestjs/common';
import { DatabaseModule, InnerNamesModule, migrationsFolder } from '@plimsoll/service-kit';
import { BriefingModule } from './briefing/briefing.module';
import { AiConfig } from './config';
import { PrismaClient } from './generated/prisma/client';
import { PostmortemModule } from './postmortem/postmortem.module';
import { RiskQaModule } from './risk-qa/risk-qa.module';
import { SuggestionsModule } from './suggestions/suggestions.module';

@Module({
  imports: [
    DatabaseModule.forSchema('ai', migrationsFolder(__dirname), { client: PrismaClient }),
    BriefingModule,
    PostmortemModule,
    RiskQaModule,
    SuggestionsModule,
    InnerNamesModule.using(AiConfig),
  ],
})
export class AppModule {}
