import { Injectable } from '@nestjs/common';

/** The time by which answers are dated and kept. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
}
