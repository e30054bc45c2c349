import { resultOf } from './flow';

const assertion = (title: string, status: string, failureMessages: string[] = []) => ({
  title,
  status,
  failureMessages,
});

describe('resultOf', () => {
  it('names failed tests with the start of their errors', () => {
    const failed = assertion('the alert', 'failed', [
      '\u001B[31mError: not within 60000 ms\u001B[39m\n    at waitFor (x.ts:1:1)',
    ]);
    const assertionResults = [assertion('the position', 'passed'), failed];
    expect(resultOf({ numPassedTests: 1, testResults: [{ message: '', assertionResults }] })).toEqual({
      passed: 1,
      failed: ['the alert: Error: not within 60000 ms'],
    });
  });

  it('is a failure when no test ran', () => {
    const testResults = [{ message: 'Cannot find module', assertionResults: [] }];
    expect(resultOf({ numPassedTests: 0, testResults })).toEqual({
      passed: 0,
      failed: ['no test ran: Cannot find module'],
    });
    expect(resultOf({ numPassedTests: 0, testResults: [] }).failed).toHaveLength(1);
  });
});
