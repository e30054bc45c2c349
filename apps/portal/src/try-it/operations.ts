export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description?: string;
  schema?: { enum?: readonly string[]; example?: unknown; examples?: readonly unknown[] };
}

/** A request without a body. */
export interface Operation {
  id: string;
  path: string;
  summary: string;
  tag: string;
  parameters: readonly Parameter[];
}

export interface Document {
  paths: Record<string, { get?: RawOperation; parameters?: readonly RawParameter[] }>;
  components: { parameters?: Record<string, Parameter> };
}
interface RawOperation {
  operationId: string;
  summary?: string;
  tags?: readonly string[];
  parameters?: readonly RawParameter[];
}
type RawParameter = Parameter | { $ref: string };

/** The GET requests of /v1, in the order of the document. */
export function operationsOf({ paths, components }: Document): Operation[] {
  const resolved = (parameter: RawParameter): Parameter[] => {
    if (!('$ref' in parameter)) return [parameter];
    const found = components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
    return found ? [found] : [];
  };
  return Object.entries(paths).flatMap(([path, { get, parameters = [] }]) => {
    // Streams need a WebSocket.
    if (!get || !path.startsWith('/v1/') || get.tags?.[0] === 'Streams') return [];
    const all = [...parameters, ...(get.parameters ?? [])].flatMap(resolved);
    return {
      id: get.operationId,
      path,
      summary: get.summary ?? get.operationId,
      tag: get.tags?.[0] ?? 'Other',
      parameters: all.filter((each) => each.in !== 'header'),
    };
  });
}

/** The value that a field begins with, so that the first request needs no typing. Examples of ids belong to no account. */
export function firstValue({ in: place, required, schema }: Parameter): string {
  const { example } = schema ?? {};
  return required && place === 'query' && typeof example === 'string' ? example : '';
}

/** The address of a request with the values of its parameters. Empty ones are left out. */
export function addressOf({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const given = parameters.filter(({ name, in: place }) => place === 'query' && values[name]);
  const query = new URLSearchParams(given.map(({ name }) => [name, values[name] ?? ''])).toString();
  return query ? `${filled}?${query}` : filled;
}
