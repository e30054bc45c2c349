import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../../../..');

describe('deploy/prometheus-rules.yml', () => {
  it('names only metrics and labels that services have', () => {
    const rules = readFileSync(path.join(ROOT, 'deploy/prometheus-rules.yml'), 'utf8');
    const used = new Set(rules.match(/\b(positions|simulation|secret_keys)_\w+/g));
    const sources = ['apps/*/src/metrics.ts', 'libs/service-kit/src/metrics/*.ts'];
    const metrics = globSync(sources, { cwd: ROOT }).map((file) =>
      readFileSync(path.join(ROOT, file), 'utf8'),
    );
    const known = new Set(
      metrics.flatMap((text) => [...text.matchAll(/name: '(\w+)'/g)].map(([, name]) => name)),
    );
    expect(used.size).toBe(4);
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    expect(metrics.join()).toContain("labelNames: ['family', 'figure', 'severity']");
    expect(metrics.join()).toContain("labelNames: ['variable']");
  });
});
