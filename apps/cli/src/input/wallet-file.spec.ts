import { walletsOf } from './wallet-file';

const ADDRESS = `0x${'1'.repeat(40)}`;

describe('walletsOf', () => {
  it.each([
    ['', []],
    [ADDRESS, [{ address: ADDRESS }]],
    [`address,label\r\n${ADDRESS},Desk\r\n`, [{ address: ADDRESS, label: 'Desk' }]],
    [`\uFEFF${ADDRESS}, Desk ,more\n\n0x2,\n`, [{ address: ADDRESS, label: 'Desk' }, { address: '0x2' }]],
    [`"${ADDRESS}","a ""b"", c"`, [{ address: ADDRESS, label: 'a "b", c' }]],
    [`${ADDRESS},"two\nlines"\n`, [{ address: ADDRESS, label: 'two\nlines' }]],
    [
      `address\n\n,Desk\naddress,2\n`,
      [
        { address: '', label: 'Desk' },
        { address: 'address', label: '2' },
      ],
    ],
    ['x,y\n', [{ address: 'x', label: 'y' }]],
  ])('%j', (text, wallets) => expect(walletsOf(text)).toEqual(wallets));

  it.each([`${ADDRESS},"open`, `${ADDRESS},a"b"\n`])('refuses %j', (text) => {
    expect(() => walletsOf(text)).toThrow('quotation marks');
  });

  it('counts the header and empty rows in the row that it names', () => {
    expect(() => walletsOf(`address\n\n${ADDRESS},"open`)).toThrow('Row 3 of the file');
  });
});
