import { Injectable } from '@nestjs/common';

/** The clock by which alerts open, resolve and cool down. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
}
