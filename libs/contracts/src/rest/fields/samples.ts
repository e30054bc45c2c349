/** Values that examples of several operations share. */
export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const POSITION_ID = 'pos_2q8v0Q9YyqYw1sYk9pS5xM';
export const ALERT_ID = 'alt_01aBcDeFgHiJkLmNoPqRsT';
export const INCIDENT_ID = 'inc_01aBcDeFgHiJkLmNoPqRsT';
export const RULE_ID = 'rule_01aBcDeFgHiJkLmNoPqRsT';
export const EXECUTION_ID = 'exec_01aBcDeFgHiJkLmNoPqRsT';
export const WALLET_GROUP_ID = 'wgr_01aBcDeFgHiJkLmNoPqRsT';
export const WALLET_IMPORT_ID = 'imp_01aBcDeFgHiJkLmNoPqRsT';
export const WEBHOOK_ID = 'wh_01aBcDeFgHiJkLmNoPqRsT';
export const DELIVERY_ID = 'del_01aBcDeFgHiJkLmNoPqRsT';
export const EVENT_ID = 'evt_01aBcDeFgHiJkLmNoPqRsT';
export const TIMESTAMP = '2026-11-21T12:00:00.000Z';
export const ACCOUNT_ID = 'acc_01aBcDeFgHiJkLmNoPqRsT';
export const KEY_ID = 'key_01aBcDeFgHiJkLmNoPqRsT';
export const OTHER_KEY_ID = 'key_02aBcDeFgHiJkLmNoPqRsT';
export const ANSWER_ID = 'ans_01aBcDeFgHiJkLmNoPqRsT';
export const SESSION_ID = 'ses_01aBcDeFgHiJkLmNoPqRsT';
export const AUDIT_ID = 'aud_01aBcDeFgHiJkLmNoPqRsT';
/** Block of the examples about positions. */
export const BLOCK = {
  asOfBlock: { '1': 24_100_207 },
  blockHash: { '1': '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e' },
};
/** The state when everything could be read. */
export const ALL_READ = { unreadable: [], chainStatus: { '1': 'operational' } };
/** Basis of the risk figures of one position. */
export const POSITION_BASIS = {
  positionId: POSITION_ID,
  currentHealthFactor: 1.2375,
  priceTime: TIMESTAMP,
  ...BLOCK,
};
export const HISTORY = {
  historySource: ['coingecko'],
  historyWindow: { from: '2025-11-20', to: '2026-11-20', days: 365 },
};

/** A response without a price trend. */
export const NO_DRIFT = { method: 'none', annualised: { ETH: 0, USDC: 0 } };
