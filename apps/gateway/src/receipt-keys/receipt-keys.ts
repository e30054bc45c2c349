import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { request } from 'undici';
import { Upstreams } from '../pipeline/forwarding/upstreams';
import type { ServedFile } from '../documents/served-file';
import { SharedFile } from '../documents/shared-file';

export const KEYS_PATH = '/.well-known/plimsoll-keys.json';
const CACHED_SECONDS = 60;
const DEADLINE_MS = 2_000;
const MOST_BYTES = 1_048_576;

/** The public keys of receipts, from positions. */
@Injectable()
export class ReceiptKeys {
  private readonly shared = new SharedFile({
    seconds: CACHED_SECONDS,
    read: () => this.read(),
    cacheControl: 'public, max-age=300',
    // Keys are only added.
    keepsFormer: true,
  });

  constructor(private readonly upstreams: Upstreams) {}

  /** @throws upstream_unavailable when none were read since the start */
  file(nowMs: number): Promise<ServedFile> {
    return this.shared.file(nowMs);
  }

  private async read(): Promise<Buffer> {
    for (const { origin } of this.upstreams.all.positions.addresses) {
      const body = await this.readFrom(origin);
      if (body) return body;
    }
    throw new Problem(
      'upstream_unavailable',
      'The keys of receipts cannot be read at the moment. Try again after the seconds in Retry-After.',
      { headers: { 'retry-after': '5' } },
    );
  }

  /** Null: this instance does not respond. */
  private async readFrom(origin: string): Promise<Buffer | null> {
    try {
      const { statusCode, headers, body } = await request(origin + KEYS_PATH, {
        dispatcher: this.upstreams.agent,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (statusCode !== 200 || Number(headers['content-length'] ?? 0) > MOST_BYTES) {
        await body.dump();
        return null;
      }
      return Buffer.from(await body.arrayBuffer());
    } catch {
      return null;
    }
  }
}
