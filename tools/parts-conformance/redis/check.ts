import type Redis from 'ioredis';

export interface RedisContext {
  /** A client of an empty Redis. */
  client: Redis;
  /** Another connection to the same Redis; the runner closes it. */
  newClient(): Redis;
}

/** A behaviour that our code can observe. It must be the same on every Redis. */
export interface RedisCheck {
  name: string;
  run(context: RedisContext): Promise<unknown>;
}

type Command = readonly (string | number)[];

/** The result of a command, or the text of its error. */
async function outcome(client: Redis, [name, ...args]: Command): Promise<unknown> {
  try {
    return await client.call(String(name), ...args.map(String));
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** A check that runs commands in order and compares all their results. */
export function commands(name: string, ...list: Command[]): RedisCheck {
  return {
    name,
    run: async ({ client }) => {
      const results: unknown[] = [];
      for (const command of list) results.push(await outcome(client, command));
      return results;
    },
  };
}

/** As `commands`, but only with the codes of errors: later versions of Redis add words to some texts. */
export function errorCodes(name: string, ...list: Command[]): RedisCheck {
  return {
    name,
    run: async ({ client }) => {
      const codes: unknown[] = [];
      for (const command of list) {
        const result = await outcome(client, command);
        codes.push(
          typeof result === 'object' && result !== null && 'error' in result
            ? String(result.error).split(' ')[0]
            : result,
        );
      }
      return codes;
    },
  };
}

/**
 * A remaining time in ms, to a tenth of its size, because the two servers are read at slightly different
 * times.
 */
export const about = (leftMs: unknown, expectedMs: number): boolean =>
  Number(leftMs) <= expectedMs && Number(leftMs) > expectedMs * 0.9;

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
