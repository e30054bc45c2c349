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
  help: 'Event frames handed to a socket',
  labelNames: ['stream'],
});

export const closes = new Counter({
  name: 'streams_closes_total',
  help: 'Connections closed by the service',
  labelNames: ['code'],
});

export const eventToSocketSeconds = new Histogram({
  name: 'streams_event_to_socket_seconds',
  help: 'From the making of an event to its hand-over to the last socket that wants it',
  labelNames: ['stream'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
