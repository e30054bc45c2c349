import { IsString, MaxLength } from 'class-validator';

/** Body of POST /v1/wallets. The address check (form and checksum) is the service's, so that its error says which. */
export class WatchWalletBody {
  @IsString()
  @MaxLength(64)
  address!: string;
}

/** A watched wallet of the account. */
export interface WatchedWallet {
  address: string;
  enabled: boolean;
  createdAt: string;
}

/** Answer of GET /v1/wallets; `limit` is the tier's cap, null without one. */
export interface WatchedWalletList {
  wallets: WatchedWallet[];
  count: number;
  limit: number | null;
  nextCursor: string | null;
}
