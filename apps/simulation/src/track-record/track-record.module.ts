import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { KafkaBatchServer } from '@plimsoll/event-bus';
import { eventBusOptions } from '@plimsoll/service-kit';
import { PoolModule } from '../pool/pool.module';
import { SimulateModule } from '../simulate/simulate.module';
import { CalibrationKeeper } from './calibration-keeper';
import { ForecastMaker } from './forecast-maker';
import { ForecastModel } from './forecast-model';
import { ForecastReceiptsRepository } from './forecast-receipts.repository';
import { ForecastSigner } from './forecast-signer';
import { ForecastsController } from './forecasts.controller';
import { ForecastsRepository } from './forecasts.repository';
import { ForecastsService } from './forecasts.service';
import { OperatorAlerts } from './operator-alerts';
import { Panel } from './panel';
import { PositionConsumer } from './position.consumer';
import { RecordReader } from './record.reader';
import { GROUP_ID, TrackRecordTask } from './track-record-task';
import { TrackRecordController } from './track-record.controller';
import { TrackRecordService } from './track-record.service';
import { TrackedPositionsRepository } from './tracked-positions.repository';

/** A forecast is for days, so the work shares no moment with the alerts of the same events. */
const GATHER_MS = 1_000;

const bus = eventBusOptions(GROUP_ID, { gatherMs: GATHER_MS });

/** Records forecasts, and compares them with the outcome. */
@Module({
  imports: [DiscoveryModule, PoolModule, SimulateModule],
  controllers: [ForecastsController, PositionConsumer, TrackRecordController],
  providers: [
    {
      provide: KafkaBatchServer,
      inject: [DiscoveryService, ...bus.inject],
      // The consumer uses the sequence of each position, and most events concern no tracked position.
      useFactory: (discovery: DiscoveryService, ...settings: Parameters<typeof bus.useFactory>) =>
        new KafkaBatchServer({ ...bus.useFactory(...settings), inbox: false }, discovery),
    },
    CalibrationKeeper,
    ForecastMaker,
    ForecastModel,
    ForecastReceiptsRepository,
    ForecastSigner,
    ForecastsRepository,
    ForecastsService,
    OperatorAlerts,
    Panel,
    RecordReader,
    TrackRecordService,
    TrackRecordTask,
    TrackedPositionsRepository,
  ],
})
export class TrackRecordModule {}
