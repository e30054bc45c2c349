import { httpDurationSeconds } from '@plimsoll/service-kit';
import type { Call } from './call';

/** Counts a call of the API in the same histogram as Nest's routes. */
export function measureCall({ request, response, startedAtMs }: Call, route: string): void {
  response.on('finish', () => {
    const labels = { method: request.method ?? '', route, status: response.statusCode };
    httpDurationSeconds().observe(labels, (performance.now() - startedAtMs) / 1_000);
  });
}
