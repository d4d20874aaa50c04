import { sentencesOf } from '../../engine/extract/text/sentences.ts'
import { oneLine } from '../../model/text.ts'
import type { Seq } from '../../model/types.ts'
import { splitWords, termOf } from '../../search/terms.ts'

/**
 * A sentence of the user that may stand beyond its session. `rule`: it says so itself ("always", "we use …"). `ask`: a demand,
 * which counts only if it is repeated. `back`: it takes an earlier one back.
 */
export type SaidSentence = {
  readonly kind: 'rule' | 'ask' | 'back'
  readonly text: string
  /** The words that say what it is about, as stems. */
  readonly topic: readonly string[]
  readonly seq: Seq
  readonly at: number
}

/** The sentences of one message of the user that may stand, in order. */
export function saidIn(words: string, place: { readonly seq: Seq; readonly at: number }): SaidSentence[] {
  const found = sentencesOf(addressedWords(words)).flatMap((sentence): SaidSentence[] => {
    const text = oneLine(sentence, LONGEST)
    const kind = sentence.length > LONGEST ? undefined : kindOf(text)
    return kind === undefined ? [] : [{ kind, text, topic: topicOf(text), ...place }]
  })
  return found.slice(0, MOST_OF_ONE)
}

/** The first words of the frame of a page. */
export const MEMORY_FRAME = 'Reference material that Pith made from'

const LONGEST = 280
/** A message with more of them is a text that the user pasted. */
const MOST_OF_ONE = 8
const MOST_CHARACTERS = 6_000

/** The words of a message that the user addresses to the agent: no document, and no quotation. */
export function addressedWords(words: string): string {
  return isDocument(words) ? '' : withoutQuotations(words)
}

