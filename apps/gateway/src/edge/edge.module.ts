import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RequestLogModule } from '../request-log/request-log.module';
import { StreamsModule } from '../streams/streams.module';
import { UsageModule } from '../usage/usage.module';
import { ApiCore } from './api-core';
import { LocalRoutes } from './local-routes';
import { Status, UpstreamReadiness } from './status';

/** Takes requests of /v1 from the server, and responds to those that no service handles. */
@Module({
  imports: [LimitsModule, PipelineModule, RequestLogModule, StreamsModule, UsageModule],
  providers: [ApiCore, LocalRoutes, Status, UpstreamReadiness],
  exports: [UpstreamReadiness],
})
export class EdgeModule {}
