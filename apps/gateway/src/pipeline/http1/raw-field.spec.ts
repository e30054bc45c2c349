import { rawField } from './raw-field';

describe('rawField', () => {
  const headers = ['Host', 'a', 'X-Request-Id', 'one', 'x-other', '', 'x-request-ID', 'two'];

  it('finds a field in any spelling, all its values in order', () => {
    expect(rawField(headers, 'host')).toBe('a');
    expect(rawField(headers, 'x-request-id')).toBe('one, two');
  });

  it('distinguishes an empty value from none', () => {
    expect(rawField(headers, 'x-other')).toBe('');
    expect(rawField(headers, 'x-othor')).toBeUndefined();
    expect(rawField([], 'host')).toBeUndefined();
  });
});
