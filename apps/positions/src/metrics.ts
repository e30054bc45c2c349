import { Counter, Gauge, Histogram } from 'prom-client';

export const blocksHandled = new Counter({
  name: 'positions_blocks_handled_total',
  help: 'Blocks at which the tracked positions were evaluated',
  labelNames: ['chain'],
});

export const blockSeconds = new Histogram({
  name: 'positions_block_duration_seconds',
  help: 'From the news of a block to the committed transaction with its changes',
  labelNames: ['chain'],
  buckets: [0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2.5, 10],
});

export const blockFailures = new Counter({
  name: 'positions_block_failures_total',
  help: 'Blocks at which a market could not be read or the changes could not be written',
  labelNames: ['chain', 'reason'],
});

export const headTimestamp = new Gauge({
  name: 'positions_head_timestamp_seconds',
  help: 'Unix time of the last block handled; subtract it from time() for the head lag',
  labelNames: ['chain'],
});

export const trackedWallets = new Gauge({
  name: 'positions_tracked_wallets',
  help: 'Wallets that at least one account watches',
});

export const eventsPublished = new Counter({
  name: 'positions_events_published_total',
  help: 'position.v1 events committed to the outbox',
  labelNames: ['reason'],
});

export const figureMismatches = new Counter({
  name: 'positions_figure_mismatches_total',
  help: 'Figures that we compute otherwise than the contract; the contract wins',
  labelNames: ['chain', 'figure'],
});
