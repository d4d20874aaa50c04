import { isEmptyTalk } from './cues.ts'

/**
 * How much a sentence of an agent says about why things are as they are: a decision, a cause, a finding, an approach given up. 0 for
 * announcements, guesses, progress and praise. Decisions that name something of the code count most.
 */
export function reasonScore(sentence: string, isEmpty?: boolean): number {
  if (sentence.length < 40 || sentence.length > 600) return 0
  const weight = DECISION.test(sentence) ? 3 : LESSER.test(sentence) ? 2 : 0
  if (weight === 0 || (isEmpty ?? isEmptyTalk(sentence)) || ASIDE.test(sentence)) return 0
  return weight + (NAMED.test(sentence) ? 1 : 0)
}

/** True where a text may have a sentence that tells a decision: others need not be taken apart for one. */
export function mayDecide(text: string): boolean {
  return DECISION.test(text)
}

/** The least score of a sentence that is worth a line. */
export const LEAST_REASON = 3

const DECISION =
  /\b(?:decid(?:ed|ing) (?:to|on|against|not)|chose|opted|going with|root cause|turn(?:s|ed) out|instead of|rather than|trade-?off|not possible|impossible|rejected|reverted|gave up|abandon\w*|no longer|backwards?.compat\w*|by design|on purpose|deliberately|intentional\w*|that['’]s why|must not|won['’]t work|(?:does|did|do)(?:n['’]t| not) work because|(?:found|spotted|noticed|discovered|hit) .{0,40}\b(?:bug|issue|problem|error|mistake|mismatch|defect|regression)s?)\b/i
const CAUSE =
  /\b(?:because|caused by|due to|so that|otherwise|conflicts? with|depends on|requires?|which means|means that|the (?:real |actual )?(?:problem|issue|bug|culprit|cause|fix|solution|reason) (?:is|was))\b/i
const OTHER_LANGUAGES = /因为|所以|决定|根本原因|ため|原因|weil|deshalb|porque|parce que|потому/i
/** Something was found that is not as it should be, or is not as it seemed. */
const FOUND =
  /\b(?:found|discovered|noticed|spotted|confirmed|missed|shows? that|actually|still|already|only|never|nothing|wrong|stale|missing|broken|bug|mismatch\w*|needs? to|should (?:be|stay|remain|become|use|own|live)|supports?|uses?|expects?|ignores?|returns?|overwrites?|fails? (?:at|with|when|on|if)|(?:is|was|are|were) not|isn['’]t|doesn['’]t|can['’]t|cannot)\b/i
/** One pattern, as every sentence of a session is looked at. */
const LESSER = new RegExp([CAUSE, FOUND, OTHER_LANGUAGES].map(({ source }) => source).join('|'), 'i')
/** A name as in code, a path, a number with a meaning. */
export const NAMED = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\.(?:[a-z]{1,4})\b|\/\w+|#\d+/
/** Remarks about the work at hand, not about the thing. */
const ASIDE =
  /^(?:>|(?:but |and |so )?(?:if|unless|assuming|since i)\b)|^(?:still|now|next|verifying|then|first|ok(?:ay)?|good|great|perfect|excellent|done|wait|hmm|actually,? let|all (?:tests|checks)|tests? pass|checking|running|looking|reading|searching|updating|adding|creating|fixing)\b|\b(?:let['’]s|let me|i['’]ll|i will|i need to|i should|i want to|shall i|would you like|do you want|(?:is|are) still \w+ing)\b/i
