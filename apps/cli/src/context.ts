import { type List, type Page, Plimsoll, type PlimsollOptions } from '@plimsoll/sdk';
import { version } from '../package.json';
import { EXIT, Failure } from './failure';
import { type Paint, painter } from './output/style';
import { type Cell, type Column, table } from './output/table';
import { toJson } from './output/text';
import { type Environment, readEnvironment } from './settings/config';
import { Profiles } from './settings/profiles';

/** Options that every command takes. */
export interface Globals {
  json?: boolean;
  color: boolean;
  profile?: string;
  baseUrl?: string;
  /** Seconds. */
  timeout?: number;
}

export const MOST_OF_A_PAGE = 200;

/** The client of the user and the terminal, for a command. */
export class Context {
  readonly environment: Environment = readEnvironment();
  readonly profiles = new Profiles(this.environment.profileFile);
  readonly paint: Paint;
  readonly isJson: boolean;

  constructor(private readonly globals: Globals) {
    const { noColor, forceColor } = this.environment;
    this.isJson = globals.json ?? false;
    this.paint = painter(globals.color && !noColor && (forceColor || process.stdout.isTTY === true));
  }

  /** The name that --profile states. */
  get profileName(): string | undefined {
    return this.globals.profile;
  }

  /** The address that the user states for this run. */
  get statedUrl(): string | undefined {
    return this.globals.baseUrl ?? this.environment.url;
  }

  /** The address for requests without a key: the stated one, or that of the profile. */
  get accountUrl(): string | undefined {
    const name = this.profileName ?? this.profiles.current;
    return this.statedUrl ?? (name === null ? undefined : this.profiles.get(name).url);
  }

  /** The deadline that --timeout states. */
  get seconds(): number | undefined {
    return this.globals.timeout;
  }

  /** Options of every client of this run. */
  get clientOptions(): Partial<PlimsollOptions> {
    const { timeout } = this.globals;
    return timeout === undefined ? {} : { timeoutMs: timeout * 1_000 };
  }

  /** @throws Failure without a key */
  client(options: Partial<PlimsollOptions> = {}): Plimsoll {
    const { apiKey, url } = this.credentials();
    return clientOf(apiKey, url, { ...this.clientOptions, ...options });
  }

  /** A stated profile comes first, then the environment, then the current profile. */
  private credentials(): { apiKey: string; url: string | undefined } {
    const { apiKey } = this.environment;
    const name = this.profileName ?? (apiKey === undefined ? this.profiles.current : null);
    if (name !== null) {
      const profile = this.profiles.get(name);
      return { apiKey: profile.apiKey, url: this.statedUrl ?? profile.url };
    }
    if (apiKey !== undefined) return { apiKey, url: this.statedUrl };
    throw new Failure(
      EXIT.unauthenticated,
      'key_missing',
      'There is no API key. Run plimsoll login, or set PLIMSOLL_API_KEY.',
    );
  }

  /** Prints a line on standard output. */
  print(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** Prints a line for the person, on standard error. It is no part of the result. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Prints a result: JSON for a program, or text for a person. */
  show(value: unknown, text: () => string): void {
    this.print(this.isJson ? toJson(value, 2) : text());
  }

  /** Prints an item of a sequence that does not end: one line of JSON, or text. */
  showLine(value: unknown, text: () => string): void {
    this.print(this.isJson ? toJson(value) : text());
  }

  /** Returns a table, or the sentence for an empty one. */
  table(columns: readonly (string | Column)[], rows: readonly (readonly Cell[])[], empty: string): string {
    if (rows.length === 0) return empty;
    const named = columns.map((each) => (typeof each === 'string' ? { title: each } : each));
    return table(named, rows, this.paint);
  }
}

/** @throws Failure for an address that is no URL */
export function clientOf(
  apiKey: string,
  url: string | undefined,
  { onRequest, ...options }: Partial<PlimsollOptions> = {},
): Plimsoll {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Failure(
      EXIT.usage,
      'url_invalid',
      `${url} is no address of an API. Use https://… or http://….`,
    );
  return new Plimsoll({
    apiKey,
    ...(url !== undefined && { baseUrl: url }),
    ...options,
    onRequest: async (request) => {
      request.headers.set('user-agent', `plimsoll-cli/${version}`);
      await onRequest?.(request);
    },
  });
}

/** The items of a list, up to a limit, with the other fields of its first page. */
export type Collected<P, K extends keyof P> = Omit<P, 'nextCursor'> & Pick<P, K> & { hasMore: boolean };

/** Reads a list page by page, up to `limit` items. */
export async function collect<P extends Page, T, K extends keyof P & string>(
  list: List<P, T>,
  key: K,
  limit: number,
): Promise<Collected<P, K>> {
  const items: unknown[] = [];
  let first: P | undefined;
  let hasMore = false;
  for await (const page of list.pages()) {
    first ??= page;
    items.push(...(page[key] as unknown[]));
    hasMore = items.length > limit || Boolean(page.nextCursor);
    if (items.length >= limit) break;
  }
  const { nextCursor: _, ...rest } = first as P;
  return { ...rest, [key]: items.slice(0, limit), hasMore } as unknown as Collected<P, K>;
}

/** The size of a page for a limit. */
export const pageOf = (limit: number): number => Math.min(limit, MOST_OF_A_PAGE);
