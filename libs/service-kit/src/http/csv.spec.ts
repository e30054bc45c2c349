import { csvOf, prefersCsv } from './csv';

describe('csvOf', () => {
  it('has a line of names and CRLF, and leaves missing values and null empty', () => {
    const rows = [{ id: 'a', size: 0, isOn: false }, { id: null }];
    expect(csvOf(['id', 'size', 'isOn'], rows)).toBe('id,size,isOn\r\na,0,false\r\n,,\r\n');
    expect(csvOf(['id'], [])).toBe('id\r\n');
  });

  it('quotes separators, quotes, line ends and outer spaces', () => {
    const texts = ['a,b', 'a"b', 'a\nb', 'a\r\nb', ' a', 'a '];
    expect(
      csvOf(
        ['text'],
        texts.map((text) => ({ text })),
      ),
    ).toBe('text\r\n"a,b"\r\n"a""b"\r\n"a\nb"\r\n"a\r\nb"\r\n" a"\r\n"a "\r\n');
  });

  it('shows objects and lists as JSON', () => {
    expect(csvOf(['a', 'b'], [{ a: { x: 'y' }, b: [1, 'z'] }])).toBe(
      'a,b\r\n"{""x"":""y""}","[1,""z""]"\r\n',
    );
  });

  it.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '-',
    "=cmd|' /C calc'!A0",
    '-2-3',
    '+15551234',
  ])('makes %j harmless', (text) => {
    const [, line = ''] = csvOf(['text'], [{ text }]).split(/(?<=text)\r\n/);
    expect(line.replace(/^"/, '')).toMatch(/^'/);
  });

  it.each([-2.5, -0, 1e-7, -1e21, '-2500500000000000000000', '0', "it's", 'a=b', '2026-11-21T12:00:00.000Z'])(
    'leaves %j as it is',
    (value) => {
      expect(csvOf(['value'], [{ value }])).toBe(`value\r\n${String(value)}\r\n`);
    },
  );
});

describe('prefersCsv', () => {
  it.each([
    'text/csv',
    'TEXT/CSV; charset=utf-8',
    'text/csv, */*',
    'text/csv, */*;q=0.5',
    'text/*',
    'application/json;q=0.5, text/csv',
    'text/html, text/csv;q=0.9, */*;q=0.8',
  ])('%s', (accept) => expect(prefersCsv(accept)).toBe(true));

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json, text/csv',
    'text/csv;q=0',
    'text/csv;q=0.1, */*;q=0.5',
    'text/csv;q=x',
    'text/plain, */*',
  ])('not %s', (accept) => expect(prefersCsv(accept)).toBe(false));
});
