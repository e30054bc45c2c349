import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response of a connection that is under way; undefined while there is none. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  // Node keeps the response under this name, and throws when another one is assigned.
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
