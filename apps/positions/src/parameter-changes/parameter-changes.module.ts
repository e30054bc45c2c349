import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ParameterChangesPublisher } from './parameter-changes-publisher';

/** Publishes the changes of parameters that governance announced. */
@Module({
  imports: [ChainsModule],
  providers: [ParameterChangesPublisher],
})
export class ParameterChangesModule {}
