import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Identity } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { ServiceHarness, type ServiceResponse, createTestDatabase } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { AiConfig } from '../src/config';
import type { Recording } from './replay/recorded-call';
import { type ReplayServer, startReplay } from './replay/replay-server';

export type Answer<T> = ServiceResponse<T>;

/** The responses of a running platform (recorded by test/ai-eval/record.ts). */
export const RECORDING = JSON.parse(
  readFileSync(path.join(__dirname, 'replay/recorded.json'), 'utf8'),
) as Recording;

/** The ai service over the recorded responses of the services that it calls. */
export class AiHarness extends ServiceHarness<AiConfig> {
  replay!: ReplayServer;

  static async start(over: Partial<AiConfig> = {}): Promise<AiHarness> {
    const replay = await startReplay(RECORDING);
    const harness = new AiHarness(
      { module: AppModule, config: AiConfig, schema: 'ai' },
      await createTestDatabase(),
      {
        UPSTREAM_POSITIONS: replay.origin('positions'),
        UPSTREAM_SIMULATION: replay.origin('simulation'),
        UPSTREAM_MARKET_DATA: replay.origin('market-data'),
        UPSTREAM_ALERTS: replay.origin('alerts'),
        UPSTREAM_WHALES: replay.origin('whales'),
        ...over,
      },
    );
    harness.replay = replay;
    harness.onClose(() => replay.close());
    await harness.start();
    return harness;
  }

  post<T>(
    route: string,
    body: unknown,
    as: Partial<Identity> = {},
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    return this.request<T>('POST', `/v1/ai/${route}`, { body, as, ...(signal && { signal }) });
  }

  protected override prepare(app: NestFastifyApplication): void {
    app.get(Clock).now = () => RECORDING.atMs;
  }

  /** The services that it asks may be unavailable. */
  protected override consume(): Promise<void> {
    return Promise.resolve();
  }
}

/** A recorded response. @throws when there is none */
export function recorded<T>(key: string): T {
  const call = RECORDING.calls.find((each) => each.key === key);
  if (!call) throw new Error(`the recording has no ${key}: record it again`);
  return call.body as T;
}
