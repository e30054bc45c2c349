import { type WhaleV1, newId } from '@plimsoll/contracts';

const HASH = `0x${'1'.repeat(64)}`;

/** A withdrawal of 500 WETH by a wallet just now, as whale.v1 carries it. */
export function sampleMove(wallet: string, over: Partial<WhaleV1> = {}): WhaleV1 {
  return {
    activityId: newId('act'),
    status: 'observed',
    wallet,
    counterparty: null,
    action: 'withdraw',
    protocol: 'aave-v3',
    chainId: 1,
    market: 'AaveV3Local',
    asset: 'WETH',
    assetAddress: `0x${'e'.repeat(40)}`,
    amount: 500,
    amountRaw: '500000000000000000000',
    decimals: 18,
    usdValue: 1_500_000,
    priceBasis: 'block',
    block: 10,
    blockHash: HASH,
    transactionHash: HASH,
    logIndex: 1,
    timestamp: new Date().toISOString(),
    ...over,
  };
}
