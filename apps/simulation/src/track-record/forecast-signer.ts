import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { ReceiptSource } from '../receipts/receipt-source';
import { ForecastReceiptsRepository } from './forecast-receipts.repository';

/** Receipts that one call requests at most. */
const RECEIPTS_PER_BATCH = 20;
/** The shortest horizon is a day. A receipt after it would show nothing. */
const LATEST_MS = 12 * 3_600_000;

/** Has the forecasts of the record signed, so that the log has them before their outcome. */
@Injectable()
export class ForecastSigner {
  private readonly logger = new Logger('track-record');
  private isFailing = false;

  constructor(
    private readonly receipts: ForecastReceiptsRepository,
    private readonly source: ReceiptSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs some of those that wait. Returns whether more wait. While positions signs none, they wait for the next round.
   * @param keptMs forecasts of slots before this moment are no longer stored
   */
  async sign(keptMs: number, signal: AbortSignal): Promise<boolean> {
    await this.receipts.trim(new Date(this.clock.now() - LATEST_MS), new Date(keptMs));
    const waiting = await this.receipts.unsigned(RECEIPTS_PER_BATCH);
    try {
      for (const each of waiting) {
        if (signal.aborted) return false;
        await this.receipts.signed(each, await this.source.signForecasts(each.content, signal));
      }
      this.isFailing = false;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!this.isFailing) this.logger.warn({ msg: 'recorded forecasts have no receipts yet', err: error });
      this.isFailing = true;
      return false;
    }
    return waiting.length === RECEIPTS_PER_BATCH;
  }
}
