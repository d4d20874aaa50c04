import { lastChange } from '../../model/facts/merge-facts.ts'
import { clip, excerpt, handle, headOf } from '../../model/text.ts'
import type { GitFact, Index, IndexDelta, InstructionFileFact, StatementFact, UserFact } from '../../model/types.ts'
import { baseName } from './calls/paths.ts'

/** The most characters of the facts that are stored with a compaction, as JSON: they must not become a second copy of the log. */
export const STORED_CHARACTERS = 200_000

/** The same of the state of a conversation, with all facts before it. */
const STATE_CHARACTERS = 100_000

export function stateFacts(facts: IndexDelta): IndexDelta {
  return boundedFacts(facts, STATE_CHARACTERS)
}

type Kind = Exclude<keyof Index, 'leftOut'>
type Fact = { readonly seq: number; readonly access?: string; readonly times?: number; readonly kind?: string }

/** The worth of a fact of each kind, for when not all can be stored. Those of lines that stay in a record come before all others. */
const WORTH: Readonly<Record<Kind, number>> = {
  users: 1e6,
  constraints: 1e6,
  // Few, and never the newest: a session changes files after it wrote them.
  todos: 1e7,
  git: 1e6,
  commits: 1e6,
  narratives: 1e6,
  instructions: 1e6,
  files: 100,
  instructionFiles: 400,
  inRole: 200,
  listed: 100,
  errors: 200,
  commands: 100,
  statements: 80,
  changes: 20,
  printed: 6,
  identifiers: 8,
}
/** A changed file is a state of the work; one that was only read is a place to look. */
const CHANGED_FILE = 1e6

/** The most characters of a single message. The more messages there are, the lower the limit: long ones are shortened before any is left out. */
const MESSAGE_CHARACTERS = [8_000, 4_000, 2_000, 1_000, 400] as const
/** The most that all messages of the user together may have of the whole. */
const MESSAGES_SHARE = 0.33
/** The most characters of a paragraph of the agent: no record shows more of it. */
const PARAGRAPH_CHARACTERS = 600
/** The most characters of the text of an instruction file. */
const INSTRUCTION_CHARACTERS = 8_000

/**
 * The facts that fit into so many characters, the worthiest first and then the newest, in their order. The first message of the
 * user is whole up to `firstCharacters`.
 */
export function boundedFacts(delta: IndexDelta, characters = STORED_CHARACTERS, firstCharacters = 0): IndexDelta {
  const short = withShortTexts(withoutOldGit(delta), characters, firstCharacters)
  const { leftOut, ...lists } = short
  const all = (Object.entries(lists) as [Kind, readonly Fact[] | undefined][]).flatMap(([kind, facts = []]) =>
    facts.map((fact) => ({ kind, fact, size: JSON.stringify(fact).length + 1 })),
  )
  if (all.reduce((sum, { size }) => sum + size, 0) <= characters && leftOut === undefined) return short
  const ranks = new Map(all.map(({ kind, fact, size }) => [fact, rankOf(worthOf(kind, fact), size)]))
  const rank = ({ fact }: (typeof all)[number]) => ranks.get(fact) ?? 0
  const kept = new Set<Fact>()
  let left = characters
  for (const one of all.toSorted((a, b) => rank(b) - rank(a) || b.fact.seq - a.fact.seq)) {
    if (one.size > left) continue
    left -= one.size
    kept.add(one.fact)
  }
  const [first] = short.users ?? []
  if (first !== undefined) kept.add(first)
  const some = Object.entries(lists).map(([kind, facts = []]) => [kind, facts.filter((fact) => kept.has(fact))])
  const bounded = Object.fromEntries(some.filter(([, facts = []]) => facts.length > 0)) as IndexDelta
  const users = (leftOut?.users ?? 0) + (short.users?.length ?? 0) - (bounded.users?.length ?? 0)
  return users === 0 ? bounded : { ...bounded, leftOut: { users } }
}

