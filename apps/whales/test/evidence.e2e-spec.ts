import { EvidenceRepository } from '../src/clusters/evidence.repository';
import { TrackedWalletsRepository } from '../src/clusters/tracked-wallets.repository';
import { SAMPLE_TOKEN, writeMoves } from './sample-moves';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

let service: ServiceFixture;

beforeAll(async () => {
  service = await ServiceFixture.create([], '');
  await service.start();
});

afterAll(() => service?.close());

describe('moves in the same block', () => {
  it('are the moves that several wallets made in the same way, without those of a single wallet', async () => {
    await writeMoves(service.pool, [
      { wallet: 'alone', block: 1 },
      { wallet: 'twice', block: 2 },
      { wallet: 'twice', block: 2 },
      { wallet: 'one', block: 3 },
      { wallet: 'other', block: 3 },
      { wallet: 'one', block: 3 },
    ]);
    const moves = await service.part(EvidenceRepository).sharedMoves(1);
    expect(moves.map(({ wallet, block }) => `${wallet} ${block}`).sort()).toEqual([
      'one 3',
      'one 3',
      'other 3',
    ]);
    expect(new Set(moves.map(({ meeting }) => meeting))).toEqual(
      new Set([`3|aave-v3|main|supply|${SAMPLE_TOKEN}`]),
    );
  });
});

describe('possible positions of a wallet', () => {
  const [own, neighbour, other] = ['00', '07', '11'].map(
    (end): `0x${string}` => `0x${'3'.repeat(38)}${end}`,
  ) as [`0x${string}`, `0x${string}`, `0x${string}`];
  const subIds = (market: string, filedUnder?: () => `0x${string}`) => {
    const row = { chainId: 1, protocol: 'aave-v3', market };
    return service.part(TrackedWalletsRepository).subIds(row, filedUnder ? { filedUnder } : {}, [own]);
  };

  it('are in the markets of its moves, and from one source of the market', async () => {
    await writeMoves(service.pool, [
      { wallet: own, block: 4, market: 'silos', subId: '1' },
      { wallet: own, block: 5, market: 'silos', subId: '2' },
      { wallet: own, block: 5, market: 'silos', subId: '2' },
      { wallet: neighbour, block: 5, market: 'silos', subId: '3' },
      { wallet: own, block: 5, market: 'others', subId: '4' },
      { wallet: other, block: 5, market: 'silos', subId: '5' },
    ]);
    expect(await subIds('silos')).toEqual(new Map([[own, ['1', '2']]]));
    expect(await subIds('silos#0')).toEqual(new Map([[own, ['1', '2']]]));
    expect(await subIds('silos#1')).toEqual(new Map());
    const filed = await subIds('silos', () => own);
    expect([...(filed.get(own) ?? [])].sort()).toEqual(['1', '2', '3', '5']);
  });
});
