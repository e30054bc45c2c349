import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import {
  BatchPositionsBody,
  type PositionBatch,
  type PositionScan,
  ScanPositionsBody,
} from '@plimsoll/contracts';
import { LimitedConcurrency } from '@plimsoll/service-kit';
import { ScansService } from './scans.service';

@Controller('v1/positions')
export class ScansController {
  constructor(private readonly scans: ScansService) {}

  @Post('scan')
  @HttpCode(200)
  @LimitedConcurrency('scans')
  scan(@Body() body: ScanPositionsBody): Promise<PositionScan> {
    return this.scans.scan(body);
  }

  @Post('batch')
  @HttpCode(200)
  @LimitedConcurrency('scans')
  batch(@Body() body: BatchPositionsBody): Promise<PositionBatch> {
    return this.scans.batch(body);
  }
}
