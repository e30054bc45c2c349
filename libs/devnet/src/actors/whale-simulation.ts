import { formatUnits, parseUnits } from 'viem';
import { assetListing, marketSymbol } from '../aave/assets';
import { type DevnetAddresses, devnetAsset } from '../addresses';
import { connectAnvil } from '../evm/rpc';
import { PacedSimulation } from '../market/paced-simulation';
import { type Random, seededRandom } from '../market/random';
import { ActorChain } from './actor-chain';
import { ACTORS, type Actor, actorNamed } from './actors';
import { type ActKind, type ChosenAct, type HeldAsset, chooseAct, followAct } from './choose-act';

/** Settings of the actors. Only the chain and the seed are required. */
export interface WhaleSimulationOptions {
  rpcUrl: string;
  addresses: DevnetAddresses;
  seed: number;
  /** Real time between two acts on this chain. */
  intervalMs?: number;
  /** Called with the error of an act that failed. The next act follows at its usual time. */
  onError?: (error: unknown) => void;
}

/** An act that is in a block. */
export interface CompletedAct {
  name: string;
  wallet: string;
  kind: ActKind;
  symbol: string;
  /** In whole tokens, exact. */
  amount: string;
  transactionHash: string;
  blockNumber: number;
}

/** An actor with its holdings. */
export interface ActorView extends Pick<Actor, 'name' | 'role' | 'family'> {
  wallet: string;
  assets: HeldAsset[];
}

const DEFAULT_INTERVAL_MS = 6_000;
/** The probability that the wallets of a family repeat an act of one of them. */
const FOLLOW_SHARE = 0.6;
/** Dollars are doubles, so the rounding must not exceed a wallet's complete balance by a unit. */
const ROUNDING = 0.999_999;
/** The longest backlog of acts. A family has two followers at most. */
const MOST_WAITING = 8;

/**
 * Lets whales and market makers act on a local market, one act at a time, each a transaction of its wallet.
 * The chain holds the state: every act starts from the wallet's current holdings, so that a restart continues
 * from them.
 */
export class WhaleSimulation extends PacedSimulation {
  private readonly chain: ActorChain;
  private readonly random: Random;
  private readonly waiting: { actor: Actor; act: ChosenAct }[] = [];

  constructor(private readonly options: WhaleSimulationOptions) {
    const { intervalMs = DEFAULT_INTERVAL_MS, onError } = options;
    super({ intervalMs, onError });
    this.chain = new ActorChain(connectAnvil(options.rpcUrl), options.addresses);
    this.random = seededRandom(options.seed);
  }

  /** Performs one act of one of them now. Null: the selected wallet could do nothing. */
  step(): Promise<CompletedAct | null> {
    return this.inTurn(() => this.next());
  }

  /** Makes an actor perform an act. @param amount in whole tokens @throws when the wallet cannot */
  act(name: string, kind: ActKind, amount: string, symbol: string): Promise<CompletedAct> {
    return this.inTurn(() => {
      const { symbol: listed, decimals } = assetListing(symbol);
      return this.send(actorNamed(name), kind, listed, parseUnits(amount, decimals));
    });
  }

  /** Lists every actor with its holdings. */
  async list(): Promise<ActorView[]> {
    await this.inTurn(() => this.chain.prepare());
    return Promise.all(
      ACTORS.map(async (actor) => {
        const { name, role, family, address } = actor;
        return { name, role, family, wallet: address, assets: await this.chain.assetsOf(actor) };
      }),
    );
  }

  private async next(): Promise<CompletedAct | null> {
    await this.chain.prepare();
    const waiting = this.waiting.shift();
    const actor = waiting?.actor ?? ACTORS[Math.floor(this.random() * ACTORS.length)]!;
    const assets = await this.chain.assetsOf(actor);
    const act = waiting
      ? followAct(assets, waiting.act)
      : chooseAct(assets, actor.family !== null, this.random);
    if (!act) return null;
    const done = await this.send(
      actor,
      act.kind,
      act.symbol,
      await this.chain.unitsOf(act.symbol, act.usd * ROUNDING),
    );
    if (!waiting) this.callFamily(actor, act);
    return done;
  }

  private callFamily(actor: Actor, act: ChosenAct): void {
    if (actor.family === null || act.kind === 'transfer' || this.random() >= FOLLOW_SHARE) return;
    for (const sibling of siblingsOf(actor))
      if (this.waiting.length < MOST_WAITING) this.waiting.push({ actor: sibling, act });
  }

  private async send(actor: Actor, kind: ActKind, symbol: string, amount: bigint): Promise<CompletedAct> {
    await this.chain.prepare();
    const { name, address } = actor;
    const [sibling] = siblingsOf(actor);
    if (kind === 'transfer' && !sibling)
      throw new Error(`${name} has no family to transfer to: let a whale with a family do it`);
    const { decimals } = devnetAsset(this.options.addresses, marketSymbol(symbol));
    const mined = await this.chain.send(address, kind, symbol, amount, sibling?.address ?? address);
    return {
      name,
      wallet: address,
      kind,
      symbol,
      amount: formatUnits(amount, decimals),
      transactionHash: mined.transactionHash,
      blockNumber: Number(mined.blockNumber),
    };
  }
}

/** The other wallets of the family, the next one first. */
function siblingsOf(actor: Actor): Actor[] {
  if (actor.family === null) return [];
  const family = ACTORS.filter(({ family: name }) => name === actor.family);
  const at = family.indexOf(actor);
  return [...family.slice(at + 1), ...family.slice(0, at)];
}
