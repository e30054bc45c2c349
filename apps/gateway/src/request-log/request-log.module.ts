import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { RequestLog } from './request-log';
import { RequestLogController } from './request-log.controller';
import { RequestLogPartitions } from './request-log-partitions';
import { RequestLogReader } from './request-log-reader';
import { RequestLogRetention } from './request-log-retention';
import { RequestLogWriter } from './request-log-writer';

/** Keeps the requests of accounts for seven days. */
@Module({
  imports: [IdentityModule],
  controllers: [RequestLogController],
  providers: [RequestLog, RequestLogPartitions, RequestLogReader, RequestLogRetention, RequestLogWriter],
  exports: [RequestLog],
})
export class RequestLogModule {}
