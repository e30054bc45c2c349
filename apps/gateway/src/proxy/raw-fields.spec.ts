import { fieldsOf } from './raw-fields';

describe('fieldsOf', () => {
  const text = 'Content-Type: text/plain\r\nX-Name: caf\xe9\r\nX-Empty: \r\n';
  const memory = Buffer.from(text, 'latin1');
  const piece = (part: string): Buffer => {
    const at = text.indexOf(part);
    return memory.subarray(at, at + part.length);
  };
  const fields = ['Content-Type', 'text/plain', 'X-Name', 'caf\xe9', 'X-Empty', ''];

  it('reads fields of one piece of memory', () => {
    expect(fieldsOf(fields.map(piece))).toEqual(fields);
  });

  it('reads one that was put together from two pieces, wherever it stands', () => {
    for (let apart = 0; apart < fields.length; apart += 1) {
      const raw = fields.map((field, at) => (at === apart ? Buffer.from(field, 'latin1') : piece(field)));
      expect(fieldsOf(raw)).toEqual(fields);
    }
  });

  it('reads fields that lie in another order than they came', () => {
    const reversed = fields.toReversed();
    expect(fieldsOf(reversed.map(piece))).toEqual(reversed);
    expect(fieldsOf(['X-Name', 'Content-Type', 'caf\xe9'].map(piece))).toEqual([
      'X-Name',
      'Content-Type',
      'caf\xe9',
    ]);
  });

  it('reads fields far apart', () => {
    const far = Buffer.alloc(200_000, 'x');
    expect(fieldsOf([far.subarray(0, 2), far.subarray(199_998)])).toEqual(['xx', 'xx']);
  });

  it('has none of none', () => {
    expect(fieldsOf([])).toEqual([]);
  });
});
