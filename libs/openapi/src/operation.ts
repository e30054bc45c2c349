import type { ProblemCode } from '@plimsoll/contracts';

/** A DTO class of libs/contracts/src/rest. */
export type DtoClass = new () => object;

/** Groups of operations, in the order of the document. */
export const TAGS = {
  Service: 'Condition of the service, and your usage of it.',
  Prices: 'Prices of tokens, from several sources.',
  Registry: 'Covered protocols and chains, with their condition.',
  Markets: 'Rates of interest in lending markets, and their history.',
  Positions: 'Lending positions of wallets, read at a block.',
  Simulations: 'A position at other prices, and its probability of liquidation.',
  Risk: 'Risk figures of the market as a whole, of portfolios and of positions.',
  Analytics: 'The watched wallets as one portfolio, and the history of their positions.',
  Wallets: 'The wallets that an account watches. Alerts, webhooks and streams concern these.',
  Alerts: 'Dangers of watched wallets, and alerts of rules.',
  Incidents: 'Alerts that belong together, with the facts in order.',
  Whales: 'Activity of large wallets, and clusters of them.',
  AI: 'Questions, suggestions and reports as text. Every figure in them comes from a fact.',
  Automation: 'Rules of the account on positions, and their executions.',
  Execution:
    'Deleverages on chain: simulated, built for the wallet to sign, or sent through a contract within its policy.',
  Webhooks: 'Endpoints that receive events. The section Webhooks of this document describes the requests.',
  Sandbox: 'The test market of an account: a clock, prices and whales that a test key moves.',
  Streams: 'WebSocket streams: a GET with an upgrade.',
  Account:
    'Accounts and their API keys, for a browser with a session cookie. Outside of `/v1`: no API key, no tier, separate limits.',
  Public:
    'For everyone, without a key or an account. Outside of `/v1`, with a limit for each client address.',
} as const satisfies Record<string, string>;
export type Tag = keyof typeof TAGS;

/** One successful response of an operation. */
export interface SuccessResponse {
  status: number;
  description: string;
  /** The class of the body. Null: no body. */
  schema: DtoClass | null;
  /** Headers in addition to the common ones. */
  headers?: readonly 'X-Answer-Generator'[];
  /** Absent: the example of the class. */
  example?: object;
}

/**
 * Documentation of a row of ENDPOINTS beyond method, path, tier and scope. The codes of every request (key,
 * tier, scope, limits, an unavailable service) come from the row.
 */
export interface Operation {
  /** camelCase. Generated clients use it as the function name. */
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Schema of each `:name` of the path. */
  path?: Record<string, object>;
  query?: DtoClass;
  body?: DtoClass;
  bodyExample?: object;
  responses: SuccessResponse[];
  /** Codes in addition to the common ones. */
  errors?: ProblemCode[];
  /** True: a POST that supports Idempotency-Key. */
  idempotent?: boolean;
  /** Only for the account API. True: requires a session cookie. */
  signedIn?: boolean;
}

/** The documentation that `Documented` adds to the decorators of Nest. */
export type Documentation = Omit<Operation, 'query' | 'body' | 'bodyExample'>;

/** The documentation of an endpoint without decorators. */
export type EndpointDocumentation = Omit<Operation, 'body' | 'bodyExample'>;

/** Keyed by `METHOD /path`, with `:name` for a parameter. */
export type Operations = Readonly<Record<string, Operation>>;
