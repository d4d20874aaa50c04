import { isRecord } from '../bad-body.ts'
import { PROGRESS_FILE, STEPS, stepOf } from './steps.ts'

/** The mark by which a call is recognised, whatever values it has. */
function markOf(name: string, input: unknown): string {
  if (!isRecord(input)) return name
  const step = /^echo step (\d+) >> /.exec(String(input.command ?? ''))?.[1]
  const done = Array.isArray(input.todos) ? input.todos.filter((todo) => isRecord(todo) && todo.status === 'done') : []
  return `${name} ${step ?? input.path ?? done.length}`
}

const STEP_BY_MARK: ReadonlyMap<string, number> = new Map(
  Array.from({ length: STEPS }, (_, i) => i + 1).flatMap((number) =>
    stepOf(number)
      .calls(() => '')
      .map(({ name, input }) => [markOf(name, input), number] as const),
  ),
)

/** The step that a call belongs to; `progress` for a look at the progress file, nothing for a call of no step. */
export function stepOfCall(name: string, input: unknown): number | 'progress' | undefined {
  const mark = markOf(name, input)
  return mark === `read ${PROGRESS_FILE}` ? 'progress' : STEP_BY_MARK.get(mark)
}
