import { Injectable } from '@nestjs/common';
import { STREAMS, type StreamName } from '@plimsoll/contracts';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import { StreamLog } from './stream-log';

/** The stored events of each stream. */
@Injectable()
export class Logs {
  private readonly all: Record<StreamName, StreamLog>;

  constructor({ RESUME_WINDOW_MS, RESUME_MEMORY_BYTES }: StreamsConfig) {
    this.all = Object.fromEntries(
      STREAMS.map((stream) => [
        stream,
        new StreamLog(stream, RESUME_WINDOW_MS, RESUME_MEMORY_BYTES, LIMITS.heldBytes),
      ]),
    ) as Record<StreamName, StreamLog>;
  }

  of(stream: StreamName): StreamLog {
    return this.all[stream];
  }

  /** @param nowMs milliseconds since 1970 */
  expire(nowMs: number): void {
    for (const log of Object.values(this.all)) log.expire(nowMs);
  }
}
