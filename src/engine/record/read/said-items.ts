import type { IndexDelta, UserFact } from '../../../model/facts/log-index.ts'
import { mergeIndexes } from '../../../model/facts/merge-indexes.ts'
import { saidFacts } from '../../extract/said-facts.ts'
import { unescaped } from '../escape.ts'
import { ABOUT_CHARACTERS, REPLY_LABEL, REQUEST_LABEL } from '../sections/now.ts'
import { HEADING } from '../sections/section-titles.ts'
import type { RecordItem } from './record-items.ts'

/** What the user and the system said by a record, and what the user demanded. Messages that stand behind the record are left out. */
export function saidIn(items: readonly RecordItem[]): IndexDelta {
  const year = /\((\d{4})-\d\d-\d\d/.exec(items.map(({ text }) => text).join('\n'))?.[1]
  const facts = items.flatMap((item): IndexDelta[] => {
    const said = userFact(item.text, year)
    if (said === undefined) return []
    return item.heading === HEADING.instructions ? [{ instructions: [said] }] : [userFacts(said)]
  })
  const { users, instructions, constraints, identifiers } = mergeIndexes(facts)
  return { users, constraints, identifiers, ...(instructions === undefined ? {} : { instructions }) }
}

/** A message as the log had it tells the same demands and names again. */
function userFacts(fact: UserFact): IndexDelta {
  const { seq, text, at } = fact
  const message = { role: 'user' as const, content: text }
  const found = saidFacts({ kind: 'message', seq, place: seq, message, at, pinned: false })
  return { ...found, users: [fact] }
}

const REPLIES = Object.entries(REPLY_LABEL)
const LABEL = new RegExp(
  `^\\((?<date>(?:\\d{4}-)?\\d\\d-\\d\\d \\d\\d:\\d\\d)?(?:, )?(?:(?<request>${REQUEST_LABEL.first}|${REQUEST_LABEL.firstHere}|${REQUEST_LABEL.last})|(?<reply>${REPLIES.map(([, label]) => label).join('|')})(?: (?<to>.{1,${ABOUT_CHARACTERS + 4}}?))?)?(?<shown>, ${REQUEST_LABEL.shown})?\\) `,
)

function userFact(item: string, year: string | undefined): UserFact | undefined {
  const [, handle, rest = ''] = /^(?:- )?#(\d+) ([\s\S]*)$/.exec(item) ?? []
  if (handle === undefined) return undefined
  const label = rest.startsWith('() ') ? null : LABEL.exec(rest)
  const { date, reply, to, shown } = label?.groups ?? {}
  const text = unescaped(rest.slice(label?.[0].length ?? 0).replace(/^\n/, '')).trim()
  if (shown !== undefined || text === '') return undefined
  const kind = REPLIES.find(([, words]) => words === reply)?.[0] as UserFact['reply']
  return {
    seq: Number(handle),
    text,
    ...(date === undefined ? {} : timeOf(date, year)),
    ...(kind === undefined ? {} : { reply: kind }),
    ...(to === undefined ? {} : { to: unescaped(to) }),
  }
}

function timeOf(date: string, year: string | undefined): Pick<UserFact, 'at'> {
  const at = Date.parse(`${date.length > 11 ? date : `${year}-${date}`}Z`.replace(' ', 'T'))
  return Number.isNaN(at) ? {} : { at }
}
