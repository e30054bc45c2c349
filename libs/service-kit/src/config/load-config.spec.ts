import { IsBoolean, IsInt, Matches, Min } from 'class-validator';
import { ConfigError, loadConfig } from './load-config';

class Sample {
  @IsInt()
  @Min(1)
  RETRIES: number = 3;
  @IsBoolean()
  ALLOW: boolean = false;
  @Matches(/^redis:/, { message: 'must be a redis:// address' })
  REDIS_URL: string = '';
}

const problems = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(Sample, env);
  } catch (error) {
    return (error as ConfigError).problems;
  }
  return [];
};

describe('loadConfig', () => {
  it('parses a variable as the type of its default and keeps defaults', () => {
    expect(loadConfig(Sample, { REDIS_URL: 'redis://x', ALLOW: 'true' })).toEqual({
      RETRIES: 3,
      ALLOW: true,
      REDIS_URL: 'redis://x',
    });
  });

  it('names every invalid variable in one error', () => {
    expect(problems({ RETRIES: 'many', ALLOW: 'maybe' }).map((line) => line.split(' ')[0])).toEqual([
      'RETRIES',
      'ALLOW',
      'REDIS_URL',
    ]);
  });

  it('names a required variable that is not set', () => {
    expect(problems({})).toEqual(['REDIS_URL is not set and must be a redis:// address']);
  });

  it('never prints a value', () => {
    expect(problems({ REDIS_URL: 'hunter2' }).join()).not.toContain('hunter2');
  });
});
