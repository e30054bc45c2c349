import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The credentials that an operation requires. */
export type Access = 'key' | 'session' | 'none';

/** An operation of the document, as far as the fuzz needs it. */
export interface FuzzedOperation {
  id: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  access: Access;
  queryNames: string[];
  headerNames: string[];
  /** Null: it takes no body. */
  bodyExample: Record<string, unknown> | null;
}

interface Reference {
  $ref?: string;
}
interface Schema extends Reference {
  example?: unknown;
  examples?: unknown[];
}
interface Parameter extends Reference {
  in: string;
  name: string;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Reads docs/openapi.json. WebSocket streams are not among the operations. */
export function documentedOperations(root: string): FuzzedOperation[] {
  const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([route, operations]) =>
    Object.entries(operations)
      .filter(([method, { operationId }]) => METHODS.has(method) && !/^stream[A-Z]/.test(operationId))
      .map(([method, operation]) => toFuzzed(document, method, route, operation)),
  );
}

function toFuzzed(document: Document, method: string, route: string, operation: Operation): FuzzedOperation {
  const parameters = (operation.parameters ?? []).map((each) => resolved<Parameter>(document, each));
  const namesIn = (where: string): string[] =>
    parameters.filter((each) => each.in === where).map(({ name }) => name);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path: route,
    access: accessOf(operation),
    queryNames: namesIn('query'),
    headerNames: namesIn('header'),
    bodyExample: operation.requestBody ? exampleOf(document, operation.requestBody) : null,
  };
}

function accessOf({ security }: Operation): Access {
  if (security === undefined) return 'key';
  return security.length === 0 ? 'none' : 'session';
}

function exampleOf(
  document: Document,
  { content }: NonNullable<Operation['requestBody']>,
): Record<string, unknown> {
  const media = content['application/json'];
  if (!media) return {};
  const schema = resolved<Schema>(document, media.schema);
  const example = media.example ?? schema.example ?? schema.examples?.[0];
  return typeof example === 'object' && example !== null ? (example as Record<string, unknown>) : {};
}

/** Follows `#/a/b` inside the document. */
function resolved<T extends Reference>(document: Document, each: T): T {
  if (each.$ref === undefined) return each;
  const names = each.$ref.split('/').slice(1);
  const found = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
  return resolved(document, found as T);
}
