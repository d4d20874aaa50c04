import { clip, dateTime, type Extent, excerpt, handle } from '../../../model/text.ts'
import type { ConstraintFact, Index, UserFact } from '../../../model/types.ts'
import { ownWords } from '../../extract/text/own-words.ts'
import { HIGHEST_PRIORITY, type Snippet } from '../digest/render-within.ts'
import { escaped } from '../escape.ts'
import type { RecordBlock } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

export type NowInput = {
  readonly index: Index
  /** Entries that are verbatim after the record: they are named here, and not quoted again. */
  readonly shown: ReadonlySet<number>
  /** The most characters of a single message. */
  readonly most: number
}

/** The work without the user's first request: the current request, and the user's other messages, demands first. */
export function nowBlocks({ index, shown, most }: NowInput): RecordBlock[] {
  const requests = requestsOf(index)
  const begun = firstOf(requests)
  const last = requests.at(-1)
  const others = index.users.filter((fact) => fact !== begun && fact !== last).toReversed()
  const asked = last === undefined || last === begun ? [] : [requestSnippet(last, REQUEST_LABEL.last, { shown, most })]
  const { leftOut } = index
  return [
    { section: SECTION.now, snippets: asked, levels: REQUEST.length, tier: 0, share: 30 },
    {
      ...saidBlock(others, loneDemands(index), index.constraints, { shown, most, year: yearOf(begun) }),
      leftOut: leftOut?.users,
    },
    instructionsBlock(index.instructions ?? [], leftOut?.instructions),
    roleBlock(index, shown, most),
  ]
}

/** The texts in the user's role that are not known to be typed. If nothing is typed, only they say what the work is about. */
function roleBlock({ users, inRole = [] }: Index, shown: ReadonlySet<number>, most: number): RecordBlock {
  const isAll = users.length === 0
  // A session may begin with a task that nobody typed, such as a plan.
  const task = inRole.find(({ seq }) => seq < (users[0]?.seq ?? Number.POSITIVE_INFINITY))
  return {
    section: SECTION.inRole,
    snippets: inRole
      .flatMap((fact): Snippet[] => {
        const { seq, at } = fact
        if (shown.has(seq)) return []
        const text = ownWords(fact.text, handle(seq))
        const longest = fact === task ? 0 : 1
        const quoted = (extent: Extent) => onOwnLines(excerpt(text, within(extent, most), handle(seq)))
        return [
          {
            priority: fact === task ? HIGHEST_PRIORITY : seq,
            render: (level) => `- ${handle(seq)} ${when(at, '')}${quoted(SAID[Math.max(level, longest)] ?? NOTHING)}`,
          },
        ]
      })
      .toReversed(),
    levels: SAID.length,
    tier: isAll ? 0 : 2,
    least: 2,
    share: isAll ? 45 : 10,
    what: "more texts in the user's role",
  }
}

/** The year that dates may leave out: the first request has it. */
function yearOf(begun: UserFact | undefined): string {
  return dateTime(begun?.at).slice(0, 4)
}

/** The user's first request, whole up to so many characters: it has room of its own. */
export function firstRequest({ index, shown, most }: NowInput): string[] {
  const fact = firstOf(requestsOf(index))
  return fact === undefined ? [] : [requestSnippet(fact, firstLabel(fact, shown), { shown, most }).render(0)]
}

/** A pinned message from before it is beside the record: the session began with that one. */
function firstLabel({ seq }: UserFact, shown: ReadonlySet<number>): string {
  return [...shown].some((other) => other < seq) ? REQUEST_LABEL.firstHere : REQUEST_LABEL.first
}

/** The labels of the two requests, and of one that is verbatim after the record. */
export const REQUEST_LABEL = {
  first: 'the first request',
  firstHere: 'the first request here',
  last: 'the last request here',
  shown: 'whole behind this record',
} as const

function requestsOf(index: Index): UserFact[] {
  return index.users.filter(({ reply }) => reply === undefined)
}

function firstOf(requests: readonly UserFact[]): UserFact | undefined {
  return requests.find(({ text }) => !isCommand(text)) ?? requests[0]
}

/** The request at hand and the first one: from whole to what is never left out. */
const REQUEST: readonly Extent[] = [
  { head: Number.POSITIVE_INFINITY, tail: 0 },
  { head: 2_800, tail: 1_200 },
  { head: 1_400, tail: 600 },
  { head: 1_000, tail: 200 },
  { head: 600, tail: 200 },
  { head: 350, tail: 150 },
]
/** A request keeps what was pasted into it up to this many characters: it is about it. */
const PASTE_KEPT = 2_000

type QuoteLimits = { readonly shown: ReadonlySet<number>; readonly most: number }

function requestSnippet(fact: UserFact, what: string, { shown, most }: QuoteLimits): Snippet {
  const { seq, at } = fact
  const label = `${handle(seq)} (${[dateTime(at), what].filter((text) => text !== '').join(', ')}`
  if (shown.has(seq)) {
    const line = `${label}, ${REQUEST_LABEL.shown}) ${escaped(clip(fact.text, 240))}`
    return { priority: HIGHEST_PRIORITY, render: () => line }
  }
  const text = fact.text.length <= PASTE_KEPT ? fact.text.trim() : ownWords(fact.text, handle(seq))
  const quoted = (extent: Extent) => `${label}) ${onOwnLines(excerpt(text, within(extent, most), handle(seq)))}`
  return {
    priority: HIGHEST_PRIORITY,
    render: (level) => quoted(REQUEST[level] ?? NOTHING),
  }
}

