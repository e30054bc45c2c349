import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import {
  BatchPositionsBody,
  type Identity,
  PositionBatch,
  PositionScan,
  ScanPositionsBody,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, LimitedConcurrency } from '@plimsoll/service-kit';
import { SCANS, SHARED_SCANS, ScansService } from './scans.service';

const LATE =
  'Each chain has 4 seconds. A slow or failing chain does not delay the others. It is named in `unreadable`, and the last known positions of watched wallets appear with their own `block`. An account runs at most 4 scans and batches at the same time (enterprise 16). More wait up to 5 s and then receive 503.';

@Controller('v1/positions')
export class ScansController {
  constructor(private readonly scans: ScansService) {}

  @Post('scan')
  @HttpCode(200)
  @LimitedConcurrency(SCANS, SHARED_SCANS)
  @Documented({
    operationId: 'scanPositions',
    tag: 'Positions',
    summary: 'All positions of a wallet',
    description: `Reads every protocol on the given chains, or on all chains with a node. A chain that is not in the registry is a 400. A chain without a node is named in \`unreadable\` as unconfigured. ${LATE}`,
    responses: [{ status: 200, description: 'The positions of the wallet.', schema: PositionScan }],
  })
  scan(@CurrentIdentity() { accountId }: Identity, @Body() body: ScanPositionsBody): Promise<PositionScan> {
    return this.scans.scan(accountId, body);
  }

  @Post('batch')
  @HttpCode(200)
  @LimitedConcurrency(SCANS, SHARED_SCANS)
  @Documented({
    operationId: 'batchPositions',
    tag: 'Positions',
    summary: 'All positions of up to 100 wallets',
    description: `Every open position of the wallets on all chains, in one response. ${LATE}`,
    responses: [{ status: 200, description: 'The positions of the wallets.', schema: PositionBatch }],
  })
  batch(
    @CurrentIdentity() { accountId }: Identity,
    @Body() body: BatchPositionsBody,
  ): Promise<PositionBatch> {
    return this.scans.batch(accountId, body);
  }
}
