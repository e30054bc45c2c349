import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, register } from 'prom-client';
import type { SendResult } from '../outgoing/exchange';
import type { AttemptResult } from './attempt-result';

const named = <T>(name: string, make: () => T): T =>
  (register.getSingleMetric(name) as T | undefined) ?? make();

/** A gauge that reads its value from the most recent caller. */
function gauge(name: string, help: string, value: () => number): void {
  register.removeSingleMetric(name);
  const asked = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(value());
    },
  });
  register.registerMetric(asked);
}

/** Delivery metrics. No label contains an endpoint id, because the number of series would be unbounded. */
@Injectable()
export class DeliveryMetrics {
  readonly #deliveries = named(
    'webhook_deliveries_total',
    () =>
      new Counter({
        name: 'webhook_deliveries_total',
        help: 'Deliveries by their state after an attempt',
        labelNames: ['state'],
      }),
  );
  readonly #attempts = named(
    'webhook_attempt_duration_seconds',
    () =>
      new Histogram({
        name: 'webhook_attempt_duration_seconds',
        help: 'Time of one attempt, from DNS to the end of the response',
        labelNames: ['outcome'],
        buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      }),
  );
  readonly #oldestDue = named(
    'webhook_oldest_due_seconds',
    () =>
      new Gauge({
        name: 'webhook_oldest_due_seconds',
        help: 'Age of the delivery or waiting event that has been due longest',
      }),
  );
  readonly #queueAge = named(
    'webhook_queue_age_seconds',
    () =>
      new Histogram({
        name: 'webhook_queue_age_seconds',
        help: 'Time from when a delivery was due until its attempt began',
        buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 300],
      }),
  );

  concluded({ state, sent }: Pick<AttemptResult, 'state' | 'sent'>): void {
    this.#deliveries.inc({ state });
    if (sent) this.#attempts.observe({ outcome: outcomeOf(sent) }, sent.durationMs / 1_000);
  }

  began(overdueMs: number): void {
    this.#queueAge.observe(overdueMs / 1_000);
  }

  /** @param current read at each scrape, because each attempt changes it */
  watch(current: () => { inFlight: number; failing: number }): void {
    gauge(
      'webhook_attempts_in_flight',
      'Attempts under way, and those whose result is being written',
      () => current().inFlight,
    );
    gauge(
      'webhook_endpoints_failing',
      'Endpoints that keep failing and get one attempt at a time',
      () => current().failing,
    );
  }

  oldestDue(ageMs: number): void {
    this.#oldestDue.set(ageMs / 1_000);
  }
}

function outcomeOf({ statusCode, error }: SendResult): string {
  return statusCode === null ? error : `${Math.floor(statusCode / 100)}xx`;
}