const NOTHING: Extent = { head: 0, tail: 0 }

/** The same extent, or one of at most this many characters. */
export function within({ head, tail }: Extent, most: number): Extent {
  return head + tail <= most ? { head, tail } : { head: Math.ceil(most * 0.7), tail: Math.floor(most * 0.3) }
}

function onOwnLines(text: string): string {
  const safe = escaped(text)
  return safe.includes('\n') ? `\n${safe}` : safe
}

/** Other messages: from whole to their demands alone, or their first words. */
const SAID: readonly Extent[] = [
  { head: Number.POSITIVE_INFINITY, tail: 0 },
  { head: 1_000, tail: 200 },
  { head: 350, tail: 150 },
  { head: 160, tail: 0 },
  { head: 90, tail: 0 },
]

/** Demands whose messages are not stored: a demand outlives its message. */
function loneDemands({ users, constraints }: Index): ConstraintFact[] {
  const known = new Set(users.map(({ seq }) => seq))
  return constraints.filter(({ seq }) => !known.has(seq)).toSorted((a, b) => b.seq - a.seq)
}

function saidBlock(
  said: readonly UserFact[],
  lone: readonly ConstraintFact[],
  constraints: readonly ConstraintFact[],
  { shown, most, year }: QuoteLimits & { readonly year: string },
): RecordBlock {
  const demands = Map.groupBy(constraints, ({ seq }) => seq)
  const snippets = saidOnce(said)
    .filter(({ seq }) => !shown.has(seq))
    .map((fact) =>
      saidSnippet(
        fact,
        (demands.get(fact.seq) ?? []).map(({ text }) => text),
        year,
        most,
      ),
    )
  const others = lone.map(({ seq, text, at }): Snippet => {
    const line = `- ${handle(seq)} ${when(at, year)}${escaped(clip(text, 400))}`
    return { priority: DEMANDS + seq, render: () => line }
  })
  const all = [...snippets, ...others]
  return {
    section: SECTION.now,
    heading: HEADING.said,
    snippets: all,
    levels: SAID.length,
    tier: 0,
    least: Math.max(LEAST_SAID, all.filter(({ priority }) => priority > DEMANDS).length),
    share: 45,
    what: 'older messages of the user',
  }
}

/** A program that refuses a call says the same each time: only its numbers differ. */
function saidOnce(said: readonly UserFact[]): UserFact[] {
  const known = new Set<string>()
  return said.filter(({ text, reply }) => {
    if (reply !== 'rejection' || text.length < LEAST_REPEATED) return true
    const same = text.replace(/\d+/g, '0')
    const isNew = !known.has(same)
    known.add(same)
    return isNew
  })
}

const LEAST_REPEATED = 60

/** So many messages of the user are there even if none of them demands something. */
const LEAST_SAID = 3

/** More than any seq: what demands, refuses or answers outlives what was only talk. */
const DEMANDS = 1e9

function saidSnippet(fact: UserFact, demands: readonly string[], year: string, most: number): Snippet {
  const { seq, at, reply, to } = fact
  const own = ownWords(fact.text, handle(seq))
  // A demand inside a pasted text is not the user's.
  const real = demands.filter((text) => own.includes(text))
  const about = reply === undefined ? '' : `${REPLY_LABEL[reply]}${to === undefined ? '' : ` ${aboutText(to)}`}`
  const label = `- ${handle(seq)} ${when(at, year, about)}`
  return {
    priority:
      seq + (real.length > 0 || reply === 'rejection' || reply === 'answer' ? DEMANDS : isTalk(own) ? -DEMANDS : 0),
    render: (level) => {
      const extent = within(SAID[level] ?? NOTHING, most)
      const short = excerpt(own, extent, handle(seq))
      const isCut = short !== own && real.length > 0 && !real.every((text) => short.includes(text))
      return label + onOwnLines(isCut ? real.map((text) => clip(text, 400)).join(' … ') : short)
    },
  }
}

/** The call or the question that a reply is about. A bracket before a space would end the label. */
function aboutText(to: string): string {
  return escaped(clip(to, ABOUT_CHARACTERS).replaceAll(') ', '] '))
}

export const ABOUT_CHARACTERS = 160

/** The effect of a user's reply on the matter that it is about. */
export const REPLY_LABEL = {
  answer: 'answering',
  approval: 'approving',
  rejection: 'refusing',
  meanwhile: 'typed during',
} as const

function isTalk(text: string): boolean {
  return isCommand(text) || (text.length < 24 && !/[\d/#]/.test(text))
}

/** `/model`: a word to the program, not to the agent. */
function isCommand(text: string): boolean {
  return /^\/\S{0,30}$/.test(text.trim())
}

/** The day and time, and what a reply is about: without the year if it is that of the first request. */
function when(at: number | undefined, year: string, about = ''): string {
  const date = dateTime(at)
  const short = date.startsWith(`${year}-`) ? date.slice(5) : date
  const all = [short, about].filter((text) => text !== '')
  return all.length === 0 ? '' : `(${all.join(', ')}) `
}

function instructionsBlock(given: readonly UserFact[], leftOut?: number): RecordBlock {
  return {
    section: SECTION.now,
    heading: HEADING.instructions,
    snippets: given.toReversed().map((fact) => ({
      priority: fact.seq,
      render: (level) =>
        `- ${handle(fact.seq)} ${onOwnLines(excerpt(fact.text, SAID[level] ?? NOTHING, handle(fact.seq)))}`,
    })),
    levels: SAID.length,
    tier: 0,
    share: 12,
    what: 'older system instructions',
    leftOut,
  }
}
