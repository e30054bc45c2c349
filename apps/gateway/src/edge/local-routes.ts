import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { Injectable, Logger } from '@nestjs/common';
import { Problem, invalidRequest } from '@plimsoll/contracts';
import { unknownParameters, within } from '@plimsoll/service-kit';
import type { Caller } from '../identity';
import type { Figures } from '../limits/verdict';
import type { Admitted } from '../pipeline/admission/admission';
import { Usage } from '../usage/usage';
import './local.endpoints';
import { Status } from './status';

const DEADLINE_MS = 2_000;
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
  private readonly handlers: Readonly<Record<string, (key: Caller) => Promise<object>>>;

  constructor(status: Status, usage: Usage) {
    this.handlers = {
      '/v1/status': () => status.report(),
      '/v1/usage': (key) => this.usageOf(usage, key),
    };
  }

  /** None of these endpoints has query parameters. */
  async respond({ url = '' }: IncomingMessage, { endpoint, key }: Admitted): Promise<object | Problem> {
    const query = url.indexOf('?');
    if (query !== -1) {
      const errors = unknownParameters(parse(url.slice(query + 1)));
      if (errors.length > 0) return invalidRequest(errors);
    }
    const response = this.handlers[endpoint.path];
    if (!response) throw new Error(`no response for ${endpoint.path}: add it to LocalRoutes`);
    return response(key);
  }

  private async usageOf(usage: Usage, { accountId, testOf, figures }: Caller): Promise<object | Problem> {
    try {
      return await within(
        DEADLINE_MS,
        usage.report(accountId, testOf === undefined ? undefined : quotaOf(figures)),
        () => new Error('no response from the database'),
      );
    } catch (error) {
      this.logger.error({ msg: 'usage could not be read', err: error });
      return UNAVAILABLE;
    }
  }
}

const quotaOf = ({ perMinute, perDay }: Figures) => ({
  requestsPerMinute: perMinute,
  requestsPerDay: perDay,
});
