import { Controller, Get, Param, Query } from '@nestjs/common';
import { ExitLiquidityList, ExitLiquidityQuery, PositionExitLiquidity, recordId } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { DEPTH_MODEL } from '@plimsoll/risk-math';
import { type Caller, CurrentCaller, RequestAborted } from '@plimsoll/service-kit';
import { PositionSource } from '../position/position-source';
import { exitLiquidity, positionExitLiquidity } from './exit-liquidity';

const MODEL =
  'A model of a constant product, fitted to one published measurement for each class of assets, computes the amounts. Each has its source. A market differs from the model by a factor of about two, and depth halves in a crash. An asset without a measurement is null with a reason.';

@Controller('v1')
export class ExitLiquidityController {
  constructor(private readonly positions: PositionSource) {}

  @Get('markets/exit-liquidity')
  @Documented({
    operationId: 'getExitLiquidity',
    tag: 'Markets',
    summary: 'Amounts that can be sold at 1, 2 and 5 %',
    description: `The amount of each asset in USD that can be sold at once with an average loss of 1, 2 and 5 %. ${MODEL}`,
    responses: [{ status: 200, description: 'The amounts by asset.', schema: ExitLiquidityList }],
  })
  ofAssets(@Query() { symbols }: ExitLiquidityQuery): ExitLiquidityList {
    const assets = symbols.split(',').map((symbol) => exitLiquidity(symbol.trim()));
    return { assets, model: DEPTH_MODEL, count: assets.length };
  }

  @Get('positions/:id/exit-liquidity')
  @Documented({
    operationId: 'getPositionExitLiquidity',
    tag: 'Positions',
    summary: 'Part of the collateral that can be sold at 1, 2 and 5 %',
    description: `The depth of the market of each collateral that secures the debt, the loss of a sale of all of it, and the part of the collateral that can be sold at each price impact. Assets are sold one by one: WETH and wstETH share buyers, and selling both at once loses more. ${MODEL}`,
    path: { id: recordId('pos', 'Id of the position.') },
    responses: [{ status: 200, description: 'The amounts.', schema: PositionExitLiquidity }],
    errors: ['not_found'],
  })
  async ofPosition(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
  ): Promise<PositionExitLiquidity> {
    return positionExitLiquidity(await this.positions.read(caller, id, left));
  }
}
