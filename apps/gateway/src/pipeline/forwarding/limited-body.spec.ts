import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '@plimsoll/contracts';
import { MAX_BODY_BYTES, limitedBody } from './limited-body';

const requestOf = (headers: Record<string, string>): IncomingMessage & PassThrough =>
  Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough;

describe('limitedBody', () => {
  it('is null without a body, and a problem when the announced length is too large', () => {
    expect(limitedBody(requestOf({}))).toBeNull();
    expect(limitedBody(requestOf({ 'content-length': '0' }))).toBeNull();
    const problem = limitedBody(requestOf({ 'content-length': String(MAX_BODY_BYTES + 1) }));
    expect((problem as Problem).code).toBe('body_too_large');
  });

  it('reads no more from the client than the service reads', async () => {
    const request = requestOf({ 'content-length': '900000' });
    const body = limitedBody(request);
    if (!body || body instanceof Problem) throw new Error('a body was expected');
    let sent = 0;
    while (request.write(Buffer.alloc(10_000)) && sent < 900_000) {
      sent += 10_000;
      await turn();
    }
    expect(sent).toBeLessThan(200_000);
    body.resume();
    await turn();
    expect(request.write(Buffer.alloc(10_000))).toBe(true);
  });
});
