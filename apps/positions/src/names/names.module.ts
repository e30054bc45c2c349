import { Global, Module } from '@nestjs/common';
import { NameResolver } from '@plimsoll/service-kit';
import { ChainsModule } from '../chains/chains.module';
import { NamesController } from './names.controller';
import { NamesService } from './names.service';

/** Resolves ENS names. Global, because the interceptor of all requests uses it. */
@Global()
@Module({
  imports: [ChainsModule],
  controllers: [NamesController],
  providers: [NamesService, { provide: NameResolver, useExisting: NamesService }],
  exports: [NamesService, NameResolver],
})
export class NamesModule {}
