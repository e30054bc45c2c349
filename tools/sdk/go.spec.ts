import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RESOURCES } from '../../libs/sdk/src/resources';
import { goFiles } from './go-client';
import { goArgument, goComment, goField } from './go-names';
import { GoTypes } from './go-types';
import { pascal } from './python-names';

const document = JSON.parse(readFileSync(path.join(__dirname, '../../docs/openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;

describe('the Go client', () => {
  it.each([
    ['healthFactorRaw', 'HealthFactorRaw'],
    ['chainId', 'ChainID'],
    ['chainIds', 'ChainIDs'],
    ['totalDebtUsd', 'TotalDebtUSD'],
    ['netAPYPercent', 'NetAPYPercent'],
    ['24h', 'N24h'],
    ['unsafe_url', 'UnsafeURL'],
  ])('writes the field %s as %s', (name, go) => expect(goField(name)).toBe(go));

  it.each([
    ['id', 'id'],
    ['positionId', 'positionID'],
    ['type', 'type_'],
  ])('writes the argument %s as %s', (name, go) => expect(goArgument(name)).toBe(go));

  it('breaks the lines of a comment between words', () => {
    const text = Array.from({ length: 60 }, () => 'words').join(' ');
    const lines = goComment(text, '\t').trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.map((line) => line.slice(4)).join(' ')).toBe(text);
  });

  it('has a method for each method of the SDK', () => {
    const { 'generated_methods.go': methods = '' } = goFiles(document);
    for (const [resource, names] of Object.entries(RESOURCES)) {
      const own = [...methods.matchAll(/^func \(s \*(\w+)Service\) (\w+)\(/gm)].flatMap(
        ([, service, name]) => (service === pascal(resource) ? [name] : []),
      );
      expect(own).toEqual(Object.keys(names).map(goField));
    }
  });

  it('has an Amount for every exact amount', () => {
    const { 'generated_types.go': types = '' } = goFiles(document);
    const raw = [...types.matchAll(/^\t\w+Raw (\S+) `/gm)].map(([, type]) => type);
    expect(raw.length).toBeGreaterThan(10);
    expect(raw.filter((type) => !/^\*?Amount$/.test(type!))).toEqual([]);
  });

  it('leaves a union of objects to the caller, and has a pointer where null or nothing may stand', () => {
    const types = new GoTypes({});
    const object = { type: 'object', properties: { a: { type: 'string' } } };
    const other = { type: 'object', properties: { b: { type: 'string' } } };
    const type = types.typeOf(
      {
        type: 'object',
        required: ['exact', 'either', 'word', 'list'],
        properties: {
          exact: { type: ['number', 'null'] },
          either: { anyOf: [{ anyOf: [object, other] }, { type: 'null' }] },
          word: { type: 'string', enum: ['a-b', 'c'] },
          list: { type: ['array', 'null'], items: { type: 'integer' } },
          absent: { type: 'boolean' },
        },
      },
      'Shape',
    );
    expect(type.type).toBe('Shape');
    const text = types.text();
    expect([...text.matchAll(/^\t(\w+ \S+ `.*`)$/gm)].map(([, line]) => line)).toEqual([
      'Exact *float64 `json:"exact"`',
      'Either json.RawMessage `json:"either"`',
      'Word ShapeWord `json:"word"`',
      'List []int64 `json:"list"`',
      'Absent *bool `json:"absent,omitzero"`',
    ]);
    expect(text).toContain('const ShapeWordAB ShapeWord = "a-b"');
  });
});
