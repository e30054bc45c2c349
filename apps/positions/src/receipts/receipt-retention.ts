import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { ReceiptPartitions } from './receipt-partitions';

const HOUR_MS = 3_600_000;

/** Makes the partitions of the receipts, and drops the old ones. */
@Injectable()
export class ReceiptRetention extends PeriodicService implements OnModuleInit {
  constructor(private readonly partitions: ReceiptPartitions) {
    super({
      name: 'receipt-retention',
      everyMs: HOUR_MS,
      waitsFirst: true,
      failure: 'partitions of receipts could not be changed; the next round tries again',
    });
  }

  /** Receipts can be stored from the first request on. */
  onModuleInit(): Promise<void> {
    return this.partitions.make(new Date());
  }

  protected async round(): Promise<void> {
    const now = new Date();
    await this.partitions.make(now);
    await this.partitions.drop(now);
  }
}
