import { EVENTS, type EventDefinition, type EventTopic, isDependencyFailure } from '@plimsoll/contracts';
import type { DiscoveryService } from '@nestjs/core';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { isObservable, lastValueFrom } from 'rxjs';
import { backoffMs, pause, within } from '../backoff';
import { FETCH_WAIT_MS, KAFKA_RETRY, kafkaClient, type KafkaClient } from '../kafka/client';
import { ensureTopics } from '../kafka/topics';
import { showHealth, type BusHealth, type EventBusOptions } from '../options';
import { BatchRunner, type BatchRun } from './batch-runner';
import { CatchUp } from './catch-up';
import { DeadLetters } from './dead-letters';
import type { EventBatch } from './event-batch';
import { memberClientPart, evictStaleMembers } from './stale-members';
import { InboxCleaner } from './inbox-cleaner';
import { keepHandlerErrors } from './keep-handler-errors';
import { MemberPresence } from './member-presence';
import { OffsetCommits } from './offset-commits';
import { parseEvent } from './parse-event';
import { Pulse } from './pulse';
import { ReadAhead, type WaitingBatch } from './read-ahead';
import { TopicPauses } from './topic-pauses';

/** A full fetch of a consumer that gathers: events beyond it do not wait. */
const GATHER_BYTES = 262_144;
const CLOSE_TIMEOUT_MS = 10_000;
const START_BACKOFF_MS = { base: 250, cap: 5_000 };
const DEFAULT_BATCH_EVENTS = 500;
const DEFAULT_PARTITION_BYTES = 1_048_576;
/** Events of one transaction of those that wait in memory. Other events wait for one such transaction at most. */
const WAITING_BATCH_EVENTS = 125;
/** Other keys count as active for this time after their last event. Events in memory then leave half of the time to them. */
const ACTIVE_MS = 1_000;
const MAX_PAUSE_MS = 200;

/** Ends the batch without a failure: the service stops, or a seek moved the offset. */
class Interrupted extends Error {}

