/** A JSON value of a document. */
export type Json = Record<string, unknown>;

export const ref = (path: string): Json => ({ $ref: `#/${path}` });

export const LICENSE = { name: 'Proprietary', url: 'https://spdx.org/licenses/LicenseRef-Proprietary' };

/**
 * Returns a TypeBox schema as plain JSON, with unions of words as an enum, which readers and generators
 * expect.
 */
export function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const plain: Json = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, plainSchema(value)]),
  );
  const { anyOf, ...rest } = plain;
  if (!Array.isArray(anyOf)) return plain;
  const options = anyOf as Json[];
  if (!options.every((option) => 'const' in option)) return plain;
  return { type: 'string', enum: options.map((option) => option['const']), ...rest };
}
