import { describeRecordedFamily } from '../../test/describe-recorded-family';

describeRecordedFamily('euler-v2/euler-v2-400-days', ({ evc }) => evc, { isFull: true });
