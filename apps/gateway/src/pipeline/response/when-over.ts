import type { ServerResponse } from 'node:http';

/**
 * Calls `work` once: when the response has been sent, or when its connection closes before. A response whose
 * connection has closed already never calls it.
 */
export function whenOver(response: ServerResponse, work: () => void): void {
  // Node emits it in both cases, in a later turn of the queue than the end.
  response.on('close', work);
}
