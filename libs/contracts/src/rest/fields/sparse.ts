import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type DtoClass, type Json, Optional, fieldsOf } from './field';

/** `fields` of a response that may be large. */
export class FieldsQuery {
  @JSONSchema({
    description:
      'Only these fields of the record, or of each item of a list, separated by commas. Absent: all. Fields beside the items of a list stay. A response has no other fields then, also where its schema requires them.',
    pattern: '^[A-Za-z0-9]+(,[A-Za-z0-9]+)*$',
  })
  @Optional()
  @IsString()
  @MaxLength(1_024)
  fields?: string;
}

const RESPONSE = Symbol('response');

/** States the class of the response of a handler, for `fields`. */
export function RespondsWith(dto: DtoClass): MethodDecorator {
  return (controller, handler) => Reflect.defineMetadata(RESPONSE, dto, controller, handler);
}

/** The fields that a request may select, and how a response gets only some of them. */
export interface Selectable {
  names: ReadonlySet<string>;
  select(body: object, names: readonly string[]): object;
}

/** Returns null for a handler without a stated class. */
export function selectableOf(controller: object, handler: string): Selectable | null {
  const dto = responseClassOf(controller, handler);
  return dto ? selectable(dto) : null;
}

/** A list of records in a response. */
export interface ListShape {
  /** Fields of the response with records: a list, or one record in its place. */
  places: readonly string[];
  /** Fields of a record, in the order of its class. */
  columns: readonly string[];
}

const CSV = Symbol('csv');

/** States the list of a response that has several and is no page: its CSV has the items of this list. */
export const CsvOf =
  (list: string): ClassDecorator =>
  (dto) =>
    Reflect.defineMetadata(CSV, list, dto);

/**
 * Returns the list of a response: the one that `CsvOf` states, its first list of objects beside `nextCursor`, or its only
 * one beside `count`. Null for any other response.
 */
export function listShapeOf(dto: DtoClass): ListShape | null {
  const fields = declaredRecords(dto);
  const lists = fields.filter(({ record, isList }) => record && isList);
  const has = (field: string): boolean => fields.some(({ name }) => name === field);
  const isPage = has('nextCursor') || (has('count') && lists.length === 1);
  const stated = Reflect.getOwnMetadata(CSV, dto) as string | undefined;
  const record = lists.find(({ name }) => (stated === undefined ? isPage : name === stated))?.record;
  if (!record) return null;
  const places = fields.filter((field) => field.record === record).map(({ name }) => name);
  return { places, columns: Object.keys(fieldsOf(record)) };
}

/** Returns the class of the response of a handler, or undefined for one without a stated class. */
export function responseClassOf(controller: object, handler: string): DtoClass | undefined {
  return Reflect.getMetadata(RESPONSE, controller, handler) as DtoClass | undefined;
}

interface DeclaredRecord {
  name: string;
  /** The class of an object or of the items of a list. */
  record: DtoClass | null;
  isList: boolean;
}

function declaredRecords(dto: DtoClass): DeclaredRecord[] {
  return Object.entries(fieldsOf(dto)).map(([name, { schema, options }]) => ({
    name,
    record: typeof schema === 'function' && !options.map ? schema() : null,
    isList: options.list !== undefined,
  }));
}

/**
 * The record of a page is the class of its first list of objects, beside `nextCursor`. A class with one object, such
 * as `{ alert }`, is handled like that object. Every other class is the record itself.
 */
export function selectable(dto: DtoClass): Selectable {
  const fields = declaredRecords(dto);
  const isPage = fields.some(({ name }) => name === 'nextCursor');
  const inner = fields.find(({ record, isList }) => record && (isPage ? isList : fields.length === 1));
  if (!inner?.record) return { names: new Set(fields.map(({ name }) => name)), select: pick };
  const { record } = inner;
  // GET /v1/execution/status has one record or a list of them.
  const places = fields.filter((field) => field.record === record).map(({ name }) => name);
  return {
    names: new Set(Object.keys(fieldsOf(record))),
    select: (body, names) => {
      const reduced: Json = { ...body };
      for (const place of places) {
        const value = reduced[place];
        if (Array.isArray(value)) reduced[place] = value.map((item) => pick(item as object, names));
        else if (value) reduced[place] = pick(value, names);
      }
      return reduced;
    },
  };
}

function pick(record: object, names: readonly string[]): object {
  const all = record as Json;
  return Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]] as const] : [])));
}
