/**
 * A reply before it is encoded. A string is a bulk string whose characters are bytes (latin1). A number is an integer.
 * The protocol version decides how maps, doubles, null and push messages are written.
 */
export type Reply =
  string | number | null | Reply[] | SimpleString | RedisError | Double | MapReply | Pairs | Push;

/** A status line such as OK. */
export class SimpleString {
  constructor(readonly text: string) {}
}

/** An error with Redis's own text. It starts with a code such as ERR or WRONGTYPE. */
export class RedisError extends Error {}

/** A floating-point number: a bulk string in RESP2, a double in RESP3. */
export class Double {
  constructor(readonly value: number) {}
}

/** Pairs: a flat array in RESP2, a map in RESP3. */
export class MapReply {
  constructor(readonly entries: readonly (readonly [Reply, Reply])[]) {}
}

/** Members with scores: a flat list in RESP2, a list of pairs in RESP3. */
export class Pairs {
  constructor(readonly pairs: readonly (readonly [Reply, Reply])[]) {}
}

/** A message of pub/sub: an array in RESP2, a push message in RESP3. */
export class Push {
  constructor(readonly items: readonly Reply[]) {}
}

export type ProtocolVersion = 2 | 3;

export const OK = new SimpleString('OK');

/** The bytes of a reply, as latin1 text. */
export function encodeReply(reply: Reply, protocol: ProtocolVersion): string {
  if (typeof reply === 'string') return bulk(reply);
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply === null) return protocol === 3 ? '_\r\n' : '$-1\r\n';
  if (Array.isArray(reply)) return list('*', reply, protocol);
  if (reply instanceof SimpleString) return `+${reply.text}\r\n`;
  if (reply instanceof RedisError) return `-${reply.message.replaceAll(/[\r\n]/g, ' ')}\r\n`;
  if (reply instanceof Double) {
    const text = formatDouble(reply.value);
    return protocol === 3 ? `,${text}\r\n` : bulk(text);
  }
  if (reply instanceof Push) return list(protocol === 3 ? '>' : '*', reply.items, protocol);
  if (reply instanceof Pairs) {
    return list('*', protocol === 3 ? reply.pairs.map((pair) => [...pair]) : reply.pairs.flat(), protocol);
  }
  const flat = reply.entries.flat();
  return protocol === 3
    ? `%${reply.entries.length}\r\n${flat.map((item) => encodeReply(item, protocol)).join('')}`
    : list('*', flat, protocol);
}

/** A number in the format of Redis: the shortest text that reads as the same double. */
export function formatDouble(value: number): string {
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  return String(value);
}

function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

function list(mark: string, items: readonly Reply[], protocol: ProtocolVersion): string {
  return `${mark}${items.length}\r\n${items.map((item) => encodeReply(item, protocol)).join('')}`;
}
