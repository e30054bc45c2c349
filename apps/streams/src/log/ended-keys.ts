import { Injectable } from '@nestjs/common';
import type { KeyV1 } from '@plimsoll/contracts';

/** How a connection is closed when its key ends. */
export type KeyEnding = 'keyRotated' | 'keyRevoked';

/** API keys that end or have ended, from key.v1. */
@Injectable()
export class EndedKeys {
  private readonly byId = new Map<string, { endsAtMs: number; ending: KeyEnding }>();
  /** Keys whose end was not reported yet. */
  private readonly pending = new Set<string>();

  /** @param value null: the key no longer exists */
  apply(keyId: string, value: KeyV1 | null): void {
    if (!value?.endsAt) this.byId.delete(keyId);
    else {
      const ending = value.ending === 'rotated' ? 'keyRotated' : 'keyRevoked';
      this.byId.set(keyId, { endsAtMs: Date.parse(value.endsAt), ending });
      this.pending.add(keyId);
    }
  }

  /**
   * Returns null while the key works.
   * @param nowMs milliseconds since 1970
   */
  endingOf(keyId: string, nowMs: number): KeyEnding | null {
    const known = this.byId.get(keyId);
    return known && known.endsAtMs <= nowMs ? known.ending : null;
  }

  /**
   * Returns the keys that have ended since the last call, so that an unchanged set costs no scan of all
   * connections.
   * @param nowMs milliseconds since 1970
   */
  newlyEnded(nowMs: number): Map<string, KeyEnding> {
    const ended = new Map<string, KeyEnding>();
    for (const keyId of this.pending) {
      const ending = this.endingOf(keyId, nowMs);
      if (ending) ended.set(keyId, ending);
      if (ending || !this.byId.has(keyId)) this.pending.delete(keyId);
    }
    return ended;
  }
}
