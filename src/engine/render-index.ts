import type { FileFact, Index, UserFact } from '../model/log-index.ts'
import { charactersByFour } from '../tokens/estimate.ts'
import { handle } from './rewrite-message.ts'
import { shorten } from './shorten.ts'

/** `indexTokens` for all facts together, the user's first message aside; `userTokens` for any single message. */
export type IndexBudget = { readonly indexTokens: number; readonly userTokens: number }

/** The index as Markdown sections within its budget. What does not fit leaves a line that says how much and how to get it. */
export function renderIndex(index: Index, budget: IndexBudget): string[] {
  const [first, ...later] = index.users
  const half = Math.floor(budget.indexTokens / 2)
  const users = newestWithin(later, half, (fact) => quote(fact, budget))
  const modified = filesWithin(index, 'modified', budget.indexTokens - users.tokens)
  const read = filesWithin(index, 'read', budget.indexTokens - users.tokens - modified.tokens)
  return [
    section('The user said first, verbatim', first === undefined ? [] : [quote(first, budget)]),
    section('The user said later, verbatim', [...users.lines, ...left(users.dropped, 'older messages of the user')]),
    section('Files modified', [...byFolder(modified.kept), ...left(modified.dropped, 'more modified files')]),
    section('Files read', [...byFolder(read.kept), ...left(read.dropped, 'more files read')]),
  ].filter((text) => text !== '')
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`
}

function left(count: number, what: string): string[] {
  return count === 0 ? [] : [`(and ${count} ${what}: search the log with recall)`]
}

function quote(fact: UserFact, budget: IndexBudget): string {
  const half = budget.userTokens * 2
  const text = shorten(
    fact.text,
    half,
    half,
    (cut) => `\n[… ${cut} characters left out, recall ${handle(fact.seq)} …]\n`,
  )
  return `${handle(fact.seq)} ${text.includes('\n') ? `\n${text}` : text}`
}

function filesWithin(index: Index, access: FileFact['access'], tokens: number) {
  const facts = index.files.filter((fact) => fact.access === access)
  return newestWithin(facts, tokens, (fact) => fact.path)
}

/** The most recently used facts whose lines fit, in their own order. */
function newestWithin<F extends { seq: number }>(
  facts: readonly F[],
  tokens: number,
  line: (fact: F) => string,
): { kept: F[]; lines: string[]; tokens: number; dropped: number } {
  const newest = facts.toSorted((a, b) => b.seq - a.seq)
  const kept = new Set<F>()
  let used = 0
  for (const fact of newest) {
    const cost = charactersByFour.text(line(fact)) + 1
    if (used + cost > tokens) break
    used += cost
    kept.add(fact)
  }
  const inOrder = facts.filter((fact) => kept.has(fact))
  return { kept: inOrder, lines: inOrder.map(line), tokens: used, dropped: facts.length - kept.size }
}

/** `src/engine/: plan.ts, view.ts`: a long folder is said once. */
function byFolder(files: readonly FileFact[]): string[] {
  const folders = new Map<string, string[]>()
  for (const { path } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const slash = path.lastIndexOf('/') + 1
    const folder = path.slice(0, slash)
    folders.set(folder, [...(folders.get(folder) ?? []), path.slice(slash)])
  }
  return [...folders].map(([folder, names]) =>
    names.length === 1 || folder === ''
      ? names.map((name) => `- ${folder}${name}`).join('\n')
      : `- ${folder}: ${names.join(', ')}`,
  )
}
