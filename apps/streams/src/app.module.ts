import { Module } from '@nestjs/common';
import { TicketsModule } from './tickets/tickets.module';
import { UpgradeModule } from './upgrade/upgrade.module';

@Module({ imports: [TicketsModule, UpgradeModule] })
export class AppModule {}
