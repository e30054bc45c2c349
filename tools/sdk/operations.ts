/** The parts of an operation that the SDK needs to send it. */
export interface Operation {
  method: string;
  path: string;
  query: string[];
  /** The property of the response with the items of a page. Absent: it is no list. */
  list?: string;
  /** True when a repeated request needs an Idempotency-Key. */
  idempotency?: true;
  /** True when it takes a body. */
  body?: true;
}

type Json = Record<string, unknown>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Streams are WebSockets. Accounts are for the pages of the platform, with a session. */
const isCovered = (path: string): boolean =>
  path.startsWith('/v1/') && (!path.startsWith('/v1/streams/') || path === '/v1/streams/tickets');

/** Returns the covered operations by operationId. */
export function operationsOf(document: Json): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Json>)) {
    if (!isCovered(path)) continue;
    for (const method of METHODS) {
      const operation = item[method] as Json | undefined;
      if (operation)
        found.set(operation['operationId'] as string, describe(document, method, path, operation));
    }
  }
  return found;
}

function describe(document: Json, method: string, path: string, operation: Json): Operation {
  const resolve = (value: Json): Json => {
    const reference = value['$ref'] as string | undefined;
    if (reference === undefined) return value;
    return reference
      .slice(2)
      .split('/')
      .reduce<Json>((node, key) => node[key] as Json, document);
  };
  const parameters = ((operation['parameters'] as Json[] | undefined) ?? []).map(resolve);
  const query = parameters.filter((each) => each['in'] === 'query').map((each) => each['name'] as string);
  const names = parameters.map((each) => each['name']);
  const responses = operation['responses'] as Record<string, Json>;
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  const content = (resolve(responses[success ?? ''] ?? {})['content'] as Json | undefined)?.[
    'application/json'
  ];
  const schema = resolve(((content as Json | undefined)?.['schema'] as Json | undefined) ?? {});
  const properties = Object.entries((schema['properties'] as Record<string, Json> | undefined) ?? {});
  const list = query.includes('cursor')
    ? properties.find(([, property]) => property['type'] === 'array' && property['items'] !== undefined)?.[0]
    : undefined;
  return {
    method: method.toUpperCase(),
    path,
    query,
    ...(list !== undefined && { list }),
    ...(names.includes('Idempotency-Key') && { idempotency: true as const }),
    ...(operation['requestBody'] !== undefined && { body: true as const }),
  };
}

/** The codes of errors that covered operations respond with, in alphabetical order. */
export function errorCodes(document: Json): string[] {
  const items = Object.entries(document['paths'] as Record<string, Record<string, Json>>);
  const operations = items.filter(([path]) => isCovered(path)).flatMap(([, item]) => Object.values(item));
  const codes = operations.flatMap((operation) => (operation['x-error-codes'] as string[] | undefined) ?? []);
  return [...new Set(codes)].sort();
}

/** The table as TypeScript. */
export function describeOperations(document: Json): string {
  const lines = [...operationsOf(document)].map(([id, { method, path, query, list, idempotency, body }]) => {
    const cells = [method, path, query, list ?? null, idempotency ?? false, body ?? false].map((cell) =>
      JSON.stringify(cell),
    );
    return `  ${id}: [${cells.join(', ')}],`;
  });
  return `/** Method, path, query parameters, property with the items of a page, whether it takes an Idempotency-Key and a body. */
export const OPERATIONS = {
${lines.join('\n')}
} as const;

/** The code of an error response. */
export type ErrorCode =${errorCodes(document)
    .map((code) => `\n  | '${code}'`)
    .join('')};
`;
}
