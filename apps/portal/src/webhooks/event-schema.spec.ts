import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type EventDocument, eventSchemas } from './event-schema';

const DOCUMENT = path.join(__dirname, '../../../../docs/openapi.json');
const schemas = eventSchemas(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as EventDocument);

describe('eventSchemas', () => {
  it('has the fields and an example of each webhook request of the document', () => {
    expect([...schemas.keys()]).toContain('alert.created');
    for (const [name, { fields, example }] of schemas) {
      expect(example).toMatchObject({
        event: name,
        eventId: expect.stringMatching(/^evt_/),
        data: expect.any(Object),
      });
      expect(fields.slice(0, 5).map(({ path: at }) => at)).toEqual([
        'event',
        'timestamp',
        'webhookId',
        'eventId',
        'data',
      ]);
      for (const { path: at, type } of fields) expect([at, type]).not.toEqual([at, 'value']);
    }
  });

  it('has the fields inside of others, and says what may be null', () => {
    const fields = new Map(schemas.get('alert.created')?.fields.map((field) => [field.path, field]));
    expect(fields.get('data.position')?.type).toBe('object or null');
    expect(fields.get('data.position.wallet')?.description).toMatch(/\S/);
    expect(fields.get('event')?.type).toBe('alert.created');
  });
});
