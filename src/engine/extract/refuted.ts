import { lastChange, readChange } from '../../model/facts/merge-facts.ts'
import type { CommandFact, Index, Seq, StatementFact } from '../../model/types.ts'
import { baseName } from './calls/paths.ts'
import { checkKind } from './ledger/command-kind.ts'
import { isMomentary, statementAge } from './text/sentences.ts'

type Facts = Pick<Index, 'commands' | 'files' | 'changes' | 'commits'>

/**
 * A test whether the session refuted a statement later, so that it cannot be repeated as a fact: a fault after which files
 * were changed at once, or changed and checked; a finding about something that was changed since. A decision explains what was
 * changed after it, so no change refutes it.
 */
export function refutedBy(facts: Facts, atOnce = AT_ONCE): (statement: Pick<StatementFact, 'seq' | 'text'>) => boolean {
  let changed: ReadonlyMap<string, Seq> | undefined
  let passed: readonly Seq[] | undefined
  const changes = changeSeqs(facts)
  return ({ seq, text }) => {
    const age = statementAge(text)
    if (age === 'lasting') return false
    const next = changes.find((change) => change > seq)
    if (next === undefined) return false
    passed ??= facts.commands.filter(isPassedCheck).map((command) => command.seq)
    if (age === 'fault' && (next - seq <= atOnce || passed.some((check) => check > next))) return true
    changed ??= changedNames(facts)
    return namesIn(text).some((name) => (changed?.get(name) ?? 0) > seq)
  }
}

/**
 * A test whether newer facts cover a line of an earlier summary: they refute it, or it is about the state of the work at that time
 * and the work has continued. `seq` is the last entry that the summary is about.
 */
export function coveredBy(facts: Facts, seq: Seq): (line: string) => boolean {
  const isRefuted = refutedBy(facts, 0)
  const hasContinued = changeSeqs(facts).some((change) => change > seq)
  return (text) => isRefuted({ seq, text }) || (hasContinued && isMomentary(text))
}

/**
 * An edit this many entries after a fault was found is taken for its fix. That is not evidence, but it claims nothing either: the
 * fault is only not repeated as a reason.
 */
const AT_ONCE = 8

/** Where files were changed or committed, in order. */
function changeSeqs({ files, changes = [], commits = [] }: Facts): Seq[] {
  const all = new Set<Seq>()
  for (const { created = 0, modified = 0, deleted = 0, reverted = 0 } of files) {
    all.add(created).add(modified).add(deleted).add(reverted)
  }
  for (const { seq } of changes) all.add(seq)
  for (const { seq } of commits) all.add(seq)
  return [...all].sort((a, b) => a - b)
}

function isPassedCheck({ command, ok, tests }: CommandFact): boolean {
  const isPassed = tests === undefined ? ok === true : ok !== false && tests.failed === 0 && tests.passed > 0
  return isPassed && checkKind(command) !== undefined
}

/** The names of files and of the symbols in them that were changed, with the last change of each. */
function changedNames({ files, changes = [] }: Facts): ReadonlyMap<string, Seq> {
  const names = new Map<string, Seq>()
  const add = (name: string, seq: Seq) => names.set(name, Math.max(seq, names.get(name) ?? 0))
  for (const file of files) add(baseName(file.path), lastChange(file))
  for (const change of changes) for (const { name, last } of readChange(change).symbols ?? []) add(lastName(name), last)
  names.delete('')
  return names
}

/** The names in a sentence that are written as names of files or symbols: `renew`, renewLease(), src/a.ts, Store.open. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[\w$./@-]*\w/g) ?? [])
  const plain = text.match(/[\w$./@-]*(?:\w[A-Z]|_|\.\w|\w(?=\())[\w$./@-]*/g) ?? []
  return [...quoted, ...plain].flatMap((word) => [baseName(word), lastName(baseName(word))])
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
