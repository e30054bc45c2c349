import { STREAM_CLIENT_FRAMES, type StreamClientFrame, type StreamName } from '@plimsoll/contracts';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** An unknown field is rejected, because a typo must not widen a filter. */
const FRAMES = {
  subscribe: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.subscribe),
  unsubscribe: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.unsubscribe),
  ping: TypeCompiler.Compile(STREAM_CLIENT_FRAMES.ping),
};

/** The frame, or the client's error as text, or that the text is not JSON. */
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

/** Like parseClientFrame, for a parsed value. */
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
