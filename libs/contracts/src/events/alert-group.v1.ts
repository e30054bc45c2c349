import { Type, type Static } from '@sinclair/typebox';
import { AlertGroup } from '../alert-group';
import { defineEvent } from './define-event';
import { RecordId } from './fields';

/** One cause opened two or more alerts of an account, or made them worse. Published once for each group. */
const AlertGroupV1Schema = Type.Composite([Type.Object({ accountId: RecordId('acc') }), AlertGroup]);

export type AlertGroupV1 = Static<typeof AlertGroupV1Schema>;

export const alertGroupV1 = defineEvent({
  topic: 'alert-group.v1',
  schema: AlertGroupV1Schema,
  compacted: false,
  keyOf: (value) => value.accountId,
});
