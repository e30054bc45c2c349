import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RESOURCES } from '../../libs/sdk/src/resources';
import { pythonModules } from './python-resources';
import { pascal, snake } from './python-names';

const document = JSON.parse(readFileSync(path.join(__dirname, '../../docs/openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;

describe('the Python client', () => {
  it.each([
    ['healthFactorRaw', 'health_factor_raw'],
    ['eMode', 'e_mode'],
    ['netAPYPercent', 'net_apy_percent'],
    ['from', 'from_'],
    ['24h', 'n24h'],
    ['X-Request-Id', 'x_request_id'],
  ])('writes %s as %s', (name, python) => expect(snake(name)).toBe(python));

  it('names classes like the schemas of the document', () => {
    expect(pascal('alert.created')).toBe('AlertCreated');
    expect(pascal('PositionList')).toBe('PositionList');
  });

  it('has a synchronous and an asynchronous method for each method of the SDK', () => {
    const { resources } = pythonModules(document);
    for (const [resource, methods] of Object.entries(RESOURCES)) {
      for (const prefix of ['', 'Async']) {
        const [, body = ''] = resources.split(`\nclass ${prefix}${pascal(resource)}:\n`);
        const own = body.split('\nclass ')[0]!;
        const names = [...own.matchAll(/ def (?!__)(\w+)\(self, /g)].map(([, name]) => name);
        expect(names).toEqual(Object.keys(methods).map(snake));
      }
    }
  });

  it('has an int for every exact amount', () => {
    const { models } = pythonModules(document);
    const raw = [...models.matchAll(/^ {4}\w+_raw: (.+?) = Field/gm)].map(([, type]) => type);
    expect(raw.length).toBeGreaterThan(10);
    expect(raw.filter((type) => !/ExactInt/.test(type!))).toEqual([]);
  });
});
