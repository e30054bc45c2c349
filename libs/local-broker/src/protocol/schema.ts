import type { Reader } from './reader';
import type { Writer } from './writer';

/** Reads and writes one type of the protocol. The version is that of the reader or writer. */
export interface Codec<T> {
  read(reader: Reader): T;
  write(writer: Writer, value: T): void;
}

/** The decoded value of a codec. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

export const int8: Codec<number> = { read: (r) => r.int8(), write: (w, value) => w.int8(value) };
export const int16: Codec<number> = { read: (r) => r.int16(), write: (w, value) => w.int16(value) };
export const int32: Codec<number> = { read: (r) => r.int32(), write: (w, value) => w.int32(value) };
export const int64: Codec<number> = { read: (r) => r.int64(), write: (w, value) => w.int64(value) };
export const boolean: Codec<boolean> = { read: (r) => r.boolean(), write: (w, value) => w.boolean(value) };
export const string: Codec<string> = {
  read: (r) => r.string(),
  write: (w, value) => w.nullableString(value),
};
export const nullableString: Codec<string | null> = {
  read: (r) => r.nullableString(),
  write: (w, value) => w.nullableString(value),
};
export const bytes: Codec<Buffer> = { read: (r) => r.bytes(), write: (w, value) => w.nullableBytes(value) };
export const nullableBytes: Codec<Buffer | null> = {
  read: (r) => r.nullableBytes(),
  write: (w, value) => w.nullableBytes(value),
};

export function nullableArray<T>(item: Codec<T>): Codec<T[] | null> {
  return {
    read: (reader) => {
      const length = reader.arrayLength();
      if (length < 0) return null;
      const items: T[] = [];
      for (let left = length; left > 0; left -= 1) items.push(item.read(reader));
      return items;
    },
    write: (writer, value) => {
      writer.arrayLength(value === null ? -1 : value.length);
      for (const each of value ?? []) item.write(writer, each);
    },
  };
}

export function array<T>(item: Codec<T>): Codec<T[]> {
  const nullable = nullableArray(item);
  return {
    read: (reader) => nullable.read(reader) ?? [],
    write: (writer, value) => nullable.write(writer, value),
  };
}

type Fields = Record<string, Codec<unknown>>;
type Struct<F extends Fields> = { [K in keyof F]: Decoded<F[K]> };

/** The fields in their order on the wire. */
export function struct<F extends Fields>(fields: F): Codec<Struct<F>> {
  const entries = Object.entries(fields);
  return {
    read: (reader) => {
      const value: Record<string, unknown> = {};
      for (const [name, codec] of entries) value[name] = codec.read(reader);
      reader.skipTaggedFields();
      return value as Struct<F>;
    },
    write: (writer, value) => {
      for (const [name, codec] of entries) codec.write(writer, value[name]);
      writer.emptyTaggedFields();
    },
  };
}

/** A field that versions below `version` lack. They read as `absent`. */
export function since<T>(version: number, codec: Codec<T>, absent: T): Codec<T> {
  return {
    read: (reader) => (reader.version >= version ? codec.read(reader) : absent),
    write: (writer, value) => {
      if (writer.version >= version) codec.write(writer, value);
    },
  };
}

/** A field that versions above `version` lack. They read as `absent`. */
export function until<T>(version: number, codec: Codec<T>, absent: T): Codec<T> {
  return {
    read: (reader) => (reader.version <= version ? codec.read(reader) : absent),
    write: (writer, value) => {
      if (writer.version <= version) codec.write(writer, value);
    },
  };
}

/** One API of the protocol in the versions that this broker supports. */
export interface Api<Request, Response> {
  readonly key: number;
  readonly name: string;
  readonly minVersion: number;
  readonly maxVersion: number;
  /** The first flexible version. Absent: none. */
  readonly flexibleSince?: number;
  readonly request: Codec<Request>;
  readonly response: Codec<Response>;
}

export type RequestOf<A> = A extends Api<infer Request, unknown> ? Request : never;

export function defineApi<Request, Response>(api: Api<Request, Response>): Api<Request, Response> {
  return api;
}

export function isFlexible(api: Pick<Api<unknown, unknown>, 'flexibleSince'>, version: number): boolean {
  return version >= (api.flexibleSince ?? Infinity);
}
