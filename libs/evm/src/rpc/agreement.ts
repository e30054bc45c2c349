import { hexToBigInt, type Hex } from 'viem';
import { ChainReadError } from './chain-read-error';
import { LIMIT_EXCEEDED, rejectionOf } from './rpc-error';
import { isLatest, type RpcNode } from './rpc-node';

/** The methods that a reading consists of. The others, such as sending a transaction, have no result to compare. */
const READS = new Set([
  'eth_call',
  'eth_getLogs',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getCode',
]);

/** The nodes of one chain, of which some must return the same. */
export interface NodeQuorum {
  chainId: number;
  nodes: readonly RpcNode[];
  /** The number of nodes that must agree. */
  quorum: number;
  /** Whether the node is one of this chain. @throws viem's errors */
  admits(node: RpcNode): Promise<boolean>;
}

/** Whether the nodes must agree on the result of a request. */
export function needsAgreement(method: string): boolean {
  return READS.has(method);
}

/**
 * Sends a request to all nodes, and returns the result that as many as the quorum returned. The newest block is the
 * highest that as many nodes have, because nodes do not receive it at the same time.
 * @throws ChainReadError nodes_disagree when they return different results; rpc_rejected when they agree that the request
 *   fails; rpc_unavailable when too few respond
 */
export async function agreedResult(
  group: NodeQuorum,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  if (!isLatest(method, params)) return vote(group, method, params);
  const { nodes, quorum } = group;
  const heads = (await Promise.allSettled(nodes.map((node) => headOf(group, node))))
    .flatMap((head) => (head.status === 'fulfilled' && head.value !== null ? [head.value] : []))
    .toSorted((a, b) => (a < b ? 1 : -1));
  const newest = heads[quorum - 1];
  if (newest === undefined) throw tooFew(group, method, heads.length);
  return vote(group, method, [`0x${newest.toString(16)}`, ...params.slice(1)]);
}

async function headOf({ admits }: NodeQuorum, node: RpcNode): Promise<bigint | null> {
  if (!(await admits(node))) return null;
  const block = (await node.send('eth_getBlockByNumber', ['latest', false])) as { number?: Hex } | null;
  return block?.number === undefined ? null : hexToBigInt(block.number);
}

/** The response of one node. Without a key it has no vote: the node did not respond, or lacks the block. */
interface NodeResponse {
  key: string | null;
  outcome: () => unknown;
}

async function vote(group: NodeQuorum, method: string, params: readonly unknown[]): Promise<unknown> {
  const { nodes, quorum, chainId } = group;
  const votes = new Map<string, number>();
  const responses = nodes.map((node) => responseOf(group, node, method, params));
  return new Promise((resolve, reject) => {
    let open = responses.length;
    for (const pending of responses)
      void pending.then(({ key, outcome }) => {
        open -= 1;
        if (key !== null) {
          const count = (votes.get(key) ?? 0) + 1;
          votes.set(key, count);
          if (count === quorum) return resolve(Promise.resolve().then(outcome));
        }
        if (open > 0) return;
        const responded = [...votes.values()].reduce((sum, count) => sum + count, 0);
        if (responded < quorum || votes.size < 2) return reject(tooFew(group, method, responded));
        const message = `the nodes of chain ${chainId} disagree on ${method}: no ${quorum} of ${nodes.length} returned the same; compare the nodes of RPC_URL_${chainId}`;
        reject(new ChainReadError('nodes_disagree', chainId, message));
      });
  });
}

/** Never rejects. */
async function responseOf(
  { admits, chainId }: NodeQuorum,
  node: RpcNode,
  method: string,
  params: readonly unknown[],
): Promise<NodeResponse> {
  try {
    if (!(await admits(node))) return NO_VOTE;
    const result = await node.send(method, params);
    return result === null ? NO_VOTE : { key: keyOf(method, result), outcome: () => result };
  } catch (cause) {
    const rejection = rejectionOf(cause);
    if (rejection === null || rejection.code === LIMIT_EXCEEDED) return NO_VOTE;
    const message = `the nodes of chain ${chainId} rejected ${method}`;
    return {
      key: `error ${rejection.code} ${JSON.stringify(rejection.data)}`,
      outcome: () => {
        throw new ChainReadError('rpc_rejected', chainId, message, { cause });
      },
    };
  }
}

const NO_VOTE: NodeResponse = { key: null, outcome: () => undefined };

/** The part of a result that must be equal. Nodes differ in further fields; a block's hash covers all of its header. */
function keyOf(method: string, result: unknown): string {
  if (method.startsWith('eth_getBlock')) return String((result as { hash: Hex }).hash).toLowerCase();
  if (method !== 'eth_getLogs') return JSON.stringify(result).toLowerCase();
  const logs = (result as Record<string, unknown>[]).map(
    ({ address, topics, data, blockNumber, blockHash, transactionHash, logIndex }) => {
      return [address, topics, data, blockNumber, blockHash, transactionHash, logIndex];
    },
  );
  return JSON.stringify(logs).toLowerCase();
}

function tooFew({ chainId, quorum, nodes }: NodeQuorum, method: string, responded: number): ChainReadError {
  const message = `${responded} of ${nodes.length} nodes of chain ${chainId} responded to ${method}, and ${quorum} must agree: check RPC_URL_${chainId} and RPC_QUORUM_${chainId}`;
  return new ChainReadError('rpc_unavailable', chainId, message);
}
