import { type LogRoot, rootEntry } from '@plimsoll/receipts';
import type { ReceiptKey, VerifyCode } from '@plimsoll/sdk/verify';
import { type Hex, stringToHex } from 'viem';
import type { ChainFixture } from '../../apps/positions/test/chain-fixture';
import { SIGNED_AT, type Signer } from './made-receipts';
import { otherDigit } from './tamperings';

/** A root with the code that verifiers give about its transaction. Null: nothing differs. */
export interface AnchorCase {
  name: string;
  keys: readonly ReceiptKey[];
  root: unknown;
  rpcUrl: string;
  code: VerifyCode | null;
}

/** Whole and tampered roots whose transactions are on a chain. */
export async function anchorCases(
  signer: Signer,
  { rpc, node, endpoint }: Pick<ChainFixture, 'rpc' | 'node' | 'endpoint'>,
): Promise<AnchorCase[]> {
  const [sender] = await rpc<Hex[]>('eth_accounts', []);
  const { chainId } = endpoint;
  const anchored = async (size: number, data?: Hex): Promise<Required<LogRoot>> => {
    const root = signer.signRoot(size, 'ab'.repeat(32), SIGNED_AT);
    const entry = data ?? stringToHex(rootEntry(root));
    const { transactionHash } = await rpc<{ transactionHash: Hex }>('eth_sendTransactionSync', [
      { from: sender, to: sender, data: entry },
    ]);
    return { ...root, anchor: { chainId, transactionHash, account: sender!.toLowerCase() } };
  };
  const root = await anchored(20);
  const { anchor, ...alone } = root;
  const entry = stringToHex(rootEntry(root));
  const common = { keys: [signer.key], rpcUrl: node.url };
  const add = (name: string, code: VerifyCode | null, changed: unknown, over: Partial<AnchorCase> = {}) => {
    return { name: `anchor: ${name}`, ...common, code, root: changed, ...over };
  };
  const withAnchor = (over: Partial<typeof anchor>) => ({ ...root, anchor: { ...anchor, ...over } });
  const other = await anchored(21);
  return [
    add('nothing', null, root),
    add('no transaction', 'anchor_missing', alone),
    add('null for the transaction', 'schema_invalid', { ...root, anchor: null }),
    add('the transaction of another root', 'anchor_differs', { ...root, anchor: other.anchor }),
    add('less data', 'anchor_differs', await anchored(20, entry.slice(0, -2) as Hex)),
    add('more data', 'anchor_differs', await anchored(20, `${entry}00`)),
    add('another sender', 'anchor_differs', withAnchor({ account: otherDigit(anchor.account) })),
    add('a sender in upper case', 'schema_invalid', withAnchor({ account: anchor.account.toUpperCase() })),
    add('an unknown transaction', 'anchor_unknown', withAnchor({ transactionHash: `0x${'1'.repeat(64)}` })),
    add('another chain', 'chain_differs', withAnchor({ chainId: chainId + 1 })),
    add('another size', 'signature_invalid', { ...root, size: 21 }),
    add('a part too many', 'schema_invalid', { ...root, anchor: { ...anchor, note: 1 } }),
    add('an unreachable node', 'node_failed', root, { rpcUrl: 'http://127.0.0.1:1' }),
    add('no keys', 'key_unknown', root, { keys: [] }),
  ];
}
