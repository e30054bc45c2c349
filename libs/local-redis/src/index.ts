export { type LocalRedis, type LocalRedisOptions, startLocalRedis } from './server/server';
