import { importDocumentedEndpoints } from '@plimsoll/testing';
import { buildOpenApiDocument } from './document';
import { twins, undescribed } from './quality';

const word = { type: 'string', enum: ['a', 'b'] };
const documentOf = (schemas: object): Record<string, unknown> => ({
  components: { schemas, responses: {} },
  paths: { '/x': { get: { parameters: [{ name: 'q', in: 'query', schema: word }], responses: {} } } },
});

describe('undescribed', () => {
  it('names properties and parameters at every depth', () => {
    const document = documentOf({
      Thing: {
        properties: {
          part: { type: 'object', description: 'A part.', properties: { id: { type: 'string' } } },
          list: { type: 'array', description: 'Parts.', items: { properties: { at: { type: 'string' } } } },
          one: { $ref: '#/components/schemas/Described' },
          other: { $ref: '#/components/schemas/Plain' },
        },
        allOf: [{ not: { properties: { one: {} } } }],
      },
      Described: { type: 'string', description: 'A word.' },
      Plain: { type: 'string' },
    });
    expect(undescribed(document)).toEqual(['Thing.other', 'Thing.part.id', 'Thing.list[].at', 'GET /x ?q']);
  });
});

describe('twins', () => {
  it('finds equal objects and lists of words, whatever their descriptions', () => {
    const inner = { type: 'object', properties: { id: { type: 'string' } } };
    const document = documentOf({
      One: { properties: { part: { ...inner, description: 'A.' }, words: { ...word, description: 'B.' } } },
      Two: { properties: { part: inner } },
      Named: inner,
    });
    expect(twins(document)).toEqual([
      ['One.part', 'Two.part'],
      ['One.words', 'GET /x ?q'],
    ]);
  });
});

describe('the document', () => {
  importDocumentedEndpoints('*');
  const document = buildOpenApiDocument('1.2.3');

  it('describes every property and parameter', () => expect(undescribed(document)).toEqual([]));

  it('has a name for every object and list of words that occurs twice', () =>
    expect(twins(document)).toEqual([]));
});
