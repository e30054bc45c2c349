import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ChainStates } from './chains/chain-states';
import { ChainConsumer } from './chains/chain.consumer';
import { ChainsController } from './chains/chains.controller';
import { Registry } from './chains/registry';
import { ExposureRepository } from './exposure/exposure.repository';
import { PositionConsumer } from './exposure/position.consumer';
import { HistoryApis } from './history/history-apis';
import { HistoryFiller } from './history/history-filler';
import { HistoryKeeper } from './history/history-keeper';
import { HistoryController } from './history/history.controller';
import { HistoryRepository } from './history/history.repository';
import { HistoryService } from './history/history.service';
import { Leader } from './leadership/leader';
import { LeaseRepository } from './leadership/lease.repository';
import { PriceBook } from './prices/price-book';
import { PriceEngine } from './prices/price-engine';
import { PriceStore } from './prices/price-store';
import { PricesController } from './prices/prices.controller';
import { PricesService } from './prices/prices.service';
import { ProtocolTvls } from './protocols/protocol-tvls';
import { ProtocolsController } from './protocols/protocols.controller';
import { ProtocolsService } from './protocols/protocols.service';
import { TvlReader } from './protocols/tvl-reader';
import { IndexInputsReader } from './risk/index-inputs';
import { IndexKeeper } from './risk/index-keeper';
import { RiskController } from './risk/risk.controller';
import { RiskRepository } from './risk/risk.repository';
import { SourcePollers } from './sources/source-pollers';

@Module({
  imports: [
    DatabaseModule.forSchema('market_data', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync(eventBusOptions('market-data')),
  ],
  controllers: [
    PricesController,
    HistoryController,
    ProtocolsController,
    ChainsController,
    RiskController,
    ChainConsumer,
    PositionConsumer,
  ],
  providers: [
    LeaseRepository,
    Leader,
    SourcePollers,
    PriceStore,
    PriceBook,
    PriceEngine,
    PricesService,
    HistoryApis,
    HistoryFiller,
    HistoryKeeper,
    HistoryRepository,
    HistoryService,
    Registry,
    ChainStates,
    ProtocolTvls,
    ProtocolsService,
    TvlReader,
    ExposureRepository,
    RiskRepository,
    IndexInputsReader,
    IndexKeeper,
  ],
})
export class AppModule {}
