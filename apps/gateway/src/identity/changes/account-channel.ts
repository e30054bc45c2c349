/** Redis channel that carries the id of a changed account to every gateway process. */
export function accountChannel(keyPrefix: string): string {
  return `${keyPrefix}account-changed`;
}
