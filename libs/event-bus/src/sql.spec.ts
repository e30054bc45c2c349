import { itemsOf, lines } from './sql';

describe('lines', () => {
  it('puts each text, number and flag on a line, and nothing for what is not there', () => {
    expect(lines(['a', 1.5, true, null, undefined, 'b'])).toBe('a\n1.5\ntrue\n\n\nb');
  });

  it('is one empty line of nothing, and of one text without a line end that text', () => {
    expect(lines([])).toBe('');
    expect(lines(['a'])).toBe('a');
  });

  it.each([[['a\nb']], [['a', 'b\n']], [['\n', null]], [['a', 'b', '{\n}']]])(
    'refuses a text with a line end, which would move what is behind it to other rows: %j',
    (texts) => {
      expect(() => lines(texts)).toThrow('line end');
    },
  );
});

describe('itemsOf', () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  const idOf = ({ id }: { id: string }): string => id;

  it('is all of them, in order, when the statement took all', () => {
    expect(itemsOf([{ ids: null }], items, idOf)).toEqual(items);
  });

  it('is those that the statement names otherwise, and none when it took none', () => {
    expect(itemsOf([{ ids: ['b'] }], items, idOf)).toEqual([{ id: 'b' }]);
    expect(itemsOf([{ ids: [] }], items, idOf)).toEqual([]);
  });

  it('is the first one of two with the same id, which a statement takes once', () => {
    const first = { id: 'a', nth: 1 };
    expect(itemsOf([{ ids: ['a'] }], [first, { id: 'a', nth: 2 }], idOf)).toEqual([first]);
  });
});
