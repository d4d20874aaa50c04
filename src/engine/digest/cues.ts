/** True for a sentence in which a user sets a limit: must, never, always, only, don't. */
export function setsConstraint(sentence: string): boolean {
  return sentence.length <= 400 && sentence.length >= 8 && CONSTRAINT.test(sentence) && !QUESTION.test(sentence)
}

/** True for a sentence in which an agent tells what it decided or found out, and not only what it will do next. */
export function tellsFinding(sentence: string): boolean {
  return sentence.length >= 30 && FINDING.test(sentence) && !isEmptyTalk(sentence)
}

/** True for a sentence in which an agent's thinking comes to something: a cause, a discovery, a decision. */
export function tellsConclusion(sentence: string): boolean {
  return sentence.length >= 40 && sentence.length <= 500 && CONCLUSION.test(sentence) && !isEmptyTalk(sentence)
}

/** A plan, a guess, a pleasantry, or the announcement of something that does not follow. */
function isEmptyTalk(sentence: string): boolean {
  return INTENTION.test(sentence) || GUESS.test(sentence) || FILLER.test(sentence) || sentence.endsWith(':')
}

const GUESS = /\b(?:might|maybe|perhaps|possibly|could be|probably|let me|wait)\b|\?$/i
const CONCLUSION =
  /\b(?:root cause|the (?:problem|issue|bug|cause|culprit|reason|fix|solution|key insight) (?:is|was|here|must)|turn(?:s|ed) out|so the (?:problem|issue|bug)|never (?:called|set|used|runs?|fires?)|the user (?:wants?|asked|said|prefers?)|(?:i|we) (?:decided|chose|will go with)|because|this means|that['’]s why|which (?:means|explains))\b/i
const CONSTRAINT =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]t|do not|should(?:n['’]t| not)|cannot|can['’]t|may not|avoid|make sure|ensure|required?|mandatory|forbidden|without|no (?:new|more|other|longer)|instead of|prefer|keep)\b|[不别]要|必须|永远|只能|禁止/i
const QUESTION = /\?\s*$/
const FINDING =
  /\b(?:decid\w+|chose|choos\w+|because|since|instead|root cause|cause[ds]?|turn(?:s|ed) out|found|discover\w+|the (?:problem|issue|bug|reason|fix|solution|error)|fix(?:ed|es)|now (?:works?|pass(?:es)?)|works?|pass(?:es|ed)|fail(?:s|ed)|broken|confirmed|verified|implemented|added|removed|renamed|replaced|created|updated|changed|moved|complete[d]?|done|means|requires?|depends|conflict\w*|limit\w*|not possible|cannot|can['’]t|rejected|trade-?off|so that)\b/i
const INTENTION =
  /^(?:now |next,? |first,? |then,? |ok(?:ay)?,? |great[.!,]? |good[.!,]? |perfect[.!,]? )?(?:let me|let's|i['’]ll|i will|i['’]m going to|i need to|i should|going to)\b/i
const FILLER =
  /^(?:now )?(?:i (?:now )?have|i see|i understand|good question|you['’]re right|here['’]s|looks? good|all (?:good|set))\b/i
