import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { Problem, newId } from '@plimsoll/contracts';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { Pool } from 'pg';
import {
  ResponseSeal,
  CurrentRequest,
  EventServiceConfig,
  Idempotency,
  type IdempotentRequest,
  bootstrapService,
  createPool,
  idempotencyProviders,
} from '../src';

const SEAL_KEY = Buffer.alloc(32, 7);

/** A minimal seal. Those of services keep several keys. */
@Injectable()
class TestSeal extends ResponseSeal {
  seal(text: string, owner: string) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', SEAL_KEY, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return { keyId: 'test', sealed };
  }

  open({ sealed }: { sealed: Uint8Array }, owner: string): string {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', SEAL_KEY, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
  }
}

class ThingBody {
  @IsString()
  name!: string;

  /** Milliseconds of work before the effect. */
  @IsOptional()
  @IsInt()
  workMs?: number;

  /**
   * The failing step: the request is rejected, the effect fails, or the process is killed before or after the
   * commit.
   */
  @IsOptional()
  @IsIn(['refused', 'failed', 'killed_before', 'killed_after'])
  trouble?: 'refused' | 'failed' | 'killed_before' | 'killed_after';
}

const hasOwnProcess = require.main === module;

/** Runs only in a separate process. The test repeats the same request in its own process. */
async function dieAtOnce(): Promise<void> {
  if (!hasOwnProcess) return;
  process.kill(process.pid, 'SIGKILL');
  await wait(60_000);
}

@Controller('v1/things')
class ThingsController {
  constructor(private readonly idempotency: Idempotency) {}

  @Post()
  async create(
    @CurrentRequest() call: IdempotentRequest,
    @Body() { name, workMs = 0, trouble }: ThingBody,
  ): Promise<{ id: string; name: string }> {
    const thing = await this.idempotency.respond(call, async (commit) => {
      await wait(workMs);
      return commit(async (tx) => {
        const id = newId('req');
        await tx.query('INSERT INTO things (id, name) VALUES ($1, $2)', [id, name]);
        if (trouble === 'refused') throw new Problem('quota_reached', 'There are enough things. Delete one.');
        if (trouble === 'failed') throw new Error('the effect failed');
        if (trouble === 'killed_before') await dieAtOnce();
        return { status: 202, headers: { location: `/v1/things/${id}` }, body: { id, name } };
      });
    });
    if (trouble === 'killed_after') await dieAtOnce();
    return thing;
  }
}

/** A service with one effect, on tables that its test creates. */
@Module({
  controllers: [ThingsController],
  providers: [
    TestSeal,
    ...idempotencyProviders(TestSeal),
    {
      provide: Pool,
      inject: [EventServiceConfig],
      useFactory: (config: EventServiceConfig) => createPool(config.DATABASE_URL, 'public', () => undefined),
    },
  ],
})
export class ThingsModule {}

if (hasOwnProcess) void bootstrapService(ThingsModule, EventServiceConfig);
