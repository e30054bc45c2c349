import { CLIENT_CHECKS } from './clients.checks';
import { HASH_CHECKS } from './hashes.checks';
import { KEY_CHECKS } from './keys.checks';
import { SCRIPT_CHECKS } from './scripts.checks';
import { SORTED_SET_CHECKS } from './sorted-sets.checks';
import { STRING_CHECKS } from './strings.checks';

export const REDIS_CHECKS = [
  ...STRING_CHECKS,
  ...HASH_CHECKS,
  ...SORTED_SET_CHECKS,
  ...KEY_CHECKS,
  ...SCRIPT_CHECKS,
  ...CLIENT_CHECKS,
] as const;
