import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testIdentityKeys } from '@plimsoll/testing';
import { kafkaSettings } from './kafka-settings';
import type { ConfigError } from './config-error';
import { loadConfig } from './load-config';
import { KafkaConfig } from './service.config';

const folder = mkdtempSync(path.join(tmpdir(), 'kafka-settings-'));
const fileOf = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const ca = fileOf('ca.pem', 'authority');
const cert = fileOf('cert.pem', 'certificate');
const key = fileOf('key.pem', 'key');
const token = fileOf('token', 'token');
afterAll(() => rmSync(folder, { recursive: true }));

const load = (env: Record<string, string>): KafkaConfig =>
  loadConfig(KafkaConfig, {
    IDENTITY_KEYS_FOLDER: testIdentityKeys(),
    KAFKA_BROKERS: 'a:9092,b:9092',
    ...env,
  });
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    load(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('kafkaSettings', () => {
  it('uses plain TCP without authentication by default', () => {
    expect(kafkaSettings(load({}))).toEqual({
      brokers: ['a:9092', 'b:9092'],
      topicPrefix: '',
      partitions: 6,
      fetchWaitMs: 500,
    });
  });

  it('reads the files of TLS', () => {
    const env = { KAFKA_TLS: 'true', KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key };
    expect(kafkaSettings(load(env)).tls).toEqual({ ca: 'authority', cert: 'certificate', key: 'key' });
  });

  it.each(['scram-sha-256', 'scram-sha-512'])('passes user and password for %s', (mechanism) => {
    const env = { KAFKA_SASL: mechanism, KAFKA_SASL_USERNAME: 'alerts', KAFKA_SASL_PASSWORD: 'secret' };
    expect(kafkaSettings(load(env)).sasl).toEqual({ mechanism, username: 'alerts', password: 'secret' });
  });

  it('passes the file of the token for oauthbearer', () => {
    const env = { KAFKA_TLS: 'true', KAFKA_SASL: 'oauthbearer', KAFKA_SASL_TOKEN_FILE: token };
    expect(kafkaSettings(load(env)).sasl).toEqual({ mechanism: 'oauthbearer', tokenFile: token });
  });

  it.each([
    [{ KAFKA_TLS_CA: '/no/such/file' }, 'KAFKA_TLS_CA must be the path'],
    [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT: cert }, 'KAFKA_TLS_CERT must be set together with KAFKA_TLS_KEY'],
    [{ KAFKA_SASL: 'gssapi' }, 'KAFKA_SASL must be plain, scram-sha-256'],
    [
      { KAFKA_SASL: 'scram-sha-256', KAFKA_SASL_PASSWORD: 'secret' },
      'KAFKA_SASL_USERNAME is not set and must be the name of a user',
    ],
    [
      { KAFKA_SASL: 'scram-sha-256', KAFKA_SASL_USERNAME: 'alerts' },
      'KAFKA_SASL_PASSWORD is not set and must be the password',
    ],
    [
      { KAFKA_SASL: 'plain', KAFKA_SASL_USERNAME: 'alerts', KAFKA_SASL_PASSWORD: 'secret' },
      'KAFKA_TLS is not set and must be true with KAFKA_SASL plain',
    ],
    [
      { KAFKA_TLS: 'true', KAFKA_SASL: 'oauthbearer' },
      'KAFKA_SASL_TOKEN_FILE is not set and must be the file with the token',
    ],
  ])('rejects %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(problem)]);
  });
});
