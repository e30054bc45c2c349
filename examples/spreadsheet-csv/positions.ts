import { Plimsoll } from '@plimsoll/sdk';

/* Prints the positions of the watched wallets as CSV, for Excel, LibreOffice or Google Sheets. */

const plimsoll = new Plimsoll({
  apiKey: process.env.PLIMSOLL_API_KEY,
  ...(process.env.PLIMSOLL_URL !== undefined && { baseUrl: process.env.PLIMSOLL_URL }),
});

const labels = new Map<string, string>();
for await (const { address, label } of plimsoll.wallets.list()) if (label) labels.set(address, label);

const lines: (string | number | null)[][] = [
  [
    'name',
    'wallet',
    'protocol',
    'chainId',
    'healthFactor',
    'riskLevel',
    'collateralUsd',
    'debtUsd',
    'positionId',
  ],
];
for await (const position of plimsoll.positions.list({ limit: 200 })) {
  const { wallet, protocol, chainId, healthFactor, riskLevel, totalCollateralUsd, totalDebtUsd, id } =
    position;
  lines.push([
    labels.get(wallet) ?? '',
    wallet,
    protocol,
    chainId,
    healthFactor,
    riskLevel,
    totalCollateralUsd,
    totalDebtUsd,
    id,
  ]);
}
process.stdout.write(lines.map((line) => `${line.map(cell).join(',')}\r\n`).join(''));

/** Text that begins like a formula gets an apostrophe, because a spreadsheet would execute it. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[\s=+\-@|%]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
