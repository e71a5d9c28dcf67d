/** Words that documentation and help do not use, each with what to write. */

/** A spelling that is not ours. */
export const terms: readonly (readonly [found: RegExp, write: string])[] = [
  [/\btime-outs?\b/i, 'timeout'],
  [/\blook-ups?\b/i, 'lookup'],
  [/\bpay-outs?\b/i, 'payout'],
  [/\bweb[- ]hooks?\b/i, 'webhook'],
  [/\bcall-backs?\b/i, 'callback'],
  [/\bwall clock\b/i, 'real time'],
  [/\bthe newest first\b/i, 'newest first'],
  [/\bmay be repeated\b/i, 'Repeatable.'],
  [/\bat the most\b/i, 'at most'],
]

/** Riddles: turns that a reader has to guess at. */
export const riddles: readonly (readonly [found: RegExp, write: string])[] = [
  [/\bwhile it happens\b/i, 'as it happens'],
  [/\bholds? against\b/i, 'compare with'],
  [/\b(?:is|are|be|was|were) so\b(?! that)/i, 'is true'],
  [/\btakes? (?:it|them|a \w+|what \w+) back\b/i, 'reverse, or restore'],
  [/\btold otherwise\b/i, 'changed'],
  [/\bcomes? to (?:what|be|nothing|its)\b/i, 'say what happens'],
  [/\b(?:when|unless|if|until) (?:you say so|told to|said)\b/i, 'say what to do'],
  [/\bgives? way\b/i, 'is replaced'],
  [/\bin vain\b/i, 'without a match'],
  [/\bwhat is told\b/i, 'say who is told, and what'],
  [/\bgoes? on from\b/i, 'continue'],
  [/\bwhatever came\b/i, 'everything'],
  [/\bfor who\b/i, 'for people who'],
  [/\b(?:at|by) itself alone\b/i, 'alone'],
]

/** Words that stand in for a subject. A question may begin with them. */
export const openings = /^(?:Who|What|Of|Such|There) /
