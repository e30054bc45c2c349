import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';

/** A JSON value of a schema. */
export type Json = Record<string, unknown>;

/** A DTO class of this folder. */
export type DtoClass<T extends object = object> = abstract new () => T;

export interface FieldOptions {
  nullable?: true;
  /** An array of such values. */
  list?: true | { min?: number; max?: number };
  /** A map from text, or from keys of this pattern, to such values. */
  map?: true | string;
  /** Description of one value of a list or map. */
  item?: string;
  example?: unknown;
}

type Check = (options?: ValidationOptions) => PropertyDecorator;

/** A field of a response: its schema in the document and its checks of class-validator. */
export interface DeclaredField {
  /** Schema of one value. A function returns the class of an object. */
  schema: Json | (() => DtoClass);
  /** The classes of which an object has one, in place of the schema. */
  forms?: () => readonly DtoClass[];
  checks: readonly Check[];
  description: string | undefined;
  options: FieldOptions;
}

const FIELDS = Symbol('fields');
const OPTIONAL = Symbol('optional');

/** Declares a field of a response. */
export function declareField(field: DeclaredField): PropertyDecorator {
  return (target, name) => {
    const own = ownFields(target);
    Reflect.defineMetadata(FIELDS, { ...own, [String(name)]: field }, target);
  };
}

const ownFields = (prototype: object): Record<string, DeclaredField> =>
  (Reflect.getOwnMetadata(FIELDS, prototype) as Record<string, DeclaredField> | undefined) ?? {};

/** Classes whose fields class-validator knows. */
const checked = new WeakSet<DtoClass>();

/**
 * Registers the checks of a response class. class-validator goes through all its classes for each request that it
 * validates, so a service, which validates no response, registers none.
 */
function registerChecks(dto: DtoClass): void {
  if (checked.has(dto)) return;
  checked.add(dto);
  const prototype = dto.prototype as object;
  for (const [name, field] of Object.entries(fieldsOf(dto))) {
    const checks = [...(isOptional(dto, name) ? [whenPresent()] : []), ...checksOf(field)];
    for (const check of checks) check(prototype, name);
  }
}

const whenPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

function checksOf({ checks, options: { nullable, list, map } }: DeclaredField): PropertyDecorator[] {
  const each = list !== undefined || map !== undefined;
  const { min = 0, max = Infinity } = typeof list === 'object' ? list : {};
  return [
    ...(nullable ? [ValidateIf((_, value) => value !== null)] : []),
    ...(list ? [IsArray(), ArrayMinSize(min), ArrayMaxSize(max)] : []),
    ...(map ? [hasKeys(typeof map === 'string' ? new RegExp(map) : /^/)] : []),
    ...checks.map((check) => check(each ? { each } : {})),
  ];
}

/** A checked map is a Map (dtoInstance), whose values class-validator checks with `each`. */
const hasKeys = (pattern: RegExp): PropertyDecorator =>
  ValidateBy({
    name: 'hasKeys',
    validator: {
      validate: (value) =>
        value instanceof Map && [...value.keys()].every((key) => pattern.test(String(key))),
      defaultMessage: () => `$property must be an object with keys of ${String(pattern)}`,
    },
  });

/** The field may be absent. null is rejected, because IsOptional would skip all other checks for null. */
export function Optional(): PropertyDecorator {
  return (target, name) => {
    Reflect.defineMetadata(OPTIONAL, true, target, name);
    if (!(String(name) in ownFields(target))) whenPresent()(target, name);
  };
}

const AS_SENT = Symbol('as-sent');

/**
 * The value of this field of a body may have more values than any other. The pipe passes it on as it was sent, without
 * looking into it; the service checks its parts.
 */
export function AsSent(): PropertyDecorator {
  return (target, name) => Reflect.defineMetadata(AS_SENT, [...fieldsAsSent(target), String(name)], target);
}

/** Returns the names of the fields with AsSent of a class. */
export function fieldsAsSent(prototype: object): readonly string[] {
  return (Reflect.getMetadata(AS_SENT, prototype) as string[] | undefined) ?? [];
}

/** Returns the declared fields of a class by name, its own before those of the classes above. */
export function fieldsOf({ prototype }: DtoClass): Record<string, DeclaredField> {
  const chain: Record<string, DeclaredField>[] = [];
  for (let at = prototype as object | null; at; at = Object.getPrototypeOf(at) as object | null) {
    chain.push(ownFields(at));
  }
  // The first assignment decides the order of a name, the last one its field.
  return Object.assign({}, ...chain, ...chain.toReversed()) as Record<string, DeclaredField>;
}

/** Returns whether a field of the class may be absent. */
export function isOptional({ prototype }: DtoClass, name: string): boolean {
  return Reflect.getMetadata(OPTIONAL, prototype as object, name) === true;
}

/**
 * Returns a JSON value as an instance of the class, with the instances of its nested classes, as class-validator
 * needs it. A map becomes a Map. A part with another form stays as it is, and its check fails.
 */
export function dtoInstance(dto: DtoClass, value: unknown): object {
  registerChecks(dto);
  const instance = Object.assign(Object.create(dto.prototype as object) as object, value) as Json;
  for (const [name, { schema, options }] of Object.entries(fieldsOf(dto))) {
    const inner = instance[name];
    const one = (item: unknown): unknown =>
      typeof schema === 'function' && isRecord(item) ? dtoInstance(schema(), item) : item;
    if (options.map && isRecord(inner))
      instance[name] = new Map(Object.entries(inner).map(([key, item]) => [key, one(item)]));
    else if (options.list && Array.isArray(inner)) instance[name] = inner.map(one);
    else if (inner !== undefined) instance[name] = one(inner);
  }
  return instance;
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Validates an ISO 8601 date (midnight in UTC) or a date and time with Z or an offset. Field code:
 * `is_moment`.
 */
export function IsMoment(): PropertyDecorator {
  return ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value) =>
        typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value)),
      defaultMessage: () => '$property must be an ISO 8601 time such as 2026-11-21T12:00:00Z',
    },
  });
}

/** Converts a number of a query from its text. An empty text is no number, while `Number` makes it 0. */
export const FromText = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN,
  );
