import type { EventTopic } from '@plimsoll/contracts';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { Health } from '../health/health';
import { type KafkaSettings, kafkaSettings } from './kafka-settings';
import { KafkaConfig } from './service.config';

/** The options of event-bus for a service with its own schema. */
export interface ServiceBus extends KafkaSettings {
  clientId: string;
  groupId: string;
  pool: Pool;
  logger: PinoLogger;
  health: Health;
  maxBytesPerPartition?: number;
  gatherMs?: number;
  readAhead?: { topics: readonly EventTopic[]; eventsPerKey: number; maxBytes: number };
}

/**
 * The asynchronous options of event-bus for a service with its own schema:
 * `EventBusModule.forRootAsync(eventBusOptions('alerts'))`.
 * @param name name of the service, and of its consumer group
 * @param more options that differ from the defaults
 */
export function eventBusOptions(
  name: string,
  more: Pick<ServiceBus, 'maxBytesPerPartition' | 'gatherMs' | 'readAhead'> = {},
) {
  return {
    inject: [KafkaConfig, Pool, PinoLogger, Health],
    useFactory: (config: KafkaConfig, pool: Pool, logger: PinoLogger, health: Health): ServiceBus => ({
      ...kafkaSettings(config),
      clientId: name,
      groupId: name,
      pool,
      logger,
      health,
      ...more,
    }),
  };
}
