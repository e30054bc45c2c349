import { Injectable } from '@nestjs/common';

/** Time and randomness, so that tests can replace them. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** A number in [0, 1), for jitter. */
  random: () => number = Math.random;
}
