import { Injectable } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { UpstreamReadiness, conditionOf } from '../edge/status';
import { ChainConditionsReader } from './chain-conditions';
import { type RecordedPart, StatusRecords } from './status-records';

/** Rounds are at most 45 s apart, so that each minute has one. */
const EVERY_MS = 30_000;

/** The name of a chain in the records. */
export const chainPart = (id: number): string => `chain:${id}`;

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
    const parts = Object.entries(services).map(([part, condition]): RecordedPart => ({
      part,
      condition,
      latencyMs: null,
    }));
    await this.records.add(
      nowMs,
      [
        { part: 'platform', condition: conditionOf(Object.values(services)), latencyMs: null },
        { part: 'gateway', condition: 'operational', latencyMs: null },
        ...parts,
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
