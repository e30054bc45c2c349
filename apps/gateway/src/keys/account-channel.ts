/** Redis channel on which the id of a changed account is sent to every gateway process. */
export function accountChannel(keyPrefix: string): string {
  return `${keyPrefix}account-changed`;
}
