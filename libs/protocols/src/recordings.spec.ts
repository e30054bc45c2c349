import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { replayClient } from '@plimsoll/testing';
import { expectVerified } from '../test/expect-verified';
import { checkReading } from './check-reading';
import { countChecks, differencesOf, type CheckedPositions } from './verdicts/checked-positions';
import { parseReading, type RecordingDescription } from './verdicts/recorded-reading';
import { isExact } from './verdicts/verdict';

const FOLDER = path.join(__dirname, '../../../test/recordings');
const MAX_BYTES = 1_000_000;
const WAD = 10n ** 18n;
/** A health factor this close to 1 is just above or just below it. */
const NEAR = WAD / 1_000n;

const { devDependencies } = JSON.parse(
  readFileSync(path.join(__dirname, '../../../package.json'), 'utf8'),
) as { devDependencies: Record<string, string> };

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).toSorted();
const recordings = files
  .filter((file) => file.endsWith('.json.gz'))
  .map((file) => file.slice(0, -'.json.gz'.length));

function open(name: string) {
  const description = JSON.parse(
    readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'),
  ) as RecordingDescription;
  const reading = parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  return { description, check: () => checkReading(reading, replayClient(reading.chain, name)) };
}

describe.each(recordings)('the recording %s', (name) => {
  const { description, check } = open(name);
  let checks: CheckedPositions[];
  beforeAll(async () => {
    checks = await check();
  });

  it('has positions, and our figures of each are those of its contract', () => {
    expect(checks.flatMap(differencesOf)).toEqual([]);
    const { unreadable, ...counts } = countChecks(checks);
    expect(counts.positions).toBeGreaterThan(0);
    expect({ ...description, wallets: { unreadable } }).toMatchObject(counts);
    expect(description.wallets.unreadable).toBe(unreadable);
  });

  it('states where each health factor comes from, as the table of its family does', () => {
    const positions = checks.flatMap((each) => each.positions.map(({ position }) => position));
    expectVerified(description.family, positions);
  });

  it('liquidations of positions just above and just below 1 end as we state', () => {
    const judged = checks
      .flatMap(({ positions }) => positions)
      .flatMap(({ position, verdicts }) =>
        verdicts.filter(({ isLiquidation }) => isLiquidation).map((verdict) => ({ position, verdict })),
      )
      .filter(({ position: { healthFactorRaw: factor } }) => {
        return factor !== null && (factor > WAD ? factor - WAD : WAD - factor) < NEAR;
      });
    expect(judged.every(({ verdict }) => isExact(verdict))).toBe(true);
    const outcomes = judged.map(({ verdict }) => verdict.contract);
    expect(outcomes).toContain(true);
    expect(outcomes).toContain(false);
  });

  it('names the source of its contracts', () => {
    const { source } = description;
    if ('package' in source) {
      const at = source.package.lastIndexOf('@');
      expect(devDependencies).toHaveProperty([source.package.slice(0, at)], source.package.slice(at + 1));
    } else expect(source.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(description).toMatchObject({
      family: path.dirname(name),
      source: { repository: expect.any(String), compiler: expect.any(String) },
      scenario: expect.any(String),
      seed: expect.any(Number),
    });
  });
});

describe('the recordings', () => {
  it('every description has its recording', () => {
    const described = files
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length));
    expect(described).toEqual(recordings);
    expect(recordings.length).toBeGreaterThan(0);
  });

  it('those of a family have at most 1 MB', () => {
    for (const family of new Set(recordings.map((name) => path.dirname(name)))) {
      const names = recordings.filter((name) => path.dirname(name) === family);
      const bytes = names.map((name) => statSync(path.join(FOLDER, `${name}.json.gz`)).size);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(MAX_BYTES);
    }
  });
});
