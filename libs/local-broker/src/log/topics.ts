import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ERROR, ProtocolError } from '../protocol/error-codes';
import { readJson, replaceFile, syncDirectory } from './durable-file';
import { PartitionLog, type PartitionLogOptions } from './partition-log';
import { logConfig, type ConfigOverrides } from './topic-config';

const MAX_NAME_CHARS = 249;
const MAX_PARTITIONS = 1_000;

export interface Topic {
  readonly name: string;
  /** Names the folders of its partitions. A topic that is created again under the same name begins empty. */
  readonly id: string;
  readonly partitions: PartitionLog[];
  overrides: ConfigOverrides;
}

interface StoredTopic {
  name: string;
  id: string;
  partitions: number;
  overrides: ConfigOverrides;
}

export type TopicsOptions = Omit<PartitionLogOptions, 'directory' | 'config'>;

/** The topics of the broker, stored in one file, and the logs of their partitions. */
export class Topics {
  readonly #topics = new Map<string, Topic>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly options: TopicsOptions,
  ) {
    mkdirSync(this.#logsDirectory, { recursive: true });
    const stored = (readJson(this.#file) ?? { topics: [] }) as { topics: StoredTopic[] };
    for (const { name, id, partitions, overrides } of stored.topics) {
      this.#topics.set(name, this.#open(name, id, partitions, overrides));
    }
  }

  list(): Topic[] {
    return [...this.#topics.values()];
  }

  get(name: string): Topic | undefined {
    return this.#topics.get(name);
  }

  /** Throws ProtocolError when the topic or partition does not exist. */
  partition(topic: string, index: number): PartitionLog {
    const log = this.#topics.get(topic)?.partitions[index];
    if (!log) throw new ProtocolError(ERROR.UNKNOWN_TOPIC_OR_PARTITION, `there is no ${topic}-${index}`);
    return log;
  }

  /** Throws ProtocolError unless a topic of this name and size may be created. */
  assertCreatable(name: string, partitions: number): void {
    assertValidName(name);
    if (this.#topics.has(name)) {
      throw new ProtocolError(ERROR.TOPIC_ALREADY_EXISTS, `Topic '${name}' already exists.`);
    }
    assertPartitionCount(partitions);
  }

  /** Durable when it resolves. Throws ProtocolError. */
  async create(name: string, partitions: number, overrides: ConfigOverrides): Promise<void> {
    this.assertCreatable(name, partitions);
    this.#topics.set(name, this.#open(name, randomUUID(), partitions, overrides));
    await this.#save();
  }

  /** Throws ProtocolError. */
  async delete(name: string): Promise<void> {
    const topic = this.#known(name);
    this.#topics.delete(name);
    await this.#save();
    for (const [index, log] of topic.partitions.entries()) {
      await log.close(false);
      await rm(this.#partitionDirectory(topic.id, index), { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Throws ProtocolError unless the topic exists and has fewer partitions. */
  assertGrowable(name: string, partitions: number): void {
    const { partitions: logs } = this.#known(name);
    if (partitions <= logs.length) {
      throw new ProtocolError(
        ERROR.INVALID_PARTITIONS,
        `The topic ${name} currently has ${logs.length} partition(s); ${partitions} would not be an increase.`,
      );
    }
    assertPartitionCount(partitions);
  }

  async addPartitions(name: string, partitions: number): Promise<void> {
    this.assertGrowable(name, partitions);
    const topic = this.#known(name);
    for (let index = topic.partitions.length; index < partitions; index += 1) {
      topic.partitions.push(this.#openPartition(topic.id, index, topic.overrides));
    }
    await this.#save();
  }

  async configure(name: string, overrides: ConfigOverrides): Promise<void> {
    const topic = this.#known(name);
    topic.overrides = overrides;
    for (const log of topic.partitions) log.config = logConfig(overrides);
    await this.#save();
  }

  async close(isCleanStop: boolean): Promise<void> {
    await this.#saving;
    for (const { partitions } of this.list()) {
      for (const log of partitions) await log.close(isCleanStop);
    }
  }

  /** Removes the folders of an incomplete deletion. */
  async removeAbandoned(): Promise<void> {
    const known = new Set(
      this.list().flatMap(({ id, partitions }) => partitions.map((_, index) => `${id}-${index}`)),
    );
    for (const name of readdirSync(this.#logsDirectory).filter((each) => !known.has(each))) {
      await rm(path.join(this.#logsDirectory, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }

  get #file(): string {
    return path.join(this.directory, 'topics.json');
  }

  get #logsDirectory(): string {
    return path.join(this.directory, 'logs');
  }

  #partitionDirectory(id: string, index: number): string {
    return path.join(this.#logsDirectory, `${id}-${index}`);
  }

  #known(name: string): Topic {
    const topic = this.#topics.get(name);
    if (!topic) throw new ProtocolError(ERROR.UNKNOWN_TOPIC_OR_PARTITION, `there is no topic ${name}`);
    return topic;
  }

  #open(name: string, id: string, count: number, overrides: ConfigOverrides): Topic {
    const partitions = Array.from({ length: count }, (_, index) => this.#openPartition(id, index, overrides));
    return { name, id, partitions, overrides };
  }

  #openPartition(id: string, index: number, overrides: ConfigOverrides): PartitionLog {
    return new PartitionLog({
      ...this.options,
      directory: this.#partitionDirectory(id, index),
      config: logConfig(overrides),
    });
  }

  async #save(): Promise<void> {
    const write = async (): Promise<void> => {
      const topics = this.list().map(({ name, id, partitions, overrides }): StoredTopic => ({
        name,
        id,
        partitions: partitions.length,
        overrides,
      }));
      await replaceFile(this.#file, JSON.stringify({ topics }, null, 1));
      syncDirectory(this.directory);
    };
    const saved = this.#saving.then(write, write);
    this.#saving = saved.catch(() => undefined);
    await saved;
  }
}

/** Throws ProtocolError (INVALID_TOPIC_EXCEPTION). */
export function assertValidName(name: string): void {
  const isValid = /^[\w.-]+$/.test(name) && name.length <= MAX_NAME_CHARS && name !== '.' && name !== '..';
  if (!isValid) {
    throw new ProtocolError(
      ERROR.INVALID_TOPIC_EXCEPTION,
      `the topic name '${name.slice(0, 300)}' is invalid`,
    );
  }
}

function assertPartitionCount(partitions: number): void {
  if (partitions < 1 || partitions > MAX_PARTITIONS) {
    throw new ProtocolError(
      ERROR.INVALID_PARTITIONS,
      `a topic has 1 to ${MAX_PARTITIONS} partitions, not ${partitions}`,
    );
  }
}
