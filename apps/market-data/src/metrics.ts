import { Counter, Gauge, Histogram } from 'prom-client';

export const sourceUp = new Gauge({
  name: 'market_data_source_up',
  help: 'Whether the last poll of a price source succeeded',
  labelNames: ['source', 'chain'],
});

export const sourceFailures = new Counter({
  name: 'market_data_source_failures_total',
  help: 'Reads of a price source that failed',
  labelNames: ['source', 'chain'],
});

export const pricesPublished = new Counter({
  name: 'market_data_prices_published_total',
  help: 'price.v1 events committed to the outbox',
});

export const publishSeconds = new Histogram({
  name: 'market_data_publish_duration_seconds',
  help: 'Time between the reading of a source and the commit of its prices',
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
});

export const stalePrices = new Gauge({
  name: 'market_data_stale_prices',
  help: 'Assets without a fresh source',
});

export const isLeading = new Gauge({
  name: 'market_data_leader',
  help: '1 on the instance that reads the sources and publishes',
});
