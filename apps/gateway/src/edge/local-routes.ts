import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import type { Admitted } from '../pipeline/admission/admission';
import { withLookupDeadline } from '../identity/callers/lookup-deadline';
import { Usage } from '../usage/usage';
import { Status } from './status';

const UNAVAILABLE = new Problem(
  'upstream_unavailable',
  'Usage cannot be read at the moment. Try again in a second.',
  {
    headers: { 'Retry-After': '1' },
  },
);

/**
 * Endpoints of /v1 that the gateway itself handles: the rows of the endpoint table with the service
 * `gateway`.
 */
@Injectable()
export class LocalRoutes {
  private readonly logger = new Logger('local-routes');
  private readonly handlers: Readonly<Record<string, (accountId: string) => Promise<object>>>;

  constructor(status: Status, usage: Usage) {
    this.handlers = {
      '/v1/status': () => status.report(),
      '/v1/usage': (accountId) => this.usageOf(usage, accountId),
    };
  }

  async respond({ endpoint, key }: Admitted): Promise<object | Problem> {
    const response = this.handlers[endpoint.path];
    if (!response) throw new Error(`no response for ${endpoint.path}: add it to LocalRoutes`);
    return response(key.accountId);
  }

  private async usageOf(usage: Usage, accountId: string): Promise<object | Problem> {
    try {
      return await withLookupDeadline(usage.report(accountId));
    } catch (error) {
      this.logger.error({ msg: 'usage could not be read', err: error });
      return UNAVAILABLE;
    }
  }
}
