import { Controller, Get, Query } from '@nestjs/common';
import { type TrackRecord, TrackRecordQuery } from '@plimsoll/contracts';
import { TrackRecordService } from './track-record.service';

@Controller('v1/risk')
export class TrackRecordController {
  constructor(private readonly service: TrackRecordService) {}

  @Get('track-record')
  trackRecord(@Query() query: TrackRecordQuery): Promise<TrackRecord> {
    return this.service.figures(query);
  }
}
