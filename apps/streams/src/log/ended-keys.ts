import { Injectable } from '@nestjs/common';
import type { KeyV1 } from '@plimsoll/contracts';

/** How a connection is closed whose key has ended. */
export type KeyEnding = 'keyRotated' | 'keyRevoked';

/** API keys that end or have ended, from key.v1. */
@Injectable()
export class EndedKeys {
  private readonly byId = new Map<string, { endsAtMs: number; ending: KeyEnding }>();

  /** @param value null: nothing is known of the key any more */
  apply(keyId: string, value: KeyV1 | null): void {
    if (!value?.endsAt) this.byId.delete(keyId);
    else {
      const ending = value.ending === 'rotated' ? 'keyRotated' : 'keyRevoked';
      this.byId.set(keyId, { endsAtMs: Date.parse(value.endsAt), ending });
    }
  }

  /** Null while the key works. @param nowMs milliseconds since 1970 */
  endingOf(keyId: string, nowMs: number): KeyEnding | null {
    const known = this.byId.get(keyId);
    return known && known.endsAtMs <= nowMs ? known.ending : null;
  }
}
