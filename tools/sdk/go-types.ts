import { goComment, goField, goLiteral } from './go-names';
import type { Schema } from './python-models';
import { pascal } from './python-names';

/** A Go type, and whether JSON may have null in its place. */
export interface GoType {
  type: string;
  isNullable: boolean;
  /** True for a type whose zero value is nil, which needs no pointer. */
  hasNil: boolean;
}

const plain = (type: string, hasNil = false): GoType => ({ type, isNullable: false, hasNil });
/** An object that has several shapes. The caller decodes it. */
const RAW = plain('json.RawMessage', true);
const ANY = plain('any', true);

/** Writes Go types for schemas of the document. */
export class GoTypes {
  readonly #declared = new Map<string, string>();

  constructor(private readonly schemas: Record<string, Schema>) {}

  /** Returns every type that a type of `typeOf` needs. */
  text(): string {
    return [...this.#declared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, body]) => body)
      .join('\n');
  }

  /**
   * Returns the Go type of a schema.
   * @param name of the type for a schema without a name of its own
   */
  typeOf(schema: Schema, name: string): GoType {
    const reference = schema.$ref?.split('/').at(-1);
    if (reference !== undefined) return this.#named(reference);
    if (schema.const !== undefined) return plain(scalar(typeof schema.const));
    if (schema.enum) return this.#enumOf(schema, name);
    const choices = schema.oneOf ?? (schema.properties ? undefined : schema.anyOf);
    if (choices) return this.#union(choices, name);
    if (schema.allOf && !schema.properties) {
      // An allOf of one schema only adds a description.
      if (schema.allOf.length === 1) return this.typeOf(schema.allOf[0]!, name);
      return this.#object(name, this.merged(schema));
    }
    const types = [schema.type ?? []].flat();
    const present = types.filter((type) => type !== 'null');
    if (present.length !== 1) return ANY;
    const type = this.#single({ ...schema, type: present[0]! }, name);
    return { ...type, isNullable: present.length < types.length };
  }

  /** Returns an object schema with the properties of its parts. */
  merged(schema: Schema): Schema {
    const parts = [schema, ...(schema.allOf ?? [])].map((each) => this.resolve(each));
    const properties = parts.map((each) => each.properties ?? {});
    return {
      type: 'object',
      ...(schema.description !== undefined && { description: schema.description }),
      properties: Object.assign({}, ...properties) as Record<string, Schema>,
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    };
  }

  resolve(schema: Schema): Schema {
    const reference = schema.$ref?.split('/').at(-1);
    return reference === undefined ? schema : this.resolve(this.schemas[reference]!);
  }

  #named(reference: string): GoType {
    const schema = this.schemas[reference];
    if (!schema) throw new Error(`the document has no schema ${reference}`);
    if (!schema.properties && !schema.allOf) return this.typeOf(schema, pascal(reference));
    // The other parts of an allOf only restrict the properties.
    return this.#object(pascal(reference), schema.properties ? schema : this.merged(schema));
  }

  #single(schema: Schema & { type: string }, name: string): GoType {
    switch (schema.type) {
      case 'string':
        if (name.endsWith('Raw')) return plain('Amount');
        return plain(schema.format === 'date-time' ? 'time.Time' : 'string');
      case 'array': {
        const item = schema.items ? this.typeOf(schema.items, `${name}Item`) : ANY;
        return plain(`[]${pointer(item, item.isNullable)}`, true);
      }
      case 'object': {
        if (schema.properties) return this.#object(name, schema);
        const { additionalProperties: values } = schema;
        const value = typeof values === 'object' ? this.typeOf(values, `${name}Value`) : ANY;
        return plain(`map[string]${pointer(value, value.isNullable)}`, true);
      }
      default:
        return plain(scalar(schema.type));
    }
  }

  #union(choices: readonly Schema[], name: string): GoType {
    const flat = choices.flatMap((each) => each.anyOf ?? each.oneOf ?? [each]);
    const present = flat.filter((each) => each.type !== 'null');
    const isNullable = present.length < flat.length;
    if (present.length === 1) return { ...this.typeOf(present[0]!, name), isNullable };
    const isScalar = present.every((each) => this.resolve(each).properties === undefined);
    return { ...(isScalar ? ANY : RAW), isNullable };
  }

  /** A later release may send another word, so that the type is no closed set. */
  #enumOf({ enum: values = [], description }: Schema, name: string): GoType {
    const words = values.filter((value) => value !== null);
    const isNullable = words.length < values.length;
    if (!words.every((word) => typeof word === 'string'))
      return { ...plain(scalar(typeof words[0])), isNullable };
    const constants = words.map((word) => `const ${name}${pascal(word)} ${name} = ${goLiteral(word)}\n`);
    if (new Set(constants.map((each) => each.split(' ')[1])).size < constants.length)
      throw new Error(`two words of ${name} have the same name in Go`);
    this.#declared.set(
      name,
      `${goComment(`${name}: ${description ?? 'one of the words below'}`)}type ${name} string\n\n${constants.join('')}`,
    );
    return { ...plain(name), isNullable };
  }

  #object(name: string, schema: Schema): GoType {
    if (this.#declared.has(name)) return plain(name);
    // Reserved first, because a shape may contain itself.
    this.#declared.set(name, '');
    const required = new Set(schema.required ?? []);
    // Empty lines between the fields, because gofmt aligns fields without them.
    const fields = Object.entries(schema.properties ?? {}).map(([field, property]) => {
      const isRequired = required.has(field);
      const type = this.typeOf(property, name + pascal(field));
      const declared = pointer(type, type.isNullable || !isRequired);
      const comment = goComment(property.description ?? '', '\t');
      return `${comment}\t${goField(field)} ${declared} \`json:"${field}${isRequired ? '' : ',omitzero'}"\`\n`;
    });
    const comment = goComment(`${name}: ${schema.description ?? 'a shape of the API.'}`);
    this.#declared.set(name, `${comment}type ${name} struct {\n${fields.join('\n')}}\n`);
    return plain(name);
  }
}

const pointer = ({ type, hasNil }: GoType, isOptional: boolean): string =>
  isOptional && !hasNil ? `*${type}` : type;

function scalar(type: string | undefined): string {
  const types: Record<string, string> = {
    string: 'string',
    integer: 'int64',
    number: 'float64',
    boolean: 'bool',
  };
  return types[type ?? ''] ?? 'any';
}
