import { Injectable, Logger } from '@nestjs/common';
import {
  type ForecastRecord,
  type ForecastRecordList,
  type ListForecastsQuery,
  Problem,
} from '@plimsoll/contracts';
import { type Caller, decodeCursor, pageOf } from '@plimsoll/service-kit';
import { ReceiptSource } from '../receipts/receipt-source';
import { ForecastReceiptsRepository, type SignedForecast } from './forecast-receipts.repository';

/** The recorded forecasts of single positions, for accounts that watch them. */
@Injectable()
export class ForecastsService {
  private readonly logger = new Logger('track-record');

  constructor(
    private readonly receipts: ForecastReceiptsRepository,
    private readonly source: ReceiptSource,
  ) {}

  /**
   * Empty for a position of a wallet that the account does not watch: that there are forecasts shows that another one does.
   * @throws upstream_unavailable while the database or positions is down
   */
  async list(
    caller: Caller,
    positionId: string,
    { limit, cursor }: ListForecastsQuery,
    left: AbortSignal,
  ): Promise<ForecastRecordList> {
    const place = decodeCursor(cursor, ['time', 'number']);
    const before = place && { slot: new Date(place[0]!), horizonDays: Number(place[1]) };
    const found = await this.read(async () => {
      const hash = await this.receipts.newestHash(positionId);
      return hash === null ? null : { hash, rows: await this.receipts.list(positionId, limit + 1, before) };
    });
    const rows = found && (await this.source.mayRead(caller, found.hash, left)) ? found.rows : [];
    const { items, nextCursor } = pageOf(rows, limit, ({ slot, horizonDays }) => [
      slot.getTime(),
      horizonDays,
    ]);
    return { forecasts: items.map(recordOf), count: items.length, nextCursor };
  }

  private async read<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.logger.warn({ msg: 'recorded forecasts cannot be read', err: error });
      throw new Problem(
        'upstream_unavailable',
        'Recorded forecasts cannot be read now. Everything else works; send the request again in a minute.',
        { headers: { 'retry-after': '60' } },
      );
    }
  }
}

function recordOf({
  madeAt,
  expiresAt,
  block,
  outcome,
  outcomeReason,
  outcomeBlock,
  resolvedAt,
  slot: _slot,
  ...same
}: SignedForecast): ForecastRecord {
  return {
    ...(same as Pick<
      ForecastRecord,
      | 'healthFactor'
      | 'horizonDays'
      | 'model'
      | 'modelVersion'
      | 'probability'
      | 'receiptHash'
      | 'standardError'
    >),
    madeAt: madeAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    block: Number(block),
    outcome: outcome as ForecastRecord['outcome'],
    outcomeReason: outcomeReason as ForecastRecord['outcomeReason'],
    outcomeBlock: outcomeBlock === null ? null : Number(outcomeBlock),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  };
}
