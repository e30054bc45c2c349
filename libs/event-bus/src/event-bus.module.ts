import {
  Injectable,
  Module,
  Inject,
  type OnModuleInit,
  type DynamicModule,
  type FactoryProvider,
  type INestApplicationContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { KafkaBatchServer } from './consume/kafka-batch-server';
import { checkKafkaAccess } from './kafka/access';
import { EVENT_BUS_OPTIONS, type EventBusOptions } from './options';
import { OutboxRelay } from './outbox/outbox-relay';

export interface EventBusModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  inject?: FactoryProvider['inject'];
  useFactory: FactoryProvider<EventBusOptions>['useFactory'];
}

/** Ends the start of a service whose settings the brokers reject. */
@Injectable()
class StartCheck implements OnModuleInit {
  constructor(@Inject(EVENT_BUS_OPTIONS) private readonly options: EventBusOptions) {}

  onModuleInit(): Promise<void> {
    return checkKafkaAccess(this.options, this.options.groupId);
  }
}

/**
 * Provides `OutboxRelay`, which runs from the application's bootstrap to its shutdown, and
 * `KafkaBatchServer`, which consumes when main.ts connects it as a microservice (`kafkaConsumers`). A service
 * without handlers uses only the relay.
 */
@Module({})
export class EventBusModule {
  static forRootAsync({ imports = [], inject = [], useFactory }: EventBusModuleOptions): DynamicModule {
    return {
      module: EventBusModule,
      global: true,
      imports: [DiscoveryModule, ...imports],
      providers: [
        { provide: EVENT_BUS_OPTIONS, inject, useFactory },
        StartCheck,
        {
          provide: KafkaBatchServer,
          inject: [EVENT_BUS_OPTIONS, DiscoveryService],
          useFactory: (options: EventBusOptions, discovery: DiscoveryService) =>
            new KafkaBatchServer(options, discovery),
        },
        {
          provide: OutboxRelay,
          inject: [EVENT_BUS_OPTIONS],
          useFactory: (options: EventBusOptions) => new OutboxRelay(options),
        },
      ],
      exports: [EVENT_BUS_OPTIONS, KafkaBatchServer, OutboxRelay],
    };
  }
}

/**
 * Returns the transport of a service's handlers, for bootstrap: `app.connectMicroservice({ strategy:
 * kafkaConsumers(app) })`.
 */
export function kafkaConsumers(app: INestApplicationContext): KafkaBatchServer {
  return app.get(KafkaBatchServer);
}
