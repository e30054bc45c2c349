import { UsageError, parseArguments } from './arguments';

describe('parseArguments', () => {
  it('has a run of a few minutes unless told otherwise', () => {
    expect(parseArguments([])).toEqual({ maxExamples: 25, seed: undefined });
    expect(parseArguments(['--max-examples', '100', '--seed', '7'])).toEqual({ maxExamples: 100, seed: '7' });
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
