import type { Command } from 'commander';
import { type Context, collect, pageOf } from '../context';
import { colourOf, healthBar, healthText } from '../output/health';
import type { Cell } from '../output/table';
import { percent, printable, usd } from '../output/text';
import { LIMIT, decimal, repeated, withContext } from './command';

interface ListOptions {
  wallet?: string[];
  protocol?: string;
  chain?: number;
  maxHealthFactor?: number;
  limit: number;
}

/** Figures of a position that commands and streams print. */
export interface Figures {
  id: string;
  protocol: string;
  chainId: number;
  wallet: string;
  healthFactor: number | null;
  riskLevel: string;
  totalCollateralUsd: number;
  totalDebtUsd: number;
}

export function addPositionCommands(program: Command): void {
  const positions = program.command('positions').description('lending positions and their health');
  positions
    .command('list', { isDefault: true })
    .description('positions of wallets, the lowest health factor first')
    .option('--wallet <address>', 'a wallet, may be repeated; default: the watched wallets', repeated)
    .option('--protocol <id>', 'only this protocol')
    .option('--chain <id>', 'only this chain', decimal)
    .option('--max-health-factor <n>', 'only positions up to this health factor', decimal)
    .option(...LIMIT)
    .action(withContext(list));
  positions.command('show <position>').description('one position with its assets').action(withContext(show));
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const { wallet, protocol, chain, maxHealthFactor, limit } = options;
  const pages = context.client().positions.list({
    limit: pageOf(limit),
    ...(wallet && { wallet: wallet.join(',') }),
    ...(protocol !== undefined && { protocol }),
    ...(chain !== undefined && { chainId: chain }),
    ...(maxHealthFactor !== undefined && { maxHealthFactor }),
  });
  const found = await collect(pages, 'positions', limit);
  context.show(found, () =>
    context.table(
      [
        'health',
        { title: 'factor', align: 'right' },
        'level',
        'protocol',
        { title: 'collateral USD', align: 'right' },
        { title: 'debt USD', align: 'right' },
        { title: '7 days', align: 'right' },
        'wallet',
        'position',
        { title: 'block', align: 'right' },
      ],
      found.positions.map((position) => [
        ...healthCells(position),
        `${position.protocol}@${position.chainId}`,
        usd(position.totalCollateralUsd),
        usd(position.totalDebtUsd),
        position.probability7d === null ? null : percent(position.probability7d),
        position.wallet,
        position.id,
        position.block ?? found.asOfBlock[position.chainId],
      ]),
      'These wallets have no position.',
    ),
  );
  if (context.isJson) return;
  if (found.hasMore) context.note('There are more. Use a higher --limit.');
  for (const { protocol: id, chainId, reason } of found.unreadable)
    context.note(printable(`${id}@${chainId} could not be read: ${reason}. Positions may be missing.`));
}

async function show(context: Context, id: string): Promise<void> {
  const position = await context.client().positions.get({ id });
  context.show(position, () => {
    const { healthFactor, riskLevel, riskLevelReason, wallet, protocol, chainId, block } = position;
    const bar = context.paint(colourOf(riskLevel), `${healthBar(healthFactor)} ${healthText(healthFactor)}`);
    const assets = [
      ...(position.collateralAssets ?? []).map((asset) => ['collateral', asset] as const),
      ...(position.debtAssets ?? []).map((asset) => ['debt', asset] as const),
    ];
    return [
      `${bar}  ${printable(riskLevel)}: ${printable(riskLevelReason)}`,
      printable(`${protocol} on chain ${chainId}, wallet ${wallet}, block ${block ?? 'unknown'}`),
      '',
      context.table(
        ['side', 'asset', { title: 'amount', align: 'right' }, { title: 'USD', align: 'right' }],
        assets.map(([side, { asset, amount, usdValue }]) => [side, asset, amount, usd(usdValue)]),
        'The position has no assets.',
      ),
    ].join('\n');
  });
}

/** Bar, health factor and level. */
export function healthCells({
  healthFactor,
  riskLevel,
}: Pick<Figures, 'healthFactor' | 'riskLevel'>): Cell[] {
  const style = colourOf(riskLevel);
  return [
    { text: healthBar(healthFactor), style },
    { text: healthText(healthFactor), style },
    { text: riskLevel, style },
  ];
}
