import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@plimsoll/service-kit';
import { request } from 'undici';
import type { UpstreamName } from '../pipeline/forwarding/upstream';
import { Upstreams } from '../pipeline/forwarding/upstreams';

const DEADLINE_MS = 5_000;

/** Reads from services for no caller. */
@Injectable()
export class UpstreamJson {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly calls: ServiceCalls,
  ) {}

  /**
   * Returns the body of the first instance that responds with 200.
   * @throws Error when none does
   */
  async read<T>(name: UpstreamName, path: string): Promise<T> {
    let failure: unknown = new Error(`${name} has no instance`);
    for (const { origin } of this.upstreams.all[name].addresses) {
      try {
        const { statusCode, body } = await request(origin + path, {
          dispatcher: this.upstreams.agent,
          headers: this.calls.headers(name, 'GET', path, this.calls.ownCaller(Date.now())),
          signal: AbortSignal.timeout(DEADLINE_MS),
        });
        if (statusCode === 200) return (await body.json()) as T;
        await body.dump();
        failure = new Error(`${name} responded with ${statusCode}`);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}
