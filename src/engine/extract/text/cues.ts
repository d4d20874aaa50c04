/** True for a sentence in which a user sets a limit: must, never, always, only, don't. */
export function setsConstraint(sentence: string): boolean {
  return sentence.length <= 400 && sentence.length >= 8 && CONSTRAINT.test(sentence) && !QUESTION.test(sentence)
}

/** True for a sentence in which an agent tells what it decided or found out, and not only what it will do next. */
export function tellsFinding(sentence: string, isEmpty?: boolean): boolean {
  if (sentence.length < 30 || !(FINDING.test(sentence) || RESULT.test(sentence))) return false
  return !(isEmpty ?? isEmptyTalk(sentence))
}

/** A plan, a guess, a pleasantry, or the announcement of something that does not follow. */
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
