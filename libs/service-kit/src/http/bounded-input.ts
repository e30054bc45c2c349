import { type FieldError, fieldsAsSent } from '@plimsoll/contracts';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';
import { MAX_ERRORS, pathInside, unknownField } from './unknown-names';

/** The largest valid body has a few hundred values. */
const MOST_PARTS = 1_000;

type Dto = new () => object;

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Date]);

/** The fields that a DTO class declares. */
export interface Fields {
  names: ReadonlySet<string>;
  /** ArrayMaxSize by field. */
  mostItems: ReadonlyMap<string, number>;
  /** Fields that are arrays. */
  lists: ReadonlySet<string>;
  /** Fields that are passed on as they were sent. */
  asSent: ReadonlySet<string>;
}

const known = new Map<Dto, Fields>();

export function fieldsOf(dto: Dto): Fields {
  const found = known.get(dto);
  if (found) return found;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const sizes = metadata.filter(({ name }) => name === 'arrayMaxSize');
  const lists = metadata.filter(({ name, each }) => name === 'isArray' || each);
  const fields = {
    asSent: new Set(fieldsAsSent(dto.prototype as object)),
    lists: new Set(lists.map(({ propertyName }) => propertyName)),
    names: new Set(metadata.map(({ propertyName }) => propertyName)),
    mostItems: new Map(sizes.map(({ propertyName, constraints }) => [propertyName, Number(constraints[0])])),
  };
  known.set(dto, fields);
  return fields;
}

/** The validator takes an array for its items, so an empty one would pass as an object. */
const notAnObject = (field: string): FieldError => ({
  field,
  code: 'is_object',
  message: `${field} must be an object.`,
});

const tooLarge = (field: string): FieldError => ({
  field,
  code: 'too_large',
  message: `${field} has more than ${MOST_PARTS} values. Send fewer.`,
});

/** Returns true when a value has more values inside than any valid one. */
function isTooLarge(value: unknown): boolean {
  let parts = 0;
  const visit = (each: unknown): boolean => {
    parts += 1;
    if (parts > MOST_PARTS) return true;
    return typeof each === 'object' && each !== null && Object.values(each).some(visit);
  };
  return visit(value);
}

/**
 * Copies input without what its class does not declare and without values that are too large, and cuts arrays
 * to one item more than their limit, which is sufficient to reject them. The transformer takes more than
 * linear time for many names, and the validator for long arrays. Fields with AsSent are left out.
 * @param unknown receives the first unknown names and too large values
 */
export function boundedInput(value: object, dto: Dto, unknown: FieldError[], path = ''): object {
  const { names, mostItems, lists, asSent } = fieldsOf(dto);
  for (const name of Object.keys(value)) {
    if (names.has(name)) continue;
    if (unknown.length >= MAX_ERRORS) break;
    unknown.push(unknownField(name, pathInside(path, name, false), names));
  }
  const bounded: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(value, name) || asSent.has(name)) continue;
    const item = (value as Record<string, unknown>)[name];
    const field = pathInside(path, name, false);
    const items = mostItems.get(name) ?? Infinity;
    const cut: unknown = Array.isArray(item) && item.length > items ? item.slice(0, items + 1) : item;
    if (isTooLarge(cut)) {
      if (unknown.length < MAX_ERRORS) unknown.push(tooLarge(field));
      continue;
    }
    const nested = defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction?.() as Dto | undefined;
    const isPlain = nested === undefined || PRIMITIVES.has(nested);
    if (isPlain) bounded[name] = cut;
    else if (Array.isArray(cut) && lists.has(name))
      bounded[name] = cut.map((each, at) =>
        boundedNested(each, nested, unknown, pathInside(field, String(at), true)),
      );
    else bounded[name] = boundedNested(cut, nested, unknown, field);
  }
  return bounded;
}

function boundedNested(value: unknown, dto: Dto, unknown: FieldError[], field: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return boundedInput(value, dto, unknown, field);
  if (unknown.length < MAX_ERRORS) unknown.push(notAnObject(field));
  return {};
}
