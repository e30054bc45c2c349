import { Injectable } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { UpstreamReadiness } from '../edge/status';
import { ChainConditionsReader } from './chain-conditions';
import { chainPart, conditionsByPart } from './status-parts';
import { StatusRecords } from './status-records';

/** Rounds are at most 45 s apart, so that each minute has one. */
const EVERY_MS = 30_000;

/** Records the condition of the platform, its services and its chains, once a minute. */
@Injectable()
export class StatusRecorder extends PeriodicService {
  constructor(
    private readonly readiness: UpstreamReadiness,
    private readonly chains: ChainConditionsReader,
    private readonly records: StatusRecords,
  ) {
    super({
      name: 'status-recorder',
      everyMs: EVERY_MS,
      // Services that start with this one are not ready yet.
      waitsFirst: true,
      failure: 'the condition of this minute could not be recorded; the next round tries again',
    });
  }

  protected round(): Promise<void> {
    return this.record();
  }

  /** Records the running minute, unless it is recorded. */
  async record(): Promise<void> {
    const [services, chains] = await Promise.all([this.readiness.check(), this.chains.read()]);
    const nowMs = Date.now();
    await this.records.add(
      nowMs,
      [
        ...Object.entries(conditionsByPart(services)).map(([part, condition]) => ({
          part,
          condition,
          latencyMs: null,
        })),
        ...(chains?.chains ?? []).map(({ id, status, eventLatencyMs }) => ({
          part: chainPart(id),
          condition: status,
          latencyMs: eventLatencyMs,
        })),
      ],
      chains?.markets ?? [],
    );
    await this.records.prune(nowMs);
  }
}
