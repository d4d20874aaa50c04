import type { ErrorFact } from '../../model/facts/log-index.ts'
import type { Seq } from '../../model/ids.ts'
import { callsOf, textOf } from '../../model/message/message.ts'
import type { Item } from '../../model/view.ts'
import { saidToFailure } from './text/said-to-failure.ts'

/** Right after a failure the agent says what it makes of it, and a step later often what the cause was. */
const MOST_ANSWERS = 2

/** Errors with what the agent said to them in its next words, as far as it went on in the same turn. */
export function answeredFailures(errors: readonly ErrorFact[], items: readonly Item[]): ErrorFact[] {
  const failed = new Set(errors.map(({ seq }) => seq))
  const answers = new Map<Seq, NonNullable<ErrorFact['said']>>()
  let open: Seq[] = []
  for (const { seq, message } of items) {
    if (message.role === 'tool') {
      if (!failed.has(seq)) continue
      // Later words are about the newer failure.
      if (open.some((one) => answers.has(one))) open = []
      open.push(seq)
    } else if (message.role !== 'assistant' || callsOf(message).length === 0) {
      // The last word of a turn is about all of it, and is told as a report.
      open = []
    } else if (open.length > 0) {
      const text = saidToFailure(textOf(message))
      if (text === '') continue
      for (const one of open) answers.set(one, [...(answers.get(one) ?? []), { seq, text }])
      open = open.filter((one) => (answers.get(one)?.length ?? 0) < MOST_ANSWERS)
    }
  }
  return errors.map((error) => {
    const said = answers.get(error.seq)
    return said === undefined ? error : { ...error, said }
  })
}
