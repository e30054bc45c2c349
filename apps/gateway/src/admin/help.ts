export const HELP = `Accounts and API keys of Plimsoll.

usage: npm run admin -- <command> [options]

  accounts create --email E --tier T [--per-minute N]   a new account
  accounts set-tier (--email E | --id acc_…) --tier T [--per-minute N]
                                                        another tier; N is for enterprise alone
  accounts reset-password (--email E | --id acc_…)      a new password, shown this once; all sessions end
  keys create --account acc_… [--name N] [--scopes a,b] [--expires-at ISO] [--demo]
                                                        a new key; it is shown this once
  keys list [--account acc_…]                           keys, newest first
  keys revoke --id key_…                                the key stops working within a second
  keys rotate --id key_… [--overlap-hours N]            a key in its place; the old one works N hours more (24)
  ensure-demo --tier T --email E --key psk_demo_… [--per-minute N]
                                                        that account with that key; again changes nothing

Tiers: open, pro, business, enterprise. Without --scopes a key has all of them.
Answers are JSON on standard output, errors are on standard error.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 78 wrong configuration.
Configuration: DATABASE_URL, REDIS_URL, REDIS_KEY_PREFIX.
`;
