import { lastChange } from '../../model/facts/merge-facts.ts'
import type { CommandFact, ErrorFact, FileFact, Index, Seq } from '../../model/types.ts'
import { checkName } from './calls/check-result.ts'
import { commandKeys } from './calls/command-keys.ts'
import { baseName, isSamePath } from './calls/paths.ts'
import type { KnownCommand } from './ledger/command-kind.ts'

/** The fate of an error, according to the log. */
export type ErrorState =
  /** The same command passed later. */
  | { readonly kind: 'passed'; readonly seq: number }
  /** Another command for the same purpose passed later, or one that names what was missing. */
  | { readonly kind: 'fixed'; readonly seq: number; readonly command: string }
  | { readonly kind: 'changed'; readonly seq: number; readonly path: string }
  | { readonly kind: 'open' }

type Facts = Pick<Index, 'commands' | 'files'>

/** The state of an error. Evidence is a command that passed later, or a later change to a file that the error names. */
export function errorState(error: ErrorFact, { commands, files }: Facts): ErrorState {
  return stateIn(error, evidenceSince(error.seq, ranCommands(commands), files))
}

/** The errors that nothing in the log resolves, in order. */
export function openErrors(index: Facts & Pick<Index, 'errors'>): readonly ErrorFact[] {
  return errorStates(index).flatMap(({ error, state }) => (state.kind === 'open' ? [error] : []))
}

/** The errors of an index in order, each with its state. Pass `ran` if the commands are parsed already. */
export function errorStates(
  { errors, commands, files }: Facts & Pick<Index, 'errors'>,
  ran: readonly RanCommand[] = ranCommands(commands),
): { readonly error: ErrorFact; readonly state: ErrorState }[] {
  if (errors.length === 0) return []
  const first = errors.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY)
  const evidence = evidenceSince(first, ran, files)
  return errors.map((error) => ({ error, state: stateIn(error, evidence) }))
}

function stateIn(error: ErrorFact, { passed, purposes, doing, files }: Evidence): ErrorState {
  const since = (fact: CommandFact | undefined) => (fact !== undefined && fact.seq > error.seq ? fact : undefined)
  const again = error.command === undefined ? undefined : since(passed.get(checkName(error.command)))
  if (again !== undefined) return { kind: 'passed', seq: again.seq }
  // The steps before the last one only prepare it.
  const keys = error.command === undefined ? [] : (commandKeys(error.command).at(-1) ?? [])
  const other = keys.map((key) => since(purposes.get(key))).find((fact) => fact !== undefined)
  if (other !== undefined) return { kind: 'fixed', seq: other.seq, command: other.command }
  const file = [...(error.path === undefined ? [] : [error.path]), ...(files.size === 0 ? [] : pathsIn(error.text))]
    .flatMap((word) => (files.get(baseName(word)) ?? []).filter(({ path }) => isSamePath(word, path)))
    .find((fact) => lastChange(fact) > error.seq)
  if (file !== undefined) return { kind: 'changed', seq: lastChange(file), path: file.path }
  const provided = missingIn(error.text)
    .map((word) => since(doing.findLast(({ command }) => hasWord(command, word))))
    .find((fact) => fact !== undefined)
  return provided === undefined ? { kind: 'open' } : { kind: 'fixed', seq: provided.seq, command: provided.command }
}

/** The facts that may resolve errors: the last passing command by name and by purpose, and the files by name. */
type Evidence = {
  readonly passed: ReadonlyMap<string, CommandFact>
  readonly purposes: ReadonlyMap<string, CommandFact>
  /** The commands that did more than read something, in order. */
  readonly doing: readonly CommandFact[]
  readonly files: ReadonlyMap<string, FileFact[]>
}

/** A command with its steps, if they are known. */
type RanCommand = Pick<KnownCommand, 'fact'> & Partial<KnownCommand>

function ranCommands(commands: readonly CommandFact[]): RanCommand[] {
  return commands.map((fact) => ({ fact }))
}

/** A long session has thousands of commands and files, so each is read once, and only if it came after the first error. */
function evidenceSince(seq: Seq, ran: readonly RanCommand[], files: readonly FileFact[]): Evidence {
  const passed = ran.filter(({ fact }) => fact.ok === true && fact.seq > seq).sort((a, b) => a.fact.seq - b.fact.seq)
  const doing = passed
    .map(({ fact, steps }) => ({ fact, keys: commandKeys(fact.command, steps) }))
    .filter(({ keys }) => keys.length > 0)
  return {
    passed: new Map(passed.map(({ fact }) => [checkName(fact.command), fact])),
    purposes: new Map(doing.flatMap(({ fact, keys }) => keys.flat().map((key) => [key, fact] as const))),
    doing: doing.map(({ fact }) => fact),
    files: Map.groupBy(
      files.filter((fact) => lastChange(fact) > seq),
      ({ path }) => baseName(path),
    ),
  }
}

function hasWord(command: string, word: string): boolean {
  const beginning = command.slice(0, 400)
  return beginning.includes(word) && beginning.match(/[\w@./-]{2,80}/g)?.includes(word) === true
}

/** The names that an error reports as missing: `Cannot find module 'zod'`, `rg: command not found`. */
function missingIn(text: string): string[] {
  if (!MAY_MISS.test(text)) return []
  return Array.from(text.matchAll(MISSING), ([, ...names]) => names.find((name) => name !== undefined) ?? '')
}

/** Most errors contain none of these words, and the pattern is slow. */
const MAY_MISS = /find|found|no module|missing/i

const MISSING =
  /(?:cannot find|can't find|could not find|no module named|not found:?|missing)[^'"`\n]{0,40}['"`]([^'"`\s]{2,80})['"`]|([\w.-]{2,40}): (?:command )?not found/gi

function pathsIn(text: string): string[] {
  return (text.match(/[\w@.+~/-]+/g) ?? []).map((word) =>
    word.startsWith('.') || word.endsWith('.') ? word.replace(/^\.\//, '').replace(/\.+$/, '') : word,
  )
}
