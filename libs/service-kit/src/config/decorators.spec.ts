import { ConfigError } from './config-error';
import { loadConfig } from './load-config';
import {
  IsCidrs,
  IsDays,
  IsIntegerIn,
  IsOrigin,
  IsOrigins,
  IsPostgresUrl,
  IsRedisPrefix,
  IsRedisUrl,
  IsUrlOrEmpty,
} from './decorators';

class Sample {
  @IsIntegerIn(10, 20)
  POLL_MS: number = 10;
  @IsIntegerIn(1)
  BATCH: number = 1;
  @IsDays()
  KEPT_DAYS: number = 30;
  @IsOrigin()
  ONE: string = 'http://a:1';
  @IsOrigins()
  SEVERAL: string = 'http://a:1,http://b:2';
  @IsUrlOrEmpty()
  API: string = '';
  @IsPostgresUrl()
  DATABASE: string = 'postgres://a';
  @IsRedisUrl()
  REDIS: string = 'rediss://a';
  @IsRedisPrefix()
  PREFIX: string = 'plimsoll:';
  @IsCidrs()
  NETWORKS: string = '127.0.0.0/8, ::1/128';
}

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(Sample, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('decorators of configuration', () => {
  it('accept valid values', () => {
    expect(problemsOf({ POLL_MS: '20', API: 'https://api.example.com/v1', NETWORKS: '10.0.0.0/8' })).toEqual(
      [],
    );
  });

  it.each([
    ['POLL_MS', '9', 'must not be less than 10'],
    ['POLL_MS', '21', 'must not be greater than 20'],
    ['POLL_MS', '10.5', 'must be an integer number'],
    ['BATCH', '0', 'must not be less than 1'],
    ['KEPT_DAYS', '3651', 'must not be greater than 3650'],
    ['ONE', 'http://a:1/path', 'must be an http:// or https:// origin without a path'],
    ['ONE', 'http://a:1,http://b:2', 'must be an http:// or https:// origin without a path'],
    [
      'SEVERAL',
      'http://a:1,b',
      'must be http:// or https:// origins without a path, several separated by commas',
    ],
    ['API', 'ftp://a', 'must be an http:// or https:// address, or empty'],
    ['DATABASE', 'mysql://a', 'must be a postgres:// address'],
    ['REDIS', 'http://a', 'must be a redis:// address'],
    [
      'NETWORKS',
      '10.0.0.0/99',
      'must be address/bits, several separated by commas, as in 127.0.0.0/8,::1/128',
    ],
    ['NETWORKS', 'localhost', 'must be address/bits, several separated by commas, as in 127.0.0.0/8,::1/128'],
  ])('reject %s=%s', (name, value, reason) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} ${reason}`]);
  });
});
