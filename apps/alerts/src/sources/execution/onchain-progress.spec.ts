import { type ExecutionV1, FAILURE_REASONS } from '@plimsoll/contracts';
import { sampleExecution } from '@plimsoll/testing';
import { isFailure, onchainProgress } from './onchain-progress';

const failed = (code: (typeof FAILURE_REASONS)[number], over: Partial<ExecutionV1> = {}): ExecutionV1 =>
  sampleExecution({ status: 'failed', failure: { code, message: `Why: ${code}.` }, ...over });

describe('onchainProgress', () => {
  it.each(['pending', 'running'] as const)('%s is not final', (status) => {
    expect(onchainProgress(sampleExecution({ status }))).toMatchObject({ status, finishedAtMs: null });
  });

  it.each(['completed', 'cancelled', 'failed'] as const)('%s is final', (status) => {
    const event = sampleExecution({ status });
    expect(onchainProgress(event)).toMatchObject({ status, finishedAtMs: Date.parse(event.at) });
  });

  it('states the health factor before and after a completed execution, and that a dry run sent nothing', () => {
    const event = sampleExecution({ status: 'completed', healthFactorBefore: 1.08, healthFactorAfter: 1.5 });
    expect(onchainProgress(event).result).toContain('from 1.08 to 1.5 in block');
    expect(onchainProgress({ ...event, dryRun: true }).result).toContain('dry run');
  });

  it.each(FAILURE_REASONS)(
    '%s is skipped when another execution does it or nothing remains to do, otherwise failed',
    (code) => {
      const isSkipped = ['in_flight', 'target_reached', 'no_debt'].includes(code);
      const progress = onchainProgress(failed(code));
      expect(progress.status).toBe(isSkipped ? 'skipped' : 'failed');
      expect(progress.result).toContain(`Why: ${code}.`);
      expect(isFailure(failed(code))).toBe(!isSkipped);
    },
  );
});

describe('isFailure', () => {
  it('counts a cancelled execution, and no dry run', () => {
    expect(isFailure(sampleExecution({ status: 'cancelled' }))).toBe(true);
    expect(isFailure(sampleExecution({ status: 'completed' }))).toBe(false);
    expect(isFailure(failed('reverted', { dryRun: true }))).toBe(false);
  });
});
