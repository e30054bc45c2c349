import { httpDurationSeconds } from '@plimsoll/service-kit';
import type { Call } from './call';

/** Records an API request in the same histogram as Nest's routes. */
export function measureRequest({ request, response, startedAtMs }: Call, route: string): void {
  response.on('finish', () => {
    const labels = { method: request.method ?? '', route, status: response.statusCode };
    httpDurationSeconds().observe(labels, (performance.now() - startedAtMs) / 1_000);
  });
}
