import { Controller, Get, Query } from '@nestjs/common';
import { TrackRecord, TrackRecordQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { TrackRecordService } from './track-record.service';

@Controller('v1/risk')
export class TrackRecordController {
  constructor(private readonly service: TrackRecordService) {}

  @Get('track-record')
  @Documented({
    operationId: 'getTrackRecord',
    tag: 'Risk',
    summary: 'Scores of past forecasts',
    description:
      'Liquidation probabilities that the service forecasts every hour for a fixed sample of open positions, with their outcomes. A forecast assumes that the owner does not change the position. When the owner does within the horizon, the forecast is censored and counted separately. Figures of two model versions are never mixed.',
    responses: [{ status: 200, description: 'The record.', schema: TrackRecord }],
  })
  trackRecord(@Query() query: TrackRecordQuery): Promise<TrackRecord> {
    return this.service.figures(query);
  }
}
