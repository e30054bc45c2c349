import { ConfigError, loadConfig } from '@plimsoll/service-kit';
import { testIdentityKeys } from '@plimsoll/testing';
import { ModelConfig } from './model.config';

const BASE = {
  DATABASE_URL: 'postgres://localhost/ai',
  IDENTITY_KEYS_FOLDER: testIdentityKeys(),
};
const OWN = {
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'llama3.1:8b',
  AI_BASE_URL: 'http://127.0.0.1:11434/v1',
};

const wrong = (env: Record<string, string>): string[] => {
  try {
    loadConfig(ModelConfig, { ...BASE, ...env });
    return [];
  } catch (error) {
    return (error as ConfigError).problems.map((problem) => problem.split(' ')[0]!);
  }
};

describe('ModelConfig', () => {
  it('requires nothing without a model', () => {
    expect(wrong({})).toEqual([]);
  });

  it('accepts a self-hosted server without a key, and Anthropic without an address', () => {
    expect(wrong(OWN)).toEqual([]);
    expect(
      wrong({ AI_PROVIDER: 'anthropic', AI_MODEL: 'claude-sonnet-4-5', AI_API_KEY: 'sk-ant-0123' }),
    ).toEqual([]);
  });

  it('names every variable that is wrong', () => {
    expect(wrong({ AI_PROVIDER: 'openai-compatible' })).toEqual(['AI_MODEL', 'AI_BASE_URL']);
    expect(wrong({ AI_PROVIDER: 'anthropic', AI_MODEL: 'claude-sonnet-4-5' })).toEqual(['AI_API_KEY']);
    expect(wrong({ AI_API_KEY: 'sk-ant-0123' })).toEqual(['AI_PROVIDER', 'AI_MODEL']);
    expect(wrong({ ...OWN, AI_PROVIDER: 'other' })).toEqual(['AI_PROVIDER']);
    expect(wrong({ ...OWN, AI_BASE_URL: 'http://user:secret@host/v1' })).toEqual(['AI_BASE_URL']);
    expect(wrong({ ...OWN, AI_DEADLINE_MS: '1' })).toEqual(['AI_DEADLINE_MS']);
  });

  it('never prints a key', () => {
    try {
      loadConfig(ModelConfig, { ...BASE, ...OWN, AI_API_KEY: 'hunter 2' });
    } catch (error) {
      expect((error as Error).message).not.toContain('hunter');
    }
    expect.assertions(1);
  });
});
