import { ServedFile } from '../documents/served-file';

/** A JSON document that all readers share for some seconds. */
export class SharedFile {
  private known: { file: ServedFile; readAtMs: number } | undefined;
  private reading: Promise<ServedFile> | undefined;

  constructor(
    private readonly seconds: number,
    private readonly read: () => Promise<object>,
  ) {}

  /** @throws the error of the read. The next reader reads again */
  async file(nowMs: number): Promise<ServedFile> {
    if (this.known && nowMs - this.known.readAtMs < this.seconds * 1_000) return this.known.file;
    this.reading ??= this.renew(nowMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async renew(nowMs: number): Promise<ServedFile> {
    const body = Buffer.from(JSON.stringify(await this.read()));
    // Clients revalidate it, so that they see it no later than its readers here.
    const file = new ServedFile('application/json; charset=utf-8', body);
    this.known = { file, readAtMs: nowMs };
    return file;
  }
}
