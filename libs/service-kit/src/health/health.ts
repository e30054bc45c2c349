import { Injectable } from '@nestjs/common';
import { within } from '../concurrency/within';

/** A dependency of the service. Resolves when it works, rejects with the reason otherwise. */
export type HealthCheck = (signal: AbortSignal) => Promise<unknown>;

export interface HealthReport {
  /** `degraded`: the service takes traffic, but an optional dependency is unavailable. */
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Record<string, 'ok' | string>;
}

/** The dependencies that a service needs to take traffic. Modules register their checks at start. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private readonly optional = new Set<string>();
  private readonly draining = new AbortController();

  /**
   * @param options `required: false` for an optional dependency: its failure is reported, and the service
   * stays ready
   */
  register(name: string, check: HealthCheck, { required = true }: { required?: boolean } = {}): void {
    this.checks.set(name, check);
    if (!required) this.optional.add(name);
  }

  /** Makes readiness respond with 503, so that no new traffic arrives while the service stops. */
  drain(): void {
    this.draining.abort();
  }

  /** Runs `begin` when the service begins to stop. */
  onDrain(begin: () => void): void {
    this.draining.signal.addEventListener('abort', begin, { once: true });
  }

  /** Runs all checks, each within `deadlineMs`. */
  async report(deadlineMs: number): Promise<HealthReport> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await outcome(check, deadlineMs)] as const),
    );
    const checks = Object.fromEntries(
      this.draining.signal.aborted ? [...entries, ['service', 'stopping']] : entries,
    );
    const failing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
    if (failing.length === 0) return { status: 'ready', checks };
    return { status: failing.every((name) => this.optional.has(name)) ? 'degraded' : 'not_ready', checks };
  }
}

async function outcome(check: HealthCheck, deadlineMs: number): Promise<string> {
  const late = (): Error => new Error(`no response within ${deadlineMs} ms`);
  try {
    await within(deadlineMs, check(AbortSignal.timeout(deadlineMs)), late);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  }
}
