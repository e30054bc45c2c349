import fc from 'fast-check';
import { Sender } from 'ws';
import { EncodedFrame, textMessage } from './encoded-frame';

const byWs = (text: string): Buffer =>
  Buffer.concat(
    Sender.frame(Buffer.from(text), { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true }),
  );

describe('textMessage', () => {
  it('is what ws would send', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(textMessage(text)).toEqual(byWs(text));
      }),
    );
  });

  it.each([125, 126, 65_535, 65_536])('is what ws would send for %i bytes', (length) => {
    const text = 'x'.repeat(length);
    expect(textMessage(text).equals(byWs(text))).toBe(true);
  });
});

describe('EncodedFrame', () => {
  it('is made once for each transport', () => {
    const frame = new EncodedFrame('event', '{"type":"event"}');
    expect(frame.webSocket).toBe(frame.webSocket);
    expect(frame.socketIo).toEqual(textMessage('42["event",{"type":"event"}]'));
  });
});
