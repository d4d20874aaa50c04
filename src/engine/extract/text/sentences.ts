import { clip, withoutEscapes } from '../../../model/text.ts'

/** The sentences of a text in order, line by line. Code blocks and lines of output are left out. Takes linear time. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let inCode = false
  for (const line of withoutEscapes(text).split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('```')) inCode = !inCode
    else if (!inCode && trimmed !== '' && !looksLikeOutput(trimmed)) sentences.push(...splitLine(trimmed))
  }
  return sentences
}

/** A sentence without the Markdown marks for bold text. */
export function plain(sentence: string): string {
  const hasMarks = sentence.includes('**') || sentence.includes('__')
  return (hasMarks ? sentence.replace(/\*\*|__(?=\W|$)|(?<=^|\W)__/g, '') : sentence).trim()
}

/** True for lines that people paste: stack traces, log lines, tables, diffs, very long lines that are not prose. */
function looksLikeOutput(line: string): boolean {
  if (line.length > LONG_LINE && !hasSentences(line.slice(0, LONG_LINE))) return true
  return /^(?:at |\||[+-]{3} |@@ |\$ |\d{4}-\d\d-\d\d[T ]|\[\d|<[a-z/!]|[{}[\]]|\d+[:|→])/.test(line)
}

const LONG_LINE = 2_000

function hasSentences(text: string): boolean {
  return (text.match(/[\p{L}\d)][.!?](?=\s+\S)|[。！？]/gu)?.length ?? 0) >= 3
}

function splitLine(line: string): string[] {
  const text = line.replace(/^(?:[-*•]|\d+[.)])\s+|^#+\s+/, '')
  const parts: string[] = []
  let from = 0
  for (const end of text.matchAll(/[.!?](?=\s+\S)|[。！？]/g)) {
    parts.push(text.slice(from, end.index + 1).trim())
    from = end.index + 1
  }
  parts.push(text.slice(from).trim())
  return parts.filter((part) => part !== '')
}

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
  if (HEDGED.test(sentence) || isStep(sentence) || isFragment(sentence)) return 0
  return weight + (NAMED.test(sentence) ? 1 : 0)
}

/** True if a text may contain a decision. Other texts need not be split into sentences. */
export function mayDecide(text: string): boolean {
  return DECISION.test(text)
}

/** The least score of a sentence that is worth a line. */
export const LEAST_REASON = 3

