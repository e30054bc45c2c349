import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explainEvents } from './events';

const root = path.join(__dirname, '../..');
const fixtures = 'libs/contracts/src/events/fixtures';

describe('explainEvents', () => {
  const other = mkdtempSync(path.join(tmpdir(), 'plimsoll-events-'));
  afterAll(() => rmSync(other, { recursive: true, force: true }));

  it('names an event that the schemas reject, and leaves out topics that they do not know', () => {
    mkdirSync(path.join(other, fixtures), { recursive: true });
    const price = JSON.parse(readFileSync(path.join(root, fixtures, 'price.v1.json'), 'utf8')) as object;
    const write = (file: string, value: object): void =>
      writeFileSync(path.join(other, fixtures, file), JSON.stringify(value));
    write('price.v1+other.json', { ...price, asset: undefined });
    write('unknown.v1.json', {});
    copyFileSync(path.join(root, fixtures, 'chain.v1.json'), path.join(other, fixtures, 'chain.v1.json'));
    const { read, rejected } = explainEvents(root, other);
    expect(read).toBe(2);
    expect(rejected).toEqual([expect.stringMatching(/^price\.v1\+other\.json: \/asset: /)]);
  });
});
