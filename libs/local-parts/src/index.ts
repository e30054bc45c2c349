export { separateEnvironment } from './child-environment';
export { startEmbeddedKafka, startEmbeddedRedis } from './embedded';
export { startEvm, type EvmOptions } from './evm';
export { findFreePort, isPortFree, keepPort } from './free-port';
export { startKafka, type KafkaPartOptions } from './kafka/kafka';
export type { SecuredListeners } from './kafka/kafka-settings';
export { PartError, type PartErrorCode } from './part-error';
export { PART_STARTERS, partsChoice, type PartsChoice } from './parts-choice';
export { startServer, type ServerCommand } from './part-process';
export { pollUntil, type PollOptions } from './poll-until';
export { ONE_PROCESS_FILE } from './one-process-file';
export { ensureDatabase, startPostgres, type PostgresOptions } from './postgres';
export { endGuardedProcesses, guardProcessGroup, unguardProcessGroup } from './process-guard';
export {
  findProcess,
  listProcesses,
  type ProcessEntry,
  descendantsOf,
  signalProcess,
  stillRunning,
} from './process-table';
export { startRedis, type RedisPartOptions } from './redis';
export { repositoryFiles } from './repository-files';
export { lastLine } from './run-command';
export type { PartExit, PartOptions, RunningPart } from './running-part';
export { unprivilegedUser } from './unprivileged-user';
export { defaultCacheDir, workspaceRoot } from './workspace';
