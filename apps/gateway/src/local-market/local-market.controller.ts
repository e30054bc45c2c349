import { Body, Delete, Get, Headers, HttpCode, Post } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { IsInt, IsNumber, Matches, Max, Min } from 'class-validator';
import { AccountRoutes, SessionGuard, isLoopback } from '../identity';
import { LocalMarket } from './local-market';

/** Body of a shock. */
export class ShockBody {
  @Matches(/^[A-Za-z0-9.]{1,16}$/, { message: 'asset must be a symbol, for example ETH' })
  asset!: string;

  /** Of the present price. */
  @IsNumber()
  @Min(-99.9)
  @Max(1_000)
  percent!: number;

  /** In which the price moves. 0: at once. */
  @IsInt()
  @Min(0)
  @Max(3_600)
  seconds!: number;
}

/**
 * Prices of a platform on one machine, for the page /portal/local-market. It is no part of the API. Pages of other origins are refused
 * by their headers, and have no session, because its cookie is SameSite=Strict. A name that a stranger points to the
 * loopback is refused, because its page would be of the same origin.
 */
@AccountRoutes('portal/local-market.json', SessionGuard)
export class LocalMarketController {
  constructor(private readonly market: LocalMarket) {}

  /** @throws Problem route_not_found without LOCAL_MARKET_URL */
  @Get()
  async show(@Headers('host') host: string): Promise<unknown> {
    this.requireMarket(host);
    return this.market.send();
  }

  @Post()
  @HttpCode(200)
  async shock(
    @Headers('host') host: string,
    @Body() { asset, percent, seconds }: ShockBody,
  ): Promise<unknown> {
    this.requireMarket(host);
    return this.market.send({ action: 'shock', symbol: asset, percent, seconds });
  }

  /** Ends a move that takes time. */
  @Delete()
  async stop(@Headers('host') host: string): Promise<unknown> {
    this.requireMarket(host);
    return this.market.send({ action: 'stop' });
  }

  private requireMarket(host: string): void {
    if (!this.market.isPresent || !isLoopback(host))
      throw new Problem('route_not_found', 'This platform has no local market. npm start has one.');
  }
}
