import fc from 'fast-check';
import { decodeFunctionData, encodeFunctionResult, parseAbi, type Hex } from 'viem';
import {
  decodeAggregate3,
  decodeAggregate3Calls,
  encodeAggregate3,
  encodeAggregate3Results,
} from './aggregate3';

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);
const bytes = fc
  .uint8Array({ maxLength: 100 })
  .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);

describe('encodeAggregate3', () => {
  it('a general decoder reads the encoded call', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ target: address, data: bytes })), (calls) => {
        const { args } = decodeFunctionData({ abi, data: encodeAggregate3(calls) });
        const back = args[0].map(({ target, allowFailure, callData }) => ({
          target: target.toLowerCase(),
          allowFailure,
          data: callData,
        }));
        expect(back).toEqual(calls.map((call) => ({ ...call, allowFailure: true })));
      }),
    );
  });
});

describe('decodeAggregate3Calls', () => {
  it('reads the encoded call', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ target: address, data: bytes })), (calls) => {
        expect(decodeAggregate3Calls(encodeAggregate3(calls))).toEqual(calls);
      }),
    );
  });
});

describe('encodeAggregate3Results', () => {
  it('encodes as a general encoder', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ success: fc.boolean(), returnData: bytes })), (results) => {
        const expected = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results });
        expect(encodeAggregate3Results(results)).toBe(expected);
      }),
    );
  });
});

describe('decodeAggregate3', () => {
  it('reads the output of a general encoder', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ success: fc.boolean(), returnData: bytes })), (results) => {
        const result = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results });
        expect(decodeAggregate3(result)).toEqual(results);
      }),
    );
  });

  it('throws on a result that is empty or cut off', () => {
    const result = encodeFunctionResult({
      abi,
      functionName: 'aggregate3',
      result: [{ success: true, returnData: '0x0102' }],
    });
    expect(() => decodeAggregate3('0x')).toThrow();
    expect(() => decodeAggregate3(result.slice(0, -64) as Hex)).toThrow();
  });
});
