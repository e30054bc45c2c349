import { Counter, Gauge, Histogram } from 'prom-client';

export const indexedBlock = new Gauge({
  name: 'whales_indexed_block',
  help: 'Newest block whose logs are read',
  labelNames: ['chain'],
});

export const blocksBehind = new Gauge({
  name: 'whales_blocks_behind',
  help: 'Blocks of the chain whose logs are not read yet',
  labelNames: ['chain'],
});

export const rowBackfillBlocks = new Gauge({
  name: 'whales_row_backfill_blocks',
  help: 'Blocks that are still to be read back for the rows of the registry that are furthest behind',
  labelNames: ['chain'],
});

export const failingRows = new Gauge({
  name: 'whales_failing_rows',
  help: 'Rows of the protocol registry that are left out, because their contracts do not behave like their family',
  labelNames: ['chain'],
});

export const activitiesIndexed = new Counter({
  name: 'whales_activities_total',
  help: 'Moves that were written',
  labelNames: ['chain', 'protocol'],
});

export const unpricedActivities = new Counter({
  name: 'whales_unpriced_activities_total',
  help: 'Moves of tokens that no oracle of the chain prices',
  labelNames: ['chain', 'protocol'],
});

export const revertedActivities = new Counter({
  name: 'whales_reverted_activities_total',
  help: 'Moves retracted because their block was replaced',
  labelNames: ['chain'],
});

export const effectsRead = new Counter({
  name: 'whales_effects_total',
  help: 'Moves whose effect was evaluated, by the reason why the health factor was not read; read: it was',
  labelNames: ['chain', 'reason'],
});

export const indexFailures = new Counter({
  name: 'whales_index_failures_total',
  help: 'Steps over a chain that failed and are tried again',
  labelNames: ['chain', 'reason'],
});

export const stepSeconds = new Histogram({
  name: 'whales_step_duration_seconds',
  help: 'Time between the reading of a range of blocks and its commit',
  labelNames: ['chain'],
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10, 30],
});

export const clusterCount = new Gauge({
  name: 'whales_clusters',
  help: 'Clusters of the last computation',
});

export const clusterSeconds = new Histogram({
  name: 'whales_cluster_duration_seconds',
  help: 'Time between the reading of the evidence and the writing of the clusters',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
});

export const clusterFailures = new Counter({
  name: 'whales_cluster_failures_total',
  help: 'Failed computations of the clusters; the previous clusters remain',
});
