import { parseEther } from 'viem';
import { Refusal } from '../planning/refusal';
import { refuseOutsidePolicy } from './policy-limits';

const policy = {
  triggerHealthFactor: parseEther('1.3'),
  targetHealthFactor: parseEther('1.8'),
  minHealthFactorAfter: parseEther('1.5'),
};

function refused(target: string, below: string | null, policies = [{ policy }]): [string, string] | null {
  try {
    refuseOutsidePolicy(policies, {
      targetRaw: parseEther(target),
      belowRaw: below === null ? null : parseEther(below),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.reason, error.field];
  }
  return null;
}

describe('refuseOutsidePolicy', () => {
  it.each([
    ['1.5', '1.3', null],
    ['1.89', null, null],
    ['1.4999', '1.3', 'targetHealthFactor'],
    ['1.8901', '1.3', 'targetHealthFactor'],
    ['1.8', '1.3001', 'belowHealthFactor'],
  ])('target %s below %s: %s', (target, below, field) => {
    expect(refused(target, below)).toEqual(field === null ? null : ['executor_refused', field]);
  });

  it('accepts an execution that one of the policies permits', () => {
    const wide = { ...policy, targetHealthFactor: parseEther('3') };
    expect(refused('2.5', null, [{ policy: wide }, { policy }])).toBeNull();
  });
});
