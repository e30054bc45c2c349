import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadRegistry } from '@plimsoll/evm';
import { FAMILIES } from '@plimsoll/protocols';
import { COVERAGE_FILE } from './main';
import { readProofs } from './proofs';
import { readRecordings } from './recordings';
import { toMarkdown } from './table';

const ROOT = path.join(__dirname, '../..');
const PROOFS = readProofs();
const RECORDINGS = readRecordings();
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

describe('docs/coverage.md', () => {
  it('matches the registry, the readers and the proofs: npm run coverage:protocols writes it', async () => {
    expect(read(COVERAGE_FILE)).toBe(toMarkdown(await loadRegistry(), PROOFS, RECORDINGS));
  });

  it('has a proof for every family that is read, and for no other', () => {
    expect(new Set(PROOFS.map(({ family }) => family))).toEqual(new Set(Object.keys(FAMILIES)));
  });

  it.each(Object.keys(FAMILIES))(
    '%s has positions, verdicts and liquidations of both outcomes, none different',
    (family) => {
      const own = RECORDINGS.filter((each) => each.family === family);
      expect(own.length).toBeGreaterThan(0);
      for (const { positions, exact, different, verdicts, liquidations } of own) {
        expect({ exact, different }).toEqual({ exact: positions, different: 0 });
        expect(Math.min(positions, verdicts, liquidations.succeed, liquidations.revert)).toBeGreaterThan(0);
      }
    },
  );

  it.each(PROOFS.map(({ family, test }) => [family, test]))('%s is a case of %s', (family, test) => {
    expect(read(test)).toContain(`'${family}'`);
  });

  it('a pair that cannot price does not count as read', async () => {
    const registry = await loadRegistry();
    const without = {
      ...registry,
      protocols: registry.protocols.filter(({ family }) => family !== 'aave-v3'),
    };
    const text = toMarkdown(without, PROOFS, RECORDINGS);
    expect(text).toMatch(/\| Morpho Blue \| U \| U \|/);
    expect(text).toMatch(/\| Dolomite \| G \| G \|/);
    expect(text).toMatch(/\| Curve crvUSD \| G \|/);
    const pairs = Object.values(without.protocols).flatMap(({ chains }) => Object.keys(chains)).length;
    const unread = text.match(/ U (?=\|)/g)!.length;
    expect(text).toContain(`${pairs - unread} of ${pairs} pairs`);
  });

  it('counts a family as proved on genuine code with a recording, and as a stand-in without', async () => {
    const registry = await loadRegistry();
    const standIns = PROOFS.map((proof) => ({ ...proof, how: 'stand-in' as const }));
    const recorded = RECORDINGS.filter(({ family }) => family === 'aave-v4');
    expect(toMarkdown(registry, standIns, recorded)).toMatch(/\| Aave V4 \| G \|/);
    expect(toMarkdown(registry, standIns, recorded)).toMatch(/\| Fluid \| S \|/);
    expect(toMarkdown(registry, standIns, [])).toMatch(/\| Aave V4 \| S \|/);
  });

  it('shows a family without a proof as not read, and a pair of several families as the weakest', async () => {
    const registry = await loadRegistry();
    const text = toMarkdown(
      registry,
      PROOFS.filter(({ family }) => family !== 'venus-core'),
      RECORDINGS,
    );
    expect(text).toMatch(/\| Venus \| G \| G \| G \| G \| {2}\| · \|/);
  });
});
