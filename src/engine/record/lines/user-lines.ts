import { clip, dateTime, type Extent, excerpt, handle } from '../../../model/text.ts'
import type { Index, Seq, UserFact } from '../../../model/types.ts'
import { ownWords } from '../../extract/text/own-words.ts'
import { escaped } from '../escape.ts'
import { HEADING, SECTION } from '../sections/section-titles.ts'
import { RANK, type RecordLine } from './line.ts'

export type UserLinesInput = {
  readonly index: Index
  /** Entries that are verbatim after the record: a request among them is named, and not quoted again. */
  readonly shown: ReadonlySet<Seq>
  /** The most characters of a single message. */
  readonly most: number
}

/** The user's words: the first and the newest request, all other messages, and what the user's role or the system said. */
export function saidByUser(input: UserLinesInput): RecordLine[] {
  const { index, shown } = input
  const requests = index.users.filter(({ reply }) => reply === undefined)
  const first = requests.find(({ text }) => !isCommand(text)) ?? requests[0]
  const last = requests.at(-1)
  const isFirstHere = first !== undefined && [...shown].some((seq) => seq < first.seq)
  const year = dateTime(first?.at).slice(0, 4)
  const asked = [
    ...(first === undefined
      ? []
      : [requestLine(first, isFirstHere ? REQUEST_LABEL.firstHere : REQUEST_LABEL.first, 0, input)]),
    ...(last === undefined || last === first ? [] : [requestLine(last, REQUEST_LABEL.last, 1, input)]),
  ]
  const others = saidOnce(index.users.filter((fact) => fact !== first && fact !== last && !shown.has(fact.seq)))
  return [
    ...asked,
    ...others.map((fact) => saidLine(fact, demandsIn(index, fact), year, input.most)),
    ...loneDemands(index, year),
    ...notStoredLine(index),
    ...(index.instructions ?? []).map(systemLine),
    ...roleLines(input),
  ]
}

/** The labels of the two requests, and of one that is verbatim after the record. */
const REQUEST_LABEL = {
  first: 'the first request',
  firstHere: 'the first request here',
  last: 'the last request here',
  shown: 'whole behind this record',
} as const

/** The two requests: from whole to what is never left out. */
const REQUEST: readonly Extent[] = [
  { head: Number.POSITIVE_INFINITY, tail: 0 },
  { head: 2_800, tail: 1_200 },
  { head: 1_400, tail: 600 },
  { head: 600, tail: 200 },
  { head: 350, tail: 150 },
  { head: 120, tail: 0 },
]
/** A request is whole, and what was pasted into it is there as far as both have so many characters. */
const PASTE_KEPT = 4_000
const WITH_PASTE: Extent = { head: 2_800, tail: 1_200 }
const NOTHING: Extent = { head: 0, tail: 0 }

function requestLine(fact: UserFact, what: string, order: number, { shown, most }: UserLinesInput): RecordLine {
  const { seq, at, to } = fact
  const about = to === undefined ? '' : `${REPLY_LABEL.answer} ${aboutText(to)}`
  const label = `${handle(seq)} (${[dateTime(at), what, about].filter((text) => text !== '').join(', ')}`
  const line = { section: SECTION.now, from: entriesOf(fact), order, kind: 'said' as const }
  if (shown.has(seq)) {
    const text = `${label}, ${REQUEST_LABEL.shown}) ${escaped(clip(fact.text, 240))}`
    return { ...line, levels: 1, render: () => text, stays: { level: 0, rank: RANK.last } }
  }
  const own = ownWords(fact.text, handle(seq))
  const whole = own.length >= PASTE_KEPT ? own : excerpt(fact.text.trim(), WITH_PASTE, handle(seq))
  return {
    ...line,
    levels: REQUEST.length,
    render: (level) => {
      const text = level === 0 ? whole : own
      return `${label}) ${onOwnLines(excerpt(text, within(REQUEST[level] ?? NOTHING, most), handle(seq)))}`
    },
    stays: { level: 0, rank: RANK.last },
  }
}

/** Its own entry, and that of the question before it. */
function entriesOf({ seq, asked }: UserFact): Seq[] {
  return asked === undefined ? [seq] : [seq, asked]
}

/** The same extent, or one of at most this many characters. */
function within({ head, tail }: Extent, most: number): Extent {
  return head + tail <= most ? { head, tail } : { head: Math.ceil(most * 0.7), tail: Math.floor(most * 0.3) }
}

function onOwnLines(text: string): string {
  const safe = escaped(text)
  return safe.includes('\n') ? `\n${safe}` : safe
}

/** Every other message: whole, the part of a long one that stays, its words without what was pasted, and down to the first of them. */
const SAID: readonly { readonly extent: Extent; readonly isOwn: boolean }[] = [
  { extent: { head: Number.POSITIVE_INFINITY, tail: 0 }, isOwn: false },
  { extent: { head: 1_100, tail: 300 }, isOwn: false },
  { extent: { head: 1_500, tail: 500 }, isOwn: true },
  { extent: { head: 350, tail: 150 }, isOwn: true },
  { extent: { head: 160, tail: 0 }, isOwn: true },
  { extent: { head: 90, tail: 0 }, isOwn: true },
]
/** A message of so many characters stays whole if there is room for all. */
const WHOLE = 2_000
const WHOLE_EXTENT: Extent = { head: WHOLE, tail: 0 }
/** The level at which a message stays if there is room for all, and the one at which a text that nobody typed does. */
const [STAYS, STAYS_UNTYPED] = [1, 3]

