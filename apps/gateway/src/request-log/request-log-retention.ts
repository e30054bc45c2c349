import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { RequestLogPartitions } from './request-log-partitions';

const HOUR_MS = 3_600_000;

/** Makes the partitions of the request log, and drops the old ones. */
@Injectable()
export class RequestLogRetention extends PeriodicService implements OnModuleInit {
  constructor(private readonly partitions: RequestLogPartitions) {
    super({
      name: 'request-log-retention',
      everyMs: HOUR_MS,
      waitsFirst: true,
      failure: 'partitions of the request log could not be changed; the next round tries again',
    });
  }

  /** Requests can be logged from the first one on. */
  onModuleInit(): Promise<void> {
    return this.partitions.make(new Date());
  }

  protected async round(): Promise<void> {
    const now = new Date();
    await this.partitions.make(now);
    await this.partitions.drop(now);
  }
}
