import { derivedId } from '@plimsoll/contracts';
import type { Pool } from 'pg';

/** The account that owns half of the rows of each table. */
export const ACCOUNT = derivedId('acc', 'large');
/** Rows of a page, and one that shows whether another page follows. */
export const PAGE = 51;
/** One row in so many has the rare values of the filters. */
export const RARE = 10_000;

/** Values of the filters of one request. An absent filter is not set. */
export type Filter = Readonly<Record<string, unknown>>;

/** Bounds of a list that must read more rows than those of a page. */
export interface MoreThanPage {
  /** Rows that one part of the plan may read. */
  rows: number;
  ms: number;
  because: string;
  /** Tables that it may read as a whole. */
  tables?: readonly string[];
}

/** A list of the API, read by the query that serves it. */
export interface ListScene {
  name: string;
  /** Values of each filter: common, rare, and without rows where that is possible. */
  filters: Readonly<Record<string, readonly unknown[]>>;
  read(filter: Filter): Promise<unknown>;
  /** Absent: a page reads few rows. */
  more?: MoreThanPage;
  /** Two filters with half of the rows each, and no row in common. No index of one of them ends early. */
  disjoint?: readonly Filter[];
}

/** The tables of a service and the lists that read them. */
export interface ServiceScene {
  app: string;
  schema: string;
  /** Makes the partitions. */
  prepare?(pool: Pool): Promise<void>;
  /** Statements that fill the tables with so many rows each. */
  fill(rows: number): readonly string[];
  lists(pool: Pool): ListScene[];
}

/** Ids sort by their numbers. Their beginning is no time. */
const ID_FILL = 'A'.repeat(12);
const ID_DIGITS = 10;

/** SQL of an id with a number. */
export const idSql = (prefix: string, number: string): string =>
  `'${prefix}_${ID_FILL}' || lpad((${number})::text, ${ID_DIGITS}, '0')`;
export const idOf = (prefix: string, number: number): string =>
  `${prefix}_${ID_FILL}${String(number).padStart(ID_DIGITS, '0')}`;

/** Row n is from n seconds after this time, so that the last of a million is from now. */
const FIRST_MS = Date.now() - 1_000_000_000;

/** SQL of the time of a row. */
export const atSql = (number: string): string => `to_timestamp((${FIRST_MS / 1_000} + ${number})::float8)`;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The first characters of an id are its time. The others are the number here. */
const TIME_LENGTH = 9;
const NUMBER_LENGTH = 13;
const PLACES = Array.from({ length: TIME_LENGTH }, (_, at) => 62 ** (TIME_LENGTH - 1 - at));
/** Value of the last of these characters: 128 bits begin with 48 bits of milliseconds. */
const PER_MS = 2 ** 80 / 62 ** NUMBER_LENGTH;

/** SQL of an id as `newId` makes it at the time of the row, for lists that bound ids by times. */
export const newIdSql = (prefix: string, number: string): string => {
  const time = `floor((${FIRST_MS} + ${number} * 1000::bigint)::float8 * ${PER_MS}::float8)::bigint`;
  const characters = PLACES.map((place) => `substr('${ALPHABET}', (${time} / ${place} % 62)::int + 1, 1)`);
  return `'${prefix}_' || ${characters.join(' || ')} || lpad((${number})::text, ${NUMBER_LENGTH}, '0')`;
};
export const newIdOf = (prefix: string, number: number): string => {
  const time = Math.floor((FIRST_MS + number * 1_000) * PER_MS);
  const characters = PLACES.map((place) => ALPHABET[Math.floor(time / place) % 62]);
  return `${prefix}_${characters.join('')}${String(number).padStart(NUMBER_LENGTH, '0')}`;
};

/** SQL of an address with a number, in lower case. */
export const addressSql = (number: string): string => `'0x' || lpad((${number})::text, 40, '0')`;
export const addressOf = (number: number): `0x${string}` => `0x${String(number).padStart(40, '0')}`;

/** SQL of the account of a row: half of the rows belong to one account. */
export const OWNER = `CASE WHEN n % 2 = 0 THEN '${ACCOUNT}' ELSE ${idSql('acc', 'n % 1000')} END`;

/** SQL of numbered rows. `rare` is true for one in RARE, all of the large account. */
export const numbered = (rows: number): string =>
  `(SELECT n, n % ${RARE} = 0 AS rare FROM generate_series(1, ${rows}) AS n) AS numbered`;
