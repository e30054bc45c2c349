import { Injectable } from '@nestjs/common';

/** Clock and random numbers of the deliveries. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** Returns a number in [0, 1). */
  random: () => number = Math.random;
}
