import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { alertLines, readOperatorAlerts } from './operator-alerts';

const ALERT = {
  service: 'positions',
  kind: 'verdict_mismatch',
  subject: 'liquity-v1/1/healthFactor',
  detail: 'healthFactor of liquity-v1 on chain 1 differs.',
  remedy: 'Run npm run doctor.',
  openedAt: '2026-11-26T04:00:00.000Z',
};

describe('alertLines', () => {
  it('has the finding and the next step of each alert, and is empty without any', () => {
    expect(alertLines([ALERT, { ...ALERT, remedy: '' }]).split('\n')).toEqual([
      '',
      'ALERT  positions verdict_mismatch, since 2026-11-26T04:00:00.000Z: healthFactor of liquity-v1 on chain 1 differs.',
      '       Run npm run doctor.',
      '',
      'ALERT  positions verdict_mismatch, since 2026-11-26T04:00:00.000Z: healthFactor of liquity-v1 on chain 1 differs.',
    ]);
    expect(alertLines([])).toBe('');
  });
});

describe('readOperatorAlerts', () => {
  it('has none of services that do not respond', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'status-'));
    try {
      const runFile = path.join(folder, 'run.json');
      expect(await readOperatorAlerts({ runFile })).toEqual([]);
      const service = { kind: 'service', name: 'positions', url: '', operationsUrl: 'http://127.0.0.1:1' };
      const launcher = { pid: process.pid, startedAt: '' };
      writeFileSync(runFile, JSON.stringify({ launcher, isReady: true, entries: [service] }));
      expect(await readOperatorAlerts({ runFile })).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
