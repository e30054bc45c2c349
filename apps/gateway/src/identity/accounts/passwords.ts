import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Problem } from '@plimsoll/contracts';

/** argon2id with 19 MiB, two passes and one lane, from OWASP's Password Storage Cheat Sheet. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hash of a random password. A lookup of an unknown account then takes as long as that of a known one. */
const UNKNOWN_ACCOUNT_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$sZvX/3EM50d7YagK2UAYGg$TJO0C0gQU6GeY7XGeJF7VEvlWviOeaAKC9/56yA2iL8';
/** Each hash takes a core and 19 MiB. API requests must keep their share. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;

/** Hashes and verifies passwords, a bounded number at the same time. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws Problem upstream_unavailable when too many wait */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password.normalize('NFKC'), PARAMETERS));
  }

  /**
   * @param stored null without an account or a password; the result is then false after the same work
   * @throws Problem upstream_unavailable when too many wait
   */
  async isRight(stored: string | null, password: string): Promise<boolean> {
    const matches = await this.inTurn(() =>
      verify(stored ?? UNKNOWN_ACCOUNT_HASH, password.normalize('NFKC')),
    );
    return matches && stored !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_AT_ONCE) {
      if (this.waiting.length >= MAX_WAITING) {
        throw new Problem('upstream_unavailable', 'Too many log-ins at this moment. Try again in a second.', {
          headers: { 'Retry-After': '1' },
        });
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      // The next waiting request takes over the slot.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
