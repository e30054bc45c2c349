import { AUDIT_ID, Example, Field, TIMESTAMP } from '../fields';

const mark = (what: string, example: string) =>
  Field.Text(`Changes with ${what}. Null: none yet. Compare it only with earlier ones.`, {
    nullable: true,
    example,
  });

/** Response of GET /account/v1/activity: a mark of each list, which differs when the list has something new. */
@Example({
  requests: `${TIMESTAMP} req_01aBcDeFgHiJkLmNoPqRsT`,
  usage: `${TIMESTAMP} 12`,
  keyUses: TIMESTAMP,
  changes: AUDIT_ID,
})
export class AccountActivity {
  @mark('the newest request of the log', `${TIMESTAMP} req_01aBcDeFgHiJkLmNoPqRsT`)
  requests!: string | null;

  @mark('the requests of the newest minute', `${TIMESTAMP} 12`) usage!: string | null;
  @mark('the newest use of a key, to the minute', TIMESTAMP) keyUses!: string | null;
  @mark('the newest entry of the audit log', AUDIT_ID) changes!: string | null;
}
