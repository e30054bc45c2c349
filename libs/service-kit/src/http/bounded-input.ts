import type { FieldError } from '@plimsoll/contracts';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';

/** A response must not repeat a large invalid body, and shortens long field names. */
export const MAX_ERRORS = 20;
const MAX_NAME_CHARS = 100;

type Dto = new () => object;

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Date]);

/** The fields that a DTO class declares. */
interface Fields {
  names: ReadonlySet<string>;
  /** ArrayMaxSize by field. */
  mostItems: ReadonlyMap<string, number>;
}

const known = new Map<Dto, Fields>();

function fieldsOf(dto: Dto): Fields {
  const found = known.get(dto);
  if (found) return found;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const sizes = metadata.filter(({ name }) => name === 'arrayMaxSize');
  const fields = {
    names: new Set(metadata.map(({ propertyName }) => propertyName)),
    mostItems: new Map(sizes.map(({ propertyName, constraints }) => [propertyName, Number(constraints[0])])),
  };
  known.set(dto, fields);
  return fields;
}

export const unknownField = (name: string, field: string): FieldError => ({
  field,
  code: 'unknown_field',
  message: `${shortened(name)} is not a field of this request. Remove it.`,
});

export const shortened = (name: string): string => name.slice(0, MAX_NAME_CHARS);

/**
 * Copies input without what its class does not declare, and cuts arrays to one item more than their limit,
 * which is sufficient to reject them. The transformer takes more than linear time for unknown names, and the
 * validator for long arrays.
 * @param unknown receives the first unknown names
 */
export function boundedInput(value: object, dto: Dto, unknown: FieldError[], path = ''): object {
  const { names, mostItems } = fieldsOf(dto);
  const bounded: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const field = path === '' ? shortened(name) : `${path}.${shortened(name)}`;
    if (!names.has(name)) {
      if (unknown.length < MAX_ERRORS) unknown.push(unknownField(name, field));
      continue;
    }
    const items = mostItems.get(name) ?? Infinity;
    const cut: unknown = Array.isArray(item) && item.length > items ? item.slice(0, items + 1) : item;
    const type = defaultMetadataStorage.findTypeMetadata(dto, name);
    const nested = type?.typeFunction?.() as Dto | undefined;
    bounded[name] =
      nested === undefined || PRIMITIVES.has(nested) ? cut : boundedNested(cut, nested, unknown, field);
  }
  return bounded;
}

function boundedNested(value: unknown, dto: Dto, unknown: FieldError[], field: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return boundedInput(value, dto, unknown, field);
  return value.map((item, at) => boundedNested(item, dto, unknown, `${field}.${at}`));
}
