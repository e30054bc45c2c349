import type { ServerResponse } from 'node:http';

/**
 * Calls `work` once: when the response has been sent, or when its connection closes before. A response whose
 * connection has closed already never calls it.
 */
export function whenOver(response: ServerResponse, work: () => void): void {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    work();
  };
  response.on('finish', end).on('close', end);
}
