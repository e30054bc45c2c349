import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Context, MOST_OF_A_PAGE, collect, pageOf } from '../context';
import { readText } from '../input/read-text';
import { walletsOf } from '../input/wallet-file';
import { printable, time, usd } from '../output/text';
import { LIMIT, withContext } from './command';

const POLL_MS = 1_000;

export function addWalletCommands(program: Command): void {
  const wallets = program.command('wallets').description('watched wallets');
  wallets
    .command('list', { isDefault: true })
    .description('list the watched wallets')
    .option(...LIMIT)
    .action(withContext(list));
  wallets
    .command('watch <address>')
    .alias('add')
    .description('watch a wallet, by its address or ENS name: alerts, webhooks and streams include it')
    .option('--label <text>', 'its name in alerts')
    .action(withContext(watch));
  wallets
    .command('import <file>')
    .description(
      'watch the wallets of a CSV file: an address or ENS name and an optional label in each line; - reads standard input',
    )
    .option('--group <id>', 'the wallet group of all of them')
    .action(withContext(importFile));
  wallets
    .command('unwatch <address>')
    .description('stop watching a wallet, by its address or ENS name')
    .action(withContext(unwatch));
}

async function list(context: Context, { limit }: { limit: number }): Promise<void> {
  const found = await collect(context.client().wallets.list({ limit: pageOf(limit) }), 'wallets', limit);
  context.show(found, () =>
    context.table(
      ['address', 'label', 'health factor', 'net worth', 'open alerts', 'alerts', 'since'],
      found.wallets.map((wallet) => [
        wallet.address,
        wallet.label,
        wallet.lowestHealthFactor?.toFixed(4) ?? null,
        wallet.netWorthUsd === null ? null : usd(wallet.netWorthUsd),
        String(wallet.openAlerts),
        wallet.enabled ? 'on' : 'off',
        time(wallet.createdAt),
      ]),
      'No wallet is watched. Run plimsoll wallets watch ADDRESS.',
    ),
  );
}

async function watch(context: Context, address: string, { label }: { label?: string }): Promise<void> {
  const wallet = await context.client().wallets.watch({ address, ...(label !== undefined && { label }) });
  context.show(wallet, () =>
    printable(`${known(address, wallet.address)} is watched${wallet.label ? ` as ${wallet.label}` : ''}.`),
  );
}

/** The name that the user wrote, with the address that it has. */
const known = (text: string, address: string): string =>
  text.includes('.') ? `${text} (${address})` : address;

async function importFile(context: Context, file: string, { group }: { group?: string }): Promise<void> {
  const wallets = walletsOf(readText(file));
  const { walletImports } = context.client();
  const { walletImport } = await walletImports.create({
    wallets,
    ...(group !== undefined && { walletGroupIds: [group] }),
  });
  const { id } = walletImport;
  context.note(`Import ${id} of ${wallets.length} wallets began. It continues when you end this command.`);
  while ((await walletImports.get({ id, limit: 1 })).walletImport.completedAt === null) await pause(POLL_MS);
  const list = walletImports.get({ id, limit: MOST_OF_A_PAGE });
  const { walletImport: ended, rejections } = await collect(list, 'rejections', wallets.length);
  context.show({ walletImport: ended, rejections }, () => {
    const { added, alreadyWatched, rejected, state } = ended;
    const counts = `${state}: ${added} added, ${alreadyWatched} already watched, ${rejected} rejected.`;
    if (rejections.length === 0) return counts;
    const rows = rejections.map(({ index, address, message }) => [String(index + 1), address, message]);
    return `${counts}\n${context.table(['wallet', 'address', 'reason'], rows, '')}`;
  });
}

async function unwatch(context: Context, address: string): Promise<void> {
  const { deleted } = await context.client().wallets.unwatch({ address });
  context.show({ unwatched: deleted }, () => printable(`${known(address, deleted)} is no longer watched.`));
}
