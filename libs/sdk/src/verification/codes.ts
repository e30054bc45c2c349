/** Each way in which a receipt differs, and what it means. */
export const MEANINGS = {
  not_json: 'The file is no JSON. It was cut off, or is something else.',
  whitespace:
    'The text has whitespace that the canonical form does not have. It was formatted after it was signed.',
  key_order: 'The names of an object are not in canonical order. The receipt was written again by a program.',
  duplicate_key: 'An object has a name twice, so that programs may read different values.',
  number_form: 'A number is not whole, or not in its shortest form.',
  string_form: 'A text is not in the canonical form: an escape, or half a surrogate pair.',
  version_unknown: 'The receipt has a version that this verifier does not know. Update the verifier.',
  schema_invalid: 'A part is missing, unknown or has another form.',
  hash_differs: 'The content was changed after its hash was computed.',
  key_unknown: 'No published key has this id. The receipt is not ours, or the list of keys is old.',
  key_not_yet_valid: 'The receipt states a time of signing before the first use of its key.',
  key_expired: 'The receipt states a time of signing after the end of its key.',
  signature_invalid: 'The signature is not of this hash and time by this key.',
  chain_differs: 'The node is of another chain, or the receipt names another one.',
  block_unknown:
    'The node does not know the block. A reorg removed it, the node is behind, or the hash was changed.',
  block_number_differs: 'The block of this hash has another number.',
  block_timestamp_differs: 'The block of this hash has another time.',
  state_unavailable: 'The node has no state of the block. It pruned it: use an archive node.',
  node_failed: 'The node did not execute a request, so nothing is proved.',
  result_differs: 'The same call at the same block returns something else on this node.',
  call_missing:
    'The formula needs a call that the receipt does not have: its contract or its data was changed.',
  formula_unknown: 'The verifier does not know this formula or version. Update the verifier.',
  contract_missing: 'The receipt names no contract from which the formula could start.',
  input_differs: 'An amount, threshold or mark of an asset is not what the calls give.',
  price_differs: 'A price or its oracle is not what the calls give.',
  output_differs: 'A total or the health factor is not what the formula gives.',
} as const;

export type VerifyCode = keyof typeof MEANINGS;
