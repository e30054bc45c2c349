import { Controller, Get, Param, Query } from '@nestjs/common';
import { ForecastRecordList, ListForecastsQuery, recordId } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { type Caller, CurrentCaller, RequestAborted } from '@plimsoll/service-kit';
import { ForecastsService } from './forecasts.service';

@Controller('v1/positions/:id/forecasts')
export class ForecastsController {
  constructor(private readonly service: ForecastsService) {}

  @Get()
  @Documented({
    operationId: 'listForecasts',
    tag: 'Risk',
    summary: 'Recorded forecasts of a position',
    description:
      'The forecasts of the track record about this position, newest first, each with the hash of its receipt and its outcome. GET /v1/receipts/:hash has the receipt, and the log of receipts shows that it is older than the outcome. Forecasts are listed until about a week after their horizon. The list is empty for a position that is not in the sample, and for one of a wallet that the account does not watch.',
    path: { id: recordId('pos', 'Id of the position.') },
    responses: [{ status: 200, description: 'A page of forecasts.', schema: ForecastRecordList }],
  })
  list(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
    @Query() query: ListForecastsQuery,
  ): Promise<ForecastRecordList> {
    return this.service.list(caller, id, query, left);
  }
}
