import { Get } from '@nestjs/common';
import { AccountActivity } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { AccountRoutes, ActivityGuard, CurrentSession, type Session } from '../identity';
import { Activity } from './activity';

@AccountRoutes('account/v1/activity', ActivityGuard)
export class ActivityController {
  constructor(private readonly activity: Activity) {}

  @Get()
  @Documented({
    operationId: 'getAccountActivity',
    tag: 'Account',
    signedIn: true,
    summary: 'Whether something is new',
    description:
      'A mark of each list of the account. A page that shows a list reads it again when its mark differs. The sessions of an account may send 120 of these requests a minute, beside all others. A long request may appear in the log without a new mark.',
    responses: [{ status: 200, description: 'The marks.', schema: AccountActivity }],
  })
  show(@CurrentSession() { accountId }: Session): Promise<AccountActivity> {
    return this.activity.of(accountId);
  }
}
