import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const { genuineSuites } = jest.requireActual<{ genuineSuites(folder: string): string[] }>(
  '../genuine-suites.cjs',
);

function e2eSuites(): string[] {
  return ['apps', 'libs', 'test', 'tools'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.e2e-spec.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name.split(path.sep).join('/')}`),
  );
}

/** Suites whose platform needs topics of its own. They guarantee nothing about Kafka or Redis. */
const OF_PLATFORMS = new Set([
  'test/attacks/attacks.e2e-spec.ts',
  'test/platform/start-platform.e2e-spec.ts',
]);

describe('the suites that also run on genuine parts', () => {
  const listed = genuineSuites(root);

  it('exist', () => {
    expect(listed.filter((suite) => !existsSync(path.join(root, suite)))).toEqual([]);
    expect(listed.length).toBeGreaterThan(20);
  });

  it('include every suite that starts a separate Kafka or Redis in order to stop it', () => {
    const starting = e2eSuites().filter((suite) =>
      /startOwn(Kafka|Redis)\(/.test(readFileSync(path.join(root, suite), 'utf8')),
    );
    expect(starting.length).toBeGreaterThan(5);
    const others = starting.filter((suite) => !listed.includes(suite) && !OF_PLATFORMS.has(suite));
    expect(others).toEqual([]);
  });
});

describe('npm test', () => {
  it('starts a genuine Kafka or Redis only when LOCAL_PARTS says so', () => {
    const byName = e2eSuites().filter((suite) =>
      /import[^;]*\bstart(Kafka|Redis)\b/.test(readFileSync(path.join(root, suite), 'utf8')),
    );
    expect(byName).toEqual([]);
  });
});
