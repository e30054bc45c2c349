import { createClient } from './generated/client';
import {
  getPosition,
  listChains,
  listPositions,
  listRules,
  simulateMonteCarlo,
  simulateWhatIf,
  watchWallet,
} from './generated';

const { PLIMSOLL_URL = '', API_KEY = '', OPEN_KEY = '', LIMITED_KEY = '', WALLET = '' } = process.env;
const clientOf = (key: string) => createClient({ baseUrl: PLIMSOLL_URL, headers: { 'x-api-key': key } });
const client = clientOf(API_KEY);
const print = (...words: readonly unknown[]) => process.stdout.write(`${words.join(' ')}\n`);

async function main(): Promise<void> {
  const chains = await listChains({ client, query: { limit: 2 }, throwOnError: true });
  print('chains', chains.data.count, chains.data.nextCursor !== null);

  const watched = await watchWallet({ client, body: { address: WALLET }, throwOnError: true });
  print('wallet', watched.data.address);

  const { data } = await listPositions({ client, query: { wallet: WALLET }, throwOnError: true });
  const [first] = data.positions;
  if (first === undefined) throw new Error('the wallet has no position');
  print('positions', data.positions.length);

  const position = await getPosition({ client, path: { id: first.id }, throwOnError: true });
  const [asset] = position.data.collateralAssets;
  print('position', position.data.id, asset?.asset);

  const body = { positionId: first.id, scenarios: [{ asset: asset?.asset ?? '', priceChangePercent: -20 }] };
  const whatIf = await simulateWhatIf({ client, body, throwOnError: true });
  print('what-if', whatIf.data.results[0]?.liquidationRisk);

  const invalid = await simulateMonteCarlo({
    client,
    body: { positionId: first.id, iterations: 0, horizonDays: 30 },
  });
  if (invalid.error !== undefined && 'code' in invalid.error && invalid.error.code === 'invalid_request')
    print(invalid.error.status, invalid.error.code, invalid.error.errors?.[0]?.field);

  const wrongKey = await listChains({ client: clientOf('psk_live_wrong') });
  if (wrongKey.error?.code === 'invalid_api_key') print(wrongKey.error.status, wrongKey.error.code);

  const lowTier = await listRules({ client: clientOf(OPEN_KEY) });
  if (lowTier.error?.code === 'tier_required')
    print(lowTier.error.status, lowTier.error.code, lowTier.error.requiredTier);

  const unknown = await getPosition({ client, path: { id: 'pos_0000000000000000000000' } });
  if (unknown.error?.code === 'not_found') print(unknown.error.status, unknown.error.code);

  // A window of the limit may end between two requests.
  for (let request = 0; request < 5; request += 1) {
    const { error } = await listChains({ client: clientOf(LIMITED_KEY) });
    if (error?.code !== 'rate_limited') continue;
    print(error.status, error.code);
    return;
  }
}

void main();
