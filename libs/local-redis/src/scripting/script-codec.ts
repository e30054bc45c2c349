import { Double, MapReply, Pairs, RedisError, type Reply, SimpleString, formatDouble } from '../resp/reply';

/** Arguments as one text: `<length>:<text>` each. All texts are latin1, one character a byte. */
export function encodeTexts(texts: readonly string[]): string {
  return texts.map((text) => `${text.length}:${text}`).join('');
}

/** The arguments that `encodeTexts` wrote. */
export function decodeTexts(encoded: string): string[] {
  const texts: string[] = [];
  for (let at = 0; at < encoded.length;) {
    const colon = encoded.indexOf(':', at);
    const end = colon + 1 + Number(encoded.slice(at, colon));
    texts.push(encoded.slice(colon + 1, end));
    at = end;
  }
  return texts;
}

/**
 * A reply in the form for scripts. A map becomes a flat list, a floating-point number a text, as in RESP2.
 */
export function encodeReply(reply: Reply): string {
  if (typeof reply === 'string') return `s${reply.length}:${reply}`;
  if (typeof reply === 'number') return `i${reply};`;
  if (reply === null) return 'n';
  if (Array.isArray(reply)) return `a${reply.length};${reply.map(encodeReply).join('')}`;
  if (reply instanceof MapReply) return encodeReply(reply.entries.flat());
  if (reply instanceof Pairs) return encodeReply(reply.pairs.flat());
  if (reply instanceof SimpleString) return `o${reply.text.length}:${reply.text}`;
  if (reply instanceof RedisError) return `e${reply.message.length}:${reply.message}`;
  if (reply instanceof Double) return encodeReply(formatDouble(reply.value));
  throw new Error('A command of a script returned a reply that a script cannot represent.');
}

/**
 * The result of a script. An error that it raised (`f`) is thrown; an error that it returned is the reply.
 */
export function decodeResult(encoded: string): Reply {
  return decodeAt(encoded, 0).reply;
}

function decodeAt(encoded: string, at: number): { reply: Reply; end: number } {
  const tag = encoded[at];
  if (tag === 'n') return { reply: null, end: at + 1 };
  if (tag === 't') return { reply: 1, end: at + 1 };
  const stop = endOfNumber(encoded, at + 1);
  const number = Number(encoded.slice(at + 1, stop));
  if (tag === 'i') return { reply: number + 0, end: stop + 1 };
  if (tag === 'a') return decodeList(encoded, stop + 1, number);
  const end = stop + 1 + number;
  const text = encoded.slice(stop + 1, end);
  if (tag === 's') return { reply: text, end };
  if (tag === 'o') return { reply: new SimpleString(text), end };
  if (tag === 'e') return { reply: new RedisError(withCode(text)), end };
  throw new RedisError(text);
}

function decodeList(encoded: string, start: number, count: number): { reply: Reply; end: number } {
  const items: Reply[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const { reply, end } = decodeAt(encoded, at);
    items.push(reply);
    at = end;
  }
  return { reply: items, end: at };
}

function endOfNumber(encoded: string, from: number): number {
  let at = from;
  while (encoded[at] !== ':' && encoded[at] !== ';') at += 1;
  return at;
}

/** An error without a code from a script gets Redis's general one. */
function withCode(error: string): string {
  return /^[A-Z]+ /.test(error) ? error : `ERR ${error}`;
}
