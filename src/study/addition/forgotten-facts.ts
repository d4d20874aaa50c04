import { missingFacts } from '../../engine/compact/verify/missing-facts.ts'
import { namesOf } from '../../engine/compact/verify/source-index.ts'
import { knownIndex } from '../../engine/extract/known-index.ts'
import type { Ledger } from '../../engine/extract/ledger/ledger-of.ts'
import { openFailures } from '../../engine/record/sections/current-state.ts'
import { todosById } from '../../model/facts/log-index.ts'
import { beginning, quotable } from '../../model/text/quotable.ts'
import type { Index, Seq } from '../../model/types.ts'
import type { CheckedSummary } from './checked-summary.ts'

/** A fact that the log has and a summary does not mention. */
export type ForgottenFact = {
  readonly kind: 'constraint' | 'user' | 'file' | 'uncommitted' | 'todo' | 'error'
  /** A path, or the exact words. */
  readonly text: string
  /** The entry that has the whole text. */
  readonly seq: Seq
}

/** The facts that a summary leaves out; those of each kind are in the order of the log. */
export function forgottenFacts({ shown, index }: CheckedSummary): ForgottenFact[] {
  const known = knownFacts(index)
  const texts = (kind: ForgottenFact['kind']) => known.filter((fact) => fact.kind === kind).map(({ text }) => text)
  const unmentioned = new Set(
    missingFacts(shown, namesOf(shown), {
      modifiedFiles: texts('file'),
      constraints: texts('constraint'),
      openTodos: texts('todo'),
      unresolvedErrors: texts('error'),
    }).map(({ kind, text }) => `${kind} ${text}`),
  )
  const shownText = quotable(shown)
  const saysUncommitted = UNCOMMITTED.test(shown)
  const demanded = new Set([...unmentioned].map(quotable))
  return known.filter(({ kind, text }) => {
    if (kind === 'user') return !shownText.includes(beginning(text)) && !demanded.has(quotable(`constraint ${text}`))
    if (kind === 'uncommitted') return !saysUncommitted
    return unmentioned.has(`${kind} ${text}`)
  })
}

/** Words by which a summary says that work is not committed. */
const UNCOMMITTED =
  /\b(?:uncommitted|unstaged|not (?:yet )?(?:been )?committed|(?:nothing|none) (?:is |was |has been )?committed|never committed|without committing)\b/i

function knownFacts(index: Index): ForgottenFact[] {
  const todos = [...todosById(index).values()].filter(({ status }) => status === 'pending' || status === 'in-progress')
  const todoSeq = index.todos.at(-1)?.seq ?? 0
  const { files: known, failures, ledger } = knownIndex(index)
  const files = known.current.filter(({ access }) => access === 'modified')
  return [
    ...index.constraints.map(({ text, seq }) => ({ kind: 'constraint' as const, text, seq })),
    ...distinctUsers(index).map(({ text, seq }) => ({ kind: 'user' as const, text, seq })),
    ...files.map(({ path, modified, seq }) => ({ kind: 'file' as const, text: path, seq: modified ?? seq })),
    ...uncommitted(ledger),
    ...todos.map(({ text }) => ({ kind: 'todo' as const, text, seq: todoSeq })),
    ...openFailures(failures).map(({ text, seq }) => ({ kind: 'error' as const, text, seq })),
  ]
}

/** A message that was sent again counts once, in its last form. The approval of a plan is not a message of the user. */
function distinctUsers({ users }: Index): Index['users'] {
  const written = users.filter(({ reply }) => reply !== 'approval')
  return [...new Map(written.map((user) => [beginning(user.text), user])).values()]
}

/** Uncommitted work, in a session that makes commits. In other sessions it means nothing. */
function uncommitted({ files, commits }: Ledger): ForgottenFact[] {
  if (commits.length === 0) return []
  return files
    .filter(({ standing }) => standing === 'uncommitted')
    .map(({ path, seq }) => ({ kind: 'uncommitted', text: path, seq }))
}
