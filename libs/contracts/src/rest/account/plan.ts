import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { TIERS, type Tier } from '../../tiers';
import { Example, Field, TIMESTAMP } from '../fields';

/** Body of POST /account/v1/plan. */
@Example({ tier: 'business' })
export class RequestPlanBody {
  @JSONSchema({ description: 'The tier that the account should have.' })
  @IsIn(TIERS)
  tier!: Tier;
}

class PlanRequest {
  @Field.Word(TIERS, 'The requested tier.') tier!: Tier;
  @Field.Timestamp('When it was requested.') requestedAt!: string;
}

/** Response of GET, POST and DELETE /account/v1/plan. */
@Example({ tier: 'pro', requested: { tier: 'business', requestedAt: TIMESTAMP } })
export class PlanInfo {
  @Field.Word(TIERS, 'Tier of the account.') tier!: Tier;

  @Field.Object(() => PlanRequest, 'The change that waits for the operator. Null: none.', { nullable: true })
  requested!: PlanRequest | null;
}
