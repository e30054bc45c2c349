import type Redis from 'ioredis';
import { TAKE_LUA } from './take.lua';
import { type Figures, type Subject, type Taking, type Verdict, minuteOf, verdictOn } from './verdict';

/** Most subjects in one script call, because Redis does nothing else meanwhile. */
const MAX_SUBJECTS_PER_CALL = 200;
const DEADLINE_STEPS = 5;

interface Waiting {
  subject: Subject;
  figures: Figures;
  calls: ((verdict: Verdict | Error) => void)[];
}

/**
 * Exact over any number of gateway processes. One script call runs at a time. Requests that arrive meanwhile,
 * and in the turn of the event loop in which it ends, share the next one, each with its place in the order.
 */
export class RedisLimiter {
  private waiting = new Map<string, Waiting>();
  /** A script call runs, or the next one is due at the end of this turn of the event loop. */
  private isBusy = false;

  /** @param deadlineMs time for Redis, without pauses of this process; `take` fails afterwards */
  constructor(
    private readonly redis: Redis,
    private readonly keyPrefix: string,
    private readonly deadlineMs: number,
  ) {}

  /** Sends the script to Redis, so that no request waits until Redis has compiled it. */
  async load(): Promise<void> {
    await this.redis.script('LOAD', TAKE_LUA);
  }

  /** @param settle called once in a later turn, with an error when Redis did not decide */
  take(subject: Subject, figures: Figures, settle: (verdict: Verdict | Error) => void): void {
    if (!this.isBusy) this.sendSoon();
    // During a change, an account's requests may have both limits. Each is judged by its own.
    const slot = `${minuteOf(subject)}|${figures.perMinute}|${figures.perDay}`;
    const waiting = this.waiting.get(slot);
    if (waiting) waiting.calls.push(settle);
    else this.waiting.set(slot, { subject, figures, calls: [settle] });
  }

  /** At the end of this turn of the event loop, so that requests that it has not read yet share the call. */
  private sendSoon(): void {
    this.isBusy = true;
    setImmediate(() => void this.send());
  }

  private async send(): Promise<void> {
    await this.sendBatch(this.takeWaiting());
    this.isBusy = false;
    if (this.waiting.size > 0) this.sendSoon();
  }

  private async sendBatch(all: readonly Waiting[]): Promise<void> {
    const parts: Waiting[][] = [];
    for (let at = 0; at < all.length; at += MAX_SUBJECTS_PER_CALL) {
      parts.push(all.slice(at, at + MAX_SUBJECTS_PER_CALL));
    }
    await Promise.all(
      parts.map((part) =>
        this.run(part).catch((error: Error) => {
          // Requests that waited meanwhile would wait for the same failure.
          for (const { calls } of [...part, ...this.takeWaiting()]) for (const settle of calls) settle(error);
        }),
      ),
    );
  }

  private takeWaiting(): Waiting[] {
    const all = [...this.waiting.values()];
    this.waiting = new Map();
    return all;
  }

  private async run(part: readonly Waiting[]): Promise<void> {
    const keys = part.map(({ subject }) => `${this.keyPrefix}limit:${subject.id}`);
    const args = part.flatMap(({ subject, figures, calls }) => [
      calls.length,
      subject.offsetMs,
      figures.perMinute,
      figures.perDay ?? -1,
      subject.window === 'session' ? 's' : '',
    ]);
    const [nowMs = 0, ...numbers] = await this.script(keys, args);
    part.forEach(({ figures, calls }, i) => {
      const [used = 0, usedToday = 0, admitted = 0, windowEndMs = 0] = numbers.slice(i * 4, i * 4 + 4);
      const taking: Taking = { nowMs, used, usedToday, admitted, windowEndMs };
      calls.forEach((settle, ordinal) => settle(verdictOn(ordinal, taking, figures)));
    });
  }

  private script(keys: string[], args: (string | number)[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      let steps = 0;
      // A step counts once even when this process stood still during it, so that a busy machine does not look like
      // a slow Redis.
      const timer = setInterval(() => {
        steps += 1;
        if (steps < DEADLINE_STEPS) return;
        clearInterval(timer);
        // One more turn of the event loop: the response may be there while this process is late.
        setImmediate(() => reject(new Error(`Redis did not respond within ${this.deadlineMs} ms`)));
      }, this.deadlineMs / DEADLINE_STEPS);
      const settled = (): void => clearInterval(timer);
      take(this.redis, keys, args).then(resolve, reject).finally(settled);
    });
  }
}

type WithTake = Redis & { plimsollTake(keyCount: number, ...rest: (string | number)[]): Promise<number[]> };

function take(redis: Redis, keys: string[], args: (string | number)[]): Promise<number[]> {
  if (!('plimsollTake' in redis)) redis.defineCommand('plimsollTake', { lua: TAKE_LUA });
  return (redis as WithTake).plimsollTake(keys.length, ...keys, ...args);
}
