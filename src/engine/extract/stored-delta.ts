import { namedOnly, newestStatements } from '../../model/facts/merge-facts.ts'
import { excerpt, headOf } from '../../model/text.ts'
import type { EntryOf, IdentifierFact, IndexDelta, InstructionFileFact, Item, UserFact } from '../../model/types.ts'
import { isAskingTool } from './asking-tools.ts'
import { indexDelta } from './index-delta.ts'
import { identifierRank } from './text/identifiers.ts'

/** More than any index shows: the facts stored with a compaction must not become a second copy of the log. */
const USERS_CHARACTERS = 32_000
/** The most characters of a single message. The more messages there are, the lower the limit: long ones are shortened before any is left out. */
const USER_CHARACTERS = [8_000, 4_000, 2_000, 1_200] as const
const MOST_FACTS = 200
const STATEMENTS_CHARACTERS = 16_000

/**
 * The facts of a span that are stored with its compaction. All messages of the user are stored if they fit after long ones
 * are shortened, or else the newest. The very first one is kept whole up to `firstCharacters`. `leftOut` counts the others.
 */
export function storedDelta(delta: IndexDelta, isFirst: boolean, firstCharacters: number): IndexDelta {
  const users = delta.users ?? []
  const stored = storedUsers(users, isFirst, firstCharacters)
  const { instructions = [] } = delta
  const kept = newest(instructions, USER_CHARACTERS[0])
  const before = delta.leftOut ?? { users: 0, constraints: 0, identifiers: 0 }
  const leftOut = {
    users: before.users + users.length - stored.length,
    constraints: before.constraints + Math.max(0, (delta.constraints?.length ?? 0) - MOST_FACTS),
    identifiers: before.identifiers + Math.max(0, (delta.identifiers?.length ?? 0) - MOST_FACTS),
  }
  const lost = (before.instructions ?? 0) + instructions.length - kept.length
  const some = leftOut.users + leftOut.constraints + leftOut.identifiers + lost > 0
  return {
    ...delta,
    ...(delta.users === undefined ? {} : { users: stored }),
    ...(delta.inRole === undefined ? {} : { inRole: storedUsers(delta.inRole, isFirst, firstCharacters) }),
    ...(instructions.length === 0 ? {} : { instructions: kept }),
    ...(delta.instructionFiles === undefined ? {} : { instructionFiles: storedInstructions(delta.instructionFiles) }),
    ...(delta.constraints === undefined ? {} : { constraints: delta.constraints.slice(-MOST_FACTS) }),
    ...(delta.identifiers === undefined ? {} : { identifiers: weightiest(delta.identifiers) }),
    ...(delta.printed === undefined ? {} : { printed: delta.printed.slice(-MOST_FACTS) }),
    ...(delta.statements === undefined
      ? {}
      : { statements: newestStatements(delta.statements, STATEMENTS_CHARACTERS) }),
    ...(some ? { leftOut: lost === 0 ? leftOut : { ...leftOut, instructions: lost } } : {}),
  }
}

/** The texts of all instruction files together: a record shows a part of them. */
const INSTRUCTIONS_CHARACTERS = 32_000
/** The most characters of one of them. The more there are, the lower the limit. */
const INSTRUCTION_CHARACTERS = [8_000, 4_000, 2_000, 1_000] as const

/** All instruction files. Long texts are shortened before the oldest ones are left out. */
function storedInstructions(facts: readonly InstructionFileFact[]): InstructionFileFact[] {
  const size = (most: number) => facts.reduce((sum, { text = '' }) => sum + Math.min(text.length, most), 0)
  const most = INSTRUCTION_CHARACTERS.find((characters) => size(characters) <= INSTRUCTIONS_CHARACTERS)
  let left = INSTRUCTIONS_CHARACTERS
  const kept = facts.toReversed().map((fact) => {
    const short = shortInstruction(fact, most ?? INSTRUCTION_CHARACTERS.at(-1) ?? 0)
    left -= short.text?.length ?? 0
    return left < 0 && short.text !== undefined ? namedOnly(short) : short
  })
  return kept.reverse()
}

