export {
  EVENT_BUS_OPTIONS,
  type BusHealth,
  type BusLogger,
  type BusMetrics,
  type EventBusOptions,
  type HealthRegistry,
  type KafkaOptions,
  type KafkaSasl,
  type KafkaTls,
} from './options';
export {
  INBOX_MIGRATION,
  INBOX_SQL,
  OUTBOX_MIGRATION,
  OUTBOX_SQL,
  idsUnlessAll,
  itemsOf,
  lines,
  type NamedStatement,
  type SqlExecutor,
} from './sql';
export { appendToOutbox } from './outbox/append-to-outbox';
export { outgoing, tombstone, type OutgoingContext, type OutgoingEvent } from './outbox/outgoing';
export { OutboxRelay } from './outbox/outbox-relay';
export type { EventBatch, ReceivedEvent } from './consume/event-batch';
export { KafkaBatchServer } from './consume/kafka-batch-server';
export { aclCommands, kafkaAcls, type Acl, type AclOptions } from './kafka/acls';
export { KafkaAccessError, checkKafkaAccess } from './kafka/access';
export { consumerProgress, type PartitionProgress } from './kafka/consumer-progress';
export { removeTopics } from './kafka/remove-topics';
export { ensureTopics } from './kafka/topics';
export { LogReader, type LogReaderOptions, type StartFrom } from './log-reader/log-reader';
export { ReaderLoop, type RunningReader } from './log-reader/reader-loop';
export { EventBusModule, kafkaConsumers, type EventBusModuleOptions } from './event-bus.module';
