import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { BalancesController } from './balances.controller';
import { BalancesService } from './balances.service';
import { MarketTokensRepository } from './market-tokens.repository';

/** Tokens that wallets themselves hold. */
@Module({
  imports: [ChainsModule],
  controllers: [BalancesController],
  providers: [BalancesService, MarketTokensRepository],
})
export class BalancesModule {}
