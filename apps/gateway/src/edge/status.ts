import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Condition, StatusReport } from '@plimsoll/contracts';
import { READINESS_PATH, ServiceCalls } from '@plimsoll/service-kit';
import { request } from 'undici';
import type { UpstreamName } from '../pipeline/forwarding/upstream';
import { Upstreams } from '../pipeline/forwarding/upstreams';
import { PollOnDemand } from './poll-on-demand';
import { version } from '../../../../package.json';

const POLL_MS = 3_000;
/** Checks go on for a minute after the last request. */
const UNREAD_POLLS = 20;
const DEADLINE_MS = 2_000;

/** Returns the condition of the platform from that of its parts. */
export function conditionOf(parts: readonly Condition[]): Condition {
  if (parts.every((part) => part === 'operational')) return 'operational';
  return parts.every((part) => part === 'down') ? 'down' : 'degraded';
}

/** Checks the readiness of every instance of every service, while requests need it. */
@Injectable()
export class UpstreamReadiness implements OnApplicationShutdown {
  private readonly polled = new PollOnDemand(() => this.poll(), POLL_MS, UNREAD_POLLS);

  constructor(
    private readonly upstreams: Upstreams,
    private readonly calls: ServiceCalls,
  ) {}

  onApplicationShutdown(): void {
    this.polled.close();
  }

  /** Returns the condition of each service, at most POLL_MS plus a deadline old. */
  conditions(): Promise<Record<string, Condition>> {
    return this.polled.result();
  }

  /** Checks every instance once, now. */
  check(): Promise<Record<string, Condition>> {
    return this.poll();
  }

  private async poll(): Promise<Record<string, Condition>> {
    const all = Object.keys(this.upstreams.all) as UpstreamName[];
    const names = all.filter((name) => this.upstreams.all[name].addresses.length > 0);
    const conditions = await Promise.all(
      names.map(async (name) => {
        const { addresses } = this.upstreams.all[name];
        return [
          name,
          conditionOf(await Promise.all(addresses.map(({ origin }) => this.conditionAt(name, origin)))),
        ] as const;
      }),
    );
    return Object.fromEntries(conditions);
  }

  private async conditionAt(name: UpstreamName, origin: string): Promise<Condition> {
    try {
      const caller = this.calls.ownCaller(Date.now());
      const { statusCode, body } = await request(`${origin}${READINESS_PATH}`, {
        dispatcher: this.upstreams.agent,
        headers: this.calls.headers(name, 'GET', READINESS_PATH, caller),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const { status } = (await body.json()) as { status?: string };
      if (statusCode !== 200) return 'down';
      return status === 'ready' ? 'operational' : 'degraded';
    } catch {
      return 'down';
    }
  }
}

@Injectable()
export class Status {
  constructor(private readonly readiness: UpstreamReadiness) {}

  async report(): Promise<StatusReport> {
    const services = await this.readiness.conditions();
    const status = conditionOf(Object.values(services));
    return { status, version, timestamp: new Date().toISOString(), services };
  }
}
