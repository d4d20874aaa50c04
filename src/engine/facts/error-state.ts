import type { CommandFact, ErrorFact, FileFact, Index } from '../../model/log-index.ts'

/** The fate of an error, as the log has it. */
export type ErrorState =
  | { readonly kind: 'passed'; readonly seq: number }
  | { readonly kind: 'changed'; readonly seq: number; readonly path: string }
  | { readonly kind: 'open' }

type Facts = Pick<Index, 'commands' | 'files'>

/** The evidence: the same command passed later, or a file that the error names was modified after it. */
export function errorState(error: ErrorFact, index: Facts): ErrorState {
  const { commands, files } = lookupOf(index)
  const again = error.command === undefined ? undefined : commands.get(error.command)
  if (again?.ok === true && again.seq > error.seq) return { kind: 'passed', seq: again.seq }
  const file = [...(error.path === undefined ? [] : [error.path]), ...pathsIn(error.text)]
    .flatMap((word) => (files.get(nameOf(word)) ?? []).filter(({ path }) => isSame(word, path)))
    .find((fact) => (fact.modified ?? 0) > error.seq)
  return file === undefined ? { kind: 'open' } : { kind: 'changed', seq: file.modified ?? file.seq, path: file.path }
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

const remembered = new WeakMap<object, readonly ErrorFact[]>()

type Lookup = { readonly commands: ReadonlyMap<string, CommandFact>; readonly files: ReadonlyMap<string, FileFact[]> }

const lookups = new WeakMap<object, Lookup>()

/** Commands by their text and files by their name: a long session has thousands of both, and of errors. */
function lookupOf(index: Facts): Lookup {
  let lookup = lookups.get(index)
  if (lookup === undefined) {
    lookup = {
      commands: new Map(index.commands.map((fact) => [fact.command, fact])),
      files: Map.groupBy(index.files, ({ path }) => nameOf(path)),
    }
    lookups.set(index, lookup)
  }
  return lookup
}

function pathsIn(text: string): string[] {
  return (text.match(/[\w@.+~/-]+/g) ?? []).map((word) => word.replace(/^\.\//, '').replace(/[.:]+$/, ''))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The error names the file by its path, by the end of it, or by a longer one: whole segments, not parts of names. */
function isSame(named: string, path: string): boolean {
  return named === path || path.endsWith(`/${named}`) || named.endsWith(`/${path}`)
}
