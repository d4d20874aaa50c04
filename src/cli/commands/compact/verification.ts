import { logTexts, type Verification, verify } from '../../../engine/compact/verify/verify.ts'
import { currentFiles } from '../../../engine/extract/current-files.ts'
import { openErrors } from '../../../engine/extract/error-state.ts'
import { pathsOf } from '../../../engine/extract/files.ts'
import { todosOf } from '../../../model/facts/log-index.ts'
import type { Entry, SummaryItem } from '../../../model/types.ts'
import { recordText } from '../../output/record-text.ts'

/** Checks a summary against its log and the folder it was made in: which names it invents, which facts it leaves out. */
export function verificationOf(summary: SummaryItem, log: readonly Entry[], workspace = ''): Verification {
  const { index } = summary
  return verify(recordText(summary), {
    texts: () => [...logTexts(log), workspace],
    facts: {
      modifiedFiles: pathsOf(currentFiles(index), 'modified'),
      constraints: index.constraints.map(({ text }) => text),
      openTodos: todosOf(index)
        .filter(({ status }) => status === 'pending' || status === 'in-progress')
        .map(({ text }) => text),
      unresolvedErrors: openErrors(index).map(({ text }) => text),
    },
  })
}
