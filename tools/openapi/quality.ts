import type { Json } from './components';

/** A schema of the document with its place, such as `AlertItem.position.id`. */
interface Placed {
  schema: Json;
  at: string;
  /** True for a component, which has a name of its own. */
  isNamed: boolean;
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordsOf = (value: unknown): [string, Json][] =>
  isRecord(value) ? Object.entries(value).filter((entry): entry is [string, Json] => isRecord(entry[1])) : [];

/**
 * Returns the properties and parameters of a document without a description. A reference has that of its target.
 * @param document with components, paths and webhooks
 */
export function undescribed(document: Json): string[] {
  const isDescribed = (schema: Json): boolean =>
    Boolean(schema['description']) ||
    (typeof schema['$ref'] === 'string' && Boolean(targetOf(document, schema['$ref'])['description']));
  const properties = schemasOf(document).flatMap(({ schema, at }) =>
    recordsOf(schema['properties']).flatMap(([name, property]) =>
      isDescribed(property) ? [] : [`${at}.${name}`],
    ),
  );
  const parameters = operationsOf(document).flatMap(([key, operation]) =>
    parametersOf(operation)
      .filter((parameter) => !('$ref' in parameter) && !parameter['description'])
      .map((parameter) => `${key} ?${String(parameter['name'])}`),
  );
  return [...properties, ...parameters];
}

/**
 * Returns the places of schemas without a name that occur several times: objects, and lists of at least two words. A
 * generator makes a type of each.
 */
export function twins(document: Json): string[][] {
  const places = new Map<string, string[]>();
  for (const { schema, at, isNamed } of schemasOf(document)) {
    const words = Array.isArray(schema['enum']) ? schema['enum'].filter((word) => word !== null) : [];
    const isType = isRecord(schema['properties']) || (words.length > 1 && typeof words[0] === 'string');
    if (isNamed || !isType) continue;
    const {
      description: _description,
      examples: _examples,
      default: _default,
      type: _type,
      ...content
    } = schema;
    const key = JSON.stringify(words.length > 0 ? words : content);
    places.set(key, [...(places.get(key) ?? []), at]);
  }
  return [...places.values()].filter((each) => each.length > 1);
}

function targetOf(document: Json, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((node, key) => node[key] as Json, document);
}

function operationsOf(document: Json): [string, Json][] {
  return [...recordsOf(document['paths']), ...recordsOf(document['webhooks'])].flatMap(([path, item]) =>
    recordsOf(item).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

const parametersOf = (operation: Json): Json[] => (operation['parameters'] as Json[] | undefined) ?? [];

/** Every schema that describes a value: components, parameters and bodies, with their parts. */
function schemasOf(document: Json): Placed[] {
  const { schemas, responses } = document['components'] as Record<string, Json>;
  return [
    ...recordsOf(schemas).flatMap(([name, schema]) => partsOf({ schema, at: name, isNamed: true })),
    ...recordsOf(responses).flatMap(([name, response]) => bodiesOf(response, name)),
    ...operationsOf(document).flatMap(([key, operation]) => [
      ...parametersOf(operation).flatMap((parameter) =>
        partsOf({
          schema: (parameter['schema'] as Json | undefined) ?? {},
          at: `${key} ?${String(parameter['name'])}`,
          isNamed: false,
        }),
      ),
      ...bodiesOf((operation['requestBody'] as Json | undefined) ?? {}, `${key} body`),
      ...recordsOf(operation['responses']).flatMap(([status, response]) =>
        bodiesOf(response, `${key} ${status}`),
      ),
    ]),
  ];
}

function bodiesOf(holder: Json, at: string): Placed[] {
  return recordsOf(holder['content']).flatMap(([, { schema }]) =>
    isRecord(schema) ? partsOf({ schema, at, isNamed: false }) : [],
  );
}

/** A schema and its parts. Rules between properties, in `allOf`, `oneOf` and `not` beside them, describe no values. */
function partsOf(placed: Placed): Placed[] {
  const { schema, at } = placed;
  const part = (inner: unknown, where: string): Placed[] =>
    isRecord(inner) ? partsOf({ schema: inner, at: where, isNamed: false }) : [];
  const choices = isRecord(schema['properties'])
    ? []
    : ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
        Array.isArray(schema[key]) ? (schema[key] as Json[]) : [],
      );
  return [
    placed,
    ...recordsOf(schema['properties']).flatMap(([name, inner]) => part(inner, `${at}.${name}`)),
    ...part(schema['items'], `${at}[]`),
    ...part(schema['additionalProperties'], `${at}{}`),
    ...choices.flatMap((choice, index) => part(choice, `${at}|${index}`)),
  ];
}
