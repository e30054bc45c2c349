import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type RiskQaAnswer, newId } from '@plimsoll/contracts';
import { Clock, createService } from '@plimsoll/service-kit';
import { identityHeaders, testIdentityKeys } from '@plimsoll/testing';
import { AppModule } from '../../apps/ai/src/app.module';
import { AiConfig } from '../../apps/ai/src/config';
import type { Recording } from '../../apps/ai/test/replay/recorded-call';
import { type ReplayServer, startReplay } from '../../apps/ai/test/replay/replay-server';

/** The production service over a recorded platform. Its clock is at the time of the recording. */
export class AiService {
  private readonly accountId = newId('acc');

  private constructor(
    readonly replay: ReplayServer,
    private readonly app: NestFastifyApplication,
    private readonly keys: string,
    private readonly origin: string,
  ) {}

  static async start(
    recording: Recording,
    databaseUrl: string,
    over: Partial<AiConfig> = {},
  ): Promise<AiService> {
    const replay = await startReplay(recording);
    const keys = testIdentityKeys();
    const config = Object.assign(new AiConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS_FOLDER: keys,
      DATABASE_URL: databaseUrl,
      UPSTREAM_POSITIONS: replay.origin('positions'),
      UPSTREAM_SIMULATION: replay.origin('simulation'),
      UPSTREAM_MARKET_DATA: replay.origin('market-data'),
      UPSTREAM_ALERTS: replay.origin('alerts'),
      UPSTREAM_WHALES: replay.origin('whales'),
      ...over,
    });
    const app = await createService(AppModule, config);
    app.get(Clock).now = () => recording.atMs;
    await app.listen(0, '127.0.0.1');
    const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    return new AiService(replay, app, keys, origin);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.replay.close();
  }

  /** An answer with its author and its duration. */
  async ask(
    question: string,
  ): Promise<{ status: number; answer: RiskQaAnswer; generator: string; ms: number }> {
    const begunMs = performance.now();
    const { status, body, generator } = await this.post<RiskQaAnswer>('risk-qa', { question });
    return { status, answer: body, generator, ms: performance.now() - begunMs };
  }

  /** Any of the four answers. */
  async post<T>(path: string, body: object): Promise<{ status: number; body: T; generator: string }> {
    const request = { service: 'ai', method: 'POST', path: `/v1/ai/${path}` };
    const response = await fetch(this.origin + request.path, {
      method: request.method,
      headers: { ...identityHeaders(this.keys, request, this.accountId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const generator = response.headers.get('x-answer-generator') ?? '';
    return { status: response.status, body: (await response.json()) as T, generator };
  }
}
