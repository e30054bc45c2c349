import { Injectable } from '@nestjs/common';

/** Clock and random numbers, which tests can replace. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** Returns a number in [0, 1) for jitter. */
  random: () => number = Math.random;
}
