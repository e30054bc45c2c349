import { Problem } from '@plimsoll/contracts';
import { presentedKey } from './api-keys';

const result = (...rawHeaders: string[]): string => {
  const key = presentedKey(rawHeaders);
  return key instanceof Problem ? key.code : key;
};

describe('presentedKey', () => {
  it.each([
    ['x-api-key', 'k1'],
    ['X-API-Key', ' k1 '],
    ['Authorization', 'Bearer k1'],
    ['authorization', 'bearer  k1'],
  ])('reads %s: %s', (name, value) => {
    expect(result('Host', 'x', name, value)).toBe('k1');
  });

  it('accepts the same key sent twice', () => {
    expect(result('x-api-key', 'k1', 'Authorization', 'Bearer k1')).toBe('k1');
  });

  it('rejects two different keys, in any place', () => {
    expect(result('x-api-key', 'k1', 'Authorization', 'Bearer k2')).toBe('invalid_api_key');
    expect(result('x-api-key', 'k1', 'X-Api-Key', 'k2')).toBe('invalid_api_key');
    expect(result('Authorization', 'Bearer k1', 'Authorization', 'Bearer k2')).toBe('invalid_api_key');
  });

  it('reports a missing key without one, and for another scheme', () => {
    expect(result('Host', 'x')).toBe('missing_api_key');
    expect(result('Authorization', 'Basic a2V5')).toBe('missing_api_key');
  });
});
