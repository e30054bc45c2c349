/** Values that examples of several operations share. */
export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const POSITION_ID = 'pos_2q8v0Q9YyqYw1sYk9pS5xM';
export const ALERT_ID = 'alt_01aBcDeFgHiJkLmNoPqRsT';
export const INCIDENT_ID = 'inc_01aBcDeFgHiJkLmNoPqRsT';
export const RULE_ID = 'rule_01aBcDeFgHiJkLmNoPqRsT';
export const EXECUTION_ID = 'exec_01aBcDeFgHiJkLmNoPqRsT';
export const WEBHOOK_ID = 'wh_01aBcDeFgHiJkLmNoPqRsT';
export const DELIVERY_ID = 'del_01aBcDeFgHiJkLmNoPqRsT';
export const EVENT_ID = 'evt_01aBcDeFgHiJkLmNoPqRsT';
export const TIMESTAMP = '2026-11-21T12:00:00.000Z';
export const ACCOUNT_ID = 'acc_01aBcDeFgHiJkLmNoPqRsT';
export const KEY_ID = 'key_01aBcDeFgHiJkLmNoPqRsT';
export const OTHER_KEY_ID = 'key_02aBcDeFgHiJkLmNoPqRsT';
export const AUDIT_ID = 'aud_01aBcDeFgHiJkLmNoPqRsT';
