import { PartError } from '@plimsoll/local-parts';
import { formatFailure, formatStep, Progress } from './progress';

describe('formatStep', () => {
  it('keeps its columns', () => {
    expect(formatStep('ok', 'postgres', 1234, '127.0.0.1')).toBe(
      '  ok     postgres             1.2 s  127.0.0.1',
    );
    expect(formatStep('FAILED', 'webhook-delivery', 61_000)).toBe('  FAILED webhook-delivery    61.0 s');
  });
});

describe('formatFailure', () => {
  it('prints the next step when the error has one', () => {
    const error = new PartError('prerequisite_missing', 'java is not on the PATH', 'Install Java 17');
    expect(formatFailure(error)).toBe('java is not on the PATH. Install Java 17.');
    expect(formatFailure(new Error('odd'))).toBe('odd');
  });
});

describe('Progress', () => {
  it('prints a line for a step that failed and passes the error on', async () => {
    const lines: string[] = [];
    const progress = new Progress((line) => lines.push(line));
    await expect(progress.step('kafka', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(lines).toEqual([expect.stringContaining('FAILED kafka')]);
  });

  it('prints nothing more once it is muted', async () => {
    const lines: string[] = [];
    const progress = new Progress((line) => lines.push(line));
    progress.mute();
    await progress.step('kafka', () => Promise.resolve());
    expect(lines).toEqual([]);
  });
});
