import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { Problem, PublicStatus, TrackRecord } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedFile } from '../documents/served-file';
import { SharedFile } from '../documents/shared-file';
import { LimitedByAddress } from '../identity';
import { PublicStatusReport } from './public-status';
import { UpstreamJson } from './upstream-json';

const STATUS_SECONDS = 10;
const RECORD_SECONDS = 60;

/** Serves status and track record without an account. All readers share one response, so requests cause few reads. */
@Controller('public/v1')
@WithoutIdentity()
export class PublicDataController {
  private readonly logger = new Logger('public-data');
  private readonly statusFile: SharedFile;
  private readonly recordFile: SharedFile;

  constructor(report: PublicStatusReport, upstream: UpstreamJson) {
    this.statusFile = new SharedFile({
      seconds: STATUS_SECONDS,
      read: async () => textOf(await report.read()),
    });
    this.recordFile = new SharedFile({
      seconds: RECORD_SECONDS,
      read: async () => textOf(await upstream.read<TrackRecord>('simulation', '/v1/risk/track-record')),
    });
  }

  @Get('status')
  @LimitedByAddress('public')
  @Documented({
    operationId: 'getPublicStatus',
    tag: 'Public',
    summary: 'Condition of the platform, its chains and its markets',
    description:
      'The present condition of each service, chain and market, and their record by UTC day. The gateway records once a minute and keeps 90 days. A minute without a record counts as unavailable.',
    responses: [{ status: 200, description: 'The status, at most a few seconds old.', schema: PublicStatus }],
  })
  status(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(this.statusFile, request, reply);
  }

  @Get('track-record')
  @LimitedByAddress('public')
  @Documented({
    operationId: 'getPublicTrackRecord',
    tag: 'Public',
    summary: 'Scores of past forecasts',
    description: 'The response of GET /v1/risk/track-record without parameters, at most a minute old.',
    responses: [{ status: 200, description: 'The record.', schema: TrackRecord }],
  })
  trackRecord(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(this.recordFile, request, reply);
  }

  private async send(shared: SharedFile, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let file: ServedFile;
    try {
      file = await shared.file(Date.now());
    } catch (error) {
      this.logger.warn({ msg: 'public data cannot be read', err: error });
      throw UNAVAILABLE;
    }
    await file.send(request, reply);
  }
}

const textOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const UNAVAILABLE = new Problem(
  'upstream_unavailable',
  'This cannot be read at the moment. Try again after the seconds in Retry-After.',
  { headers: { 'retry-after': '5' } },
);
