import { lastChange } from '../../model/facts/file-life.ts'
import type { CommandFact, ErrorFact, FileFact, Index } from '../../model/facts/log-index.ts'
import { checkName } from './calls/check-result.ts'
import { commandKeys } from './calls/command-keys.ts'
import { isSamePath } from './calls/paths.ts'

/** The fate of an error, as the log has it. */
export type ErrorState =
  /** The same command passed later. */
  | { readonly kind: 'passed'; readonly seq: number }
  /** Another command for the same thing passed later, or one that names what was missing. */
  | { readonly kind: 'mended'; readonly seq: number; readonly command: string }
  | { readonly kind: 'changed'; readonly seq: number; readonly path: string }
  | { readonly kind: 'open' }

type Facts = Pick<Index, 'commands' | 'files'>

/** The evidence: a command that passed later, or a file that the error names was changed after it. */
export function errorState(error: ErrorFact, index: Facts): ErrorState {
  const { states } = lookupOf(index)
  let state = states.get(error)
  if (state === undefined) {
    state = stateIn(error, lookupOf(index))
    states.set(error, state)
  }
  return state
}

function stateIn(error: ErrorFact, { passed, purposes, words, files }: Lookup): ErrorState {
  const since = (fact: CommandFact | undefined) => (fact !== undefined && fact.seq > error.seq ? fact : undefined)
  const again = error.command === undefined ? undefined : since(passed.get(checkName(error.command)))
  if (again !== undefined) return { kind: 'passed', seq: again.seq }
  // The steps before the last one prepare it.
  const keys = error.command === undefined ? [] : (commandKeys(error.command).at(-1) ?? [])
  const other = keys.map((key) => since(purposes.get(key))).find((fact) => fact !== undefined)
  if (other !== undefined) return { kind: 'mended', seq: other.seq, command: other.command }
  const file = [...(error.path === undefined ? [] : [error.path]), ...pathsIn(error.text)]
    .flatMap((word) => (files.get(nameOf(word)) ?? []).filter(({ path }) => isSamePath(word, path)))
    .find((fact) => lastChange(fact) > error.seq)
  if (file !== undefined) return { kind: 'changed', seq: lastChange(file), path: file.path }
  const provided = missingIn(error.text)
    .map((word) => since(words.get(word)))
    .find((fact) => fact !== undefined)
  return provided === undefined ? { kind: 'open' } : { kind: 'mended', seq: provided.seq, command: provided.command }
}

/** The errors that nothing in the log resolves, in order. */
export function openErrors(index: Facts & Pick<Index, 'errors'>): readonly ErrorFact[] {
  let open = remembered.get(index)
  if (open === undefined) {
    open = index.errors.filter((error) => errorState(error, index).kind === 'open')
    remembered.set(index, open)
  }
  return open
}

/** The errors without those whose own command passed later: that it passed is told with the command. */
export function standingErrors(index: Facts & Pick<Index, 'errors'>): readonly ErrorFact[] {
  return index.errors.filter((error) => errorState(error, index).kind !== 'passed')
}

const remembered = new WeakMap<object, readonly ErrorFact[]>()

/** The last command that passed, by its name, by what it is for and by its words; files by their name. */
type Lookup = {
  readonly passed: ReadonlyMap<string, CommandFact>
  readonly purposes: ReadonlyMap<string, CommandFact>
  readonly words: ReadonlyMap<string, CommandFact>
  readonly files: ReadonlyMap<string, FileFact[]>
  /** The errors that were looked at. */
  readonly states: Map<ErrorFact, ErrorState>
}

const lookups = new WeakMap<object, Lookup>()

/** A long session has thousands of commands, files and errors, so that each is looked at once. */
function lookupOf(index: Facts): Lookup {
  let lookup = lookups.get(index)
  if (lookup === undefined) {
    const passed = index.commands.filter(({ ok }) => ok === true).toSorted((a, b) => a.seq - b.seq)
    const doing = passed.map((fact) => ({ fact, keys: keysOf(fact) })).filter(({ keys }) => keys.length > 0)
    lookup = {
      passed: new Map(passed.map((fact) => [checkName(fact.command), fact])),
      purposes: new Map(doing.flatMap(({ fact, keys }) => keys.flat().map((key) => [key, fact] as const))),
      words: new Map(doing.flatMap(({ fact }) => wordsIn(fact.command).map((word) => [word, fact] as const))),
      files: Map.groupBy(index.files, ({ path }) => nameOf(path)),
      states: new Map(),
    }
    lookups.set(index, lookup)
  }
  return lookup
}

/** A command that was run is looked at once, however often the facts around it are merged anew. */
function keysOf(fact: CommandFact): string[][] {
  let keys = knownKeys.get(fact)
  if (keys === undefined) {
    keys = commandKeys(fact.command)
    knownKeys.set(fact, keys)
  }
  return keys
}

const knownKeys = new WeakMap<CommandFact, string[][]>()

function wordsIn(command: string): string[] {
  return command.slice(0, 400).match(/[\w@./-]{2,80}/g) ?? []
}

/** The names that an error says it did not find: `Cannot find module 'zod'`, `rg: command not found`. */
function missingIn(text: string): string[] {
  return Array.from(text.matchAll(MISSING), ([, ...names]) => names.find((name) => name !== undefined) ?? '')
}

const MISSING =
  /(?:cannot find|can't find|could not find|no module named|not found:?|missing)[^'"`\n]{0,40}['"`]([^'"`\s]{2,80})['"`]|([\w.-]{2,40}): (?:command )?not found/gi

function pathsIn(text: string): string[] {
  return (text.match(/[\w@.+~/-]+/g) ?? []).map((word) => word.replace(/^\.\//, '').replace(/[.:]+$/, ''))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
