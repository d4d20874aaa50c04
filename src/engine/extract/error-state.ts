import { lastChange } from '../../model/facts/merge-facts.ts'
import type { CommandFact, ErrorFact, FileFact, Index } from '../../model/types.ts'
import { checkName } from './calls/check-result.ts'
import { baseName, isSamePath } from './calls/paths.ts'
import { includesCheck } from './ledger/check-scope.ts'
import { checkKind, type KnownCommand, knownCommands } from './ledger/command-kind.ts'
import { shellSteps } from './shell/shell-steps.ts'

/** The fate of an error, according to the log. */
export type ErrorState =
  /** The same command passed later, in the same folder. */
  | { readonly kind: 'passed'; readonly seq: number }
  /** A check that includes it passed later, in the same folder. */
  | { readonly kind: 'fixed'; readonly seq: number; readonly command: string }
  | { readonly kind: 'changed'; readonly seq: number; readonly path: string }
  | { readonly kind: 'open' }

type Facts = Pick<Index, 'commands' | 'files'>

/** The state of an error. Evidence is a command that passed later, or a later change to a file that the error names. */
export function errorState(error: ErrorFact, { commands, files }: Facts): ErrorState {
  return stateIn(error, evidenceIn(knownCommands(commands), files))
}

/** The errors that nothing in the log resolves, in order. */
export function openErrors(index: Facts & Pick<Index, 'errors'>): readonly ErrorFact[] {
  return errorStates(index).flatMap(({ error, state }) => (state.kind === 'open' ? [error] : []))
}

/** The errors of an index in order, each with its state. Pass `ran` if the commands are parsed already. */
export function errorStates(
  { errors, commands, files }: Facts & Pick<Index, 'errors'>,
  ran: readonly KnownCommand[] = knownCommands(commands),
): { readonly error: ErrorFact; readonly state: ErrorState }[] {
  if (errors.length === 0) return []
  const evidence = evidenceIn(ran, files)
  return errors.map((error) => ({ error, state: stateIn(error, evidence) }))
}

function stateIn(error: ErrorFact, { passed, checks, files }: Evidence): ErrorState {
  const { command, folder, seq } = error
  const again = command === undefined ? undefined : passed.get(runKey(command, folder))
  if (again !== undefined && again.seq > seq) return { kind: 'passed', seq: again.seq }
  const wider = command === undefined ? undefined : widerCheck(command, { folder, seq }, checks)
  if (wider !== undefined) return { kind: 'fixed', seq: wider.seq, command: wider.command }
  const file = [...(error.path === undefined ? [] : [error.path]), ...pathsIn(error.text)]
    .flatMap((word) => (files.get(baseName(word)) ?? []).filter(({ path }) => isSamePath(word, path)))
    .find((fact) => lastChange(fact) > seq)
  return file === undefined ? { kind: 'open' } : { kind: 'changed', seq: lastChange(file), path: file.path }
}

function widerCheck(
  command: string,
  { folder, seq }: Pick<ErrorFact, 'folder' | 'seq'>,
  checks: readonly KnownCommand[],
) {
  const since = checks.filter(({ fact }) => fact.seq > seq)
  if (since.length === 0 || checkKind(command) === undefined) return undefined
  const failed = { steps: shellSteps(command), folder }
  return since.find(({ fact, steps }) => includesCheck({ steps, folder: fact.folder }, failed))?.fact
}

/** The facts that may resolve errors: the last passing run of each command, the checks that passed, the newest first, and the files by name. */
type Evidence = {
  readonly passed: ReadonlyMap<string, CommandFact>
  readonly checks: readonly KnownCommand[]
  readonly files: ReadonlyMap<string, FileFact[]>
}

/** A long session has thousands of commands and files, so each is read once. */
function evidenceIn(ran: readonly KnownCommand[], files: readonly FileFact[]): Evidence {
  const passed = ran.filter(({ fact }) => fact.ok === true).sort((a, b) => a.fact.seq - b.fact.seq)
  return {
    passed: new Map(passed.map(({ fact }) => [runKey(fact.command, fact.folder), fact])),
    checks: passed.filter(({ check }) => check !== undefined).reverse(),
    files: Map.groupBy(files, ({ path }) => baseName(path)),
  }
}

function runKey(command: string, folder = ''): string {
  return `${folder}\n${checkName(command)}`
}

function pathsIn(text: string): string[] {
  return (text.match(/[\w@.+~/-]+/g) ?? []).map((word) => word.replace(/^\.\//, '').replace(/\.+$/, ''))
}
