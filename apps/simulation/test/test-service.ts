import { type OutgoingEvent, kafkaConsumers, outgoing } from '@plimsoll/event-bus';
import type { TestedService } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { SimulationConfig } from '../src/config';
import { sampleCovariance, sampleHistory } from './samples';

export const SIMULATION: TestedService<SimulationConfig> = {
  module: AppModule,
  config: SimulationConfig,
  schema: 'simulation',
  consumers: kafkaConsumers,
};

/** The events of market-data for these price symbols. */
export const marketEvents = (symbols: readonly string[]): OutgoingEvent[] => [
  ...symbols.map((symbol) => outgoing('price-history.v1', sampleHistory(symbol))),
  outgoing('covariance.v1', sampleCovariance(symbols)),
];
