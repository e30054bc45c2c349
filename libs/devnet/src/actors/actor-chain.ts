import {
  type Address,
  type Hex,
  decodeFunctionResult,
  encodeFunctionData,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem';
import { poolAbi, tokenAbi } from '../aave/abis';
import { type DevnetAddresses, devnetAsset } from '../addresses';
import { RefusedAct } from '../evm/refused-act';
import type { AnvilRpc } from '../evm/rpc';
import { type Receipt, TransactionQueue } from '../evm/transaction-queue';
import { readPrices } from '../market/set-price';
import { USD, tokenAmount } from '../seed/amounts';
import { ACTORS, type Actor, EXCHANGE, TREASURIES, funderOf } from './actors';
import type { ActKind, HeldAsset } from './choose-act';

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
const GAS = 650_000n;
const VARIABLE_RATE = 2n;
/** The chain's own coin: a funder's initial balance, and its payment to each wallet. */
const FUNDER_COIN = parseEther('1000');
const WALLET_COIN = parseEther('100');

/** The transaction and block of an act. */
export interface Mined {
  transactionHash: Hex;
  blockNumber: bigint;
}

/** The chain for actors: their balances, and their actions. */
export class ActorChain {
  private isImpersonated = false;

  constructor(
    private readonly rpc: AnvilRpc,
    private readonly addresses: DevnetAddresses,
  ) {}

  /**
   * Enables actors to send, and on a fresh market gives them tokens and gas, by transactions of the owners.
   */
  async prepare(): Promise<void> {
    if (this.isImpersonated) return;
    const senders = [...ACTORS, EXCHANGE, ...TREASURIES.values()].map(({ address }) => address);
    await Promise.all(senders.map((sender) => this.rpc.request('anvil_impersonateAccount', [sender])));
    if (!(await this.isFunded())) await this.fund();
    this.isImpersonated = true;
  }

  /** An actor's holdings in each of its initial assets, at current prices. */
  async assetsOf({ address, endowmentUsd }: Actor): Promise<HeldAsset[]> {
    const prices = await readPrices(this.rpc, this.addresses);
    return Promise.all(
      Object.keys(endowmentUsd).map(async (symbol) => {
        const { address: token, aToken, variableDebtToken, decimals } = devnetAsset(this.addresses, symbol);
        const [wallet, supplied, debt, lendable] = await Promise.all([
          this.balanceOf(token, address),
          this.balanceOf(aToken, address),
          this.balanceOf(variableDebtToken, address),
          this.balanceOf(token, aToken),
        ]);
        const price = Number(prices.get(symbol) ?? 0n) / Number(USD);
        const usd = (raw: bigint): number => (Number(raw) / 10 ** decimals) * price;
        return {
          symbol,
          walletUsd: usd(wallet),
          suppliedUsd: usd(supplied),
          debtUsd: usd(debt),
          poolUsd: usd(lendable),
        };
      }),
    );
  }

  /** Token units for an amount of dollars at the current price. */
  async unitsOf(symbol: string, usd: number): Promise<bigint> {
    const price = (await readPrices(this.rpc, this.addresses)).get(symbol);
    if (!price) throw new Error(`there is no price of ${symbol}`);
    const { decimals } = devnetAsset(this.addresses, symbol);
    return (BigInt(Math.round(usd * Number(USD))) * 10n ** BigInt(decimals)) / price;
  }

  /**
   * Performs one act by one transaction. @param to the receiver of a transferred position @throws RefusedAct
   * when it reverts
   */
  async send(from: Address, kind: ActKind, symbol: string, amount: bigint, to: Address): Promise<Mined> {
    const { pool } = this.addresses;
    const asset = devnetAsset(this.addresses, symbol);
    const call = (functionName: 'supply' | 'borrow' | 'repay' | 'withdraw'): Hex => {
      const token = asset.address;
      switch (functionName) {
        case 'supply':
          return encodeFunctionData({ abi: poolAbi, functionName, args: [token, amount, from, 0] });
        case 'borrow':
          return encodeFunctionData({
            abi: poolAbi,
            functionName,
            args: [token, amount, VARIABLE_RATE, 0, from],
          });
        case 'repay':
          return encodeFunctionData({
            abi: poolAbi,
            functionName,
            args: [token, amount, VARIABLE_RATE, from],
          });
        case 'withdraw':
          return encodeFunctionData({ abi: poolAbi, functionName, args: [token, amount, from] });
      }
    };
    const [target, data] =
      kind === 'transfer'
        ? [asset.aToken, encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })]
        : [pool, call(kind)];
    const receipt = await this.rpc.request<Receipt>('eth_sendTransactionSync', [
      { from, to: target, data, gas: numberToHex(GAS) },
    ]);
    if (receipt.status !== '0x1')
      throw new RefusedAct(
        `${kind} of ${symbol} reverted (${receipt.transactionHash}): it is more than the wallet can do`,
      );
    return { transactionHash: receipt.transactionHash, blockNumber: BigInt(receipt.blockNumber) };
  }

  private async balanceOf(token: Address, account: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] });
    const response = await this.rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest']);
    return decodeFunctionResult({ abi, functionName: 'balanceOf', data: response });
  }

  /** The last step of funding approves the pool for an actor's tokens. */
  private async isFunded(): Promise<boolean> {
    const actor = ACTORS.at(-1)!;
    const symbol = Object.keys(actor.endowmentUsd).at(-1)!;
    const args = [actor.address, this.addresses.pool] as const;
    const data = encodeFunctionData({ abi, functionName: 'allowance', args });
    const to = devnetAsset(this.addresses, symbol).address;
    const response = await this.rpc.request<Hex>('eth_call', [{ to, data }, 'latest']);
    return decodeFunctionResult({ abi, functionName: 'allowance', data: response }) > 0n;
  }

  private async fund(): Promise<void> {
    const { operator, pool } = this.addresses;
    const funders = [...new Set(ACTORS.map(funderOf))];
    await Promise.all(
      funders.map((funder) => this.rpc.request('anvil_setBalance', [funder, numberToHex(FUNDER_COIN)])),
    );
    const endowments = ACTORS.flatMap((actor) =>
      Object.entries(actor.endowmentUsd).map(([symbol, usd]) => ({
        actor,
        token: devnetAsset(this.addresses, symbol).address,
        amount: tokenAmount(symbol, usd * USD),
      })),
    );
    // Transactions of different senders have no order, so those that depend on others are sent a stage later.
    await this.stage([operator], (queue) => {
      for (const { actor, token, amount } of endowments) {
        const args = [funderOf(actor), amount] as const;
        queue.call(
          operator,
          'mint',
          token,
          encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }),
          GAS,
        );
      }
    });
    await this.stage(funders, (queue) => {
      for (const actor of ACTORS) queue.pay(funderOf(actor), 'gas', actor.address, WALLET_COIN);
      for (const { actor, token, amount } of endowments) {
        const data = encodeFunctionData({ abi, functionName: 'transfer', args: [actor.address, amount] });
        queue.call(funderOf(actor), 'fund', token, data, GAS);
      }
    });
    await this.stage(
      ACTORS.map(({ address }) => address),
      (queue) => {
        for (const { actor, token } of endowments) {
          const args = [pool, maxUint256] as const;
          const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args });
          queue.call(actor.address, 'approve', token, data, GAS);
        }
      },
    );
  }

  private async stage(senders: readonly Address[], write: (queue: TransactionQueue) => void): Promise<void> {
    const queue = await TransactionQueue.open(this.rpc, senders);
    write(queue);
    await queue.flush();
  }
}
