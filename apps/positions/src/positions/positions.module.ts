import { Module } from '@nestjs/common';
import { FiguresModule } from '../figures/figures.module';
import { ReceiptsModule } from '../receipts/receipts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { PositionKeysRepository } from './position-keys.repository';
import { PositionsController } from './positions.controller';
import { PositionsService } from './positions.service';

/** Positions of the API: the list, and one by its id. */
@Module({
  imports: [FiguresModule, ReceiptsModule, WalletsModule],
  controllers: [PositionsController],
  providers: [PositionKeysRepository, PositionsService],
  exports: [PositionKeysRepository],
})
export class PositionsModule {}
