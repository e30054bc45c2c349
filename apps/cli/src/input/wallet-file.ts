import { EXIT, Failure } from '../failure';

/** A wallet to import. */
export interface FileWallet {
  address: string;
  label?: string;
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads wallets from CSV (RFC 4180): an address and an optional name in each row. Empty rows, and a first row with the
 * names of columns, are left out.
 * @throws Failure that counts the rows to a wrong quotation mark
 */
export function walletsOf(text: string): FileWallet[] {
  const wallets: FileWallet[] = [];
  let row: string[] = [];
  let rows = 0;
  const plain = text.replace(/^\uFEFF/, '');
  for (FIELD.lastIndex = 0; FIELD.lastIndex < plain.length;) {
    const found = FIELD.exec(plain);
    if (!found) throw badRow(rows + 1);
    row.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim());
    if (found[3] === ',') continue;
    rows += 1;
    const [address = '', label = ''] = row;
    const isHeader = rows === 1 && address.toLowerCase() === 'address';
    if (!isHeader && row.some((cell) => cell !== ''))
      wallets.push({ address, ...(label !== '' && { label }) });
    row = [];
  }
  return wallets;
}

const badRow = (row: number): Failure =>
  new Failure(EXIT.usage, 'file_invalid', `Row ${row} of the file is no CSV. Correct its quotation marks.`);
