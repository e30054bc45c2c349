import { logLevel, type logCreator } from 'kafkajs';
import type { Measurement } from './types';

/** kafkajs logs this line for every contender. After it only consumption remains. */
const JOINED = 'Consumer has joined the group';

/** Measures from the moment the consumer has joined its group until it has handled all messages. */
export class Stopwatch {
  readonly finished: Promise<Measurement>;
  #finish: (measurement: Measurement) => void = () => undefined;
  #handled = 0;
  #startedAt = 0;
  #cpuAtStart = process.cpuUsage();

  constructor(private readonly messages: number) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** For kafkajs clients. It prints nothing and starts the watch at one line. */
  readonly logCreator: logCreator = () => (entry) => {
    this.sawLog(entry.log.message);
    if (entry.level === logLevel.ERROR) console.error(entry.namespace, entry.log.message);
  };

  sawLog(message: string): void {
    if (!message.includes(JOINED)) return;
    this.#startedAt = performance.now();
    this.#cpuAtStart = process.cpuUsage();
  }

  handled(count: number): void {
    this.#handled += count;
    if (this.#handled < this.messages) return;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    this.#finish({
      messagesPerSecond: Math.round(this.#handled / seconds),
      cpuUsPerMessage: Number(((user + system) / this.#handled).toFixed(2)),
    });
  }
}
