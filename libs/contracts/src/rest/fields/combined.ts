import type { Static, TObject } from '@sinclair/typebox';
import { type DtoClass, Optional, declareField, fieldsOf, isOptional } from './field';
import { Field } from './fields';

type Instance<C> = C extends DtoClass<infer T> ? T : never;
type Both<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer T) => void ? T : never;

/** Returns a class with the fields of all these classes. */
export function Combined<C extends readonly DtoClass[]>(
  ...classes: C
): DtoClass<Both<Instance<C[number]>> & object> {
  abstract class Fields {}
  for (const dto of classes) copyFields(dto, Fields, (name) => isOptional(dto, name));
  return Fields as DtoClass<Both<Instance<C[number]>> & object>;
}

/** Returns a class with the same fields, each of which may be absent. */
export function AllOptional<T extends object>(dto: DtoClass<T>): DtoClass<Partial<T>> {
  abstract class Fields {}
  copyFields(dto, Fields, () => true);
  return Fields as DtoClass<Partial<T>>;
}

function copyFields(from: DtoClass, to: DtoClass, mayBeAbsent: (name: string) => boolean): void {
  const prototype = to.prototype as object;
  for (const [name, field] of Object.entries(fieldsOf(from))) {
    declareField(field)(prototype, name);
    if (mayBeAbsent(name)) Optional()(prototype, name);
  }
}

/** Returns a class with the fields of a shape of events. */
export function FieldsOf<S extends TObject>(shape: S): DtoClass<Static<S> & object> {
  abstract class Fields {}
  const required = shape.required ?? [];
  for (const [name, schema] of Object.entries(shape.properties)) {
    const prototype = Fields.prototype as object;
    Field.Shape(schema)(prototype, name);
    if (!required.includes(name)) Optional()(prototype, name);
  }
  return Fields as DtoClass<Static<S> & object>;
}
