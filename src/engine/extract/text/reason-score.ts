/** True for a sentence in which a user sets a limit: must, never, always, only, don't. */
export function setsConstraint(sentence: string): boolean {
  return sentence.length <= 400 && sentence.length >= 8 && CONSTRAINT.test(sentence) && !QUESTION.test(sentence)
}

/** True for a sentence in which an agent says what it decided or found out, not only what it will do next. */
export function statesFinding(sentence: string, isEmpty?: boolean): boolean {
  if (sentence.length < 30 || !(FINDING.test(sentence) || RESULT.test(sentence))) return false
  return !(isEmpty ?? isEmptyTalk(sentence))
}

/** True for a plan, a guess, a pleasantry, or an announcement of something that does not follow. */
export function isEmptyTalk(sentence: string): boolean {
  return INTENTION.test(sentence) || GUESS.test(sentence) || FILLER.test(sentence) || /[:：]\**$/.test(sentence)
}

const GUESS = /\b(?:might|maybe|perhaps|possibly|could be|probably|let me|wait)\b|\?$/i
const CONSTRAINT =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]t|do not|should(?:n['’]t| not)|cannot|can['’]t|may not|avoid|make sure|ensure|required?|mandatory|forbidden|without|no (?:new|more|other|longer)|instead of|prefer|keep)\b|[不别]要|必须|永远|只能|禁止/i
const QUESTION = /\?\s*$/
const FINDING =
  /\b(?:since|cause[ds]?|found|discover\w+|the (?:problem|issue|bug|reason|fix|solution|error)|broken|means|requires?|depends|limit\w*|cannot|can['’]t|decid\w+|chose|choos\w+|because|instead|root cause|turn(?:s|ed) out|conflict\w*|not possible|rejected|trade-?off|so that|fail(?:s|ed))\b/i
const RESULT =
  /\b(?:fix(?:ed|es)|now (?:works?|pass(?:es)?)|works?|pass(?:es|ed|ing)|confirmed|verified|implemented|added|removed|deleted|renamed|replaced|created|updated|changed|moved|merged|committed|pushed|deployed|installed|complete[d]?|done|ready|succe\w+|resolved|refactored|green|clean)\b|[✅✓✔]|完成|修复|通过|しました|готов/i
const INTENTION =
  /^(?:now,? |next,? |first,? |then,? |so,? |and |also,? |ok(?:ay)?[,.!]? |great[.!,]? |good[.!,]? |perfect[.!,]? |excellent[.!,]? )*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|i should|i want to|we need to|going to)\b/i
const FILLER =
  /^(?:now )?(?:i (?:now )?have|i see|i understand|good question|great question|you['’]re (?:absolutely )?right|here['’]s|here is|here are|looks? good|all (?:good|set)|the user (?:wants?|is asking|asked|said))\b/i

/**
 * How much a sentence of an agent explains: a decision, a cause, a finding, an approach that was given up. It is 0 for
 * announcements, guesses, progress and praise. Decisions that name something in the code score highest.
 */
export function reasonScore(sentence: string, isEmpty?: boolean): number {
  if (sentence.length < 40 || sentence.length > 600) return 0
  const weight = DECISION.test(sentence) ? 3 : LESSER.test(sentence) ? 2 : 0
  if (weight === 0 || (isEmpty ?? isEmptyTalk(sentence)) || ASIDE.test(sentence)) return 0
  return weight + (NAMED.test(sentence) ? 1 : 0)
}

/** True if a text may contain a decision. Other texts need not be split into sentences. */
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
/** Something was found that is wrong, or different from what it seemed. */
const FOUND =
  /\b(?:found|discovered|noticed|spotted|confirmed|missed|shows? that|actually|still|already|only|never|nothing|wrong|stale|missing|broken|bug|mismatch\w*|needs? to|should (?:be|stay|remain|become|use|own|live)|supports?|uses?|expects?|ignores?|returns?|overwrites?|fails? (?:at|with|when|on|if)|(?:is|was|are|were) not|isn['’]t|doesn['’]t|can['’]t|cannot)\b/i
/** One pattern, because every sentence of a session is tested. */
const LESSER = new RegExp([CAUSE, FOUND, OTHER_LANGUAGES].map(({ source }) => source).join('|'), 'i')
/** A name as in code, a path, a number with a meaning. */
export const NAMED = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\.(?:[a-z]{1,4})\b|\/\w+|#\d+/
/** Remarks about the current step, not about the subject. */
const ASIDE =
  /^(?:>|(?:but |and |so )?(?:if|unless|assuming|since i)\b)|^(?:still|now|next|verifying|then|first|ok(?:ay)?|good|great|perfect|excellent|done|wait|hmm|actually,? let|all (?:tests|checks)|tests? pass|checking|running|looking|reading|searching|updating|adding|creating|fixing)\b|\b(?:let['’]s|let me|i['’]ll|i will|i need to|i should|i want to|shall i|would you like|do you want|(?:is|are) still \w+ing)\b/i
