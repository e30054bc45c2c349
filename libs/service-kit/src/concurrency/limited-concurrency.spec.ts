import { Controller, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Identity, type Tier, newId } from '@plimsoll/contracts';
import { identityHeaders, testIdentityKeys, waitFor } from '@plimsoll/testing';
import { ServiceConfig } from '../config/service.config';
import { createService } from '../create-service';
import { CurrentIdentity } from '../identity/identity.guard';
import { LimitedConcurrency } from './limited-concurrency';

let inWork = 0;
const started: string[] = [];
const finish: (() => void)[] = [];

function work(): Promise<object> {
  inWork += 1;
  return new Promise((resolve) =>
    finish.push(() => {
      inWork -= 1;
      resolve({ done: true });
    }),
  );
}

@Controller('v1')
class SampleController {
  @Post('scan')
  @LimitedConcurrency('simulations')
  scan() {
    return work();
  }

  @Post('simulate')
  @LimitedConcurrency('simulations')
  simulate() {
    return work();
  }

  @Post('shared')
  @LimitedConcurrency('shared', { total: 2 })
  share(@CurrentIdentity() { accountId }: Identity) {
    started.push(accountId);
    return work();
  }

  @Post('failing')
  @LimitedConcurrency('simulations')
  fail(): never {
    throw new Error('failed');
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('@LimitedConcurrency', () => {
  let app: NestFastifyApplication;
  const config = Object.assign(new ServiceConfig(), {
    LOG_LEVEL: 'silent',
    IDENTITY_KEYS_FOLDER: testIdentityKeys(),
  });

  beforeAll(async () => {
    app = await createService(SampleModule, config);
    await app.init();
  });
  afterAll(() => app.close());

  const call = (accountId: string, path: string, tier: Tier = 'pro') =>
    app
      .inject({
        method: 'POST',
        url: `/v1/${path}`,
        headers: identityHeaders(
          config.IDENTITY_KEYS_FOLDER,
          { service: ServiceConfig.service, method: 'POST', path: `/v1/${path}` },
          accountId,
          { tier },
        ),
      })
      .then(({ statusCode }) => statusCode);
  const finishAll = async (calls: Promise<number>[]): Promise<number[]> => {
    const responses = Promise.all(calls);
    let isOver = false;
    void responses.then(() => (isOver = true));
    await waitFor(
      () => {
        for (const each of finish.splice(0)) each();
        return isOver;
      },
      { message: 'all requests have responses' },
    );
    return responses;
  };

  it.each<[Tier, number]>([
    ['pro', 4],
    ['enterprise', 16],
  ])('%s: runs %i at the same time over all routes of the group; the others wait', async (tier, limit) => {
    const accountId = newId('acc');
    const calls = Array.from({ length: limit + 6 }, (_, at) =>
      call(accountId, at % 2 === 0 ? 'scan' : 'simulate', tier),
    );
    await waitFor(() => inWork >= limit, { message: `${limit} are in work` });
    const stranger = call(newId('acc'), 'scan');
    await waitFor(() => inWork > limit, { message: 'another account is not delayed' });
    expect(inWork).toBe(limit + 1);
    expect(await finishAll([...calls, stranger])).toEqual(Array(limit + 7).fill(201));
  });

  it('gives the accounts fair turns at the slots that they share', async () => {
    const [heavy, light] = [newId('acc'), newId('acc')];
    const calls = Array.from({ length: 4 }, () => call(heavy, 'shared'));
    await waitFor(() => started.length === 2, { message: 'two are in work' });
    calls.push(call(light, 'shared'));
    // The request has to be in the queue before a slot is free.
    await call(newId('acc'), 'failing');
    finish.shift()?.();
    await waitFor(() => started.length === 3, { message: 'a slot is taken again' });
    finish.shift()?.();
    await waitFor(() => started.length === 4, { message: 'a slot is taken again' });
    expect(started.slice(2)).toContain(light);
    expect(await finishAll(calls)).toEqual(Array(5).fill(201));
  });

  it('releases the slot of a request that fails', async () => {
    const accountId = newId('acc');
    for (let i = 0; i < 6; i += 1) expect(await call(accountId, 'failing')).toBe(500);
  });
});
