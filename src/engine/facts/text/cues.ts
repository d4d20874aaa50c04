/** True for a sentence in which a user sets a limit: must, never, always, only, don't. */
export function setsConstraint(sentence: string): boolean {
  return sentence.length <= 400 && sentence.length >= 8 && CONSTRAINT.test(sentence) && !QUESTION.test(sentence)
}

/** True for a sentence in which an agent tells what it decided or found out, and not only what it will do next. */
export function tellsFinding(sentence: string): boolean {
  return sentence.length >= 30 && (FINDING.test(sentence) || RESULT.test(sentence)) && !isEmptyTalk(sentence)
}

/** True for a sentence in which an agent tells a decision or a cause: the strongest of what it finds out. */
export function tellsDecision(sentence: string): boolean {
  return sentence.length >= 30 && DECISION.test(sentence) && !isEmptyTalk(sentence)
}

/** True for a sentence that tells what was done or how a check ended, and no reason for it. */
export function tellsResult(sentence: string): boolean {
  return sentence.length >= 20 && RESULT.test(sentence) && !tellsMore(sentence) && !isEmptyTalk(sentence)
}

function tellsMore(sentence: string): boolean {
  return DECISION.test(sentence) || NEGATIVE.test(sentence)
}

/** True for a sentence that tells what does not work, and not why. */
export function tellsFailure(sentence: string): boolean {
  return sentence.length >= 30 && FAILURE.test(sentence) && !IMAGINED.test(sentence) && !isEmptyTalk(sentence)
}

/** True for a sentence in which an agent's thinking comes to something: a cause, a discovery, a decision. */
export function tellsConclusion(sentence: string): boolean {
  return sentence.length >= 40 && sentence.length <= 500 && CONCLUSION.test(sentence) && !isEmptyTalk(sentence)
}

/** A plan, a guess, a pleasantry, or the announcement of something that does not follow. */
export function isEmptyTalk(sentence: string): boolean {
  return INTENTION.test(sentence) || GUESS.test(sentence) || FILLER.test(sentence) || /[:：]\**$/.test(sentence)
}

const GUESS = /\b(?:might|maybe|perhaps|possibly|could be|probably|let me|wait)\b|\?$/i
const CONCLUSION =
  /\b(?:root cause|the (?:problem|issue|bug|cause|culprit|reason|fix|solution|key insight) (?:is|was|here|must)|turn(?:s|ed) out|so the (?:problem|issue|bug)|never (?:called|set|used|runs?|fires?)|the user (?:prefers?|decided|confirmed|rejected)|(?:i|we) (?:decided|chose|will go with)|because|this means|that['’]s why|which (?:means|explains))\b/i
const CONSTRAINT =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]t|do not|should(?:n['’]t| not)|cannot|can['’]t|may not|avoid|make sure|ensure|required?|mandatory|forbidden|without|no (?:new|more|other|longer)|instead of|prefer|keep)\b|[不别]要|必须|永远|只能|禁止/i
const QUESTION = /\?\s*$/
const DECISION =
  /\b(?:decid\w+|chose|choos\w+|go(?:ing)? with|opted|because|instead|root cause|caused by|turn(?:s|ed) out|the (?:problem|issue|bug|reason|fix|solution|culprit|cause) (?:is|was)|trade-?off|not possible|rejected|so that|rather than|conflict\w*|that['’]s why)\b|因为|所以|决定|根本原因|ため|原因/i
const FINDING =
  /\b(?:since|cause[ds]?|found|discover\w+|the (?:problem|issue|bug|reason|fix|solution|error)|broken|means|requires?|depends|limit\w*|cannot|can['’]t|decid\w+|chose|choos\w+|because|instead|root cause|turn(?:s|ed) out|conflict\w*|not possible|rejected|trade-?off|so that|fail(?:s|ed))\b/i
const RESULT =
  /\b(?:fix(?:ed|es)|now (?:works?|pass(?:es)?)|works?|pass(?:es|ed|ing)|confirmed|verified|implemented|added|removed|deleted|renamed|replaced|created|updated|changed|moved|merged|committed|pushed|deployed|installed|complete[d]?|done|ready|succe\w+|resolved|refactored|green|clean)\b|[✅✓✔]|完成|修复|通过|しました|готов/i
const NEGATIVE = /\b(?:not|never|no|fail\w*|error\w*|missing|down|wrong|broken|if|should|still|but|hold on)\b|n['’]t\b/i
const IMAGINED = /\b(?:could|would|should|consider|if|when|because|no longer)\b/i
const FAILURE =
  /\b(?:fail(?:s|ed|ing|ure)?|errors? (?:is|was|says)|does(?:n['’]t| not) work|did(?:n['’]t| not) work|still (?:not|broken|fail\w*|getting)|crash\w*|times? out|timed out|regress\w*|broken)\b|失败|报错|エラー|失敗|ошибк/i
const INTENTION =
  /^(?:now,? |next,? |first,? |then,? |so,? |and |also,? |ok(?:ay)?[,.!]? |great[.!,]? |good[.!,]? |perfect[.!,]? |excellent[.!,]? )*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|i should|i want to|we need to|going to)\b/i
const FILLER =
  /^(?:now )?(?:i (?:now )?have|i see|i understand|good question|great question|you['’]re (?:absolutely )?right|here['’]s|here is|here are|looks? good|all (?:good|set)|the user (?:wants?|is asking|asked|said))\b/i
