import { Injectable } from '@nestjs/common';

/** Time and chance of the deliveries. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** In [0, 1). */
  random: () => number = Math.random;
}
