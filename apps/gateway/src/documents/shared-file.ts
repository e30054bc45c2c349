import { ServedFile } from './served-file';

interface SharedFileOptions {
  /** How long it is served without another read. */
  seconds: number;
  /** Returns the JSON text. */
  read: () => Promise<Buffer>;
  cacheControl?: string;
  /** Serves the former file when a read fails. */
  keepsFormer?: boolean;
}

/** A JSON document that all readers share for some seconds. */
export class SharedFile {
  private known: { file: ServedFile; readAtMs: number } | undefined;
  private reading: Promise<ServedFile> | undefined;

  constructor(private readonly options: SharedFileOptions) {}

  /** @throws the error of the read. The next reader reads again */
  async file(nowMs: number): Promise<ServedFile> {
    const { known, options } = this;
    if (known && nowMs - known.readAtMs < options.seconds * 1_000) return known.file;
    this.reading ??= this.renew(nowMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async renew(nowMs: number): Promise<ServedFile> {
    const file = await this.next();
    this.known = { file, readAtMs: nowMs };
    return file;
  }

  private async next(): Promise<ServedFile> {
    const { read, cacheControl, keepsFormer } = this.options;
    try {
      return new ServedFile('application/json; charset=utf-8', await read(), cacheControl);
    } catch (error) {
      // It is kept for the whole period, so that not every reader waits for the deadline again.
      if (keepsFormer && this.known) return this.known.file;
      throw error;
    }
  }
}
