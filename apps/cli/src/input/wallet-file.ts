import { EXIT, Failure } from '../failure';

/** A wallet to import. */
export interface FileWallet {
  address: string;
  label?: string;
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads wallets from CSV (RFC 4180): an address and an optional name in each line. A first line with the names of columns
 * is left out.
 * @throws Failure that names the line of a wrong quotation mark
 */
export function walletsOf(text: string): FileWallet[] {
  const wallets: FileWallet[] = [];
  let row: string[] = [];
  const plain = text.replace(/^\uFEFF/, '');
  for (FIELD.lastIndex = 0; FIELD.lastIndex < plain.length;) {
    const found = FIELD.exec(plain);
    if (!found) throw badLine(wallets.length + 1);
    row.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim());
    if (found[3] === ',') continue;
    const [address = '', label = ''] = row;
    if (address !== '' && address.toLowerCase() !== 'address')
      wallets.push({ address, ...(label !== '' && { label }) });
    row = [];
  }
  return wallets;
}

const badLine = (row: number): Failure =>
  new Failure(
    EXIT.usage,
    'file_invalid',
    `The file is no CSV at wallet ${row}. Correct its quotation marks.`,
  );
