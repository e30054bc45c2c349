import { readFileSync } from 'node:fs';

/** The content of .local/demo.json, in which `npm start` describes the running platform. */
export interface Stack {
  /** Ends with /v1. */
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  wallets: string[];
}

/** An error that the user can correct. The message states the correction. */
export class NotReadyError extends Error {}

const START = 'Start the platform (npm start -- --detach) and run this again.';

/** @throws NotReadyError when no platform responds there */
export async function findStack(file = '.local/demo.json'): Promise<Stack> {
  let stack: Stack;
  try {
    stack = JSON.parse(readFileSync(file, 'utf8')) as Stack;
  } catch {
    throw new NotReadyError(`There is no ${file}. ${START}`);
  }
  const isUp = await fetch(new URL('/openapi.json', stack.baseUrl), {
    signal: AbortSignal.timeout(5_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isUp) throw new NotReadyError(`No gateway serves /openapi.json at ${stack.baseUrl}. ${START}`);
  return stack;
}
