import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';
import type { ClientScene } from './go-client';

const EXAMPLES = path.join(workspaceRoot(), 'examples');

interface Query {
  url: string;
  url_options: { method: string; params: { key: string; value: string }[] };
  root_selector: string;
  columns: { selector: string; text: string; type: 'string' | 'number' | 'timestamp' }[];
}

/** The examples that read the API, against the platform of the suite. */
export function describeExamples(scene: () => ClientScene): void {
  describe('the example of', () => {
    describe('a spreadsheet', () => {
      async function rows(): Promise<string[][]> {
        const { folder, programs, environment } = scene();
        await mkdir(path.join(folder, 'spreadsheet'), { recursive: true });
        const file = path.join(folder, 'spreadsheet/positions.mts');
        await cp(path.join(EXAMPLES, 'spreadsheet-csv/positions.ts'), file);
        const program = programs.start(process.execPath, [file], { cwd: folder, env: environment });
        expect([await program.ended, program.errors()]).toEqual([0, '']);
        return program.lines.map((line) => {
          expect(line.endsWith('\r')).toBe(true);
          return cellsOf(line.slice(0, -1));
        });
      }

      it('prints every position of the watched wallets', async () => {
        const { client } = scene();
        const [head, ...lines] = await rows();
        const positions = await client.positions.list({ limit: 200 }).take(Number.POSITIVE_INFINITY);
        expect(positions.length).toBeGreaterThan(0);
        const at = (name: string): number => head!.indexOf(name);
        const found = lines.map((cells) => [
          cells[at('positionId')],
          cells[at('wallet')],
          cells[at('protocol')],
        ]);
        expect(found).toEqual(positions.map(({ id, wallet, protocol }) => [id, wallet, protocol]));
        for (const cells of lines) {
          expect(cells).toHaveLength(head!.length);
          for (const name of ['collateralUsd', 'debtUsd']) expect(Number(cells[at(name)])).not.toBeNaN();
        }
      });

      it('prints no name that a spreadsheet would execute', async () => {
        const { client } = scene();
        const { address } = (await client.wallets.list().take(1))[0]!;
        for (const [label, cell] of [
          ['=HYPERLINK("http://example.com","x")', `'=HYPERLINK("http://example.com","x")`],
          ['+1, -1', `'+1, -1`],
          ['@SUM(A1)', `'@SUM(A1)`],
          ['Treasury, "main"', 'Treasury, "main"'],
        ] as const) {
          await client.wallets.watch({ address, label });
          const named = (await rows()).filter((cells) => cells[1] === address).map(([name]) => name);
          expect(new Set(named)).toEqual(new Set([cell]));
        }
      });
    });

    it('a dashboard of Grafana requests what the API has', async () => {
      const { environment } = scene();
      const origin = new URL(environment['PLIMSOLL_URL']!).origin;
      const text = await readFile(path.join(EXAMPLES, 'grafana/dashboard.json'), 'utf8');
      const { panels } = JSON.parse(text) as { panels: { title: string; targets: Query[] }[] };
      expect(panels.length).toBeGreaterThan(3);
      for (const { title, targets } of panels) {
        for (const { url, url_options: options, root_selector: root, columns } of targets) {
          const address = new URL(url.replace('${url}', origin));
          for (const { key, value } of options.params) address.searchParams.set(key, value);
          const response = await fetch(address, {
            method: options.method,
            headers: { 'x-api-key': environment['PLIMSOLL_API_KEY']! },
            signal: AbortSignal.timeout(30_000),
          });
          expect([title, response.status]).toEqual([title, 200]);
          const found = ((await response.json()) as Record<string, unknown>)[root];
          const items = (Array.isArray(found) ? found : [found]) as Record<string, unknown>[];
          // A new platform has no alert, so the document states what a list would have.
          expect(Object.keys(propertiesOf(address.pathname, root))).toEqual(
            expect.arrayContaining(columns.map(({ selector }) => selector)),
          );
          for (const { selector, type } of columns)
            for (const item of items)
              expect([title, selector, kindOf(item[selector], type)]).toEqual([title, selector, type]);
        }
      }
    });
  });
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Openapi {
  paths: Record<
    string,
    { get: { responses: { 200: { content: { 'application/json': { schema: Schema } } } } } }
  >;
  components: { schemas: Record<string, Schema> };
}

/** The properties of a part of a response, or of its items, in the document of the API. */
function propertiesOf(route: string, part: string): Record<string, Schema> {
  const { paths, components } = JSON.parse(
    readFileSync(path.join(workspaceRoot(), 'docs/openapi.json'), 'utf8'),
  ) as Openapi;
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : resolved(components.schemas[$ref.split('/').at(-1)!]!);
  const response = resolved(paths[route]!.get.responses[200].content['application/json'].schema);
  const found = resolved(response.properties![part]!);
  return (found.items ? resolved(found.items) : found).properties!;
}

/** The type of a column that can show the value. Null is an empty cell of every column. */
function kindOf(value: unknown, wanted: string): string {
  if (value === null) return wanted;
  if (typeof value === 'string' && wanted === 'timestamp')
    return Number.isNaN(Date.parse(value)) ? 'no time' : wanted;
  return typeof value;
}

/** The cells of a line of CSV (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
