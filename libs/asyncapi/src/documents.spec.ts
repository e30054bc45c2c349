import { EVENTS, STREAMS, STREAM_CLIENT_FRAMES, STREAM_SERVER_FRAMES } from '@plimsoll/contracts';
import type { Json } from './document';
import { buildEventsDocument } from './events-document';
import { buildStreamsDocument } from './streams-document';

/** Returns the target of every `$ref` of a document, undefined when it does not exist. */
function targets(document: Json): [string, unknown][] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  return refs.map((path) => [
    path,
    path.split('/').reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document),
  ]);
}

describe.each([
  ['the streams', buildStreamsDocument('1.2.3')],
  ['the events', buildEventsDocument('1.2.3')],
])('the AsyncAPI document of %s', (_name, document) => {
  it('has the version of the platform and only references that exist', () => {
    expect(document['asyncapi']).toBe('3.0.0');
    expect((document['info'] as Json)['version']).toBe('1.2.3');
    expect(targets(document).filter(([, target]) => target === undefined)).toEqual([]);
  });
});

describe('the AsyncAPI document of the streams', () => {
  const document = buildStreamsDocument('1.2.3') as { channels: Record<string, { messages: Json }> };

  it('has every stream, and every frame in at least one', () => {
    expect(Object.keys(document.channels)).toEqual([...STREAMS]);
    const described = new Set(
      Object.values(document.channels).flatMap(({ messages }) => Object.keys(messages)),
    );
    const frames = [...Object.keys(STREAM_SERVER_FRAMES), ...Object.keys(STREAM_CLIENT_FRAMES)];
    expect(described).toEqual(new Set(frames));
  });
});

describe('the AsyncAPI document of the events', () => {
  it('has every topic', () => {
    const { channels } = buildEventsDocument('1.2.3') as { channels: Record<string, { address: string }> };
    expect(Object.values(channels).map(({ address }) => address)).toEqual(Object.keys(EVENTS));
  });
});
