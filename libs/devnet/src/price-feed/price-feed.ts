import { parseAbi, toEventSelector, toFunctionSelector, type Hex } from 'viem';
import { assemble, creationCode } from './assemble';

/**
 * The Chainlink aggregator functions that Aave and price readers use, and the one call that changes the
 * price.
 */
export const priceFeedAbi = parseAbi([
  'function latestAnswer() view returns (int256)',
  'function latestTimestamp() view returns (uint256)',
  'function latestRound() view returns (uint256)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function setAnswer(int256 answer)',
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
]);

/** Decimals of every price: US dollars with 8 decimals, as in Chainlink's USD feeds. */
export const PRICE_DECIMALS = 8;

const selector = (signature: string): Hex => toFunctionSelector(`function ${signature}`);
const branch = (signature: string, name: string): string => `DUP1 ${selector(signature)} EQ @${name} JUMPI`;
const returnSlot = (name: string, slot: string): string =>
  `${name}: ${slot} SLOAD 0x00 MSTORE 0x20 0x00 RETURN`;

/**
 * MockAggregator of `@aave/core-v3` never changes the price from its constructor, but one transaction must
 * move a price. Slots: 0 the price, 1 the round, 2 the time of the last change. Anyone may set it: this
 * contract is for local chains only.
 */
const SOURCE = `
  0x00 CALLDATALOAD 0xe0 SHR
  ${branch('latestAnswer()', 'latestAnswer')}
  ${branch('latestRoundData()', 'latestRoundData')}
  ${branch('latestTimestamp()', 'latestTimestamp')}
  ${branch('latestRound()', 'latestRound')}
  ${branch('decimals()', 'decimals')}
  ${branch('setAnswer(int256)', 'setAnswer')}
  0x00 DUP1 REVERT
  ${returnSlot('latestAnswer', '0x00')}
  ${returnSlot('latestRound', '0x01')}
  ${returnSlot('latestTimestamp', '0x02')}
  decimals: 0x08 0x00 MSTORE 0x20 0x00 RETURN
  latestRoundData:
    0x01 SLOAD DUP1 0x00 MSTORE 0x80 MSTORE     ; roundId and answeredInRound
    0x00 SLOAD 0x20 MSTORE                      ; answer
    0x02 SLOAD DUP1 0x40 MSTORE 0x60 MSTORE     ; startedAt and updatedAt
    0xa0 0x00 RETURN
  setAnswer:
    0x04 CALLDATALOAD DUP1 0x00 SSTORE          ; answer
    0x01 SLOAD 0x01 ADD DUP1 0x01 SSTORE        ; answer round
    TIMESTAMP DUP1 0x02 SSTORE 0x00 MSTORE
    SWAP1 ${toEventSelector('AnswerUpdated(int256,uint256,uint256)')} 0x20 0x00 LOG3
    STOP
`;

/**
 * Creation code of a settable aggregator, assembled from the listing above. Its price is 0 until it is set.
 */
export const priceFeedBytecode: Hex = creationCode(assemble(SOURCE));
