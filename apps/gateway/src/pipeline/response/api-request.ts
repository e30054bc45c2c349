import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Correlation } from '@plimsoll/contracts';
import { httpDurationSeconds } from '@plimsoll/service-kit';
import type { Decision } from '../admission/admission';

/** One API request in the gateway. */
export interface ApiRequest {
  request: IncomingMessage;
  response: ServerResponse;
  correlation: Required<Correlation>;
  /** Monotonic time. */
  startedAtMs: number;
  /** The client requested another protocol. There is no body, and the connection ends with the response. */
  isUpgrade: boolean;
  /** Always present, so that every object has one shape. Undefined until the decision. */
  decision: Decision | undefined;
  /** Failure of the body before it was read. */
  bodyError: Error | undefined;
}

/** A request after the decision. Its response can be written. */
export interface DecidedRequest extends ApiRequest {
  decision: Decision;
}

/** Records the decision. */
export function decided(received: ApiRequest, decision: Decision): DecidedRequest {
  received.decision = decision;
  return received as DecidedRequest;
}

/** Records an API request in the same histogram as Nest's routes. */
export function measureRequest({ request, response, startedAtMs }: ApiRequest, route: string): void {
  response.on('finish', () => {
    const labels = { method: request.method ?? '', route, status: response.statusCode };
    httpDurationSeconds().observe(labels, (performance.now() - startedAtMs) / 1_000);
  });
}
