import { Inject, Injectable } from '@nestjs/common';
import { TimePartitions, dayPartition } from '@plimsoll/service-kit';
import { Pool } from 'pg';

const TABLE = 'request_log';
export const LOGGED_DAYS = 7;

/** The daily partitions of the request log. */
@Injectable()
export class RequestLogPartitions extends TimePartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, {
      name: TABLE,
      partitionOf: (at, ahead) => dayPartition(TABLE, at, ahead),
      retentionDays: LOGGED_DAYS,
      lock: 'plimsoll:gateway:request-log',
    });
  }
}
