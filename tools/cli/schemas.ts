type Json = Record<string, unknown>;

/** The operations that the tools of the MCP server call. None changes anything. */
export const OPERATIONS = [
  'listPositions',
  'getPosition',
  'simulateWhatIf',
  'simulateMonteCarlo',
  'simulateStressTest',
  'listScenarios',
  'listAlerts',
  'listWallets',
  'writeBriefing',
  'askRiskQuestion',
];

/** A tool returns whole records, because a client checks its output against the schema. */
const SPARSE = 'fields';
const REFERENCE = /#\/components\/schemas\/(\w+)/g;
/** A model reads the descriptions of inputs. Those of outputs would fill its memory, and the documents have them. */
const PROSE = new Set(['description', 'examples', 'example', 'title', 'additionalProperties']);

/** Returns what each operation takes, in one object, and what it returns, as JSON Schemas with their definitions. */
export function operationSchemas(document: Json): Record<string, object> {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const found: Record<string, object> = {};
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Record<string, Json>>))
    for (const [method, operation] of Object.entries(item)) {
      const id = operation['operationId'] as string;
      if (!OPERATIONS.includes(id)) continue;
      const input = inputOf(operation, schemas);
      const output = contentOf((operation['responses'] as Record<string, Json>)['200']!);
      found[id] = {
        method: method.toUpperCase(),
        path,
        input: { ...relocated(input), $defs: relocated(definitionsOf(input, schemas)) },
        output: shortened(relocated(output)),
        outputDefs: shortened(relocated(definitionsOf(output, schemas))),
      };
    }
  const missing = OPERATIONS.filter((id) => !(id in found));
  if (missing.length > 0) throw new Error(`docs/openapi.json has no operation ${missing.join(', ')}.`);
  return found;
}

function inputOf(operation: Json, schemas: Record<string, Json>): Json {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const parameter of (operation['parameters'] as Json[] | undefined) ?? []) {
    // Shared parameters are headers.
    if (parameter['$ref'] !== undefined) continue;
    const { name, schema, description } = parameter as { name: string; schema: Json; description?: string };
    if (name === SPARSE) continue;
    properties[name] = { ...schema, ...(description !== undefined && { description }) };
    if (parameter['required'] === true) required.push(name);
  }
  const body = operation['requestBody'] as Json | undefined;
  if (body) {
    const given = contentOf(body);
    const [, name = ''] = [...((given['$ref'] as string | undefined) ?? '').matchAll(REFERENCE)][0] ?? [];
    const schema = schemas[name] ?? given;
    Object.assign(properties, schema['properties']);
    required.push(...((schema['required'] as string[] | undefined) ?? []));
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

const contentOf = (described: Json): Json =>
  (described['content'] as Record<string, Json>)['application/json']!['schema'] as Json;

/** Every schema that a schema refers to, by name. */
function definitionsOf(schema: Json, schemas: Record<string, Json>): Json {
  const found: Json = {};
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      if (name in found) continue;
      found[name] = schemas[name];
      visit(schemas[name]);
    }
  };
  visit(schema);
  return found;
}

const relocated = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(REFERENCE, '#/$defs/$1')) as Json;

/** Without prose, and open for fields that later releases add. */
function shortened(value: Json): Json {
  const visit = (each: unknown, isMap: boolean): unknown => {
    if (Array.isArray(each)) return each.map((item) => visit(item, false));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each)
        .filter(
          ([key, inner]) => isMap || !PROSE.has(key) || (key === 'additionalProperties' && inner !== false),
        )
        .map(([key, inner]) => [key, visit(inner, key === 'properties' || key === '$defs')]),
    );
  };
  return visit(value, value['$ref'] === undefined && value['type'] === undefined) as Json;
}
