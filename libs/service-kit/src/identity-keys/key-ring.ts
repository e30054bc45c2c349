import { statSync } from 'node:fs';
import { type KeyPair, privateFile, publicFile, readKeys } from '@plimsoll/access';

/** New files are noticed after this time. */
const CHECK_EVERY_MS = 1_000;

/** The keys of one process, read again when their files change: its own, and the public ones of all services. */
export class KeyRing {
  private all = new Map<string, KeyPair>();
  private readonly byService = new Map<string, KeyPair[]>();
  private own: KeyPair[] = [];
  private version = '';
  private checkedAtMs = Number.NEGATIVE_INFINITY;
  private hasFailed = false;

  /**
   * @param onChange receives the ids of all public keys after they were read again
   * @param onFailure called once when changed files cannot be read; the former keys stay until their end
   * @throws Error when the files cannot be read at the start
   */
  constructor(
    private readonly folder: string,
    private readonly service: string,
    private readonly onChange: (ids: { has(id: string): boolean }) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.version = this.currentVersion();
    this.read();
  }

  /** Returns a valid public key by its id. */
  find(id: string, nowMs: number): KeyPair | undefined {
    this.check(nowMs);
    const key = this.all.get(id);
    return key && isValid(key, nowMs) ? key : undefined;
  }

  /** Returns one of the process's own private keys by its id. */
  findOwn(id: string, nowMs: number): KeyPair | undefined {
    this.check(nowMs);
    return this.own.find((key) => key.id === id && isValid(key, nowMs));
  }

  /** @throws Error when the process has no key in use */
  ownNow(nowMs: number): KeyPair {
    this.check(nowMs);
    return newest(this.own, nowMs) ?? missing(this.service);
  }

  /** @throws Error when the service has no key in use */
  of(service: string, nowMs: number): KeyPair {
    this.check(nowMs);
    return newest(this.byService.get(service) ?? [], nowMs) ?? missing(service);
  }

  private check(nowMs: number): void {
    if (Math.abs(nowMs - this.checkedAtMs) < CHECK_EVERY_MS) return;
    this.checkedAtMs = nowMs;
    try {
      const version = this.currentVersion();
      if (version === this.version) return;
      this.read();
      this.version = version;
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.onFailure(error as Error);
      this.hasFailed = true;
    }
  }

  private currentVersion(): string {
    const files = [publicFile(this.folder), privateFile(this.folder, this.service)];
    return files
      .map((file) => {
        const { mtimeMs = 0, ino = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
        return `${mtimeMs} ${ino}`;
      })
      .join();
  }

  private read(): void {
    const own = readKeys(privateFile(this.folder, this.service), 'private');
    this.all = new Map(readKeys(publicFile(this.folder), 'public').map((key) => [key.id, key]));
    this.byService.clear();
    for (const key of this.all.values())
      this.byService.set(key.service, [...(this.byService.get(key.service) ?? []), key]);
    this.own = own.filter(({ service }) => service === this.service);
    this.onChange(this.all);
  }
}

const isValid = ({ untilMs }: KeyPair, nowMs: number): boolean => untilMs === null || nowMs < untilMs;

function newest(keys: readonly KeyPair[], nowMs: number): KeyPair | undefined {
  let best: KeyPair | undefined;
  for (const key of keys)
    if (key.fromMs <= nowMs && isValid(key, nowMs) && !(best && best.fromMs >= key.fromMs)) best = key;
  return best;
}

function missing(service: string): never {
  throw new Error(
    `No identity key of ${service} is in use. Create one: npm run admin -- identity-keys create.`,
  );
}
