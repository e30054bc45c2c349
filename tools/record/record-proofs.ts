import type { ChainClient, ChainRecording, MarketRow } from '@plimsoll/evm';
import type { RawPosition } from '@plimsoll/protocols';
import { LAYOUTS, type ReadStorage, addressText, wordDigits, wordReader } from '@plimsoll/protocols/math';
import { type Address, type Hex, isAddress, keccak256 } from 'viem';

/**
 * Reads what contracts store of positions, with proofs. The client records them.
 * @throws when no layout of the family is known
 */
export async function recordProofs(
  { family, contracts }: MarketRow,
  positions: readonly RawPosition[],
  chain: ChainRecording,
  client: ChainClient,
): Promise<void> {
  const layout = LAYOUTS[family];
  if (!layout) throw new Error(`the family ${family} has no layout: add it to layouts-math.ts`);
  const addresses = Object.entries(contracts).filter(
    (entry): entry is [string, Address] => typeof entry[1] === 'string' && isAddress(entry[1]),
  );
  const read = wordReader((to, data) => {
    const result = chain.resultOf({ to: to as Address, data: data as Hex });
    return result && (result.ok ? result.data : null);
  });
  const storage = storageAt(client, chain.block.number);
  for (const { wallet, subId } of positions) {
    const market = {
      contracts: Object.fromEntries(addresses.map(([name, address]) => [name, BigInt(address)])),
      wallet: BigInt(wallet),
      subId,
      timestamp: BigInt(chain.block.timestamp),
    };
    await layout(market, storage, read);
  }
}

function storageAt(client: ChainClient, block: Hex): ReadStorage {
  return {
    async words(contract, slots) {
      const keys = slots.map((slot) => `0x${wordDigits([slot])}`);
      const params = [addressText(contract), keys, block];
      const { storageProof } = await client.request<{ storageProof: { value: Hex }[] }>(
        'eth_getProof',
        params,
      );
      return storageProof.map(({ value }) => BigInt(value));
    },
    slotOf: (mapping, ...keys) =>
      keys.reduce((slot, key) => BigInt(keccak256(`0x${wordDigits([key, slot])}`)), mapping),
  };
}
