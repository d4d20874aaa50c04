import { type Verification, verify } from '../../../engine/compact/verify/verify.ts'
import { openErrors } from '../../../engine/facts/error-state.ts'
import { serialize } from '../../../engine/record/serialize.ts'
import { viewOf } from '../../../engine/view/view-of.ts'
import type { Entry } from '../../../model/entry.ts'
import { todosOf } from '../../../model/log-index.ts'
import type { SummaryItem } from '../../../model/view.ts'
import { recordText } from '../../output/record-text.ts'

/** Checks a summary against its log: which names it invents, which facts it leaves out. */
export function verificationOf(summary: SummaryItem, log: readonly Entry[]): Verification {
  const { index } = summary
  const texts = viewOf(log)
    .items.slice()
    .map((item) => serialize(item.message, { cutCharacters: 0 }))
  // The summary may name handles of the log.
  const handles = log.map(({ seq }) => `#${seq}`).join(' ')
  return verify(recordText(summary), {
    texts: [...texts, handles],
    facts: {
      modifiedFiles: index.files.filter(({ access }) => access === 'modified').map(({ path }) => path),
      constraints: index.constraints.map(({ text }) => text),
      openTodos: todosOf(index)
        .filter(({ status }) => status === 'pending' || status === 'in-progress')
        .map(({ text }) => text),
      unresolvedErrors: openErrors(index).map(({ text }) => text),
    },
  })
}
