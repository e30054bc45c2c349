import { createHmac, randomBytes } from 'node:crypto';
import { serviceSignature, standardSignature } from './delivery-request';

describe('serviceSignature', () => {
  it('equals the documented three lines of a receiver', () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = Buffer.from('{"event":"test.ping","data":{"message":"§ ☃ 💧"}}');
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    expect(serviceSignature(body, secret)).toBe(expected);
    expect(serviceSignature(body, secret)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('standardSignature', () => {
  it('matches the vector of the Standard Webhooks specification', () => {
    expect(
      standardSignature(
        Buffer.from('{"test": 2432232314}'),
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        1_614_265_330,
      ),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});
