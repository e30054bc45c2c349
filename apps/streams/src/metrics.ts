import { Counter, Gauge, Histogram } from 'prom-client';

export const openConnections = new Gauge({
  name: 'streams_connections',
  help: 'Open connections',
  labelNames: ['stream'],
});

export const openSubscriptions = new Gauge({
  name: 'streams_subscriptions',
  help: 'Subscriptions of open connections',
  labelNames: ['stream'],
});

export const deliveries = new Counter({
  name: 'streams_deliveries_total',
  help: 'Event frames passed to a socket',
  labelNames: ['stream'],
});

export const closes = new Counter({
  name: 'streams_closes_total',
  help: 'Connections closed by the service',
  labelNames: ['code'],
});

export const eventToSocketSeconds = new Histogram({
  name: 'streams_event_to_socket_seconds',
  help: 'Time from the creation of an event to its delivery to the last matching socket',
  labelNames: ['stream'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

export const conflated = new Counter({
  name: 'streams_conflated_total',
  help: 'States of positions that were replaced by a newer one because a client read slowly',
});

export const resumes = new Counter({
  name: 'streams_resumes_total',
  help: 'Subscriptions that resumed from a cursor, by result: recovered, or the reason of the gap',
  labelNames: ['stream', 'outcome'],
});

export const unsentBytes = new Gauge({
  name: 'streams_unsent_bytes',
  help: 'Bytes that wait for clients to read them',
  labelNames: ['stream'],
});

export const readLag = new Gauge({
  name: 'streams_read_lag_events',
  help: 'Events in the log that this instance has not read yet',
  labelNames: ['topic', 'partition'],
});
