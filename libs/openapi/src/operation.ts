import type { ProblemCode } from '@plimsoll/contracts';
import type { TSchema } from '@sinclair/typebox';
import type { HeaderName } from './headers';

/** A DTO class of libs/contracts/src/rest: a body or a query. */
export type DtoClass = new () => object;

/** Groups of operations, in the order of the document. */
export const TAGS = {
  Service: 'Is it up, and how much of it was used?',
  Prices: 'Prices of tokens, from several sources.',
  Registry: 'The protocols and chains that are covered, and how they are.',
  Positions: 'Lending positions of wallets, read at a block.',
  Simulations: 'A position at other prices, and how likely its liquidation is.',
  Risk: 'Risk figures of the market as a whole, of portfolios and of positions.',
  Analytics: 'The watched wallets as one portfolio, and how their positions were.',
  Wallets: 'The wallets an account watches: alerts, webhooks and streams are about these.',
  Alerts: 'What was found on watched wallets and by rules.',
  Incidents: 'Alerts that belong together, with the facts in order.',
  Whales: 'What large wallets do, and which of them belong together.',
  AI: 'Questions, suggestions and reports in words, every figure of them out of a fact.',
  Automation: 'Rules of the account on positions, and what they did.',
  Execution:
    'Deleverages on chain: simulated, built for the wallet to sign, or sent through a contract within its policy.',
  Webhooks: 'Endpoints that events are posted to. What is posted stands under Webhooks of this document.',
  Streams: 'WebSocket streams: a GET that asks to upgrade.',
  Account:
    'Accounts and their API keys, for a browser with a session cookie. Outside `/v1`: no API key, no tier, limits of its own.',
} as const satisfies Record<string, string>;
export type Tag = keyof typeof TAGS;

/** One way in which a call succeeds. */
export interface Answer {
  status: number;
  description: string;
  /** An answer schema exported by libs/contracts; null: no body. */
  schema: TSchema | null;
  /** Of its own, beside the common ones. */
  headers?: readonly HeaderName[];
  example?: object;
}

/**
 * What the document says of a row of ENDPOINTS beyond method, path, tier and scope. Codes that every call may get
 * (key, tier, scope, limits, a part that is away) are added from the row.
 */
export interface Operation {
  /** camelCase; a name that generated clients take for their function. */
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Schema of each `:name` of the path. */
  path?: Record<string, TSchema>;
  query?: DtoClass;
  body?: DtoClass;
  bodyExample?: object;
  answers: Answer[];
  /** Codes of its own, beside the common ones. */
  errors?: ProblemCode[];
  /** True: a POST that honours Idempotency-Key. */
  idempotent?: boolean;
}

/** Keyed by `METHOD /v1/path`, as in ENDPOINTS. */
export type Operations = Readonly<Record<string, Operation>>;

/** What the document says of a route of the account API. */
export interface AccountOperation extends Operation {
  /** True: only with a session cookie. */
  signedIn: boolean;
}

/** Keyed by `METHOD /account/v1/path`, with `:name` for a parameter. */
export type AccountOperations = Readonly<Record<string, AccountOperation>>;
