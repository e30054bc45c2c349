import { Module } from '@nestjs/common';
import { AlertsReader } from './alerts.reader';
import { FactReaders } from './fact-readers';
import { HistoryReader } from './history.reader';
import { MarketReader } from './market.reader';
import { PositionsReader } from './positions.reader';
import { ProtocolNames } from './protocol-names';
import { ReadingFactory } from './reading';
import { RiskReader } from './risk.reader';
import { ServiceReader } from './service-reader';
import { WhalesReader } from './whales.reader';

/** Reads facts from the other services with the identity of the caller. */
@Module({
  providers: [
    AlertsReader,
    FactReaders,
    HistoryReader,
    MarketReader,
    PositionsReader,
    ProtocolNames,
    ReadingFactory,
    RiskReader,
    ServiceReader,
    WhalesReader,
  ],
  exports: [FactReaders, HistoryReader, PositionsReader, ReadingFactory, RiskReader],
})
export class FactsModule {}
