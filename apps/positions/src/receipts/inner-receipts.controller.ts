import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { Identity, StoredReceipt } from '@plimsoll/contracts';
import type { ForecastContent } from '@plimsoll/receipts';
import { CurrentIdentity, MostBodyValues } from '@plimsoll/service-kit';
import { ReceiptsService, type SimulationParts } from './receipts.service';

/** The daily prices of a hundred assets. */
const MOST_VALUES = 120_000;

/** For the simulation service only. The gateway does not route here. */
@Controller('inner/receipts')
export class InnerReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  /**
   * Signs and stores the receipt of a simulation for the account of the caller. The service checks its form as
   * a whole.
   */
  @Post()
  @HttpCode(200)
  @MostBodyValues(MOST_VALUES)
  sign(@CurrentIdentity() { accountId }: Identity, @Body() parts: SimulationParts): Promise<StoredReceipt> {
    return this.receipts.signSimulation(accountId, parts);
  }

  /** Signs and stores the receipt of recorded forecasts. It belongs to no account. */
  @Post('forecasts')
  @HttpCode(200)
  signForecast(@Body() content: ForecastContent): Promise<{ hash: string }> {
    return this.receipts.signForecast(content);
  }
}
