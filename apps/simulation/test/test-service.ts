import { createService } from '@plimsoll/service-kit';
import { type OutgoingEvent, kafkaConsumers, outgoing } from '@plimsoll/event-bus';
import { type TestDatabase, type TestLog, testIdentityKeys } from '@plimsoll/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../src/app.module';
import { SimulationConfig } from '../src/config';
import { sampleCovariance, sampleHistory } from './samples';

/** The configuration of a service on a database and topics of a test's own. */
export function testConfig(
  database: TestDatabase,
  log: TestLog,
  over: Partial<SimulationConfig>,
): SimulationConfig {
  return Object.assign(new SimulationConfig(), {
    LOG_LEVEL: 'silent',
    IDENTITY_KEYS: testIdentityKeys(),
    DATABASE_URL: database.url,
    KAFKA_BROKERS: log.brokers.join(','),
    KAFKA_TOPIC_PREFIX: log.topicPrefix,
    ...over,
  });
}

/** The service before it listens. */
export const createSimulation = (config: SimulationConfig): Promise<NestFastifyApplication> =>
  createService(AppModule, config, kafkaConsumers);

/** Its address on loopback. */
export const originOf = async (app: NestFastifyApplication): Promise<string> =>
  (await app.getUrl()).replace('[::1]', '127.0.0.1');

/** The events of market-data for these price symbols. */
export const marketEvents = (symbols: readonly string[]): OutgoingEvent[] => [
  ...symbols.map((symbol) => outgoing('price-history.v1', sampleHistory(symbol))),
  outgoing('covariance.v1', sampleCovariance(symbols)),
];
