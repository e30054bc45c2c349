import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '../../../../test/activities');
const MAX_BYTES = 1_000_000;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).toSorted();
const namesOf = (ending: string): string[] =>
  files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));

describe.each(namesOf('.json.gz'))('the activity %s', (name) => {
  it('names the source of its contracts, and is small', () => {
    const description: unknown = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));
    expect(description).toMatchObject({
      family: path.dirname(name),
      source: {
        repository: expect.any(String),
        compiler: expect.any(String),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      scenario: expect.any(String),
    });
    expect(statSync(path.join(FOLDER, `${name}.json.gz`)).size).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe('the activities', () => {
  it('every description has its recording', () => {
    expect(namesOf('.json')).toEqual(namesOf('.json.gz'));
    expect(namesOf('.json').length).toBeGreaterThan(0);
  });
});
