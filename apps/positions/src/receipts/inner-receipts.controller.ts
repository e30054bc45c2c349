import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { Identity, StoredReceipt } from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { ReceiptsService, type SimulationParts } from './receipts.service';

/** For the simulation service only. The gateway does not route here. */
@Controller('inner/receipts')
export class InnerReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  /**
   * Signs and stores the receipt of a simulation for the account of the caller. The service checks its form, because it
   * has more values than the validation of requests takes.
   */
  @Post()
  @HttpCode(200)
  sign(@CurrentIdentity() { accountId }: Identity, @Body() parts: SimulationParts): Promise<StoredReceipt> {
    return this.receipts.signSimulation(accountId, parts);
  }
}
