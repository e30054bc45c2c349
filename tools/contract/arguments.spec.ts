import { UsageError, parseArguments } from './arguments';

describe('parseArguments', () => {
  it('has a run of a few minutes by default', () => {
    expect(parseArguments([])).toEqual({ maxExamples: 25, seed: undefined, operations: [] });
    const words = [
      '--max-examples',
      '100',
      '--seed',
      '7',
      '--operation',
      'createRule',
      '--operation',
      'logIn',
    ];
    expect(parseArguments(words)).toEqual({
      maxExamples: 100,
      seed: '7',
      operations: ['createRule', 'logIn'],
    });
  });

  it('null for --help', () => {
    expect(parseArguments(['--help'])).toBeNull();
  });

  it.each([[['--max-examples', '0']], [['--seed', 'x']], [['--quick']], [['positions']]])(
    'refuses %j',
    (words) => {
      expect(() => parseArguments(words)).toThrow(UsageError);
    },
  );
});
