import { Counter, Gauge } from 'prom-client';

/** 1 while limits are counted in Redis, 0 while this process counts its own share. */
export const limitsByRedis = new Gauge({
  name: 'gateway_limits_by_redis',
  help: '1 while limits are counted in Redis, 0 while this process counts by itself',
});

export const localTakings = new Counter({
  name: 'gateway_limits_local_total',
  help: 'Calls whose limit was counted by this process because Redis was away',
});
