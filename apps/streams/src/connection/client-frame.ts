import { type StreamClientFrame, type StreamName, SEVERITIES } from '@plimsoll/contracts';
import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 128 });
const SubscriptionId = Type.String({ minLength: 1, maxLength: 64 });

const Filter = Type.Object(
  {
    wallets: Type.Optional(Type.Array(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }), { minItems: 1 })),
    positionIds: Type.Optional(Type.Array(Text, { minItems: 1 })),
    protocols: Type.Optional(Type.Array(Text, { minItems: 1 })),
    chainIds: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 })),
    maxHealthFactor: Type.Optional(Type.Number({ minimum: 0 })),
    minSeverity: Type.Optional(Type.Union(SEVERITIES.map((severity) => Type.Literal(severity)))),
    minUsd: Type.Optional(Type.Number({ minimum: 0 })),
  },
  strict,
);

/** Every frame a client may send, by its type. An unknown field is refused: a typo must not widen a filter. */
const FRAMES = {
  subscribe: TypeCompiler.Compile(
    Type.Object(
      {
        type: Type.Literal('subscribe'),
        id: SubscriptionId,
        filter: Type.Optional(Filter),
        since: Type.Optional(Type.String({ minLength: 1, maxLength: 8_192 })),
      },
      strict,
    ),
  ),
  unsubscribe: TypeCompiler.Compile(
    Type.Object({ type: Type.Literal('unsubscribe'), id: SubscriptionId }, strict),
  ),
  ping: TypeCompiler.Compile(Type.Object({ type: Type.Literal('ping') }, strict)),
};

/** The frame; or what the client got wrong, in words for it; or that the text is no JSON at all. */
export type ParsedFrame =
  { kind: 'frame'; frame: StreamClientFrame } | { kind: 'invalid'; message: string } | { kind: 'malformed' };

export function parseClientFrame(text: string, stream: StreamName): ParsedFrame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed' };
  }
  return checkClientFrame(value, stream);
}

/** Like parseClientFrame, of what is parsed already. */
export function checkClientFrame(value: unknown, stream: StreamName): ParsedFrame {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (typeof type !== 'string' || !Object.hasOwn(FRAMES, type)) {
    return { kind: 'invalid', message: `Send an object with type ${Object.keys(FRAMES).join(', ')}.` };
  }
  const schema = FRAMES[type as keyof typeof FRAMES];
  if (!schema.Check(value)) {
    const error = schema.Errors(value).First();
    return {
      kind: 'invalid',
      message: `${error?.path || '/'}: ${error?.message ?? 'not valid'}. Correct it and send it again.`,
    };
  }
  const frame = value as StreamClientFrame;
  if (stream === 'positions' && frame.type === 'subscribe' && frame.filter?.minSeverity !== undefined) {
    return { kind: 'invalid', message: '/filter/minSeverity: positions have no severity. Remove it.' };
  }
  return { kind: 'frame', frame };
}
