import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKeys, privateFile, publicFile, readKeys, rotateKeys } from './key-files';

describe('identity keys', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'key-files-'));
    createKeys(folder, ['gateway', 'positions'], 1_000);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const modeOf = (file: string): number => statSync(file).mode & 0o777;
  const idsOf = (service: string): string[] =>
    readKeys(publicFile(folder), 'public')
      .filter((key) => key.service === service)
      .map(({ id }) => id);

  it('are created once for each service', () => {
    expect(createKeys(folder, ['gateway', 'positions', 'whales'], 2_000)).toEqual(['whales']);
    expect([idsOf('gateway'), idsOf('whales')]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it('are readable by their owner only, except for the public ones', () => {
    expect([modeOf(privateFile(folder, 'gateway')), modeOf(publicFile(folder))]).toEqual([0o600, 0o644]);
    expect(readFileSync(publicFile(folder), 'utf8')).not.toContain(
      (JSON.parse(readFileSync(privateFile(folder, 'gateway'), 'utf8')) as { keys: [{ signing: string }] })
        .keys[0].signing,
    );
  });

  it('are removed by a rotation after their end', () => {
    const first = idsOf('gateway');
    rotateKeys(folder, ['gateway'], { nowMs: 2_000, fromMs: 3_000, overlapMs: 1_000 });
    expect(idsOf('gateway')).toMatchObject({ 0: first[0], length: 2 });
    rotateKeys(folder, ['gateway'], { nowMs: 5_000, fromMs: 6_000, overlapMs: 1_000 });
    expect(idsOf('gateway')).not.toContain(first[0]);
    expect([idsOf('gateway'), idsOf('positions')]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  it('are not changed by two commands at the same time', () => {
    mkdirSync(path.join(folder, 'changing'));
    expect(() => createKeys(folder, ['whales'], 2_000)).toThrow('Another command changes these keys');
  });
});
