import type { Address } from 'viem';
import { testWallets } from './local-chain';

/** The wallets of the tests of activities. */
export const [anna, ben, liquidator] = testWallets(3, 0x6000) as [Address, Address, Address];
