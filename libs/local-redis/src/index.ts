export { type LocalRedisProcess, startLocalRedisProcess, stopLocalRedisProcess } from './redis-process';
export { type LocalRedis, type LocalRedisOptions, startLocalRedis } from './server/server';
