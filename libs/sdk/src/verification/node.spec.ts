import { Node } from './node';

describe('Node', () => {
  it('does not call fetch as a method, which a browser refuses', async () => {
    const receivers: unknown[] = [];
    const send = function (this: unknown): Promise<Response> {
      receivers.push(this);
      return Promise.resolve(new Response('{"jsonrpc":"2.0","id":1,"result":[]}'));
    };
    const block = { number: 1, hash: `0x${'1'.repeat(64)}`, timestamp: 1 };
    await expect(new Node('http://127.0.0.1:1', send).proof('0x', [], block)).resolves.toEqual([]);
    expect(receivers).toEqual([undefined]);
  });
});
