import type { Command } from 'commander';
import { type Context, collect, pageOf } from '../context';
import { printable, time, usd } from '../output/text';
import { LIMIT, withContext } from './command';

export function addWalletCommands(program: Command): void {
  const wallets = program.command('wallets').description('watched wallets');
  wallets
    .command('list', { isDefault: true })
    .description('list the watched wallets')
    .option(...LIMIT)
    .action(withContext(list));
  wallets
    .command('watch <address>')
    .description('watch a wallet: alerts, webhooks and streams include it')
    .option('--label <text>', 'its name in alerts')
    .action(withContext(watch));
  wallets.command('unwatch <address>').description('stop watching a wallet').action(withContext(unwatch));
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
    printable(`${wallet.address} is watched${wallet.label ? ` as ${wallet.label}` : ''}.`),
  );
}

async function unwatch(context: Context, address: string): Promise<void> {
  await context.client().wallets.unwatch({ address });
  context.show({ unwatched: address }, () => `${printable(address)} is no longer watched.`);
}
