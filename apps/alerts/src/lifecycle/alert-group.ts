import {
  type AlertContent,
  type AlertGroup,
  type AlertGroupCause,
  type AlertGroupRow,
  type AlertType,
  GROUP_ROWS,
  type Severity,
  chainName,
  derivedId,
} from '@plimsoll/contracts';
import { formatHealthFactor, formatValue, shortWallet } from '../content/format-figures';

/** An alert that a cause opened or made worse. */
export interface GroupedAlert {
  alertId: string;
  type: AlertType;
  severity: Severity;
  title: string;
  asset: string | null;
  content: Pick<
    AlertContent,
    'positionId' | 'wallet' | 'walletLabel' | 'protocolName' | 'chainName' | 'healthFactor' | 'usdAtStake'
  > | null;
}

export function blockCause(chainId: number, block: number, atMs: number): AlertGroupCause {
  return { kind: 'block', chainId, block, at: new Date(atMs).toISOString() };
}

/** Price moves of one second are one cause, because assets that follow each other move in separate events. */
export function pricesCause(atMs: number): AlertGroupCause {
  return {
    kind: 'prices',
    chainId: null,
    block: null,
    at: new Date(Math.floor(atMs / 1_000) * 1_000).toISOString(),
  };
}

/** Returns the same id for the same account and cause, in any order of alerts and on any instance. */
export function groupIdOf(accountId: string, { kind, chainId, block, at }: AlertGroupCause): string {
  return kind === 'block'
    ? derivedId('grp', accountId, kind, chainId ?? '', block ?? '')
    : derivedId('grp', accountId, kind, at);
}

/** Builds the notification of a group. */
export function alertGroup(
  groupId: string,
  cause: AlertGroupCause,
  alerts: readonly GroupedAlert[],
): AlertGroup {
  const rows = alerts.map(rowOf).sort(byHealthFactor);
  const shown = rows.slice(0, GROUP_ROWS);
  const healthFactors = rows.flatMap(({ healthFactor }) => healthFactor ?? []);
  const worstHealthFactor = healthFactors.length > 0 ? Math.min(...healthFactors) : null;
  const truncated = rows.length - shown.length;
  return {
    groupId,
    cause,
    title: titleOf(cause, rows.length, worstHealthFactor),
    count: rows.length,
    truncated,
    usdAtStake: usdAtStakeOf(rows),
    worstHealthFactor,
    table: tableOf(shown, truncated),
    alerts: shown,
  };
}

function rowOf({ alertId, type, severity, title, asset, content }: GroupedAlert): AlertGroupRow {
  return {
    alertId,
    type,
    severity,
    title,
    positionId: content?.positionId ?? null,
    asset,
    wallet: content?.wallet ?? null,
    walletLabel: content?.walletLabel ?? null,
    protocolName: content?.protocolName ?? null,
    chainName: content?.chainName ?? null,
    healthFactor: content?.healthFactor?.now ?? null,
    usdAtStake: content?.usdAtStake ?? null,
  };
}

const byHealthFactor = (a: AlertGroupRow, b: AlertGroupRow): number =>
  (a.healthFactor ?? Infinity) - (b.healthFactor ?? Infinity) || (a.alertId < b.alertId ? -1 : 1);

/** A position with two alerts counts once. */
function usdAtStakeOf(rows: readonly AlertGroupRow[]): number {
  const byPosition = new Map(rows.map((row) => [row.positionId ?? row.alertId, row.usdAtStake ?? 0]));
  return [...byPosition.values()].reduce((sum, usd) => sum + usd, 0);
}

function titleOf({ kind, chainId, block }: AlertGroupCause, count: number, worst: number | null): string {
  const where =
    kind === 'block' && chainId !== null && block !== null
      ? `in block ${block.toLocaleString('en-US')} of ${chainName(chainId)}`
      : 'after market prices moved';
  const lowest = worst === null ? '' : `, lowest health factor ${formatHealthFactor(worst)}`;
  return `${count} alerts ${where}${lowest}`;
}

function walletCell({ wallet, walletLabel = null }: AlertGroupRow): string {
  if (wallet === null) return '';
  return walletLabel === null ? shortWallet(wallet) : `${walletLabel} (${shortWallet(wallet)})`;
}

function tableOf(rows: readonly AlertGroupRow[], truncated: number): string {
  const lines = rows.map((row) => {
    const { title, protocolName, chainName: chain, healthFactor, usdAtStake } = row;
    const what = protocolName === null ? title : `${protocolName} on ${chain}`;
    const cells = [
      what,
      walletCell(row),
      healthFactor === null ? '' : formatHealthFactor(healthFactor),
      usdAtStake === null ? '' : formatValue(usdAtStake),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const more = truncated > 0 ? [`| ${truncated} more | | | |`] : [];
  return ['| Position | Wallet | Health factor | At stake |', '|---|---|---:|---:|', ...lines, ...more].join(
    '\n',
  );
}