function saidText({ text, seq }: UserFact, level: number, most: number): string {
  const { extent, isOwn } = SAID[level] ?? { extent: NOTHING, isOwn: true }
  const said = isOwn ? ownWords(text, handle(seq)) : text.trim()
  // A message of this length stays whole.
  const fits = level <= STAYS && said.length <= WHOLE
  return excerpt(said, within(fits ? WHOLE_EXTENT : extent, most), handle(seq))
}

function saidLine(fact: UserFact, demands: readonly string[], year: string, most: number): RecordLine {
  const { seq, at, reply, to, text } = fact
  const about =
    reply === undefined && to === undefined
      ? ''
      : `${REPLY_LABEL[reply ?? 'answer']}${to === undefined ? '' : ` ${aboutText(to)}`}`
  const label = `- ${handle(seq)} ${when(at, year, about)}`
  return {
    section: SECTION.now,
    heading: HEADING.said,
    from: entriesOf(fact),
    order: -seq,
    levels: SAID.length,
    render: (level) => {
      const short = saidText(fact, level, most)
      const isCut = demands.some((demand) => text.includes(demand) && !short.includes(demand))
      return label + onOwnLines(isCut ? [short, ...missing(demands, short)].join(' … ') : short)
    },
    stays: { level: STAYS, rank: RANK.said },
    kind: 'said',
    what: 'older messages of the user',
  }
}

/** The demands that a shortened message lost. */
function missing(demands: readonly string[], short: string): string[] {
  return demands.filter((demand) => !short.includes(demand)).map((demand) => clip(demand, 400))
}

/** The demands of a message. One inside a pasted text is not the user's. */
function demandsIn({ constraints }: Index, { seq, text }: UserFact): string[] {
  const demands = constraints.flatMap((fact) => (fact.seq === seq ? [fact.text] : []))
  if (demands.length === 0) return []
  const own = ownWords(text, handle(seq))
  return demands.filter((demand) => own.includes(demand))
}

/** Demands whose messages are not known: a demand outlives its message. */
function loneDemands({ users, constraints }: Index, year: string): RecordLine[] {
  const known = new Set(users.map(({ seq }) => seq))
  return constraints
    .filter(({ seq }) => !known.has(seq))
    .map(({ seq, text, at }) => ({
      section: SECTION.now,
      heading: HEADING.said,
      from: [seq],
      order: -seq,
      levels: 1,
      render: () => `- ${handle(seq)} ${when(at, year)}${escaped(clip(text, 400))}`,
      stays: { level: 0, rank: RANK.said },
      kind: 'said',
      what: 'older messages of the user',
    }))
}

/** Messages that the index has no room for are counted: they are still in the log. */
function notStoredLine({ leftOut }: Index): RecordLine[] {
  const { users = 0 } = leftOut ?? {}
  if (users === 0) return []
  const text = `(and ${users} messages of the user before these: search the log with recall)`
  const line = { section: SECTION.now, heading: HEADING.said, from: [], order: Number.MAX_SAFE_INTEGER, levels: 1 }
  return [{ ...line, render: () => text, stays: { level: 0, rank: RANK.last }, kind: 'said' }]
}

/** A program that refuses a call says the same each time: only its numbers differ. */
function saidOnce(said: readonly UserFact[]): UserFact[] {
  const known = new Set<string>()
  return said
    .toReversed()
    .filter(({ text, reply }) => {
      if (reply !== 'rejection' || text.length < LEAST_REPEATED) return true
      const same = text.replace(/\d+/g, '0')
      const isNew = !known.has(same)
      known.add(same)
      return isNew
    })
    .toReversed()
}

const LEAST_REPEATED = 60

/** The call or the question that a reply is about. A bracket before a space would end the label. */
function aboutText(to: string): string {
  return escaped(clip(to, ABOUT_CHARACTERS).replaceAll(') ', '] '))
}

const ABOUT_CHARACTERS = 160

/** The effect of a user's reply on the matter that it is about. */
const REPLY_LABEL = {
  answer: 'answering',
  approval: 'approving',
  rejection: 'refusing',
  meanwhile: 'typed during',
} as const

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

function systemLine({ seq, text }: UserFact): RecordLine {
  return {
    section: SECTION.now,
    heading: HEADING.instructions,
    from: [seq],
    order: -seq,
    levels: SAID.length,
    render: (level) => `- ${handle(seq)} ${onOwnLines(saidText({ seq, text }, level, Number.POSITIVE_INFINITY))}`,
    stays: { level: STAYS, rank: RANK.said },
    kind: 'said',
    what: 'older system instructions',
  }
}

/** The texts in the user's role that are not known to be typed. If nothing is typed, only they say what the work is about. */
function roleLines({ index: { users, inRole = [] }, shown, most }: UserLinesInput): RecordLine[] {
  // A session may begin with a task that nobody typed, such as a plan.
  const task = inRole.find(({ seq }) => seq < (users[0]?.seq ?? Number.POSITIVE_INFINITY))
  return inRole
    .filter(({ seq }) => !shown.has(seq))
    .map((fact): RecordLine => {
      const { seq, at } = fact
      const line: RecordLine = {
        section: SECTION.inRole,
        from: [seq],
        order: -seq,
        levels: SAID.length,
        render: (level) => {
          return `- ${handle(seq)} ${when(at, '')}${onOwnLines(saidText(fact, level, most))}`
        },
        kind: 'inRole',
        what: "more texts in the user's role",
      }
      if (fact === task) return { ...line, stays: { level: users.length === 0 ? 0 : STAYS, rank: RANK.last } }
      return users.length === 0 ? { ...line, stays: { level: STAYS_UNTYPED, rank: RANK.said } } : line
    })
}
