export { NotCanonical, canonicalJson, parseCanonical, type CanonicalCode, type Json } from './canonical';
export { MerkleTree, isConsistent, isIncluded, type Sha256 } from './merkle';
export {
  signedText,
  wrongPart,
  type FullReceipt,
  type Receipt,
  type ReceiptCall,
  type ReceiptContent,
  type ReceiptInput,
  type ReceiptPrice,
} from './receipt';
