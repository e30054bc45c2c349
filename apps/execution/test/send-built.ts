import type { PermitAlternative, UnsignedTransaction } from '@plimsoll/contracts';
import { createWalletClient, defineChain, http, parseSignature, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { LocalMarket } from './local-market';

const chainOf = ({ endpoint }: LocalMarket) =>
  defineChain({
    id: endpoint.chainId,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [endpoint.rpcUrl] } },
  });

/**
 * Signs and sends transactions in order, as any wallet would.
 * @throws when one reverts
 */
export async function sendBuilt(
  market: LocalMarket,
  privateKey: Hex,
  transactions: readonly UnsignedTransaction[],
): Promise<void> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: chainOf(market),
    transport: http(market.endpoint.rpcUrl),
  });
  for (const { description, to, data, value, gas } of transactions) {
    const request = await wallet.prepareTransactionRequest({
      to: to as Hex,
      data: data as Hex,
      value: BigInt(value),
      gas: BigInt(gas),
    });
    const signed = await wallet.signTransaction(request);
    const receipt = await market.rpc.request<{ status: Hex }>('eth_sendRawTransactionSync', [signed]);
    if (receipt.status !== '0x1') throw new Error(`"${description}" reverted`);
  }
}

/** Returns the transactions with the signed permit in place of those that it replaces. */
export async function withPermit(
  privateKey: Hex,
  transactions: readonly UnsignedTransaction[],
  permit: PermitAlternative,
): Promise<UnsignedTransaction[]> {
  const { domain, types, primaryType, message } = permit.typedData;
  const signature = parseSignature(
    await privateKeyToAccount(privateKey).signTypedData({ domain, types, primaryType, message } as never),
  );
  const data = Buffer.from(permit.transaction.data.slice(2), 'hex');
  const write = (word: Hex, at: number): void => void Buffer.from(word.slice(2), 'hex').copy(data, at);
  write(`0x${(signature.yParity + 27).toString(16).padStart(64, '0')}`, permit.signatureAt.v);
  write(signature.r, permit.signatureAt.r);
  write(signature.s, permit.signatureAt.s);
  const kept = transactions.filter((_, index) => !permit.replaces.includes(index));
  return [{ ...permit.transaction, data: `0x${data.toString('hex')}` }, ...kept];
}