/** True for a message that is a document rather than words to the agent: nobody knows who wrote it. */
export function isDocument(words: string): boolean {
  // A memory that came back is no source of the next one.
  if (words.length > MOST_CHARACTERS || words.includes(MEMORY_FRAME)) return true
  const lines = words.split('\n')
  const headings = lines.filter((line) => /^#{1,4} \S|^-{3,}$|^<\/?[a-z][\w-]*>$|^\*\*[^*]+\*\*:?$/i.test(line.trim()))
  return headings.length >= 2 || lines.length > 80
}

/** Without quoted lines and quoted passages: in them somebody else speaks. */
function withoutQuotations(words: string): string {
  return words.replace(/^\s*>.*$/gm, '').replace(/(["“])[^"“”\n]{12,}["”]/g, '$1…$1')
}

function kindOf(sentence: string): SaidSentence['kind'] | undefined {
  if (isQuestion(sentence) || REPORTED.test(sentence) || sentence.length < 8) return undefined
  if (TAKES_BACK.test(sentence)) return 'back'
  if (MOMENTARY.test(sentence)) return undefined
  if (isStanding(sentence)) return 'rule'
  return sentence.length <= LONGEST_ASK && DEMAND.test(sentence) && !HEDGED.test(sentence) ? 'ask' : undefined
}

const LONGEST_ASK = 160

function isQuestion(sentence: string): boolean {
  return /[?？]["')\]]*$/.test(sentence) || ASKS.test(sentence)
}

const ASKS =
  /^(?:(?:ok(?:ay)?|and|but|so|hm+)[,.]? )*(?:why|what|how|who|where|when|which|is|are|was|were|do we|do you|did|does|should (?:we|i|you|this|it)|can (?:we|i|it)|could (?:we|i|it)|would (?:it|that|this|you)|shall)\b/i

/** Somebody else said it, or it describes what something does. */
const REPORTED =
  /\b(?:says?|said|claims?|t(?:ells?|old)|according to|reads?|states?|the (?:readme|docs?|page|file|error|log|output|message|comment|agent|model|issue|ticket) (?:is|was|has|says?|said|shows?))\b/i

/** It holds for the moment or for one task. */
const MOMENTARY =
  /\b(?:for now|this time|for this|right now|at the moment|for the moment|today|tonight|yet|until|till|temporarily|just (?:this )?once|in this (?:pr|change|commit|session|test|file|function|case|round|step|branch|task|plan)|first,? (?:let|just)|before (?:you|we) (?:start|begin|do (?:this|that)|continue)|let['’]s)\b/i

function isStanding(sentence: string): boolean {
  if (isAnecdote(sentence)) return false
  return STANDING.some((pattern) => pattern.test(sentence))
}

const START = String.raw`^(?:(?:please|also|and|but|so|ok(?:ay)?|remember|note|important|no|yes|btw|again|just|as a reminder|reminder|rule|then|in general|generally)[,:!.]?\s+(?:to |that )?)*`
const STANDING: readonly RegExp[] = [
  /\b(?:from now on|going forward|from here on|in (?:the )?future,|every time (?:you|we)|each time (?:you|we)|any ?time (?:you|we)|whenever (?:you|we)|as a (?:general )?rule)\b/i,
  new RegExp(`${START}(?:always|never|don['’]t ever|do not ever)\\s+(?!mind\\b|ever\\b)\\p{L}`, 'iu'),
  /[,;:—–-]\s*(?:and |but |so |please )?(?:always|never)\s+(?:use|run|commit|push|add|write|create|edit|change|touch|delete|remove|call|ask|check|test|keep|put|include|import|export|merge|rebase|squash|deploy|release|install|generate|format|name|return|log|print|mock|skip|force|amend|assume|guess|leave|make|do|work|start|open|close|update|bump|read|prefer|avoid|explain|answer|respond|reply)\b/i,
  /\b(?:you|we|i|everyone|nobody|no one|agents?|contributors?|developers?) (?:(?:should|must|shall|can|may|will|would|have to|need to|want to|are to|['’]ll|['’]d) )?(?:always|never) (?:be |want to |want )?\p{L}/iu,
  /\b(?:should|must|shall|may|can|has to|have to|needs? to|want(?:s)?(?: you)? to|is to|are to|do) (?:always|never)\b|\b(?:must|should|may)(?:n['’]t| not) ever\b/i,
  /\bwe (?:only |strictly |generally |usually )?(?:(?:don['’]t|do not) )?(?:use|prefer|follow|write|name|indent|commit|deploy|release|target|support|avoid|squash|rebase|pin|vendor|mock|test with|build with|format with|lint with)\b/i,
  /\bI (?:strongly |really |generally |usually |always |much )?prefer\b|\bI (?:hate|dislike|don['’]t like|do not like)\b/i,
  // How to work and to speak: that does not depend on the task.
  /\b(?:be (?:terse|concise|brief|succinct)|keep (?:your )?(?:answers|replies|responses|messages) (?:short|brief|terse|concise)|prefer simplicity|do(?:n['’]t| not) (?:make assumptions|assume (?:any|things|anything)|guess\b|speculate|make things up|apologi[sz]e)|ground (?:\w+ ){1,4}in (?:facts?|evidence)|ask (?:me )?before (?:you )?\w+ing)\b/i,
  /^(?=.*\b(?:must|never|always|use|don['’]t|do not|only|no|avoid|prefer|should|keep)\b).*\b(?:in|for|throughout|across|of) (?:this|our|the whole|the entire) (?:repo(?:sitory)?|project|code ?base|monorepo|workspace|package)\b/i,
  /^(?:bitte )?(?:immer|nie(?:mals)?)\s|\b(?:ab jetzt|ab sofort|in zukunft|grundsätzlich|künftig)\b|\b(?:du|wir) (?:sollst|sollen|darfst|dürfen|musst|müssen|verwenden|benutzen|nehmen|nutzen)\b.*\b(?:immer|nie(?:mals)?|nur)\b/i,
  /从现在(?:起|开始)|以后(?:都|请|不要|要)|(?:总是|始终|一律|永远(?:不要|别)?|每次都)(?:要|使用|用|运行|先|不)?|今後は|(?:常に|必ず|絶対に).*(?:こと|ください|して|ないで)/,
  /^(?:por favor,? )?(?:siempre|nunca)\s|\ba partir de ahora\b|\bdésormais\b|(?<!\p{L})à partir de maintenant\b|^(?:всегда|никогда)\s|(?<!\p{L})впредь(?!\p{L})/iu,
]

/** "It never finishes", "we never got it", "I prefer the second one", "you can always ask": not a rule. */
function isAnecdote(sentence: string): boolean {
  return (
    ANECDOTE.test(sentence) ||
    SCOPED.test(sentence) ||
    CHOICE.test(sentence) ||
    (WE.test(sentence) && HERE.test(sentence))
  )
}

const ANECDOTE =
  /\b(?:it|this|that|they|which|he|she|there|tests?|builds?|ci|users?) (?:just |still |almost |has |have |had )?(?:always|never) (?!be\b)\p{L}|\b(?:always|never) (?:\p{L}+ed|got|had|was|were|did|saw|t(?:old|hinks?)|said|went|came|been|is|are|has|have|seems?|happens?|works?|gets?|finish(?:es)?|knows?|heard|forget|understood)\b|\b(?:as|like) (?:always|never)\b|\balmost (?:always|never)\b/iu
/** It is about one case, or allows something. */
const SCOPED =
  /^(?:in (?:that|this) case|for \p{L}+ing\b)|\b(?:can|could) always\b|\bi(?:['’]d| would) (?!like|prefer|rather|love|want)\p{L}/iu
const CHOICE =
  /\bprefer(?:ence)?\b.*\b(?:option|first|second|third|last|latter|former|that one|this one|version|[abc123])\b[.!]?$|\b(?:option|approach|variant) (?:[a-d]|\d)\b/i
const WE = /\bwe (?:\w+ ){0,2}(?:use|follow|write|support|target|test|name|commit)\b/i
/** "We use a map here" describes a piece of code. */
const HERE =
  /\b(?:here|currently|already|(?<!from )now|in (?:that|the) \w+ (?:function|method|file|class|test)|to (?:get|find|fetch|compute|determine|figure|store|track|decide)|when (?:the|it)|if (?:the|it)|because|since|so (?:the|that|it|we))\b/i

const DEMAND =
  /^(?:(?:please|also|and|but|so|no|ok(?:ay)?|again|just|i said|as i said)[,:!.]?\s+)*(?:do(?:n['’]t| not)|stop|avoid|use|keep|make sure|ensure|only|no|prefer|run|write|put|add|ask|check)\b|\b(?:you|it|we) (?:must|should|may)(?: not|n['’]t)?\b|\bdo(?:n['’]t| not) (?:\p{L}+ )|\binstead of\b|[不别]要|必须|しないで/iu

/** A thought or an observation, not a demand. */
const HEDGED =
  /\b(?:maybe|perhaps|probably|i (?:don['’]t|do not|can['’]t|cannot) (?:see|think|know|understand|have|find|remember|get)|we don['’]t need|i mean|i guess|i think|hm+)\b/i

const TAKES_BACK =
  /\b(?:no longer|not any ?more|any ?more\b|no need to|you (?:can|may) (?:now|again)\b|you (?:can|may) .{1,80} again\b|it['’]?s (?:ok|okay|fine|alright|all right) (?:now |again )?to\b|forget (?:about )?(?:that|the|what|my|it)\b|ignore (?:that|what i|my|the rule)|scratch that|never ?mind|(?:drop|lift|cancel|remove|withdraw) (?:the|that|this|my) rule|(?:that|this|the) rule (?:is|was|no|does|about)|i(?:['’]ve| have)? changed my mind|stop (?:always )?\p{L}+ing|(?:switch|switched|switching|move|moved|moving|migrate|migrated|migrating) (?:over )?(?:from|to)\b|we(?:['’]re| are)? now us(?:e|ing)\b|we now\b|actually,? (?:use|do|you can|we (?:use|can)))|nicht mehr|不用再|不再|もう.*なくて(?:も)?いい/iu

/** True when a sentence takes back what was said just before, whatever it was. */
export function takesLastBack(sentence: string): boolean {
  return /^(?:(?:ok(?:ay)?|no|oh|sorry|actually|hm+|wait)[,.!]? )*(?:scratch that|never ?mind(?: that)?|forget (?:about )?(?:that|it|what i (?:just )?said)|ignore (?:that|my last (?:message|rule))|i(?:['’]ve| have)? changed my mind)[.!]?$/i.test(
    sentence,
  )
}

function topicOf(sentence: string): string[] {
  const terms = splitWords(sentence).flatMap(({ parts }) => parts.map(termOf))
  return [...new Set(terms)].filter((term) => !SAYS_LITTLE.has(term))
}

/** Words of demands, as stems: nearly every rule has some of them. */
const SAYS_LITTLE: ReadonlySet<string> = new Set(
  `always never pleas make sure us use do dont don not no ever must should shall may need want only just also now on from go forward futur
  everi each time whenev ani anymor more longer again rule rememb note prefer instead rather than like ok okai fine it im ive well
  keep run write add put get be sai said stop forget ignor chang mind actual switch move migrat here all whole entir thing
  repo repositori project codebas code you'r your we're were let`.split(/\s+/),
)

type Topic = Pick<SaidSentence, 'topic'>

/** True when two sentences are about the same: the newer one replaces the older. */
export function isSameTopic({ topic: one }: Topic, { topic: other }: Topic): boolean {
  const shared = sharedTerms(one, other)
  const least = Math.min(one.length, other.length)
  if (least === 0) return false
  return least === 1 ? shared === 1 && Math.max(one.length, other.length) <= 2 : shared >= 2 && shared / least >= 0.6
}

/** True when a sentence that takes something back means this rule. */
export function takesBack({ topic: back }: Topic, { topic: rule }: Topic): boolean {
  const shared = sharedTerms(rule, back)
  return shared / rule.length >= 0.5 || (shared >= 2 && shared / back.length >= 0.6)
}

/** Topics have a few words. */
function sharedTerms(one: readonly string[], other: readonly string[]): number {
  let shared = 0
  for (const term of one) if (other.includes(term)) shared++
  return shared
}

/** Words of which a project has one: who says another one later has changed the rule. */
const ALTERNATIVES: readonly ReadonlySet<string>[] = [
  'npm pnpm yarn bun deno',
  'tabs spaces tab space',
  'vitest jest mocha ava',
  'pytest unittest nose',
  'eslint biome oxlint',
  'prettier biome dprint',
  'pip poetry uv pipenv conda',
  'merge rebase squash',
  'camelcase snake_case kebab-case pascalcase',
  'postgres postgresql mysql sqlite mariadb',
  'single-quotes double-quotes',
  'main master develop trunk',
  'react vue svelte angular solid',
  'make just task',
  'black ruff yapf',
  'express fastify hono koa',
  'axios fetch got undici',
  'english german french spanish chinese japanese',
].map((words) => new Set(words.split(' ')))

const ANY_ALTERNATIVE = new RegExp(
  String.raw`\b(?:${[...new Set(ALTERNATIVES.flatMap((words) => [...words]))].join('|')}|(?:single|double) quotes?)\b`,
  'i',
)

/** True when a sentence chooses one of the alternatives for good: "let's switch to pnpm", "we now use bun". */
export function choosesNow(sentence: string): boolean {
  if (!NOW_USED.test(sentence)) return false
  const { wanted } = wantedIn(sentence)
  return /\bus(?:e|ing)\b/i.test(sentence) || ALTERNATIVES.some((words) => among(wanted, words).length > 0)
}

const NOW_USED =
  /\bwe(?:['’]re| are)? now us(?:e|ing)\b|\bfrom now on\b|\b(?:switch|move|migrate)(?:d|ed|ing)? (?:over )?to\b/i

/** True when a newer sentence wants another of two alternatives, or does not want the one that the older wants. */
export function contradicts(newer: string, older: string): boolean {
  // Most sentences name none.
  if (!ANY_ALTERNATIVE.test(newer) || !ANY_ALTERNATIVE.test(older)) return false
  const [now, before] = [wantedIn(newer), wantedIn(older)]
  return ALTERNATIVES.some((words) => {
    const [wants, wanted] = [among(now.wanted, words), among(before.wanted, words)]
    if (wanted.some((word) => now.unwanted.has(word))) return true
    if (wants.some((word) => before.unwanted.has(word))) return true
    return wants.length > 0 && wanted.length > 0 && !wants.some((word) => wanted.includes(word))
  })
}

type Wanted = { readonly wanted: ReadonlySet<string>; readonly unwanted: ReadonlySet<string> }

function among(found: ReadonlySet<string>, words: ReadonlySet<string>): string[] {
  return [...found].filter((word) => words.has(word))
}

function wantedIn(sentence: string): Wanted {
  const wanted = new Set<string>()
  const unwanted = new Set<string>()
  const plain = sentence
    .toLowerCase()
    .replace(/\bfrom (?:now|here) on\b/g, '')
    .replace(/\b(single|double) quotes?/g, '$1-quotes')
  let isNot = 0
  for (const word of plain.match(/[\p{L}\d_'’-]+|[,;.]/gu) ?? []) {
    if (/^(?:not|never|don['’]t|no|instead|than|avoid|stop|without|from|over)$/.test(word)) isNot = 6
    else if (/^(?:[,;.]|but|use|to|with)$/.test(word) && isNot < 6 && !/^(?:use|with)$/.test(word)) isNot = 0
    else (isNot > 0 ? unwanted : wanted).add(word)
    isNot = Math.max(0, isNot - 1)
  }
  return { wanted, unwanted }
}
