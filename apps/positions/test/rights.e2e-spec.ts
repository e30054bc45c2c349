import { ENDPOINTS } from '@plimsoll/access';
import { type Identity, type ProblemBody, SCOPES, TIERS } from '@plimsoll/contracts';
import { ServiceFixture, identityOf } from './service-fixture';

const OWN = ENDPOINTS.filter(({ service }) => service === 'positions');

describe('the rights of a signed identity, at the service itself', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    await service.start();
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  async function outcome(method: string, path: string, over: Partial<Identity>): Promise<string> {
    const url = path.replace(/:\w+/, 'pos_0000000000000000000000000000');
    const { status, body } = await service.call<ProblemBody>(
      method as 'GET' | 'POST' | 'DELETE',
      url,
      { ...identityOf('enterprise'), scopes: SCOPES, ...over },
      method === 'POST' ? {} : undefined,
    );
    return `${status} ${body.code}`;
  }

  it.each(OWN.filter(({ tier }) => tier !== 'open').map((row) => [row.method, row.path, row.tier] as const))(
    'refuses %s %s below the tier %s',
    async (method, path, needed) => {
      const below = TIERS[TIERS.indexOf(needed) - 1]!;
      expect(await outcome(method, path, { tier: below })).toBe('403 tier_required');
    },
  );

  it.each(OWN.filter(({ scope }) => scope !== null).map((row) => [row.method, row.path, row.scope] as const))(
    'refuses %s %s without the scope %s',
    async (method, path, needed) => {
      const scopes = SCOPES.filter((scope) => scope !== needed);
      expect(await outcome(method, path, { scopes })).toBe('403 scope_required');
    },
  );
});
