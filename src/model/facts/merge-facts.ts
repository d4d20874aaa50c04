import type { ChangeFact, FileFact, InstructionFileFact, Seq, StatementFact, SymbolFact } from '../types.ts'

/** A change without its text. */
type ChangeNumbers = Pick<ChangeFact, 'path' | 'seq' | 'edits'>

/** A change whose text is computed every time it is read: for older changes that never happens. To read several fields, use `readChange`. */
export function unreadChange(numbers: ChangeNumbers, text: () => ChangeText): ChangeFact {
  return new UnreadChange(numbers, text)
}

/** A change with its text computed once. */
export function readChange(fact: ChangeFact): ChangeFact {
  return fact instanceof UnreadChange ? fact.read() : fact
}

type ChangeText = Omit<ChangeFact, keyof ChangeNumbers>

/** A class, because objects with their own getters share no shape: each is slow to create and to read. */
class UnreadChange implements ChangeFact {
  readonly path: string
  readonly seq: Seq
  readonly edits: number
  readonly #text: () => ChangeText

  constructor({ path, seq, edits }: ChangeNumbers, text: () => ChangeText) {
    this.path = path
    this.seq = seq
    this.edits = edits
    this.#text = text
  }

  read(): ChangeFact {
    const { path, seq, edits } = this
    return { ...this.#text(), path, seq, edits }
  }

  get whole() {
    return this.#text().whole
  }

  get symbols() {
    return this.#text().symbols
  }

  get renamed() {
    return this.#text().renamed
  }

  get hunks() {
    return this.#text().hunks
  }
}

/** The most characters of symbols and hunks: more than any record shows. Other files have only their path and numbers. */
const CHANGES_CHARACTERS = 60_000
const MOST_FILES = 1_000
const MOST_SYMBOLS = 40
const MOST_HUNKS = 4

/** All changes by path, from facts in any order. */
export function mergeChanges(facts: ChangeFact[]): ChangeFact[] {
  const byPath = new Map<string, ChangeFact[]>()
  for (const fact of facts) {
    const same = byPath.get(fact.path)
    if (same === undefined) byPath.set(fact.path, [fact])
    else same.push(fact)
  }
  return withinBounds([...byPath.values()])
}

/** The changes of one file: several facts as one, under the path of the first. */
export function mergeFileChanges(changes: readonly ChangeFact[]): ChangeFact {
  const facts = changes.map(readChange)
  const [first] = facts
  if (first !== undefined && facts.length === 1) return bounded(first)
  const whole = facts.reduce((seq, fact) => Math.max(seq, fact.whole ?? 0), 0)
  return bounded({
    ...numbersOf(facts),
    ...(whole === 0 ? {} : { whole }),
    symbols: mergeSymbols(facts.flatMap(({ symbols = [] }) => symbols)),
    renamed: bySeq(facts.flatMap(({ renamed = [] }) => renamed)),
    hunks: bySeq(facts.flatMap(({ hunks = [] }) => hunks)),
  })
}

function mergeSymbols(symbols: readonly SymbolFact[]): SymbolFact[] {
  const byName = new Map<string, SymbolFact>()
  for (const next of symbols) {
    const old = byName.get(next.name)
    byName.set(next.name, old === undefined ? next : mergeSymbol(old, next))
  }
  return [...byName.values()]
}

function mergeSymbol(old: SymbolFact, next: SymbolFact): SymbolFact {
  const [begin, end] = [next.first < old.first ? next : old, next.last >= old.last ? next : old]
  return { name: old.name, first: begin.first, last: end.last, was: begin.was, is: end.is }
}

function bounded({ path, seq, edits, whole, symbols = [], renamed = [], hunks = [] }: ChangeFact): ChangeFact {
  return {
    path,
    seq,
    edits,
    ...(whole === undefined ? {} : { whole }),
    ...nonEmpty({
      symbols: last(symbols.length < 2 ? symbols : symbols.toSorted((a, b) => a.last - b.last), MOST_SYMBOLS),
      renamed: last(renamed, MOST_SYMBOLS),
      hunks: last(hunks, MOST_HUNKS),
    }),
  }
}

/** In a long session the newest changes are complete. Older ones have only their files: their text is not even read. */
function withinBounds(files: readonly (readonly ChangeFact[])[]): ChangeFact[] {
  let left = CHANGES_CHARACTERS
  return files
    .map((facts) => ({ facts, numbers: numbersOf(facts) }))
    .sort(({ numbers: a }, { numbers: b }) => a.seq - b.seq || (a.path < b.path ? -1 : 1))
    .slice(-MOST_FILES)
    .reverse()
    .map(({ facts, numbers }) => {
      if (left < 0) return numbers
      const fact = mergeFileChanges(facts)
      left -= charactersOf(fact)
      return left < 0 ? numbers : fact
    })
    .reverse()
}

/** The changes of one file without their text, under the path of the first. */
function numbersOf(facts: readonly ChangeFact[]): ChangeNumbers {
  const [first] = facts
  if (first === undefined) throw new Error('there is no change to merge')
  return {
    path: first.path,
    seq: facts.reduce((seq, fact) => Math.max(seq, fact.seq), 0),
    edits: facts.reduce((sum, { edits }) => sum + edits, 0),
  }
}

function charactersOf({ symbols = [], renamed = [], hunks = [] }: ChangeFact): number {
  let sum = (symbols.length + 2 * renamed.length + hunks.length) * FIELD_CHARACTERS
  for (const { name } of symbols) sum += name.length
  for (const { from, to } of renamed) sum += from.length + to.length
  for (const { text } of hunks) sum += text.length
  return sum
}

/** The characters that the numbers and names of fields take as JSON. */
const FIELD_CHARACTERS = 50

/** The change without the parts that came from these entries; undefined if nothing is left. */
export function changeWithout(fact: ChangeFact, seqs: ReadonlySet<Seq>): ChangeFact | undefined {
  const { symbols = [], renamed = [], hunks = [], ...rest } = fact
  const left = nonEmpty({
    symbols: symbols.filter(({ first, last }) => !seqs.has(first) && !seqs.has(last)),
    renamed: renamed.filter(({ seq }) => !seqs.has(seq)),
    hunks: hunks.filter(({ seq }) => !seqs.has(seq)),
  })
  if (seqs.has(fact.seq) && fact.edits === 1) return undefined
  return { ...rest, ...left }
}

/** True if a part of a change comes from one of these entries. */
export function comesFrom(
  { seq, symbols = [], renamed = [], hunks = [] }: ChangeFact,
  entries: ReadonlySet<Seq>,
): boolean {
  return (
    entries.has(seq) ||
    symbols.some(({ first, last }) => entries.has(first) || entries.has(last)) ||
    [...renamed, ...hunks].some((part) => entries.has(part.seq))
  )
}

type Texts = Pick<ChangeFact, 'symbols' | 'renamed' | 'hunks'>

/** Only the lists that are not empty. */
function nonEmpty({ symbols = [], renamed = [], hunks = [] }: Texts): Texts {
  return {
    ...(symbols.length === 0 ? {} : { symbols }),
    ...(renamed.length === 0 ? {} : { renamed }),
    ...(hunks.length === 0 ? {} : { hunks }),
  }
}

function last<F>(list: F[], most: number): F[] {
  return list.length <= most ? list : list.slice(-most)
}

function bySeq<F extends { readonly seq: Seq }>(facts: F[]): F[] {
  return facts.length < 2 ? facts : facts.toSorted((a, b) => a.seq - b.seq)
}

/** Everything known about a file from two facts about it, in any order. */
export function mergeFile(old: FileFact, next: FileFact): FileFact {
  const last = (kind: 'modified' | 'created' | 'reverted' | 'deleted' | 'moved' | 'resolved' | 'delegated') => {
    const seq = Math.max(old[kind] ?? 0, next[kind] ?? 0)
    return seq === 0 ? {} : { [kind]: seq }
  }
  const first = Math.min(firstChange(old), firstChange(next))
  // A later fact without a hash (a shell command named the file) does not mean that its content is unknown now.
  const known = next.hash !== undefined && (old.hash === undefined || next.seq >= old.seq) ? next : old
  const to = (next.deleted ?? 0) >= (old.deleted ?? 0) ? next.to : old.to
  const from = (next.moved ?? 0) >= (old.moved ?? 0) ? next.from : old.from
  const side = (next.resolved ?? 0) >= (old.resolved ?? 0) ? next.side : old.side
  const by = (next.delegated ?? 0) >= (old.delegated ?? 0) ? next.by : old.by
  const fact: Omit<FileFact, 'access'> = {
    path: next.path,
    seq: Math.max(old.seq, next.seq),
    ...last('modified'),
    ...(wasThereBefore(old, next) ? {} : last('created')),
    ...last('reverted'),
    ...last('deleted'),
    ...(to === undefined ? {} : { to }),
    ...last('moved'),
    ...(from === undefined ? {} : { from }),
    ...last('resolved'),
    ...(side === undefined ? {} : { side }),
    ...last('delegated'),
    ...(by === undefined ? {} : { by }),
    ...(known.hash === undefined ? {} : { hash: known.hash }),
  }
  const isModified = old.access === 'modified' || next.access === 'modified'
  const access = fileAccess(fact, isModified ? 'modified' : 'read')
  return { ...fact, ...(first < firstChange(fact) ? { first } : {}), access }
}

/** True for a file that was written again after it was deleted or changed: it was there before, so git may know it. */
function wasThereBefore(old: FileFact, next: FileFact): boolean {
  const [before, after] = firstChange(old) <= firstChange(next) ? [old, next] : [next, old]
  return before.created === undefined && firstChange(before) < (after.created ?? 0)
}

/** The access after all events of a file; `unknown` if nothing shows when it was changed. */
function fileAccess(fact: Omit<FileFact, 'access'>, unknown: 'read' | 'modified' = 'read'): FileFact['access'] {
  const { seq, modified = 0, reverted = 0, deleted = 0 } = fact
  const last = Math.max(modified, reverted, deleted)
  if (last === 0) return unknown
  // A file that was read after it was deleted is there again.
  if (deleted === last) return seq > deleted ? 'read' : 'deleted'
  return reverted === last ? 'reverted' : 'modified'
}

/** The last entry that changed a file in any way; 0 if none did. */
export function lastChange({ modified = 0, reverted = 0, deleted = 0 }: FileFact): Seq {
  return Math.max(modified, reverted, deleted)
}

/** The first entry that changed a file in any way; infinite if none did. */
export function firstChange({ first, modified, reverted, deleted }: Omit<FileFact, 'access'>): number {
  const none = Number.POSITIVE_INFINITY
  return first ?? Math.min(modified ?? none, reverted ?? none, deleted ?? none)
}

/** More than any record shows. */
const STATEMENTS_CHARACTERS = 200_000

/** Each statement once, in order; only the newest, if there are more than any record shows. */
export function mergeStatements(all: readonly StatementFact[]): StatementFact[] {
  const byText = new Map<string, StatementFact>()
  for (const fact of all) byText.set(`${fact.kind} ${fact.text}`, fact)
  return newestStatements([...byText.values()].toSorted(inOrder), STATEMENTS_CHARACTERS)
}

/** The newest statements that have at most `characters` together. */
function newestStatements(statements: readonly StatementFact[], characters: number): StatementFact[] {
  let left = characters
  const from = statements.findLastIndex(({ text }) => {
    left -= text.length
    return left < 0
  })
  return statements.slice(from + 1)
}

function inOrder(a: { seq: Seq }, b: { seq: Seq }): number {
  return a.seq - b.seq
}

/** The parts of one file that are kept. */
const MOST_PARTS = 6

/**
 * The facts that the current text of each instruction file follows from, in the order of the log: its newest whole text, and
 * what came after it. They stay apart, so that a redacted entry takes away its own words and no others.
 */
export function mergeInstructionFiles(all: readonly InstructionFileFact[]): InstructionFileFact[] {
  const once = new Map(all.map((fact) => [`${fact.path}\n${fact.seq} ${fact.how}`, fact]))
  const inOrder = [...once.values()].toSorted((a, b) => a.seq - b.seq)
  const kept = [...Map.groupBy(inOrder, ({ path }) => path).values()].flatMap(sinceWholeText)
  return kept.toSorted((a, b) => a.seq - b.seq)
}

function sinceWholeText(facts: readonly InstructionFileFact[]): InstructionFileFact[] {
  const whole = facts.findLastIndex(({ how }) => how === 'read' || how === 'written')
  const since = facts.slice(Math.max(0, whole))
  const parts = since.filter(isPart).slice(0, -MOST_PARTS)
  const kept = since.filter((fact) => !parts.includes(fact))
  if (facts[whole]?.how !== 'written') return kept
  // A file that was only written is not one that was read.
  const read = facts.findLast((fact, i) => i < whole && (fact.how === 'read' || isPart(fact)))
  return read === undefined ? kept : [namedOnly(read), ...kept]
}

function isPart({ how }: InstructionFileFact): boolean {
  return how === 'part' || how === 'printed'
}

/** The fact without the words of the file. */
function namedOnly({ path, seq, call, how }: InstructionFileFact): InstructionFileFact {
  return { path, seq, ...(call === undefined ? {} : { call }), how }
}
