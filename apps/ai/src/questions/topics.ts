import type { Topic } from './question';

const LIQUIDATION = String.raw`(?:liquidat\w*|liq\b)`;

/** The first match is the topic. Narrow topics come before wide ones. */
const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  ['risk_score', /\brisk[- ]scores?\b/i],
  [
    'add_to_target',
    /\b(?:add|deposit|supply|top[- ]?up|post|more collateral|extra collateral)\b.*\b(?:collateral|health factor|hf|reach|get (?:back )?to|safe)\b|\bhow much (?:more |extra |additional )?collateral (?:do i|must|should|would|is) .*(?:need|add|deposit|reach|required)/is,
  ],
  [
    'repay_to_target',
    /\b(?:repay|pay (?:back|down|off)|deleverage|reduce (?:my |the )?(?:debt|borrow)|lower (?:my |the )?debt)\b/i,
  ],
  [
    'liquidation_probability',
    new RegExp(
      String.raw`\b(?:probab\w*|likel\w*|chances?|odds|risk of (?:being |getting )?${LIQUIDATION})`,
      'i',
    ),
  ],
  [
    'liquidation_time',
    new RegExp(
      String.raw`\b(?:how long|how many days|when|how soon|days? (?:to|until|till|before)|time (?:to|until|till|before|left))\b.*${LIQUIDATION}`,
      'is',
    ),
  ],
  [
    'liquidation_price',
    new RegExp(
      String.raw`${LIQUIDATION}\s*prices?|\b(?:what|which|at what)\b.*\bprice\b.*${LIQUIDATION}|${LIQUIDATION}.*\bprice\b`,
      'is',
    ),
  ],
  [
    'liquidation_distance',
    new RegExp(
      String.raw`\b(?:how far|distance|buffer|cushion|safety margin|headroom|how close)\b|\bhow much (?:can|could|may|must|would|does).*(?:fall|drop|decline|lose).*(?:before|until|till|for|to)\b`,
      'is',
    ),
  ],
  [
    'portfolio_risk',
    /\b(?:value at risk|c?var(?: ?95)?|expected shortfall|portfolio volatility|volatility of (?:my|the) portfolio)\b/i,
  ],
  [
    'index',
    /\b(?:risk index|gri|market(?:'s)? (?:risk|health)|overall (?:market )?risk|liquidation pressure|protocol stability|state of the market|volatility (?:component|of the market)|market volatility|how risky is the market)\b/i,
  ],
  ['incidents', /\bincidents?\b/i],
  ['alerts', /\b(?:alerts?|warnings?)\b/i],
  [
    'whales',
    /\b(?:whales?|large wallets?|(?:large|largest|biggest|big) (?:moves?|transfers?|withdrawals?|deposits?))\b/i,
  ],
  ['tvl', /\b(?:tvl|(?:total )?value locked)\b/i],
  ['utilisation', /\butili[sz]ation\b/i],
  ['protocol_risk', /\b(?:risk tier|category)\b/i],
  [
    'riskiest',
    /\b(?:riskiest|riskier|most (?:at risk|dangerous|risky|endangered|exposed)|lowest (?:health factor|hf)|(?:closest|nearest) to (?:being )?liquidat\w*|weakest|worst|least (?:safe|healthy))\b/i,
  ],
  ['safest', /\b(?:safest|healthiest|safer|highest (?:health factor|hf)|least (?:risky|at risk))\b/i],
  ['largest', /\b(?:largest|biggest|most) (?:position|debt|collateral|loan|borrow)\b/i],
  [
    'at_risk',
    /\b(?:how many|which|what|list|any|are there)\b.*\b(?:positions?|loans?)\b.*\b(?:below|under|at risk|in danger|critical|liquidatable|can be liquidated|high risk|less than)\b/is,
  ],
  [
    'position_count',
    /\b(?:how many|number of|count (?:of )?)\s*(?:open |my )?(?:positions?|loans?)\b|\bwhat positions\b|\blist (?:all )?(?:my |the )?positions\b/i,
  ],
  ['net_worth', /\b(?:net worth|net value|equity|net asset)\b/i],
  ['ltv', /\b(?:ltv|loan[- ]to[- ]value|debt ratio)\b/i],
  [
    'health_factor',
    /\b(?:health ?factors?|hf|healthy|risk levels?|risk bands?|how (?:safe|risky) (?:is|are) (?:my|the|this|position|pos_)|(?:is|are) (?:my|the|this) (?:positions?|loans?|wallet).*(?:safe|at risk|in danger|ok|okay|fine)|(?:can|could|may) .*be liquidated)\b/i,
  ],
  ['collateral', /\b(?:collaterals?|supplied|deposited|supplies)\b/i],
  ['debt', /\b(?:debts?|borrow(?:ed|ing|s)?|owe[ds]?|owing|loans?)\b/i],
  [
    'price_change',
    /\b(?:24 ?h(?:ours?|r)?|24-hour|(?:price )?chang(?:e|ed)|moved|(?:risen|fallen|dropped|gained))\b/i,
  ],
  ['price', /\b(?:prices?|worth|costs?|trad(?:es?|ing) at|quote|how much is)\b/i],
];

/** Null: the question is about no known topic. */
export function topicOf(text: string): Topic | null {
  return TOPICS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
