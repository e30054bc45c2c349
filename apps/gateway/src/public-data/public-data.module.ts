import { Module } from '@nestjs/common';
import { EdgeModule } from '../edge/edge.module';
import { IdentityModule } from '../identity';
import { PipelineModule } from '../pipeline/pipeline.module';
import { ChainConditionsReader } from './chain-conditions';
import { PublicDataController } from './public-data.controller';
import { PublicStatusReport } from './public-status';
import { StatusRecorder } from './status-recorder';
import { StatusRecords } from './status-records';
import { UpstreamJson } from './upstream-json';

/** Records the condition of the platform, and serves what everyone may read. */
@Module({
  imports: [EdgeModule, IdentityModule, PipelineModule],
  controllers: [PublicDataController],
  providers: [ChainConditionsReader, PublicStatusReport, StatusRecorder, StatusRecords, UpstreamJson],
})
export class PublicDataModule {}
