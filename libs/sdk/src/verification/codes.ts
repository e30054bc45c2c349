/** Each way in which a receipt differs, and what it means. */
export const MEANINGS = {
  not_json: 'The file is no JSON. It was cut off, or is something else.',
  whitespace:
    'The text has whitespace that the canonical form does not have. It was formatted after it was signed.',
  key_order: 'The names of an object are not in canonical order. The receipt was written again by a program.',
  duplicate_key: 'An object has a name twice, so that programs may read different values.',
  number_form: 'A number is not whole, or not in its shortest form.',
  string_form: 'A text is not in the canonical form: an escape, or half a surrogate pair.',
  version_unknown: 'The receipt has a version that this verifier does not know.',
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
  state_unavailable: 'The node has no state of the block. It pruned it.',
  node_failed: 'The node did not execute a request, so nothing is proved.',
  result_differs: 'The same call at the same block returns something else on this node.',
  call_missing:
    'The formula needs a call that the receipt does not have, or that has no such result: its contract or its data was changed.',
  formula_unknown: 'The verifier does not know this formula or version.',
  contract_missing: 'The receipt names no contract from which the formula could start.',
  input_differs: 'An amount, threshold or mark of an asset is not what the calls give.',
  price_differs: 'A price or its oracle is not what the calls give.',
  output_differs: 'A total or the health factor is not what the formula gives.',
  liquidation_price_differs: 'A liquidation price is not what inputs, prices and health factor give.',
  data_differs: 'The prices beside a simulation are not those whose hash was signed.',
  model_unknown: 'The verifier has another version of the model, which may give other bits.',
  level_differs: 'A level is not that of its health factor and probability.',
  order_differs: 'The block of the reading before is not before the block of the reading after.',
  rerun_differs: 'The rerun of a simulation with its seed, parameters and prices gives another result.',
  forecast_time_differs:
    'The end of a forecast is not its time and horizon, or it was not signed between both: a forecast could be made after its outcome.',
  probability_invalid: 'A probability is above 1, or there is no forecast.',
  proof_unavailable: 'The node states no proofs of storage at this block.',
  header_differs:
    'The fields of the block do not have its hash. The node changed one, or the chain has fields that the verifier does not know.',
  proof_invalid: 'A node of a proof is missing, left over, or does not have the hash that leads to it.',
  account_differs: 'The node states another account than the one that its proof has.',
  slot_differs: 'The node proves another slot of storage than the one that was requested.',
  value_differs: 'The node states another word of storage than the one that its proof has.',
  storage_differs: 'The result of a call is not what the storage of its contract gives.',
  not_included:
    'The proof does not lead from the receipt to the root, so it does not show that the log has it.',
  logged_late: 'The log has the forecast in no root before its end, so it could be made after its outcome.',
  anchor_missing:
    'The root names no transaction. It is in no block yet, or its operator writes no roots on a chain.',
  anchor_unknown:
    'The node has no block with the transaction. It is behind, a reorg removed it, or it was never sent.',
  anchor_differs: 'The transaction has other data than the root and its signature, or another sender.',
  not_consistent: 'The proof does not show that the later log begins with the earlier one.',
} as const;

export type VerifyCode = keyof typeof MEANINGS;

const REQUEST_AGAIN = 'Request the receipt again, and save the response byte by byte.';
const SIGNER_WRONG =
  'The signer stated this, so do not rely on the receipt. Send it to the operator of the service.';
const OTHER_NODE = 'Verify again with another node. If it differs there too, do not rely on the receipt.';
const UPDATE = 'Update the verifier.';

/** The next step of the user after each difference. */
export const NEXT_STEPS: Readonly<Record<VerifyCode, string>> = {
  not_json: REQUEST_AGAIN,
  whitespace: REQUEST_AGAIN,
  key_order: REQUEST_AGAIN,
  duplicate_key: REQUEST_AGAIN,
  number_form: REQUEST_AGAIN,
  string_form: REQUEST_AGAIN,
  version_unknown: UPDATE,
  schema_invalid: REQUEST_AGAIN,
  hash_differs: REQUEST_AGAIN,
  key_unknown: 'Read the keys of the server that made the receipt.',
  key_not_yet_valid: SIGNER_WRONG,
  key_expired: SIGNER_WRONG,
  signature_invalid: REQUEST_AGAIN,
  chain_differs: 'Use a node of the chain that the receipt names.',
  block_unknown:
    'Wait until the node has the block, or use another node. After a reorg, request a new receipt.',
  block_number_differs: SIGNER_WRONG,
  block_timestamp_differs: SIGNER_WRONG,
  state_unavailable: 'Use an archive node.',
  node_failed: 'Check the URL of the node, or use another node.',
  result_differs: OTHER_NODE,
  call_missing: SIGNER_WRONG,
  formula_unknown: UPDATE,
  contract_missing: SIGNER_WRONG,
  input_differs: SIGNER_WRONG,
  price_differs: SIGNER_WRONG,
  output_differs: SIGNER_WRONG,
  liquidation_price_differs: SIGNER_WRONG,
  data_differs: REQUEST_AGAIN,
  model_unknown: 'Use the verifier of the release that the receipt names as build.',
  level_differs: SIGNER_WRONG,
  order_differs: SIGNER_WRONG,
  rerun_differs: SIGNER_WRONG,
  forecast_time_differs: SIGNER_WRONG,
  probability_invalid: SIGNER_WRONG,
  proof_unavailable: 'Use an archive node with eth_getProof, or verify without proofs.',
  header_differs:
    'Verify again with another node. If it differs there too, the chain may have other fields: verify without proofs.',
  proof_invalid: OTHER_NODE,
  account_differs: OTHER_NODE,
  slot_differs: OTHER_NODE,
  value_differs: OTHER_NODE,
  storage_differs: OTHER_NODE,
  not_included:
    'Request the proof again. If it differs again, send the receipt and the root to the operator.',
  logged_late: 'Request the proof without a size. If it is late again, do not count the forecast.',
  anchor_missing: 'Request the proof again later, or rely on the signature of the root.',
  anchor_unknown: 'Wait until the node has the block, or use another node.',
  anchor_differs: SIGNER_WRONG,
  not_consistent:
    'Request the proof again. If it differs again, keep both roots: their signatures show that the log was changed.',
};