const DECISION =
  /\b(?:decid(?:ed|ing) (?:to|on|against|not)|chose|opted|going with|root cause|turn(?:s|ed) out|instead of|rather than|trade-?off|not possible|impossible|rejected|reverted|gave up|abandon\w*|backwards?.compat\w*|by design|on purpose|deliberately|intentional\w*|that['’]s why|must not|won['’]t work|(?:does|did|do)(?:n['’]t| not) work because|(?:found|spotted|noticed|discovered|hit) .{0,40}\b(?:bug|issue|problem|error|mistake|mismatch|defect|regression)s?)\b/i
const CAUSE =
  /\b(?:because|caused by|due to|so that|otherwise|conflicts? with|depends on|requires?|which means|means that|the (?:real |actual )?(?:problem|issue|bug|culprit|cause|fix|solution|reason) (?:is|was))\b/i
const OTHER_LANGUAGES = /因为|所以|决定|根本原因|ため|原因|weil|deshalb|porque|parce que|потому/i
/** Something was found that is wrong, or different from what it seemed. */
const FOUND =
  /\b(?:found|discovered|noticed|spotted|confirmed|missed|shows? that|actually|no longer|already|only|never|nothing|wrong|stale|missing|broken|bug|mismatch\w*|must (?:be|stay|remain|have|use)|supports?|uses?|expects?|ignores?|returns?|overwrites?|fails? (?:at|with|when|on|if)|(?:is|was|are|were) not|isn['’]t|doesn['’]t|can['’]t|cannot)\b/i
/** One pattern, because every sentence of a session is tested. */
const LESSER = new RegExp([CAUSE, FOUND, OTHER_LANGUAGES].map(({ source }) => source).join('|'), 'i')
/** A name as in code, a path, a number with a meaning. */
const NAMED = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\.(?:[a-z]{1,4})\b|\/\w+|#\d+/
/** The speaker is not sure. */
const HEDGED =
  /\b(?:likely|seem(?:s|ed|ingly)?|appears? to|apparently|presumably|i (?:think|believe|guess|suspect|assume)|suspect(?:ed)?|suspicious|suggest(?:s|ing)?|looks? like|would (?:explain|then)|may (?:be|have|also|need|contain|still)|hypothes\w+|not (?:yet )?(?:sure|clear)|unclear|implies|must be \w+ing|must not be \w+ing|assum(?:e|es|ing)|wahrscheinlich|vermutlich|vielleicht|probablement|peut-être|probablemente|quizás?)\b|вероятно|возможно|可能|也许|たぶん|おそらく|かもしれ/i

/**
 * True for a step of the work, under way, planned or done, and for its state at that moment: “I'm adding tests because …”, “the
 * branch is still clean”. A choice is not a step: “I'm keeping the old name …”.
 */
function isStep(sentence: string): boolean {
  if (PROPOSAL.test(sentence) || (DOING.test(sentence) && !CHOOSING.test(sentence))) return true
  return (MOMENT.test(sentence) || CHAINED.test(sentence)) && !CHOICE.test(sentence) && !/\bbecause\b/i.test(sentence)
}

/** A full stop inside of quoted code was taken for the end of a sentence. */
function isFragment(sentence: string): boolean {
  return (sentence.split('`').length - 1) % 2 === 1
}

const DOING =
  /\b(?:i|we)(?:['’](?:m|re)| am| are) (?:(?:now|also|just|still|going) )*(?:to )?\w+ing\b|\b(?:i|we)['’]ve (?:confirmed|got|narrowed|updated|added|made|finished|completed)\b|^(?:i|we) (?:found and )?(?:fixed|updated|added|changed|removed|moved|renamed)\b|\b(?:is|are) now \w+ing\b|\b(?:workers?|reviewers?|sub-?agents?) (?:has|have|will|is|are|also|completed)\b/i
const CHOOSING =
  /\b(?:i|we)(?:['’](?:m|re)| am| are) (?:\w+ )?(?:keeping|leaving|choosing|avoiding|treating|preserving|not \w+ing)\b/i
const PROPOSAL =
  /^(?:actually,? |so,? )?(?:the|my) (?:\w+ )?(?:fix|solution|approach|next step|plan|task|goal|idea)(?: here)?(?: is\b| would\b| will\b|:)|^(?:that|this|it) (?:will|would|should)\b|^(?:we|you) can\b|^(?:instead of|(?:always )?(?:add|use|create|make|move|remove|replace|change|update))\b|\bshould (?:be|look|have|use|carry|only|also|now|detect|let)\b|\bwill (?:fix|add|update|check|run)\b|\b(?:fix|step|solution) (?:for \S+ )?is to\b/i

/**
 * How long a statement stays true. A decision and a report of the past last. A fault lasts until it is fixed, another finding
 * until the thing that it names is changed.
 */
export function statementAge(sentence: string): 'lasting' | 'fault' | 'finding' {
  if (SOLVED.test(sentence) || (PAST.test(sentence) && !PRESENT.test(sentence))) return 'lasting'
  if (FAULT.test(sentence)) return 'fault'
  if (CHOICE.test(sentence)) return 'lasting'
  return COMPARED.test(sentence) && !BEHAVIOUR.test(sentence) ? 'lasting' : 'finding'
}

const SOLVED = /(?<!\bnot |\byet |\bbe )\b(?:fixed|solved|resolved(?! (?:to|as|into)\b))\b/i
const FAULT =
  /\b(?:fail(?:s|ed|ing|ures?)?|broken?|breaks|bugs?|wrong|missing|errors?|mismatch\w*|crash\w*|throws?|stale|root cause|culprit|problems?|issues?|regressions?|unused|undefined|unexpected\w*|swallow(?:s|ed)|leak(?:s|ed|ing)?|reject(?:s|ed)|incorrect\w*|conflicts?|duplicated?|inconsisten\w+|gaps?|unrecogni[sz]ed|but (?:got|received)|doesn['’]t (?:work|recogni[sz]e|compile|match|exist|help))\b|错误|失败|バグ|ошибк|Fehler/i
/** Why something was done. */
const CHOICE =
  /\b(?:so that|by design|on purpose|deliberately|intentional\w*|decid(?:ed|ing)|chose|opted|going with|trade-?off|backwards?.compat\w*|that['’]s why|must|keeping|leaving|cannot)\b/i
const COMPARED =
  /\b(?:because|since|rather than|instead of|otherwise|requires?)\b|因为|ため|weil|porque|parce que|потому/i
/** The sentence says what the code does, not what was chosen. */
const BEHAVIOUR =
  /\b(?:returns?|gets?|calls?|shows?|match(?:es)?|runs|drops?|points?|falls? back|wins|sees|skips|ignores|expects|checks|transitions?|fires)\b/i
/** A step in a chain of thought: the sentence before it is missing. */
const CHAINED = /^(?:(?:so|but|and)\b(?! `)|(?:yet|yep|no|indeed|this|it|that|they|these)\b)/i
const MOMENT =
  /\b(?:still|currently|right now|at the moment|so far|not yet|remain(?:s|ing)|already (?:on|in|done|addressed)|only the intended|untracked|uncommitted|unstaged|staged|working tree|ahead of|(?:is|are)(?: just)? (?:now )?(?:behind|clean|in|in place|in too|running|up|ready|done|green|fine|on|tracking)|now|final status|completed|not on `?PATH)\b/i

/** True for the state of the work at some moment. */
export function isMomentary(sentence: string): boolean {
  return (
    MOMENT.test(sentence) ||
    /\b(?:in progress|pending|not started|about to|needs? (?:to|an?|investigation))\b/i.test(sentence)
  )
}

const PAST = /\b(?:was|were|had|did|didn['’]t|got|came|went|happened|used to)\b/i
const PRESENT =
  /\b(?:is|are|has|have|does|do|fails|returns|uses|calls|needs|expects|isn['’]t|aren['’]t|doesn['’]t|don['’]t|can['’]t|cannot|still|now)\b/i

/** Remarks about the current step, not about the subject. */
const ASIDE =
  /^(?:>|(?:but |and |so )?(?:if|unless|assuming|since i)\b)|^(?:still|now|next|confirmed|verifying|then|first|ok(?:ay)?|good|great|perfect|excellent|done|wait|hmm|actually,? let|all (?:tests|checks)|tests? pass|checking|running|looking|reading|searching|updating|adding|creating|fixing|reviewing|pulling|waiting|writing|testing|committing|pushing|rerunning|inspecting|investigating)\b|\b(?:let['’]s|let me|i['’]ll|i will|i (?:need|want|sent|agree|should|checked)|shall i|would you like|do you (?:want|know)|(?:is|are) still \w+ing)\b/i

/** The most informative parts of a text within this many characters, in their order. `…` marks those that are left out. */
export function informativeParts(parts: readonly string[], characters: number): string {
  const last = parts.length - 1
  const ranked = ranking(parts, (part, i) => (i === last && isQuestion(part) ? 1 : rankOf(part, i)))
  return bestParts(ranked, characters)
}

/** The same for a text that was joined from such parts before. A question at its end is no longer open. */
export function informativeText(text: string, characters: number): string {
  return text.length <= characters ? text : bestParts(rankedParts(text), characters)
}

/** The parts of such a text, the best first, for a caller that shortens it to several lengths. */
export function rankedParts(text: string): readonly RankedPart[] {
  const parts = text.split(PART_END).map((part) => part.replace(/^… /, ''))
  return ranking(parts, rankOf)
}

/** Parts end with a full stop or, as items of a list, with a semicolon. */
const PART_END = /(?<=[.!?;。！？])\s+(?=\S)/

type RankedPart = { readonly part: string; readonly i: number; readonly rank: number }

/** Sorts the parts, the best first. */
function ranking(parts: readonly string[], rankBy: (part: string, i: number) => number): RankedPart[] {
  return parts.map((part, i) => ({ part, i, rank: rankBy(part, i) })).toSorted((a, b) => b.rank - a.rank)
}

/** The best of these parts within this many characters, in their order. */
export function bestParts(ranked: readonly RankedPart[], characters: number): string {
  const kept: RankedPart[] = []
  let left = characters
  for (const one of ranked) {
    if (one.rank <= 0 || one.part.length + GAP.length > left) continue
    left -= one.part.length + GAP.length
    kept.push(one)
  }
  const [best] = ranked
  if (kept.length === 0) return best === undefined ? '' : clip(best.part, characters)
  const inOrder = kept.toSorted((a, b) => a.i - b.i)
  return inOrder.map(({ part, i }, at) => ((inOrder[at - 1]?.i ?? -1) < i - 1 ? `… ${part}` : part)).join(' ')
}

const GAP = ' … '

/** A question at the end of a text is for the user, and may still be open. */
function isQuestion(part: string): boolean {
  return part.length <= LONGEST_QUESTION && /[?？]$/.test(part)
}

const LONGEST_QUESTION = 200

/** How informative a part is for its length; 0 if it says nothing. The first part often introduces the rest. */
function rankOf(part: string, i: number): number {
  const weight = weightOf(part) + (i === 0 ? 1 : 0)
  return weight === 0 ? 0 : (1 + weight) / Math.sqrt(part.length + SHORT)
}

function weightOf(part: string): number {
  const isEmpty = isEmptyTalk(part)
  if (isEmpty) return 0
  const names = Math.min(MOST_NAMES, part.match(NAMES)?.length ?? 0)
  return names + (statesFinding(part, isEmpty) ? 1 : 0) + reasonScore(part, isEmpty)
}

const NAMES = new RegExp(`${NAMED.source}|\\b\\d[\\w.:-]*`, 'g')
const MOST_NAMES = 4
/** Keeps very short parts from ranking first. */
const SHORT = 120
