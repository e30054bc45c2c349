import { Injectable } from '@nestjs/common';

/** Time and randomness of a service. Tests replace them. Every service can inject it. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** Returns a number in [0, 1). */
  random: () => number = Math.random;
}
