import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An operation of the document, as far as the fuzz needs it. */
export interface FuzzedOperation {
  id: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  queryNames: string[];
  /** Null: it takes no body. */
  bodyExample: Record<string, unknown> | null;
}

interface Schema {
  $ref?: string;
  example?: unknown;
  examples?: unknown[];
  allOf?: Schema[];
}
interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown; examples?: object }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Reads docs/openapi.json. WebSocket streams are not among the operations. */
export function documentedOperations(root: string): FuzzedOperation[] {
  const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([route, operations]) =>
    Object.entries(operations)
      .filter(([method, { operationId }]) => METHODS.has(method) && !/^stream[A-Z]/.test(operationId))
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path: route,
        queryNames: (operation.parameters ?? [])
          .filter((each) => each.in === 'query')
          .map(({ name }) => name),
        bodyExample: operation.requestBody ? exampleOf(document, operation.requestBody) : null,
      })),
  );
}

function exampleOf(
  { components }: Document,
  { content }: NonNullable<Operation['requestBody']>,
): Record<string, unknown> {
  const media = content['application/json'];
  const name = media?.schema.$ref?.split('/').at(-1);
  const schema = name === undefined ? media?.schema : components.schemas[name];
  const example = media?.example ?? schema?.example ?? schema?.examples?.[0];
  return typeof example === 'object' && example !== null ? (example as Record<string, unknown>) : {};
}
