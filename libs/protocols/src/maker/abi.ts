import { parseAbi } from 'viem';

/** Debt, collateral and limits of ilks and urns (makerdao/dss). */
export const vatAbi = parseAbi([
  'function ilks(bytes32 ilk) view returns (uint256 art, uint256 rate, uint256 spot, uint256 line, uint256 dust)',
  'function urns(bytes32 ilk, address urn) view returns (uint256 ink, uint256 art)',
]);
/** Stability fees. */
export const jugAbi = parseAbi([
  'function ilks(bytes32 ilk) view returns (uint256 duty, uint256 rho)',
  'function base() view returns (uint256)',
]);
/** Liquidations: the debt of a seized urn times `chop` (wad) is raised from its collateral. */
export const dogAbi = parseAbi([
  'function ilks(bytes32 ilk) view returns (address clip, uint256 chop, uint256 hole, uint256 dirt)',
]);
/** The required ratios, and the price of the debt. */
export const spotAbi = parseAbi([
  'function ilks(bytes32 ilk) view returns (address pip, uint256 mat)',
  'function par() view returns (uint256)',
]);
/** GetCdps, the proxy registry, a proxy, and the ilk registry. */
export const makerAbi = parseAbi([
  'function getCdpsAsc(address manager, address owner) view returns (uint256[] ids, address[] urns, bytes32[] ilks)',
  'function proxies(address owner) view returns (address)',
  'function owner() view returns (address)',
  'function gem(bytes32 ilk) view returns (address)',
  'function list() view returns (bytes32[])',
]);
/** Urn proxies of a CropJoin, by user. */
export const cropperAbi = parseAbi(['function proxy(address user) view returns (address)']);
/** An engine of lockstake (makerdao/lockstake): urns of one ilk, secured by staked MKR or SKY. */
export const engineAbi = parseAbi([
  'function ilk() view returns (bytes32)',
  'function usds() view returns (address)',
  'function ownerUrnsCount(address owner) view returns (uint256)',
  'function ownerUrns(address owner, uint256 index) view returns (address)',
  'function urnOwners(address urn) view returns (address)',
  'function lsmkr() view returns (address)',
  'function lssky() view returns (address)',
  'function totalSupply() view returns (uint256)',
]);
