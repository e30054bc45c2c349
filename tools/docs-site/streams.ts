import { code, escape, example, table } from './html';
import type { Page } from './layout';
import { renderDescription, renderInline } from './markdown';
import { type Schema, SchemaReader } from './schema-rows';

interface Message extends Schema {
  name: string;
  summary?: string;
  payload: Schema;
  examples?: { payload: unknown }[];
}
export interface AsyncApi extends Schema {
  info: { description: string };
  channels: Record<string, { address: string; summary: string }>;
  operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
}

/** The page of all messages of the streams, from the AsyncAPI document. */
export function streamsPage(document: AsyncApi): Page {
  const reader = new SchemaReader(document);
  const channels = Object.entries(document.channels).map(([id, { address, summary }]) => {
    const parts = Object.values(document.operations)
      .filter(({ channel }) => channel.$ref === `#/channels/${id}`)
      .map(({ action, messages }) => {
        const who = action === 'send' ? 'The service sends' : 'A client sends';
        const shown = messages.map((each) => messagePart(id, reader.resolve(each) as Message, reader));
        return `<h3>${who}</h3>\n${shown.join('\n')}`;
      });
    return `<h2 id="${id}">${code(address)}</h2>\n<p>${renderInline(summary)}</p>\n${parts.join('\n')}`;
  });
  return {
    path: 'streams',
    title: 'Messages of the streams',
    kind: 'operation',
    html: `<h1>Messages of the streams</h1>\n${renderDescription(document.info.description)}\n${channels.join('\n')}`,
    headings: Object.entries(document.channels).map(([id, { address }]) => ({ level: 2, id, text: address })),
  };
}

function messagePart(channel: string, message: Message, reader: SchemaReader): string {
  const rows = reader
    .rows(message.payload)
    .map(({ path, type, isRequired, description }) => [
      code(path),
      escape(isRequired ? type : `${type}, optional`),
      renderInline(description),
    ]);
  const [first] = message.examples ?? [];
  return [
    `<h4>${code(message.name)}</h4>`,
    message.summary ? `<p>${renderInline(message.summary)}</p>` : '',
    table(`Fields of ${message.name}, ${channel}`, ['field', 'type', 'description'], rows),
    first ? example(`Example of ${message.name}, ${channel}`, JSON.stringify(first.payload, null, 2)) : '',
  ].join('\n');
}
