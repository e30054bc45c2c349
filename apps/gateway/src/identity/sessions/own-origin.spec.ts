import { isForeignCall, ownOrigin } from './own-origin';

describe('ownOrigin', () => {
  it.each([
    ['https://api.example.com/', 'internal:4000', 'https://api.example.com'],
    ['', '127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['', 'LOCALHOST:4000', 'http://localhost:4000'],
    ['', '[::1]:4000', 'http://[::1]:4000'],
    ['', 'localhost.example.com', 'https://localhost.example.com'],
    ['', '127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
    ['', undefined, 'https://'],
  ])('PUBLIC_URL %p and Host %p: %s', (publicUrl, host, origin) => {
    expect(ownOrigin(publicUrl, host)).toBe(origin);
  });
});

describe('isForeignCall', () => {
  const own = 'https://api.example.com';
  it.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: own }, true],
    [{ origin: own }, false],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'http://api.example.com' }, true],
    [{ origin: 'null' }, true],
  ])('%j: %p', (headers, isForeign) => {
    expect(isForeignCall(headers, own)).toBe(isForeign);
  });
});
