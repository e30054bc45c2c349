import { Module } from '@nestjs/common';
import { PipelineModule } from '../pipeline/pipeline.module';
import { WebSocketProxy } from './web-socket-proxy';

@Module({ imports: [PipelineModule], providers: [WebSocketProxy], exports: [WebSocketProxy] })
export class StreamsModule {}
