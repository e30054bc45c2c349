// Suites that guarantee something about Kafka or Redis. npm test runs them on embedded parts, npm test --
// --genuine on genuine ones. A suite belongs here when a difference between the two parts could break its
// guarantee.
const { readdirSync } = require('node:fs');
const path = require('node:path');

/** Folders whose e2e suites all belong here, and single files. */
const PLACES = [
  // The bus: outbox, inbox, dead letters, order, killed brokers.
  'libs/event-bus/test',
  'libs/local-parts/src/local-parts.e2e-spec.ts',
  // The limiter, and its behaviour without Redis.
  'apps/gateway/test/identity/account-parts-unavailable.e2e-spec.ts',
  'apps/gateway/test/limits.e2e-spec.ts',
  'apps/gateway/test/redis-unavailable.e2e-spec.ts',
  'apps/gateway/test/redis-limiter.e2e-spec.ts',
  // Resume, recovery, connection limits and tickets of streams.
  'apps/streams/test/limits.e2e-spec.ts',
  'apps/streams/test/log-thread.e2e-spec.ts',
  'apps/streams/test/recovery.e2e-spec.ts',
  'apps/streams/test/resume.e2e-spec.ts',
  'apps/streams/test/tickets.e2e-spec.ts',
  // Crashes and faults of deliveries. Those of executions do not depend on Kafka: Postgres and the chain hold
  // them.
  'apps/webhook-delivery/test/crash.e2e-spec.ts',
  'apps/webhook-delivery/test/faults.e2e-spec.ts',
  'apps/webhook-delivery/test/instances.e2e-spec.ts',
  'apps/webhook-delivery/test/leases.e2e-spec.ts',
  'apps/alerts/test/replay.e2e-spec.ts',
  // The flows through all services.
  'test/flows',
];

const SUITE = /\.(e2e|genuine)-spec\.ts$/;

/**
 * @param {string} root folder of the repository
 * @returns {string[]} paths relative to it, sorted
 */
function genuineSuites(root) {
  return PLACES.flatMap((place) =>
    SUITE.test(place)
      ? [place]
      : readdirSync(path.join(root, place))
          .filter((name) => SUITE.test(name))
          .map((name) => `${place}/${name}`),
  ).sort();
}

module.exports = { genuineSuites };
