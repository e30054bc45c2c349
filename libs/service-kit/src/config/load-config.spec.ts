import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { IsBoolean, IsInt, Matches, Min } from 'class-validator';
import { ConfigError } from './config-error';
import { loadConfig } from './load-config';

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

describe('a variable as a file', () => {
  let folder: string;
  const fileWith = (text: string): string => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'variables-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('has the text of the file without its last line break', () => {
    const REDIS_URL_FILE = fileWith('redis://:hunter2@redis:6379\n');
    expect(loadConfig(Sample, { REDIS_URL_FILE }).REDIS_URL).toBe('redis://:hunter2@redis:6379');
  });

  it('is checked as the variable, without its value in the message', () => {
    expect(problems({ REDIS_URL_FILE: fileWith('hunter2') })).toEqual([
      'REDIS_URL must be a redis:// address',
    ]);
  });

  it.each([
    [
      'does not exist',
      () => path.join(folder, 'none'),
      'must be the path of a file that this process can read',
    ],
    ['is a folder', () => folder, 'must be the path of a file that this process can read'],
    ['is empty', () => fileWith('\n'), 'must be the path of a file that is not empty'],
  ])('is rejected when the file %s', (_, file, problem) => {
    expect(problems({ REDIS_URL_FILE: file() })).toEqual([`REDIS_URL_FILE ${problem}`]);
  });

  it('is rejected beside the variable itself', () => {
    expect(problems({ REDIS_URL: 'redis://x', REDIS_URL_FILE: fileWith('redis://y') })).toEqual([
      'REDIS_URL_FILE and REDIS_URL are both set: remove one of them',
    ]);
  });
});

describe('a misspelt variable', () => {
  it.each(['REDIS_ULR', 'REDISS_URL', 'REDIS_UR'])(
    '%s is rejected with the variable that was meant',
    (name) => {
      expect(problems({ [name]: 'redis://x' })).toContain(
        `${name} is no variable of this service. Did you mean REDIS_URL?`,
      );
    },
  );

  it('is found in the name of a file', () => {
    expect(problems({ REDIS_ULR_FILE: '/run/secrets/redis' })).toContain(
      'REDIS_ULR_FILE is no variable of this service. Did you mean REDIS_URL_FILE?',
    );
  });

  it.each(['REDIS_PORT_6379_TCP', 'NODE_OPTIONS', 'ALOW'])(
    'is not %s, which may belong to another program',
    (name) => {
      expect(loadConfig(Sample, { REDIS_URL: 'redis://x', [name]: 'x' }).REDIS_URL).toBe('redis://x');
    },
  );

  it('is no misspelt one while the known variable is set', () => {
    expect(loadConfig(Sample, { REDIS_URL: 'redis://x', REDIS_URLS: 'y' }).REDIS_URL).toBe('redis://x');
  });
});
