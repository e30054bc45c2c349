import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { separateEnvironment } from './child-environment';
import { startOnPort } from './free-port';
import { PartError } from './part-error';
import { startServer } from './part-process';
import type { PartOptions, RunningPart } from './running-part';

const DEFAULT_READABLE_BLOCKS = 128;
/** Anvil allocates with jemalloc. One arena that returns free memory soon keeps a tenth less. */
const MALLOC_SETTINGS = 'narenas:1,dirty_decay_ms:1000,muzzy_decay_ms:0';
const CALL_TIMEOUT_MS = 2_000;
/** An execution waits for a few confirmations after its transaction. */
const QUIET_AFTER_MS = 15_000;

/** Options of startEvm. */
export interface EvmOptions extends PartOptions {
  chainId: number;
  /**
   * Seconds between blocks. A transaction is mined at once, and the clock then leaves its next block out. Undefined: only a
   * block for each transaction.
   */
  blockTimeSeconds?: number;
  /**
   * Seconds between blocks of a chain without transactions. It returns to blockTimeSeconds for QUIET_AFTER_MS
   * after each transaction. Undefined: always blockTimeSeconds.
   */
  idleBlockTimeSeconds?: number;
  /**
   * The number of newest blocks at which contracts can still be read; default 128. Each costs about 0.3 MB of
   * memory, and 40 bytes for each block of the chain.
   */
  readableBlocks?: number;
  /**
   * The number of newest blocks that keep their transactions and logs. Older ones keep only their header. Undefined:
   * all.
   */
  fullBlocks?: number;
  /**
   * With blockTimeSeconds: the node ends itself after this many blocks, with its state saved, so that a supervisor starts
   * it again. Anvil never releases the memory of a block.
   */
  endsAfterBlocks?: number;
  /** The file of the chain's state: loaded at the start if it exists, and saved at a clean stop. */
  statePath?: string;
  /** Seconds between two saves of the state. Undefined: only at a clean stop. */
  stateIntervalSeconds?: number;
  /** BIP-39 words of the funded accounts. Undefined: anvil's own test words. */
  mnemonic?: string;
  /** Number of funded accounts; default 10. */
  accounts?: number;
  /** The largest contract in bytes. Undefined: the limit of Ethereum. */
  codeSizeLimitBytes?: number;
  /** Further arguments of anvil. */
  extraArgs?: readonly string[];
}

/** A real EVM node (anvil), HTTP and WebSocket on one port. Throws PartError. */
export async function startEvm(options: EvmOptions): Promise<RunningPart> {
  const { dataDir, logFile, chainId, readyTimeoutMs } = options;
  const file = anvilBinary();
  await mkdir(dataDir, { recursive: true });
  const node = await startOnPort(`evm-${chainId}`, options.port, (port) => {
    const url = `http://127.0.0.1:${port}`;
    return startServer({
      name: `evm-${chainId}`,
      url,
      port,
      file,
      args: anvilArguments(options, port),
      // The services that start a node have secrets in their environment.
      env: separateEnvironment({ _RJEM_MALLOC_CONF: MALLOC_SETTINGS }),
      cwd: dataDir,
      logFile,
      isReady: async () => Number(await call(url, 'eth_chainId')) === chainId,
      readyTimeoutMs,
    });
  });
  if (options.blockTimeSeconds !== undefined) {
    mineEvery(options.blockTimeSeconds, options, node);
  }
  return node;
}

/**
 * The clock of the chain. Anvil's own (--block-time) raises the limit of --prune-history to 1,500 blocks and
 * writes the rest to disk: half a gigabyte of memory, and several of disk, within the hour.
 */
function mineEvery(
  blockTimeSeconds: number,
  { idleBlockTimeSeconds = blockTimeSeconds, endsAfterBlocks = Infinity }: EvmOptions,
  node: RunningPart,
): void {
  const [blockTimeMs, idleBlockTimeMs] = [blockTimeSeconds * 1_000, idleBlockTimeSeconds * 1_000];
  let isMining = false;
  let firstBlock: number | undefined;
  let minedBlock = 0;
  let minedAtMs = -Infinity;
  let transactionAtMs = -Infinity;
  const step = async (): Promise<void> => {
    const nowMs = performance.now();
    // Anvil mines a block for each transaction, so a block that this clock did not request contains one.
    const block = Number(await call(node.url, 'eth_blockNumber'));
    firstBlock ??= block;
    if (block - firstBlock >= endsAfterBlocks) return node.stop();
    if (block !== minedBlock) {
      transactionAtMs = nowMs;
      minedBlock = block;
      // Every block costs memory here and work in every service.
      return;
    }
    const isIdle = nowMs - transactionAtMs > QUIET_AFTER_MS;
    if (isIdle && nowMs - minedAtMs < idleBlockTimeMs - blockTimeMs / 2) return;
    await call(node.url, 'evm_mine');
    minedBlock = block + 1;
    minedAtMs = nowMs;
  };
  const timer = setInterval(() => {
    if (isMining) return;
    isMining = true;
    // The supervisor notices a node that is down.
    step()
      .catch(() => undefined)
      .finally(() => (isMining = false));
  }, blockTimeMs);
  void node.exited.then(() => clearInterval(timer));
}

/** The command line of anvil. */
export function anvilArguments(options: EvmOptions, port: number): string[] {
  const {
    chainId,
    readableBlocks = DEFAULT_READABLE_BLOCKS,
    fullBlocks,
    statePath,
    stateIntervalSeconds,
    mnemonic,
    accounts,
    codeSizeLimitBytes,
  } = options;
  return [
    '--host=127.0.0.1',
    `--port=${port}`,
    `--chain-id=${chainId}`,
    '--silent',
    '--no-request-size-limit',
    `--prune-history=${readableBlocks}`,
    ...(fullBlocks === undefined ? [] : [`--transaction-block-keeper=${fullBlocks}`]),
    ...(statePath === undefined ? [] : ['--state', statePath]),
    ...(stateIntervalSeconds === undefined ? [] : ['--state-interval', String(stateIntervalSeconds)]),
    ...(mnemonic === undefined ? [] : ['--mnemonic', mnemonic]),
    ...(accounts === undefined ? [] : ['--accounts', String(accounts)]),
    ...(codeSizeLimitBytes === undefined ? [] : ['--code-size-limit', String(codeSizeLimitBytes)]),
    ...(options.extraArgs ?? []),
  ];
}

async function call(url: string, method: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  return ((await response.json()) as { result?: unknown }).result;
}

// The package's own command is a Node wrapper: a kill would end the wrapper and not the server.
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const packageName = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    const binary = path.join(path.dirname(require.resolve(`${packageName}/package.json`)), 'bin/anvil');
    if (existsSync(binary)) return binary;
  } catch {
    // The exit handler below reports it.
  }
  throw new PartError(
    'prerequisite_missing',
    `${packageName} is not installed`,
    'Run `npm ci` with optional dependencies, or set RPC_URL_<chain id> to a running node',
  );
}
