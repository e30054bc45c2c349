import { Counter, Gauge, Histogram } from 'prom-client';

export const simulationSeconds = new Histogram({
  name: 'simulation_duration_seconds',
  help: 'From the request for a simulation to its result, waiting for a thread included',
  labelNames: ['model'],
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10],
});

export const simulationsWaiting = new Gauge({
  name: 'simulation_queue_length',
  help: 'Simulations that wait for a thread',
});

export const simulationsRefused = new Counter({
  name: 'simulation_refused_total',
  help: 'Simulations rejected because the queue was full',
});

export const historyLastDay = new Gauge({
  name: 'simulation_history_last_day_timestamp_seconds',
  help: 'Unix time of the last day in the price history; subtract it from time() for its age',
  labelNames: ['asset'],
});

export const forecastsMade = new Counter({
  name: 'simulation_recorded_forecasts_total',
  help: 'Positions forecast for the track record: stored, changed meanwhile, or without a model for lack of history',
  labelNames: ['result'],
});

export const operatorAlertsOpen = new Gauge({
  name: 'simulation_operator_alerts_open',
  help: 'Open alerts for operators, by kind; the log names the next step',
  labelNames: ['kind'],
});
