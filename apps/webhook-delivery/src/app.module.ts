import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { EndpointsModule } from './endpoints/endpoints.module';
import { EventsModule } from './events/events.module';
import { IntakeModule } from './intake/intake.module';
import { LogModule } from './log/log.module';
import { RetentionModule } from './retention/retention.module';

@Module({
  imports: [
    DatabaseModule.forSchema('webhook_delivery', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync(eventBusOptions('webhook-delivery')),
    EndpointsModule,
    EventsModule,
    IntakeModule,
    LogModule,
    RetentionModule,
  ],
})
export class AppModule {}
