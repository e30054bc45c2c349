import type { Json } from './components';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Record<string, Json> =>
  isRecord(value) ? (value as Record<string, Json>) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Tiers in ascending order: an endpoint may move down, and never up. */
const TIERS = ['open', 'pro', 'business', 'enterprise'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** A pair of schemas at one place, with the documents that resolve their references. */
interface Pair {
  before: unknown;
  after: unknown;
  at: string;
  /** A request may gain possibilities, a response may gain fields. */
  direction: 'request' | 'response';
}

/**
 * Returns what a client of the earlier document could no longer do with the later one: removed operations,
 * parameters, fields, words and success statuses, other types, new required input, fields of responses that may be
 * absent, and higher tiers or other scopes. New operations, fields of responses and optional input are compatible.
 */
export function incompatibilities(before: Json, after: Json): string[] {
  const compare = new Comparison(before, after);
  return Object.entries(recordOf(before['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!isRecord(operation)) return [];
      const key = `${method.toUpperCase()} ${path}`;
      const later = recordOf(recordOf(after['paths'])[path])[method];
      return later ? compare.operation(key, operation, later) : [`${key} was removed`];
    }),
  );
}

class Comparison {
  /** Pairs of references that are being compared: schemas may refer to themselves. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly earlier: Json,
    private readonly later: Json,
  ) {}

  operation(key: string, before: Json, after: Json): string[] {
    return [
      ...permissions(key, before, after),
      ...this.parameters(key, before, after),
      ...this.body(key, before, after),
      ...this.responses(key, before, after),
    ];
  }

  private parameters(key: string, before: Json, after: Json): string[] {
    const [earlier, later] = [this.parametersOf(this.earlier, before), this.parametersOf(this.later, after)];
    const kept = [...earlier].flatMap(([name, parameter]) => {
      const other = later.get(name);
      if (!other) return [`${key}: the parameter ${name} was removed`];
      const newlyRequired = other['required'] === true && parameter['required'] !== true;
      return [
        ...(newlyRequired ? [`${key}: the parameter ${name} is now required`] : []),
        ...this.schemas({
          before: parameter['schema'],
          after: other['schema'],
          at: `${key} ?${name}`,
          direction: 'request',
        }),
      ];
    });
    const required = [...later].filter(([name, { required: is }]) => is === true && !earlier.has(name));
    return [...kept, ...required.map(([name]) => `${key}: the new parameter ${name} is required`)];
  }

  private parametersOf(document: Json, operation: Json): Map<string, Json> {
    const parameters = listOf(operation['parameters']).map((each) => resolved(document, each));
    return new Map(parameters.map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]));
  }

  private body(key: string, before: Json, after: Json): string[] {
    const [earlier, later] = [recordOf(before['requestBody']), recordOf(after['requestBody'])];
    if (later['required'] && !earlier['required']) return [`${key}: the body is now required`];
    return this.contents(`${key} body`, earlier, later, 'request');
  }

  private responses(key: string, before: Json, after: Json): string[] {
    const later = recordOf(after['responses']);
    return Object.entries(recordOf(before['responses'])).flatMap(([status, response]) => {
      if (!status.startsWith('2')) return [];
      const other = later[status];
      if (!other) return [`${key}: the status ${status} was removed`];
      const [one, two] = [resolved(this.earlier, response), resolved(this.later, other)];
      return this.contents(`${key} ${status}`, one, two, 'response');
    });
  }

  private contents(at: string, before: Json, after: Json, direction: Pair['direction']): string[] {
    return Object.entries(recordOf(before['content'])).flatMap(([type, { schema }]) => {
      const other = recordOf(after['content'])[type];
      if (!other) return [`${at}: ${type} was removed`];
      return this.schemas({ before: schema, after: other['schema'], at, direction });
    });
  }

  private schemas({ before, after, at, direction }: Pair): string[] {
    if (before === undefined) return [];
    const pair = `${direction} ${JSON.stringify(before)} ${JSON.stringify(after)}`;
    if (this.seen.has(pair)) return [];
    this.seen.add(pair);
    const [one, two] = [resolved(this.earlier, before), resolved(this.later, after)];
    return [
      ...this.values(one, two, at, direction),
      ...this.properties(one, two, at, direction),
      ...['items', 'additionalProperties'].flatMap((part) =>
        isRecord(one[part])
          ? this.schemas({ before: one[part], after: two[part], at: `${at}[]`, direction })
          : [],
      ),
    ];
  }

  private values(one: Json, two: Json, at: string, direction: Pair['direction']): string[] {
    const [earlier, later] = [typesOf(this.earlier, one), typesOf(this.later, two)];
    const [from, to] = direction === 'request' ? [earlier, later] : [later, earlier];
    const lost = [...from].filter((type) => !to.has(type) && !(type === 'integer' && to.has('number')));
    const types = lost.length > 0 && to.size > 0 ? [`${at}: was ${list(earlier)}, is ${list(later)}`] : [];
    const words = wordsOf(this.later, two);
    const gone = wordsOf(this.earlier, one)?.filter(
      (word) => direction === 'request' && words?.includes(word) === false,
    );
    return [...types, ...(gone ?? []).map((word) => `${at}: the word ${String(word)} was removed`)];
  }

  private properties(one: Json, two: Json, at: string, direction: Pair['direction']): string[] {
    const [earlier, later] = [objectOf(this.earlier, one), objectOf(this.later, two)];
    if (!earlier || !later) return [];
    const kept = Object.entries(recordOf(earlier['properties'])).flatMap(([name, property]) => {
      const other = recordOf(later['properties'])[name];
      if (!other) return [`${at}.${name} was removed`];
      return this.schemas({ before: property, after: other, at: `${at}.${name}`, direction });
    });
    const [was, is] = [listOf(earlier['required']), listOf(later['required'])];
    const changed =
      direction === 'request'
        ? is.filter((name) => !was.includes(name))
        : was.filter((name) => !is.includes(name));
    const how = direction === 'request' ? 'is now required' : 'may now be absent';
    const present = changed.filter((name) => String(name) in recordOf(later['properties']));
    return [...kept, ...present.map((name) => `${at}.${String(name)} ${how}`)];
  }
}

function permissions(key: string, before: Json, after: Json): string[] {
  const [was, is] = [before['x-tier'], after['x-tier']];
  const isHigher = was !== undefined && TIERS.indexOf(String(is)) > TIERS.indexOf(String(was));
  const isOther = after['x-scope'] != null && after['x-scope'] !== before['x-scope'];
  return [
    ...(isHigher ? [`${key}: the tier was ${String(was)}, is ${String(is)}`] : []),
    ...(isOther
      ? [`${key}: the scope was ${String(before['x-scope'])}, is ${String(after['x-scope'])}`]
      : []),
  ];
}

/** Follows a reference. Fields beside it, such as a description, do not matter here. */
function resolved(document: Json, value: unknown): Json {
  let found = recordOf(value) as Json;
  while (typeof found['$ref'] === 'string') {
    const path = found['$ref'].slice(2).split('/');
    found = path.reduce<Json>((node, key) => recordOf(node)[key] ?? {}, document);
  }
  return found;
}

/** The choices of a schema without its null, resolved. */
const choicesOf = (document: Json, schema: Json): Json[] => {
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choices.length === 0 || isRecord(schema['properties'])) return [schema];
  return choices.flatMap((choice) => choicesOf(document, resolved(document, choice)));
};

/** The types that a value may have. Empty: any. */
function typesOf(document: Json, schema: Json): Set<string> {
  return new Set(
    choicesOf(document, schema).flatMap(({ type }) =>
      Array.isArray(type) ? type : (type ?? []),
    ) as string[],
  );
}

/** The words that a value may be, or undefined when it may be others. */
function wordsOf(document: Json, schema: Json): unknown[] | undefined {
  const choices = choicesOf(document, schema).filter(({ type }) => type !== 'null');
  const words = choices.map((choice) => ('const' in choice ? [choice['const']] : choice['enum']));
  if (!words.every(Array.isArray)) return undefined;
  return words.flat().filter((word) => word !== null);
}

/** The object that a value is, when there is exactly one. */
function objectOf(document: Json, schema: Json): Json | undefined {
  const objects = choicesOf(document, schema).filter(({ properties }) => isRecord(properties));
  return objects.length === 1 ? objects[0] : undefined;
}

const list = (types: ReadonlySet<string>): string => [...types].join(' or ') || 'anything';
