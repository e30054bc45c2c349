import { isRefusedPort } from './refused-ports';

/** The list of undici's own fetch, an independent transcription of the standard. */
const { badPorts } = jest.requireActual<{ badPorts: readonly string[] }>('undici/lib/web/fetch/constants.js');

describe('isRefusedPort', () => {
  it('refuses every port that the Fetch standard blocks', () => {
    expect(badPorts.length).toBeGreaterThan(75);
    expect(badPorts.filter((port) => !isRefusedPort(Number(port)))).toEqual([]);
  });

  it.each([5432, 6379, 9092, 27_017, 2375, 2379, 6443, 10_250])('refuses %i', (port) => {
    expect(isRefusedPort(port)).toBe(true);
  });

  it.each([80, 443, 3000, 8000, 8080, 8443, 9000])('accepts %i', (port) => {
    expect(isRefusedPort(port)).toBe(false);
  });
});
