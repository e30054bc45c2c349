import { expectDocumented } from './documented-response';

const body = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', success: true };

describe('expectDocumented', () => {
  it.each([
    ['another status', 'GET', '/v1/wallets?limit=1', { status: 202, body }],
    ['another body', 'GET', '/v1/wallets?limit=1', { status: 200, body }],
    ['an error without a code', 'DELETE', `/v1/wallets/${body.address}`, { status: 404, body }],
  ])('fails for %s', (_, method, target, response) => {
    expect(() => expectDocumented(method, target, response)).toThrow('which the document does not describe');
  });

  it('passes documented responses, and calls that the document does not cover', () => {
    const stamp = { asOfBlock: {}, blockHash: {}, unreadable: [], chainStatus: {} };
    const page = { wallets: [], count: 0, limit: null, nextCursor: null, ...stamp };
    expectDocumented('GET', '/v1/wallets?limit=1', { status: 200, body: page });
    expectDocumented('GET', '/v1/wallets', { status: 304, body: null });
    expectDocumented('GET', '/health/live', { status: 200, body });
  });
});
