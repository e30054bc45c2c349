import { Module } from '@nestjs/common';
import { InnerNamesModule } from '@plimsoll/service-kit';
import { StreamsConfig } from './config';
import { TicketsModule } from './tickets/tickets.module';
import { UpgradeModule } from './upgrade/upgrade.module';

@Module({ imports: [InnerNamesModule.using(StreamsConfig), TicketsModule, UpgradeModule] })
export class AppModule {}
