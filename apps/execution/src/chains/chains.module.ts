import { Module } from '@nestjs/common';
import { ChainsService } from './chains.service';

/** The configured chains. */
@Module({
  providers: [ChainsService],
  exports: [ChainsService],
})
export class ChainsModule {}
