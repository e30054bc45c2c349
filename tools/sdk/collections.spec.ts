import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Collection } from 'postman-collection';
import { brunoLang } from './bruno-lang';
import { brunoFiles, postmanCollection } from './collections';
import { operationsOf } from './operations';

const document = JSON.parse(readFileSync(path.join(__dirname, '../../docs/openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;

/** A request as one line, and its body. */
interface Sent {
  line: string;
  headers: string[];
  body: unknown;
}
const sortByLine = (sent: Sent[]): Sent[] => sent.sort((a, b) => (a.line < b.line ? -1 : 1));
const parsed = (text: string | undefined): unknown => (text === undefined ? null : JSON.parse(text));

/** As the SDK of Postman reads them. */
function ofPostman(): Sent[] {
  const found: Sent[] = [];
  new Collection(postmanCollection(document)).forEachItem(({ request }) => {
    const { method, url, headers, body } = request;
    const query = url.query.filter((each) => !each.disabled, undefined).map(String);
    found.push({
      line: `${method} ${url.getPath({ unresolved: true })} ${query.join('&')}`,
      headers: headers.all().map(String),
      body: parsed(body?.raw),
    });
  });
  return sortByLine(found);
}

/** As the language package of Bruno reads them. */
function ofBruno(): Sent[] {
  const files = Object.entries(brunoFiles(document)).filter(
    ([name]) => /^[^/]+\/[^/]+\.bru$/.test(name) && !/folder\.bru$|^environments/.test(name),
  );
  return sortByLine(
    files.map(([, text]) => {
      const { http, headers = [], body, params = [] } = brunoLang.bruToJsonV2(text);
      const [base = '', search = ''] = http.url.split('?');
      const enabled = params.filter(({ type, enabled: isOn }) => type === 'query' && isOn);
      expect(enabled.map(({ name, value }) => `${name}=${value}`).join('&')).toBe(search);
      return {
        line: `${http.method.toUpperCase()} ${base.replace('{{baseUrl}}', '')} ${search}`,
        headers: headers.map(({ name, value }) => `${name}: ${value}`),
        body: parsed(body?.json),
      };
    }),
  );
}

describe('the collections', () => {
  it('have every operation of the clients', () => {
    const operations = [...operationsOf(document).values()].map(
      (each) => `${each.method} ${each.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(
      ofPostman()
        .map(({ line }) => line.split(' ').slice(0, 2).join(' '))
        .sort(),
    ).toEqual(operations.sort());
  });

  it('are the same requests for Postman and Bruno', () => {
    expect(ofBruno()).toEqual(ofPostman());
  });

  it('have a value for each value of the path, and a body where the API takes one', () => {
    const names: string[] = [];
    new Collection(postmanCollection(document)).forEachItem(({ name, request }) => {
      names.push(name);
      for (const variable of request.url.variables.all())
        expect([name, variable.value]).not.toEqual([name, '']);
      const resolved = request.url.getPath();
      expect(resolved).not.toContain(':');
    });
    expect(new Set(names).size).toBe(names.length);
    expect(ofPostman().filter(({ body }) => body !== null).length).toBeGreaterThan(20);
  });

  it('send the key of the user, who keeps it out of the files', () => {
    const { auth, variables } = new Collection(postmanCollection(document));
    expect(auth?.parameters().toObject()).toEqual({ key: 'x-api-key', value: '{{apiKey}}', in: 'header' });
    expect(variables.toObject()).toEqual({ baseUrl: 'http://127.0.0.1:4000', apiKey: '' });
    const files = brunoFiles(document);
    expect(brunoLang.collectionBruToJson(files['collection.bru']!).auth).toEqual({
      mode: 'apikey',
      apikey: { key: 'x-api-key', value: '{{apiKey}}', placement: 'header' },
    });
    const { variables: ofEnvironment } = brunoLang.bruToEnvJsonV2(files['environments/local.bru']!);
    expect(ofEnvironment.map(({ name, value, secret }) => [name, value, secret])).toEqual([
      ['baseUrl', 'http://127.0.0.1:4000', false],
      ['apiKey', '', true],
    ]);
    expect(JSON.parse(files['bruno.json']!)).toMatchObject({ version: '1', type: 'collection' });
  });
});
