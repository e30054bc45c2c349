import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { VERIFICATION } from './verification';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"event":"test.ping"}';
const SIGNATURE = createHmac('sha256', SECRET).update(BODY).digest('hex');
const OTHER = SIGNATURE.replace(/^./, (first) => (first === '0' ? '1' : '0'));

describe('the verification of a webhook in TypeScript', () => {
  it.each([
    [SIGNATURE, 'true'],
    [OTHER, 'false'],
    ['short', 'false'],
  ])('takes the signature %s: %s', async (signature, expected) => {
    const code = [
      `const [secret, rawBody, headers] = ${JSON.stringify([SECRET, BODY, { 'x-service-signature': signature }])};`,
      VERIFICATION.find(({ id }) => id === 'typescript')?.code,
      'console.log(isValid);',
    ].join('\n');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 20_000,
    });
    expect(stdout.trim()).toBe(expected);
  });
});
