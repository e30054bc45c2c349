import path from 'node:path';
import { readJson, replaceFile, syncDirectory } from '../log/durable-file';

/** Ids that one write to the disk reserves. */
const BLOCK = 1_000;
const MAX_EPOCH = 32_766;
const MAX_TRANSACTIONAL_IDS = 10_000;

interface ProducerIdentity {
  producerId: number;
  producerEpoch: number;
}

interface Stored {
  nextBlock: number;
  /** The key is the transactional id. */
  transactional: [string, ProducerIdentity][];
}

/** Allocates each producer id once, and fences the former producers of a transactional id. */
export class ProducerIds {
  #next: number;
  #blockEnd: number;
  readonly #transactional: Map<string, ProducerIdentity>;
  /** The current epoch of the producer ids of transactional ids. */
  readonly #epochs = new Map<number, number>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly directory: string) {
    const stored = (readJson(this.#file) ?? { nextBlock: 0, transactional: [] }) as Stored;
    this.#next = stored.nextBlock;
    this.#blockEnd = stored.nextBlock;
    this.#transactional = new Map(stored.transactional);
    for (const { producerId, producerEpoch } of this.#transactional.values()) {
      this.#epochs.set(producerId, producerEpoch);
    }
  }

  /** The returned identity survives a crash. */
  async init(transactionalId: string | null): Promise<ProducerIdentity> {
    if (transactionalId === null) return { producerId: await this.#take(), producerEpoch: 0 };
    const former = this.#transactional.get(transactionalId);
    const identity =
      former && former.producerEpoch < MAX_EPOCH
        ? { producerId: former.producerId, producerEpoch: former.producerEpoch + 1 }
        : { producerId: await this.#take(), producerEpoch: 0 };
    this.#remember(transactionalId, identity);
    await this.#save();
    return identity;
  }

  /** True when a newer producer has taken over the transactional id of this one. */
  isFenced(producerId: number, producerEpoch: number): boolean {
    return producerEpoch < (this.#epochs.get(producerId) ?? -1);
  }

  get #file(): string {
    return path.join(this.directory, 'producer-ids.json');
  }

  #remember(transactionalId: string, identity: ProducerIdentity): void {
    this.#transactional.delete(transactionalId);
    this.#transactional.set(transactionalId, identity);
    this.#epochs.set(identity.producerId, identity.producerEpoch);
    const [oldest] = this.#transactional;
    if (this.#transactional.size > MAX_TRANSACTIONAL_IDS && oldest) {
      this.#transactional.delete(oldest[0]);
      this.#epochs.delete(oldest[1].producerId);
    }
  }

  async #take(): Promise<number> {
    const taken = this.#next;
    this.#next += 1;
    if (taken >= this.#blockEnd) {
      this.#blockEnd = taken + BLOCK;
      await this.#save();
    } else await this.#saving;
    return taken;
  }

  async #save(): Promise<void> {
    const write = async (): Promise<void> => {
      const stored: Stored = { nextBlock: this.#blockEnd, transactional: [...this.#transactional] };
      await replaceFile(this.#file, JSON.stringify(stored));
      syncDirectory(this.directory);
    };
    const saved = this.#saving.then(write, write);
    this.#saving = saved.catch(() => undefined);
    await saved;
  }
}
