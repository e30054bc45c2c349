import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the response in progress on a connection, or undefined. */
export function responseInProgress(socket: Socket): ServerResponse | undefined {
  // Node stores the response under this name and throws when another one is assigned.
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
