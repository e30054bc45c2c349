import { Injectable } from '@nestjs/common';

/** Time and chance, so that tests can have their own. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** In [0, 1), for jitter. */
  random: () => number = Math.random;
}
