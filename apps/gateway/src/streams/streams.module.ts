import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { PipelineModule } from '../pipeline/pipeline.module';
import { TestStreams } from './test-streams';
import { WebSocketProxy } from './web-socket-proxy';

@Module({
  imports: [IdentityModule, PipelineModule],
  providers: [TestStreams, WebSocketProxy],
  exports: [WebSocketProxy],
})
export class StreamsModule {}
