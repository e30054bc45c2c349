import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { PeriodicService, TimePartitions, dayPartition } from '@plimsoll/service-kit';
import { Pool } from 'pg';

const TABLE = 'usage_minutes';
/** Reports have 24 hours. */
const RETENTION_DAYS = 2;
const HOUR_MS = 3_600_000;

/** The daily partitions of the usage by minute. */
@Injectable()
export class MinutePartitions extends TimePartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, {
      name: TABLE,
      partitionOf: (at, ahead) => dayPartition(TABLE, at, ahead),
      retentionDays: RETENTION_DAYS,
      lock: 'plimsoll:gateway:usage-minutes',
    });
  }
}

/** Makes the partitions of the usage by minute, and drops the old ones. */
@Injectable()
export class MinuteRetention extends PeriodicService implements OnModuleInit {
  constructor(private readonly partitions: MinutePartitions) {
    super({
      name: 'usage-retention',
      everyMs: HOUR_MS,
      waitsFirst: true,
      failure: 'partitions of the usage could not be changed; the next round tries again',
    });
  }

  /** Requests can be counted from the first one on. */
  onModuleInit(): Promise<void> {
    return this.partitions.make(new Date());
  }

  protected async round(): Promise<void> {
    const now = new Date();
    await this.partitions.make(now);
    await this.partitions.drop(now);
  }
}
