import { Module } from '@nestjs/common';
import { DatabaseModule, migrationsFolder } from '@plimsoll/service-kit';
import { AnswerComposer } from './answers/answer-composer';
import { AnswerWriter } from './answers/answer-writer';
import { AnswerCleaner } from './audit/answer-cleaner';
import { AnswerStore } from './audit/answer-store';
import { AnswersRepository } from './audit/answers.repository';
import { BriefingController } from './briefing/briefing.controller';
import { BriefingService } from './briefing/briefing.service';
import { AlertsReader } from './facts/alerts.reader';
import { FactReaders } from './facts/fact-readers';
import { HistoryReader } from './facts/history.reader';
import { MarketReader } from './facts/market.reader';
import { PositionsReader } from './facts/positions.reader';
import { ProtocolNames } from './facts/protocol-names';
import { ReadingFactory } from './facts/reading-factory';
import { RiskReader } from './facts/risk.reader';
import { ServiceReader } from './facts/service-reader';
import { WhalesReader } from './facts/whales.reader';
import { PostmortemController } from './postmortem/postmortem.controller';
import { PostmortemService } from './postmortem/postmortem.service';
import { MODEL_PROVIDERS } from './model/model.providers';
import { RiskQaController } from './risk-qa/risk-qa.controller';
import { RiskQaService } from './risk-qa/risk-qa.service';
import { Prover } from './suggestions/prover';
import { SuggestionsController } from './suggestions/suggestions.controller';
import { SuggestionsService } from './suggestions/suggestions.service';

@Module({
  imports: [DatabaseModule.forSchema('ai', migrationsFolder(__dirname))],
  controllers: [BriefingController, PostmortemController, RiskQaController, SuggestionsController],
  providers: [
    ServiceReader,
    PositionsReader,
    RiskReader,
    MarketReader,
    ProtocolNames,
    AlertsReader,
    WhalesReader,
    FactReaders,
    ReadingFactory,
    AnswerComposer,
    AnswerWriter,
    ...MODEL_PROVIDERS,
    AnswersRepository,
    AnswerStore,
    AnswerCleaner,
    RiskQaService,
    Prover,
    SuggestionsService,
    BriefingService,
    HistoryReader,
    PostmortemService,
  ],
})
export class AppModule {}
