import { Counter, Gauge, Histogram } from 'prom-client';

export const blocksHandled = new Counter({
  name: 'positions_blocks_handled_total',
  help: 'Blocks at which the tracked positions were evaluated',
  labelNames: ['chain'],
});

export const blocksSkipped = new Counter({
  name: 'positions_blocks_skipped_total',
  help: 'Blocks that were not evaluated, or not in every market, because newer ones waited; a fall that lasted for only such a block is not notified',
  labelNames: ['chain'],
});

export const blockSeconds = new Histogram({
  name: 'positions_block_duration_seconds',
  help: 'Time between the receipt of a block and the commit of its changes',
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
  help: 'Unix time of the last processed block; subtract it from time() for the head lag',
  labelNames: ['chain'],
});

export const failingRows = new Gauge({
  name: 'positions_failing_rows',
  help: 'Rows of the protocol registry that could not be read at the newest block',
  labelNames: ['chain'],
});

export const failingLists = new Gauge({
  name: 'positions_failing_market_lists',
  help: 'Contracts that list the markets of a protocol and could not be read last',
  labelNames: ['chain'],
});

export const trackedWallets = new Gauge({
  name: 'positions_tracked_wallets',
  help: 'Wallets that this instance follows because an account watches them or has a rule on them',
});

export const heldShards = new Gauge({
  name: 'positions_shards_held',
  help: 'Shards of the wallets that this instance follows; all instances together have 256',
});

export const crossingReceipts = new Counter({
  name: 'positions_crossing_receipts_total',
  help: 'Receipts of changes of the band that were written beside their events',
});

export const eventsPublished = new Counter({
  name: 'positions_events_published_total',
  help: 'position.v1 events committed to the outbox',
  labelNames: ['reason'],
});

export const evaluations = new Counter({
  name: 'positions_evaluations_total',
  help: 'Wallets evaluated in a market for a block: those that may need an event',
  labelNames: ['chain'],
});

export const verdictMismatches = new Counter({
  name: 'positions_verdict_mismatches_total',
  help: "Figures that differ from the contract's; the contract's are published. severity operator: by more than rounding",
  labelNames: ['family', 'figure', 'severity'],
});

export const operatorAlertsOpen = new Gauge({
  name: 'positions_operator_alerts_open',
  help: 'Open alerts for operators, by kind; the log and /operator-alerts name the next step',
  labelNames: ['kind'],
});
