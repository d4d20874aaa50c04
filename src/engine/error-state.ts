import type { ErrorFact, Index } from '../model/log-index.ts'

/** What the log says became of an error. */
export type ErrorState =
  | { readonly kind: 'passed'; readonly seq: number }
  | { readonly kind: 'changed'; readonly seq: number; readonly path: string }
  | { readonly kind: 'open' }

/** By evidence: the same command passed later, or a file that the error names was modified after it. */
export function errorState(error: ErrorFact, index: Pick<Index, 'commands' | 'files'>): ErrorState {
  const again = index.commands.find((fact) => fact.command === error.command)
  if (again?.ok === true && again.seq > error.seq) return { kind: 'passed', seq: again.seq }
  const file = index.files.find((fact) => (fact.modified ?? 0) > error.seq && names(error.text, fact.path))
  return file === undefined ? { kind: 'open' } : { kind: 'changed', seq: file.modified ?? file.seq, path: file.path }
}

/** The errors that nothing in the log resolves, in order. */
export function openErrors(index: Pick<Index, 'errors' | 'commands' | 'files'>): ErrorFact[] {
  return index.errors.filter((error) => errorState(error, index).kind === 'open')
}

/** The error names the file by its path, by the end of it, or by a longer one: whole segments, not parts of names. */
function names(text: string, path: string): boolean {
  return (text.match(/[\w@.+~/-]+/g) ?? []).some((word) => {
    const named = word.replace(/^\.\//, '').replace(/[.:]+$/, '')
    return named === path || path.endsWith(`/${named}`) || named.endsWith(`/${path}`)
  })
}