/** Sizes count by their power of two: of two facts that are about as long, the newer one comes first. */
function rankOf(worth: number, size: number): number {
  return worth >= CHANGED_FILE ? worth : worth / 2 ** (32 - Math.clz32(size))
}

/** Without what git said of files before their last change: it decides nothing any more. */
function withoutOldGit(delta: IndexDelta): IndexDelta {
  const { git, files = [] } = delta
  if (git === undefined) return delta
  const changed = new Map<string, number>()
  for (const file of files) {
    const [name, seq] = [baseName(file.path), lastChange(file)]
    if (seq > 0) changed.set(name, Math.min(seq, changed.get(name) ?? seq))
  }
  const newest = new Set([git.findLast(isWhole), git.findLast(({ kind }) => kind === 'logged')])
  const decides = (fact: GitFact) => {
    if (fact.kind === 'logged' || isWhole(fact)) return newest.has(fact)
    if (!('paths' in fact) || fact.paths.length === 0) return true
    return fact.paths.some((path) => (changed.get(baseName(path)) ?? Number.POSITIVE_INFINITY) < fact.seq)
  }
  return { ...delta, git: git.filter(decides) }
}

function isWhole(fact: GitFact): boolean {
  return fact.kind === 'status' && fact.whole === true
}

function worthOf(kind: Kind, { access, times = 1, kind: of }: Fact): number {
  if (kind === 'files' && access !== 'read') return CHANGED_FILE
  return WORTH[kind] * Math.min(times, 4) * (kind === 'statements' && of === 'answer' ? 2 : 1)
}

function shortParagraph(fact: StatementFact): StatementFact {
  return fact.text.length <= PARAGRAPH_CHARACTERS ? fact : { ...fact, text: clip(fact.text, PARAGRAPH_CHARACTERS) }
}

function withShortTexts(delta: IndexDelta, characters: number, firstCharacters: number): IndexDelta {
  const { users, inRole, instructions, instructionFiles, statements } = delta
  const most =
    MESSAGE_CHARACTERS.find((size) => sizeOf(users ?? [], size) <= characters * MESSAGES_SHARE) ??
    MESSAGE_CHARACTERS[MESSAGE_CHARACTERS.length - 1] ??
    0
  const shortened = (facts: readonly UserFact[]) => facts.map((fact) => shortMessage(fact, most))
  return {
    ...delta,
    ...(users === undefined
      ? {}
      : { users: users.map((fact, i) => shortMessage(fact, i === 0 ? Math.max(most, firstCharacters) : most)) }),
    ...(inRole === undefined ? {} : { inRole: shortened(inRole) }),
    ...(instructions === undefined ? {} : { instructions: shortened(instructions) }),
    ...(statements === undefined ? {} : { statements: statements.map(shortParagraph) }),
    ...(instructionFiles === undefined ? {} : { instructionFiles: instructionFiles.map(shortInstruction) }),
  }
}

function sizeOf(users: readonly UserFact[], most: number): number {
  return users.reduce((sum, { text }) => sum + Math.min(text.length, most), 0)
}

/** A long message keeps its head and its tail. The end of a paste is mostly the end of the message: it stays known as one. */
function shortMessage(fact: UserFact, most: number): UserFact {
  const { text, seq, length = text.length } = fact
  if (text.length <= most) return fact
  const extent = { head: Math.floor(most * HEAD_SHARE), tail: Math.floor(most * (1 - HEAD_SHARE)) }
  return { ...fact, text: excerpt(text, extent, handle(seq)), length }
}

const HEAD_SHARE = 0.75

function shortInstruction(fact: InstructionFileFact): InstructionFileFact {
  const { text = '', length = text.length } = fact
  return text.length <= INSTRUCTION_CHARACTERS ? fact : { ...fact, text: headOf(text, INSTRUCTION_CHARACTERS), length }
}