/**
 * Nest transport over kafkajs eachBatch. Handlers are declared with `@EventPattern('<topic>')` and receive an
 * `EventBatch`: new events of one partition and the transaction of their inbox rows. Offsets are committed
 * shortly afterwards, for many batches at once. Events that a killed process had not committed arrive again,
 * and the inbox recognises them.
 *
 * A process runs one transaction at a time, so handlers of two topics never race within it. Handlers on
 * different instances do. A handler that decides on rows of two topics must lock them.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  readonly #handlers = new Map<string, MessageHandler[]>();
  readonly #stop = new AbortController();
  readonly #pauses: TopicPauses;
  readonly #deadLetters: DeadLetters;
  readonly #runner: BatchRunner;
  readonly #cleaner: InboxCleaner;
  readonly #commits: OffsetCommits;
  readonly #presence: MemberPresence;
  readonly #ahead: ReadAhead | undefined;
  readonly #catchUp = new CatchUp();
  #passedAtMs = -Infinity;
  /** The last of the transactions, which run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #draining: Promise<void> | undefined;
  #commit: () => Promise<void> = () => Promise.resolve();
  #client: KafkaClient | undefined;
  #consumer: Consumer | undefined;
  #joined = false;

  constructor(
    private readonly options: EventBusOptions,
    discovery?: DiscoveryService,
  ) {
    super();
    if (discovery) keepHandlerErrors(discovery);
    this.#pauses = new TopicPauses(options);
    this.#deadLetters = new DeadLetters(options);
    this.#runner = new BatchRunner(options, this.#deadLetters);
    this.#cleaner = new InboxCleaner(options);
    this.#commits = new OffsetCommits(options.logger);
    this.#presence = new MemberPresence(options);
    this.#ahead = options.readAhead && new ReadAhead(options.readAhead);
  }

  /** Nest calls it for every handler. Several handlers of one topic run in order in the same transaction. */
  override addHandler(pattern: unknown, handler: MessageHandler, isEventHandler = false): void {
    const topic = String(pattern);
    if (!isEventHandler || !Object.hasOwn(EVENTS, topic)) {
      throw new Error(
        `'${topic}' is no topic of the log. Use @EventPattern with one of: ${Object.keys(EVENTS).join(', ')}.`,
      );
    }
    const list = this.#handlers.get(topic) ?? [];
    list.push(handler);
    this.#handlers.set(topic, list);
    this.messageHandlers.set(topic, handler);
  }

  /**
   * Runs the callback when the consumer runs. It retries in the background while the broker is unavailable
   * (see `health`).
   */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    this.#cleaner.start();
    showHealth(this.options.health, 'consumers', this);
    const started = await this.#tryStart();
    callback();
    if (!started) await this.#startAgain();
  }

  /**
   * Finishes the current transaction and leaves the group. Closes the connections when that takes more than
   * ten seconds.
   */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#catchUp.clear();
    this.#pauses.clear();
    this.#cleaner.stop();
    const leave = async (): Promise<void> => {
      await this.#draining;
      await this.#commits.flush();
      await this.#consumer?.disconnect();
    };
    const left = Promise.all([leave(), this.#deadLetters.close()]);
    await within(CLOSE_TIMEOUT_MS, left, () => new Error('cannot leave the consumer group in time')).catch(
      (error: unknown) =>
        this.options.logger.warn({ err: error }, 'the consumer stopped without leaving its group'),
    );
    this.#client?.cut();
    this.#presence.close();
    this.#joined = false;
  }

  /** Not ok until the consumer has joined its group, and while a topic is paused. */
  health(): BusHealth {
    if (this.#handlers.size === 0) return { ok: true, detail: 'no handlers' };
    if (!this.#joined) return { ok: false, detail: `not in the consumer group ${this.options.groupId}` };
    const failing = this.#pauses.failing();
    if (failing.length > 0) return { ok: false, detail: `waiting for a dependency: ${failing.join(', ')}` };
    return { ok: true, detail: `consuming ${[...this.#handlers.keys()].join(', ')}` };
  }

  on(event: string): never {
    throw new Error(`KafkaBatchServer emits no '${event}'. Use health() or the metrics of its options.`);
  }

  unwrap<T>(): T {
    return this.#consumer as T;
  }

  get #topics(): EventTopic[] {
    return [...this.#handlers.keys()] as EventTopic[];
  }

  get #prefix(): string {
    return this.options.topicPrefix ?? '';
  }

  async #startAgain(): Promise<void> {
    for (let attempt = 1; !this.#stop.signal.aborted; attempt += 1) {
      const { base, cap } = START_BACKOFF_MS;
      await pause(backoffMs(attempt, base, cap, this.options.random ?? Math.random), this.#stop.signal);
      if (await this.#tryStart()) return;
    }
  }

  async #tryStart(): Promise<boolean> {
    if (this.#stop.signal.aborted || this.#handlers.size === 0) return true;
    try {
      await this.#start();
      return true;
    } catch (error) {
      this.options.logger.error({ err: error }, 'the consumer cannot start; it retries');
      await this.#consumer?.disconnect().catch(() => undefined);
      return false;
    }
  }

  async #start(): Promise<void> {
    await this.#presence.show();
    this.#client = kafkaClient(this.options, memberClientPart(this.#presence.token));
    const { kafka } = this.#client;
    const admin = kafka.admin();
    try {
      await admin.connect();
      const { partitions } = this.options;
      await ensureTopics(admin, this.#topics, { prefix: this.#prefix, partitions, deadLetters: true });
    } finally {
      await admin.disconnect();
    }
    const groupId = this.#prefix + this.options.groupId;
    const { gatherMs = 0, fetchWaitMs = FETCH_WAIT_MS } = this.options;
    const consumer = kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      // The broker responds when it has this many bytes, or after the wait.
      minBytes: gatherMs > 0 ? GATHER_BYTES : 1,
      maxWaitTimeInMs: gatherMs > 0 ? gatherMs : fetchWaitMs,
      maxBytesPerPartition: this.options.maxBytesPerPartition ?? DEFAULT_PARTITION_BYTES,
      maxBytes: 8_388_608,
      // How long an unreachable instance keeps its partitions: the minimum of brokers by default. Heartbeats
      // continue while a handler works.
      sessionTimeout: 6_000,
      heartbeatInterval: 1_500,
      retry: { ...KAFKA_RETRY, restartOnFailure: () => Promise.resolve(true) },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, () => {
      // Each partition begins at its last committed offset again.
      this.#ahead?.clear();
      this.#catchUp.clear();
      this.#joined = true;
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.#joined = false;
      if (!payload.restart) void this.#startAgain();
    });
    await consumer.connect();
    const topics = this.#topics.map((topic) => this.#prefix + topic);
    await consumer.subscribe({ topics, fromBeginning: this.options.fromBeginning ?? true });
    await this.#whileStaleMembersLeave(kafka, groupId, () =>
      consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (batch) => this.#eachBatch(batch),
      }),
    );
  }

  async #whileStaleMembersLeave(kafka: Kafka, groupId: string, join: () => Promise<void>): Promise<void> {
    const joined = new AbortController();
    const { pool, logger } = this.options;
    const signal = AbortSignal.any([joined.signal, this.#stop.signal]);
    const removing = evictStaleMembers({ kafka, groupId, pool, logger, signal });
    try {
      await join();
    } finally {
      joined.abort();
      await removing;
    }
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const topic = payload.batch.topic.slice(this.#prefix.length) as EventTopic;
    if (this.#pauses.isPaused(topic)) {
      payload.pause();
      return;
    }
    const pulse = new Pulse(payload.heartbeat);
    try {
      await this.#runBatch(topic, payload, pulse);
      this.#pauses.succeeded(topic);
    } catch (error) {
      pulse.check();
      if (isDependencyFailure(error)) this.#pauseTopic(topic, error);
      else if (!(error instanceof Interrupted)) throw error;
    } finally {
      pulse.stop();
    }
    this.#commit = () => {
      const offsets = payload.uncommittedOffsets();
      return payload.commitOffsetsIfNecessary(this.#ahead?.committable(offsets, this.#prefix) ?? offsets);
    };
    this.#commits.due(this.#commit);
    // The consumer leaves the group after this batch.
    if (this.#stop.signal.aborted) await this.#commits.flush();
  }

  async #runBatch(topic: EventTopic, payload: EachBatchPayload, pulse: Pulse): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload;
    const run: BatchRun = {
      ...this.#runOf(topic, batch.partition),
      done: resolveOffset,
      guard: () => {
        pulse.check();
        if (!isRunning() || isStale() || this.#stop.signal.aborted) throw new Interrupted();
      },
    };
    const ahead = this.#ahead;
    if (!ahead?.covers(topic)) return this.#inTurn(() => this.#run(run, batch.messages));
    const now = ahead.divide(topic, batch.partition, batch.messages);
    if (now.length > 0) {
      this.#passedAtMs = performance.now();
      await this.#inTurn(() => this.#run({ ...run, done: () => undefined }, now));
    }
    resolveOffset(batch.lastOffset());
    this.#catchUp.record(`${topic} ${batch.partition}`, Number(batch.offsetLag()) >= batch.messages.length);
    this.#drain();
    while (ahead.isFull && (await this.#handleWaiting(ahead))) run.guard();
  }

  async #run(run: BatchRun, messages: readonly KafkaMessage[]): Promise<void> {
    const definition = EVENTS[run.topic] as EventDefinition<unknown>;
    const size = this.options.maxBatchEvents ?? DEFAULT_BATCH_EVENTS;
    for (let start = 0; start < messages.length; start += size) {
      const items = messages
        .slice(start, start + size)
        .map((message) => parseEvent(definition, run.partition, message));
      await this.#runner.run(run, items);
    }
  }

  #runOf(topic: EventTopic, partition: number): Pick<BatchRun, 'topic' | 'partition' | 'handle' | 'signal'> {
    return { topic, partition, handle: (events) => this.#handle(events), signal: this.#stop.signal };
  }

  /** Runs transactions one after the other, in the order of the calls. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Handles the messages that wait in memory, when the partitions are read or the memory is full. */
  #drain(): void {
    const ahead = this.#ahead;
    if (!ahead || this.#draining) return;
    const drain = async (): Promise<void> => {
      for (;;) {
        await this.#catchUp.done();
        const startedAtMs = performance.now();
        if (!(await this.#handleWaiting(ahead))) return;
        const nowMs = performance.now();
        if (nowMs - this.#passedAtMs < ACTIVE_MS)
          await pause(Math.min(MAX_PAUSE_MS, nowMs - startedAtMs), this.#stop.signal);
      }
    };
    this.#draining = drain().finally(() => (this.#draining = undefined));
  }

  /** Returns false when no messages wait, or when they have to wait longer. */
  #handleWaiting(ahead: ReadAhead): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#stop.signal.aborted) return false;
      const waiting = ahead.take(WAITING_BATCH_EVENTS, (topic) => !this.#pauses.isPaused(topic));
      if (!waiting) return false;
      const { topic, partition, messages } = waiting;
      const guard = (): void => this.#guardWaiting(ahead, waiting);
      try {
        await this.#run({ ...this.#runOf(topic, partition), done: () => undefined, guard }, messages);
      } catch (error) {
        ahead.putBack(waiting);
        if (!(error instanceof Interrupted)) this.#pauseTopic(topic, error);
        return false;
      }
      ahead.done(waiting);
      this.#pauses.succeeded(topic);
      this.#commits.due(this.#commit);
      return true;
    });
  }

  #guardWaiting(ahead: ReadAhead, waiting: WaitingBatch): void {
    if (this.#stop.signal.aborted || !ahead.isCurrent(waiting)) throw new Interrupted();
  }

  async #handle(batch: EventBatch<unknown>): Promise<void> {
    for (const handler of this.#handlers.get(batch.topic) ?? []) {
      const result: unknown = await handler(batch);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    }
  }

  #pauseTopic(topic: EventTopic, error: unknown): void {
    const consumer = this.#consumer;
    const paused = [{ topic: this.#prefix + topic }];
    consumer?.pause(paused);
    this.#pauses.pause(topic, error, () => {
      // A consumer that has just crashed has no pauses, and restarts without them.
      if (this.#joined) consumer?.resume(paused);
      this.#drain();
    });
  }
}
