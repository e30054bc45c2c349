import { TIMESTAMP, WEBHOOK_ID } from '../fields';

export const DATA = {
  message: 'This is a test. Nothing happened.',
  webhookId: WEBHOOK_ID,
  timestamp: TIMESTAMP,
};
