import type { ErrorFact, Index } from '../../model/types.ts'
import { type KnownFiles, knownFiles } from './current-files.ts'
import { type ErrorState, errorStates } from './error-state.ts'
import { checkKind, commandKind, type KnownCommand, knownCommands } from './ledger/command-kind.ts'
import { type Ledger, ledgerOf } from './ledger/ledger-of.ts'

/** An index with everything derived from its facts: found once, and passed to each part of a record. */
export type KnownIndex = {
  readonly index: Index
  readonly files: KnownFiles
  readonly commands: readonly KnownCommand[]
  readonly failures: readonly Failure[]
  readonly ledger: Ledger
}

export function knownIndex(index: Index): KnownIndex {
  const files = knownFiles(index)
  const commands = knownCommands(index.commands)
  return { index, files, commands, failures: failuresIn(index, commands), ledger: ledgerOf(index, files, commands) }
}

/** An error and what became of it. */
export type Failure = {
  readonly error: ErrorFact
  /** A check is resolved only by a check of its kind. */
  readonly fate: ErrorState
  /** True if nothing resolved it and it is still relevant to the work. */
  readonly isOpen: boolean
}

/** The errors of an index in order, with what became of each. */
export function failuresIn(
  index: Pick<Index, 'commands' | 'files' | 'errors'>,
  commands: readonly KnownCommand[] = knownCommands(index.commands),
): Failure[] {
  if (index.errors.length === 0) return []
  const byText = new Map(commands.map((known) => [known.fact.command, known]))
  const isStillOpen = openRule(commands, byText)
  return errorStates(index, commands).map(({ error, state }) => {
    const fate = evidenceOf(error, state, byText) ? state : OPEN
    return { error, fate, isOpen: fate.kind === 'open' && isStillOpen(error) }
  })
}

type CommandsByText = ReadonlyMap<string, KnownCommand>

const OPEN: ErrorState = { kind: 'open' }

function evidenceOf({ command }: ErrorFact, state: ErrorState, byText: CommandsByText): boolean {
  if (state.kind !== 'fixed' || command === undefined) return true
  const known = byText.get(command)
  const kind = known === undefined ? checkKind(command) : known.check
  return kind === undefined ? !ALWAYS_WELL.test(state.command) : byText.get(state.command)?.check === kind
}

/** `… || echo none` and `… --help` always succeed. */
const ALWAYS_WELL = /\|\|\s*(?:echo|true|:)(?:\s|$)|\s--(?:help|version)\b/

/**
 * A check is open until one of its kind passes, with any command line, or runs again and reports no failure. Any other
 * command that failed is relevant only to the current work.
 */
function openRule(commands: readonly KnownCommand[], byText: CommandsByText): (error: ErrorFact) => boolean {
  const passed = new Map<string, number>()
  let last = 0
  for (const { fact, kind } of commands) {
    last = Math.max(last, fact.seq)
    if (kind !== undefined && fact.ok !== false) passed.set(kind, Math.max(passed.get(kind) ?? 0, fact.seq))
  }
  const kindOf = (command: string) => {
    const known = byText.get(command)
    return known === undefined ? commandKind(command) : known.kind
  }
  return ({ command, seq }) => {
    const kind = command === undefined ? undefined : kindOf(command)
    return kind === undefined ? seq > last - RECENT : (passed.get(kind) ?? 0) <= seq
  }
}

/** The number of entries that count as current work. */
const RECENT = 40
