import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { LocalMarketController } from './local-market.controller';
import { LocalMarket } from './local-market';

/** Moves the prices of the local market, on a platform of one machine. */
@Module({ imports: [IdentityModule], controllers: [LocalMarketController], providers: [LocalMarket] })
export class LocalMarketModule {}
