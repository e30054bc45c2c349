import type { Reason } from '../answers/cannot-answer';

const PRIVATE =
  /\b(?:api[ -]?keys?|passwords?|secrets?|private keys?|seed phrases?|mnemonics?|system prompts?|your (?:prompt|instructions|rules|configuration|config)|environment variables?|credentials?|tokens? of the (?:server|service)|source code|database|sql|other (?:accounts?|users?|customers?|clients?|tenants?)|another (?:account|user|customer|client|tenant)(?:'s|’s)?|someone else(?:'s|’s)?|some(?:body|one) else|every(?:body|one)(?:'s|’s)|acc_[0-9A-Za-z]+)\b/i;
const ADVICE =
  /\b(?:should (?:i|we) (?:buy|sell|invest|long|short|hold|move to|switch to)|(?:is it|is now) (?:a )?(?:good|bad|right|time)|good (?:investment|time)|worth (?:buying|investing)|recommend (?:a |me )?(?:coins?|tokens?|trade|stock)|best (?:coin|token|yield|protocol to)|financial advice|which (?:coin|token) (?:should|will))\b/i;
const FUTURE =
  /\b(?:tomorrow|next (?:week|month|year|quarter|hour|day)|in (?:the )?(?:future|coming|next)|by (?:christmas|the end of|next)|end of (?:the )?(?:year|month|week)|in 20(?:2[7-9]|[3-9]\d)|predict|prediction|price target|moon)\b/i;
const WILL = /\b(?:will|going to|gonna|is .{1,20} about to)\b/i;
const PAST =
  /\b(?:yesterday|last (?:week|month|year|night|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:days?|weeks?|months?|years?|hours?) ago|(?:in|during|since|before) (?:20[01]\d|202[0-6])|(?:january|february|march|april|may|june|july|august|september|october|november|december) 20\d\d|on 20\d\d-|all[- ]time high|historical(?:ly)?|used to be)\b/i;

/** The reason to refuse a question, whatever its other topics are. Null: there is none. */
export function refusalFor(text: string, isModelled: boolean, isSupposed: boolean): Reason | null {
  if (!/[A-Za-z]/.test(text)) return 'empty';
  if (PRIVATE.test(text)) return 'private';
  if (ADVICE.test(text)) return 'advice';
  if (PAST.test(text)) return 'past';
  const isAboutFuture = FUTURE.test(text) || WILL.test(text);
  return isAboutFuture && !isModelled && !isSupposed ? 'prediction' : null;
}
