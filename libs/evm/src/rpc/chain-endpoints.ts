import { splitUrls } from './chain-client';

/** The addresses of one chain's node. */
export interface ChainEndpoint {
  chainId: number;
  /** One address, or several with commas between, in order of preference. */
  rpcUrl: string;
  wsUrl?: string | undefined;
  /** The number of its nodes that must agree. Undefined: one is enough. */
  quorum?: number | undefined;
}

/**
 * The chains in the environment. `problem` is the first error, without the address, which may contain a key.
 */
export interface ChainEndpoints {
  chains: ChainEndpoint[];
  problem: string | null;
}

const NAME = /^RPC_(URL|WS_URL|QUORUM)_(.*)$/;
const ADDRESS_NAME = /^RPC_(WS_)?URL_\d+$/;
const COUNT = /^[1-9]\d?$/;
const CHAIN_ID = /^[1-9]\d{0,9}$/;

/**
 * The chains named by RPC_URL_<chainId>, RPC_WS_URL_<chainId> and RPC_QUORUM_<chainId>, by ascending id. Empty variables count as absent.
 * @param options `required: false` for a service that can do without any chain
 */
export function parseChainEndpoints(
  env: Readonly<Record<string, string | undefined>>,
  { required = true }: { required?: boolean } = {},
): ChainEndpoints {
  const http = new Map<number, string>();
  const ws = new Map<number, string>();
  const quorums = new Map<number, number>();
  for (const [name, url] of Object.entries(env)) {
    const match = NAME.exec(name);
    if (!match || !url) continue;
    const [, kind, id = ''] = match;
    if (!CHAIN_ID.test(id)) return wrong(`${name} must end with a chain id, as in RPC_URL_1`);
    if (kind === 'QUORUM') {
      if (!COUNT.test(url)) return wrong(`${name} must be a number of nodes, as in 2`);
      quorums.set(Number(id), Number(url));
      continue;
    }
    const isWs = kind === 'WS_URL';
    const scheme = isWs ? 'ws' : 'http';
    const urls = isWs ? [url] : splitUrls(url);
    if (urls.length === 0 || !urls.every((each) => hasScheme(each, scheme)))
      return wrong(`${name} must be a ${scheme}:// or ${scheme}s:// address`);
    (isWs ? ws : http).set(Number(id), url);
  }
  const orphan = [...ws.keys()].find((id) => !http.has(id));
  if (orphan !== undefined) return wrong(`RPC_WS_URL_${orphan} needs RPC_URL_${orphan} beside it`);
  for (const [id, quorum] of quorums) {
    const nodes = splitUrls(http.get(id) ?? '').length;
    // With half of the nodes, two results could both have as many.
    if (quorum > nodes || quorum * 2 <= nodes)
      return wrong(
        `RPC_QUORUM_${id} must be more than half of the ${nodes} nodes in RPC_URL_${id}, and at most all of them`,
      );
  }
  if (required && http.size === 0)
    return wrong('RPC_URL_<chainId> must name at least one node, as in RPC_URL_1');
  const chains = [...http].map(([chainId, rpcUrl]) => ({
    chainId,
    rpcUrl,
    wsUrl: ws.get(chainId),
    ...(quorums.has(chainId) && { quorum: quorums.get(chainId) }),
  }));
  return { chains: chains.sort((a, b) => a.chainId - b.chainId), problem: null };
}

/** Whether a variable has the address of a node, which often contains a key. */
export const isNodeAddressVariable = (name: string): boolean => ADDRESS_NAME.test(name);

/**
 * For class-validator's ValidateBy on a config field that parseChainEndpoints fills. The problem is the
 * message.
 */
export const CHAIN_ENDPOINTS_VALIDATION = {
  name: 'isChainEndpoints',
  validator: {
    validate: (value: unknown): boolean => isChainEndpoints(value) && value.problem === null,
    defaultMessage: (context?: { value: unknown }): string =>
      isChainEndpoints(context?.value) && context.value.problem !== null
        ? context.value.problem
        : 'is no variable by itself: set RPC_URL_<chainId>',
  },
};

function isChainEndpoints(value: unknown): value is ChainEndpoints {
  return typeof value === 'object' && value !== null && 'chains' in value && 'problem' in value;
}

function wrong(problem: string): ChainEndpoints {
  return { chains: [], problem };
}

function hasScheme(text: string, scheme: 'http' | 'ws'): boolean {
  return URL.canParse(text) && new RegExp(`^${scheme}s?:$`).test(new URL(text).protocol);
}