function shortInstruction(fact: InstructionFileFact, most: number): InstructionFileFact {
  const { text = '', length = text.length } = fact
  return text.length <= most ? fact : { ...fact, text: headOf(text, most), length }
}

function weightiest(names: readonly IdentifierFact[]): IdentifierFact[] {
  if (names.length <= MOST_FACTS) return [...names]
  const ranked = names.toSorted((a, b) => identifierRank(b) - identifierRank(a))
  const kept = new Set(ranked.slice(0, MOST_FACTS))
  return names.filter((name) => kept.has(name))
}

function storedUsers(users: readonly UserFact[], isFirst: boolean, firstCharacters: number): UserFact[] {
  const [first, ...others] = isFirst ? users : [undefined, ...users]
  const messages = others.filter((fact) => fact !== undefined)
  const most = USER_CHARACTERS.find((characters) => newest(messages, characters).length === messages.length)
  const kept = newest(messages, most ?? USER_CHARACTERS[USER_CHARACTERS.length - 1] ?? 0)
  return first === undefined ? kept : [shortened(first, Math.max(USER_CHARACTERS[0], firstCharacters)), ...kept]
}

/** The newest messages that fit together, each with at most `characters`. */
function newest(users: readonly UserFact[], characters: number): UserFact[] {
  const kept: UserFact[] = []
  let left = USERS_CHARACTERS
  for (const fact of users.toReversed()) {
    const short = shortened(fact, characters)
    left -= short.text.length
    if (left < 0) break
    kept.push(short)
  }
  return kept.reverse()
}

function shortened(fact: UserFact, characters: number): UserFact {
  if (fact.text.length <= characters) return fact
  const head = Math.max(1_000, Math.floor(characters * 0.6))
  const text = excerpt(fact.text, { head, tail: characters - head }, `#${fact.seq}`)
  return { ...fact, text, length: fact.text.length }
}

/** The version of the rules by which a compaction's facts were found. Facts of 0.2 have no version; 0.2 took words of a tool for the user's. */
export const FACT_RULES = 2 as const

/**
 * A compaction of an earlier version, corrected by the user's words that its log really has. `items` are the messages of its
 * span and those that it kept. Facts of messages that the log no longer has stay if the user typed them or was asked.
 */
export function withCheckedWords(
  entry: EntryOf<'compaction'>,
  items: readonly Item[],
  { isFirst, redact }: { readonly isFirst: boolean; readonly redact: (text: string) => string },
): EntryOf<'compaction'> {
  if (entry.factRules !== undefined) return entry
  const checked = checkedWords(entry.indexDelta, items, redact)
  const stored = storedDelta(checked, isFirst, entry.userTokens * 8)
  return { ...entry, indexDelta: { ...entry.indexDelta, ...stored }, factRules: FACT_RULES }
}

/** The same for facts without an entry. */
export function checkedWords(
  delta: IndexDelta,
  items: readonly Item[],
  redact: (text: string) => string = (text) => text,
): IndexDelta {
  const { users = [], constraints = [] } = delta
  const found = items.length === 0 ? {} : indexDelta(items)
  const known = new Set(items.map(({ seq }) => seq))
  const foundAt = Map.groupBy(found.users ?? [], ({ seq }) => seq)
  const left = new Map(foundAt)
  const checked = users.flatMap((fact) => {
    if (!known.has(fact.seq)) return isLikely(fact) ? [fact] : []
    const words = left.get(fact.seq) ?? []
    left.delete(fact.seq)
    return words.map((one) => ({ ...one, text: redact(one.text) }))
  })
  const isUserText = (seq: number, text: string) =>
    known.has(seq)
      ? (foundAt.get(seq) ?? []).some((fact) => redact(fact.text).includes(text))
      : checked.some((fact) => fact.seq === seq && fact.text.includes(text))
  return {
    ...delta,
    ...(delta.users === undefined ? {} : { users: checked }),
    ...(delta.constraints === undefined
      ? {}
      : { constraints: constraints.filter(({ seq, text }) => isUserText(seq, text)) }),
  }
}

function isLikely({ reply, to = '' }: UserFact): boolean {
  return reply === undefined || isAskingTool(to)
}
