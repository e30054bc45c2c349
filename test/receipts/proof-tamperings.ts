import type { VerifyCode } from '@plimsoll/sdk/verify';
import { otherDigit } from './tamperings';

/** A response of a node to eth_getProof. */
interface Proof {
  address: string;
  accountProof: string[];
  balance: string;
  nonce: string;
  codeHash: string;
  storageHash: string;
  storageProof: { key: string; value: string; proof: string[] }[];
}

/** A change of what a node states. */
interface Change {
  proof?: (proof: Proof) => unknown;
  header?: (header: Record<string, string>) => unknown;
  /** A call with another result than the one that the node found. */
  call?: { to: string; data: string; result: string };
  /** The response to eth_getProof in place of its proof. */
  response?: object;
}

const withOtherDigit = (nodes: string[], index: number): void => {
  nodes[index] = otherDigit(nodes.at(index)!);
};
const longest = ({ storageProof }: Proof): Proof['storageProof'][number] =>
  storageProof.reduce((a, b) => (b.proof.length > a.proof.length ? b : a));

export const PROOF_TAMPERINGS: readonly [string, VerifyCode, Change][] = [
  ['no proof', 'proof_unavailable', { response: { error: { code: -32_601, message: 'no such method' } } }],
  ['nothing as a proof', 'proof_invalid', { response: { result: null } }],
  [
    'another root of state',
    'header_differs',
    { header: (header) => void (header['stateRoot'] = otherDigit(header['stateRoot']!)) },
  ],
  [
    'another parent',
    'header_differs',
    { header: (header) => void (header['parentHash'] = otherDigit(header['parentHash']!)) },
  ],
  ['a field that is none', 'header_differs', { header: (header) => void (header['gasUsed'] = 'x') }],
  ['a missing field', 'header_differs', { header: (header) => delete header['logsBloom'] }],
  [
    'the first node of an account',
    'proof_invalid',
    { proof: ({ accountProof }) => withOtherDigit(accountProof, 0) },
  ],
  [
    'the last node of an account',
    'proof_invalid',
    { proof: ({ accountProof }) => withOtherDigit(accountProof, accountProof.length - 1) },
  ],
  ['a missing node of an account', 'proof_invalid', { proof: ({ accountProof }) => accountProof.pop() }],
  ['no nodes of an account', 'proof_invalid', { proof: (proof) => (proof.accountProof = []) }],
  ['a node too many', 'proof_invalid', { proof: ({ accountProof }) => accountProof.push(accountProof[0]!) }],
  ['a node that is no RLP', 'proof_invalid', { proof: ({ accountProof }) => (accountProof[0] = '0x') }],
  ['a balance', 'account_differs', { proof: (proof) => (proof.balance = '0x1') }],
  ['a nonce', 'account_differs', { proof: (proof) => (proof.nonce = '0xff') }],
  ['a code hash', 'account_differs', { proof: (proof) => (proof.codeHash = otherDigit(proof.codeHash)) }],
  [
    'another root of storage',
    'account_differs',
    { proof: (proof) => (proof.storageHash = otherDigit(proof.storageHash)) },
  ],
  ['another account', 'account_differs', { proof: (proof) => (proof.address = otherDigit(proof.address)) }],
  ['no account', 'account_differs', { proof: (proof) => delete (proof as Partial<Proof>).address }],
  [
    'the first node of a slot',
    'proof_invalid',
    { proof: ({ storageProof: [first] }) => withOtherDigit(first!.proof, 0) },
  ],
  [
    'the last node of a slot',
    'proof_invalid',
    { proof: (proof) => withOtherDigit(longest(proof).proof, longest(proof).proof.length - 1) },
  ],
  ['a missing node of a slot', 'proof_invalid', { proof: (proof) => longest(proof).proof.pop() }],
  [
    'the nodes of another slot',
    'proof_invalid',
    { proof: ({ storageProof: [first, second] }) => (first!.proof = second!.proof) },
  ],
  [
    'a value',
    'value_differs',
    { proof: ({ storageProof: [first] }) => (first!.value = otherDigit(first!.value)) },
  ],
  ['a value that is none', 'value_differs', { proof: ({ storageProof: [first] }) => (first!.value = 'x') }],
  [
    'another slot',
    'slot_differs',
    { proof: ({ storageProof: [first] }) => (first!.key = otherDigit(first!.key)) },
  ],
  ['slots in another order', 'slot_differs', { proof: ({ storageProof }) => storageProof.reverse() }],
  ['a missing slot', 'slot_differs', { proof: ({ storageProof }) => storageProof.pop() }],
];

/** Requests the node, and changes what it states. */
export function tamperingFetch({ proof, header, call, response: instead }: Change): typeof fetch {
  return async (url, init) => {
    const { method, params } = JSON.parse(init!.body as string) as {
      method: string;
      params: [{ to: string; data: string }];
    };
    const response = await fetch(url, init);
    const body = (await response.json()) as { result: never };
    if (method === 'eth_getBlockByHash') header?.(body.result);
    if (method === 'eth_call' && params[0].to === call?.to && params[0].data === call.data)
      return Response.json({ ...body, result: call.result });
    if (method !== 'eth_getProof') return Response.json(body);
    proof?.(body.result);
    return Response.json({ jsonrpc: '2.0', id: 1, ...(instead ?? body) });
  };
}
