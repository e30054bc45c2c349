import type { ProblemCode } from '@plimsoll/contracts';
import type { TSchema } from '@sinclair/typebox';

/** A DTO class of libs/contracts/src/rest: a body or a query. */
export type DtoClass = new () => object;

/** Groups of operations, in the order of the document. */
export const TAGS = {
  Service: 'Is it up?',
  Positions: 'Lending positions of wallets, read at a block.',
  Wallets: 'The wallets an account watches: alerts, webhooks and streams are about these.',
  Alerts: 'What was found on watched wallets and by rules.',
  Incidents: 'Alerts that belong together, with the facts in order.',
  Automation: 'Rules of the account on positions, and what they did.',
  Webhooks: 'Endpoints that events are posted to. What is posted stands under Webhooks of this document.',
  Streams: 'WebSocket streams: a GET that asks to upgrade.',
} as const satisfies Record<string, string>;
export type Tag = keyof typeof TAGS;

/** One way in which a call succeeds. */
export interface Answer {
  status: number;
  description: string;
  /** An answer schema exported by libs/contracts; null: no body. */
  schema: TSchema | null;
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
