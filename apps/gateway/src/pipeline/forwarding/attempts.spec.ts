import { Attempts } from './attempts';
import type { Exchange } from './exchange';
import { ServiceCall, type ServiceRequest } from './service-call';
import { Upstream } from './upstream';

const OPTIONS = { connectDeadlineMs: 1_000, tls: {} };

describe('Attempts', () => {
  it('proves the second attempt of a GET again, because a service accepts a nonce once', () => {
    const upstream = new Upstream('positions', 'http://127.0.0.1:1,http://127.0.0.1:2', OPTIONS);
    const proofs: string[][] = [];
    for (const { pool } of upstream.addresses) {
      jest.spyOn(pool, 'dispatch').mockImplementation((request, listener) => {
        proofs.push(request.headers);
        return new ServiceCall(request, listener);
      });
    }
    let made = 0;
    const sign = (): ServiceRequest => ({
      method: 'GET',
      path: '/v1/positions',
      headers: ['x-plimsoll-call', `proof ${(made += 1)}`],
      body: null,
    });
    const exchange = { sentAs: () => undefined } as unknown as Exchange;
    const attempts = new Attempts(upstream, upstream.pick(0, true)!, sign, () => undefined);
    attempts.start(exchange);
    expect(attempts.onUnreached(exchange)).toBe(true);
    expect(attempts.onUnreached(exchange)).toBe(false);
    expect(proofs).toEqual([
      ['x-plimsoll-call', 'proof 1'],
      ['x-plimsoll-call', 'proof 2'],
    ]);
    upstream.close();
  });
});
