import { itemsOf, lines } from './sql';

describe('lines', () => {
  it('puts each text, number and flag on a line, and an empty line for null', () => {
    expect(lines(['a', 1.5, true, null, undefined, 'b'])).toBe('a\n1.5\ntrue\n\n\nb');
  });

  it('is one empty line for no text, and the text itself for one without a line break', () => {
    expect(lines([])).toBe('');
    expect(lines(['a'])).toBe('a');
  });

  it.each([[['a\nb']], [['a', 'b\n']], [['\n', null]], [['a', 'b', '{\n}']]])(
    'rejects a text with a line break, which would move later texts to other rows: %j',
    (texts) => {
      expect(() => lines(texts)).toThrow('line break');
    },
  );
});

describe('itemsOf', () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  const idOf = ({ id }: { id: string }): string => id;

  it('returns all items, in order, when the statement took all', () => {
    expect(itemsOf([{ ids: null }], items, idOf)).toEqual(items);
  });

  it('returns the named items otherwise, and none when it took none', () => {
    expect(itemsOf([{ ids: ['b'] }], items, idOf)).toEqual([{ id: 'b' }]);
    expect(itemsOf([{ ids: [] }], items, idOf)).toEqual([]);
  });

  it('returns the first of two items with the same id', () => {
    const first = { id: 'a', nth: 1 };
    expect(itemsOf([{ ids: ['a'] }], [first, { id: 'a', nth: 2 }], idOf)).toEqual([first]);
  });
});
