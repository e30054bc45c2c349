import { STREAM_CLIENT_FRAMES, type StreamClientFrame, type StreamName } from '@plimsoll/contracts';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** An unknown field is rejected, because a typo must not widen a filter. */
const FRAMES = {
  subscribe: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.subscribe),
  unsubscribe: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.unsubscribe),
  ping: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.ping),
};

/** A frame of another form. `id` is that of the frame, if it can be one. */
interface InvalidFrame {
  kind: 'invalid';
  message: string;
  id?: string;
}
/** The frame, or the client's error as text, or that the text is not JSON. */
export type ParsedFrame = { kind: 'frame'; frame: StreamClientFrame } | InvalidFrame | { kind: 'malformed' };

const IDS = TypeCompiler.Compile(STREAM_CLIENT_FRAMES.unsubscribe.properties.id);

export function parseClientFrame(text: string, stream: StreamName): ParsedFrame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed' };
  }
  return checkClientFrame(value, stream);
}

/** Like parseClientFrame, for a parsed value. */
export function checkClientFrame(value: unknown, stream: StreamName): ParsedFrame {
  const { type, id } = (typeof value === 'object' && value !== null ? value : {}) as {
    type?: unknown;
    id?: unknown;
  };
  const named = IDS.Check(id) ? { id } : {};
  if (typeof type !== 'string' || !Object.hasOwn(FRAMES, type)) {
    const message = `Send an object with type ${Object.keys(FRAMES).join(', ')}.`;
    return { kind: 'invalid', message, ...named };
  }
  const schema = FRAMES[type as keyof typeof FRAMES];
  if (!schema.Check(value)) {
    const error = schema.Errors(value).First();
    return {
      kind: 'invalid',
      message: `${error?.path || '/'}: ${error?.message ?? 'not valid'}. Correct it and send it again.`,
      ...named,
    };
  }
  const frame = value as StreamClientFrame;
  if (stream === 'positions' && frame.type === 'subscribe' && frame.filter?.minSeverity !== undefined) {
    const message = '/filter/minSeverity: positions have no severity. Remove it.';
    return { kind: 'invalid', message, ...named };
  }
  return { kind: 'frame', frame };
}
