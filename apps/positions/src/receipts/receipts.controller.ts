import { Controller, Get, Param } from '@nestjs/common';
import { type Identity, StoredReceipt } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { ReceiptsService } from './receipts.service';

@Controller('v1/receipts')
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @Get(':hash')
  @Documented({
    operationId: 'getReceipt',
    tag: 'Positions',
    summary: 'A receipt by its hash',
    description:
      'The receipt of a position, a simulation, a crossing (`receiptHash` of an alert) or recorded forecasts in the form that was signed first, for 90 days. That of a position is without the results of its calls, and that of a simulation has its data. A crossing and forecasts are readable for accounts that watch their wallet. The body is the canonical JSON (RFC 8785), so that it can be verified as it is. The receipt of another account is a 404, because it would show what that account reads.',
    path: {
      hash: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        examples: ['cd'.repeat(32)],
        description:
          '`receipt.hash` of GET /v1/positions/:id or POST /v1/simulate/monte-carlo, or `receiptHash` of an alert or a forecast.',
      },
    },
    responses: [{ status: 200, description: 'The receipt.', schema: StoredReceipt }],
    errors: ['not_found'],
  })
  find(@CurrentIdentity() { accountId }: Identity, @Param('hash') hash: string): Promise<StoredReceipt> {
    return this.receipts.find(accountId, hash);
  }
}
