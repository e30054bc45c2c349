import { partOf } from './rows';

describe('the rendered part of a list', () => {
  it('has the rows near the window, with gaps as high as the others', () => {
    expect(partOf(200, { from: 50, to: 90, height: 10 })).toEqual({
      from: 50,
      to: 90,
      before: 500,
      after: 1_100,
    });
  });

  it.each([
    ['below the window its first row', { from: 0, to: -40, height: 10 }, [0, 1]],
    ['above the window its last row', { from: 300, to: 340, height: 10 }, [199, 200]],
  ])('has %s, and all rows take their place', (_, range, [first, end]) => {
    const { from, to, before, after } = partOf(200, range);
    expect([from, to, before + 10 + after]).toEqual([first, end, 2_000]);
  });
});
