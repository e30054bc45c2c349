import type { MarketCommand } from '../arguments';
import { postOrder } from '../market/control-client';
import type { ReportedPriceChange, WhaleResponse } from '../market/market';
import { readRunState, isSameProcess } from '../processes/run-state';
import { runReplay } from './replay-command';
import type { StackPaths } from '../settings/stack-paths';
import { UsageError } from '../settings/usage-error';

const TIMEOUT_MS = 30_000;

/** Sends a command to the running launcher and prints its result. Throws UsageError. */
export async function runMarket(paths: StackPaths, order: MarketCommand): Promise<void> {
  const state = readRunState(paths.runFile);
  if (!state?.control || !(await isSameProcess(state.launcher))) {
    throw new UsageError('the stack is not running', 'Run `npm start` and wait until it is ready');
  }
  if (order.action === 'replay') return runReplay(state.control, order);
  const response = await postOrder(state.control, order, AbortSignal.timeout(TIMEOUT_MS));
  const body = (await response.json()) as {
    changes?: ReportedPriceChange[];
    whales?: WhaleResponse;
    error?: string;
  };
  if (body.whales && order.action === 'whale') {
    console.log(order.json ? JSON.stringify(body.whales, null, 2) : whaleText(body.whales));
    return;
  }
  if (!body.changes) throw new UsageError(body.error ?? `HTTP ${response.status}`, 'Nothing was changed');
  for (const { chainId, symbol, usd, blockNumber, transactionHash } of body.changes) {
    console.log(
      `chain ${chainId}: ${symbol} is ${usd} USD from block ${blockNumber} on (${transactionHash})`,
    );
  }
  if (body.changes.length === 0) console.log(doneText(order));
}

function doneText(order: MarketCommand): string {
  if (order.action === 'shock')
    return `${order.symbol} moves by ${order.percent} % within ${order.seconds} s. \`npm run market -- stop\` ends it.`;
  if (order.action === 'stop') return 'No replay runs.';
  return order.action === 'pause' ? 'The market is paused.' : 'The market moves.';
}

const WHOLE_USD = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

function whaleText(body: WhaleResponse): string {
  if ('acts' in body) {
    return body.acts
      .map(
        ({ chainId, name, kind, amount, symbol, blockNumber, transactionHash }) =>
          `chain ${chainId}: ${name} ${kind} ${amount} ${symbol} in block ${blockNumber} (${transactionHash})`,
      )
      .join('\n');
  }
  const state = body.isPaused ? 'The whales are paused.' : 'The whales act.';
  if (!('whales' in body)) return state;
  const lines = body.whales.map(({ chainId, name, wallet, family, assets }) => {
    const held = assets.map(
      ({ symbol, walletUsd, suppliedUsd, debtUsd }) =>
        `${symbol} ${WHOLE_USD.format(walletUsd)} held, ${WHOLE_USD.format(suppliedUsd)} supplied, ${WHOLE_USD.format(debtUsd)} owed`,
    );
    return `chain ${chainId}  ${name.padEnd(9)} ${wallet}  ${(family ?? '-').padEnd(6)}  USD: ${held.join('; ')}`;
  });
  return [...lines, state].join('\n');
}
