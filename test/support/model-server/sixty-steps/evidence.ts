import type { ModelRequest, Part } from '../model-request.ts'
import { stepOfCall } from './mark.ts'
import { STEPS, stepOf } from './steps.ts'

type CallPart = Extract<Part, { type: 'tool-call' }>
type ResultPart = Extract<Part, { type: 'tool-result' }>

/** A call that was made with what came of it. */
export type Made = { readonly call: CallPart; readonly result: ResultPart }

/** The progress that the request shows, and what was done for the next step without finishing it. */
export type Evidence = {
  /** Unknown when nothing in the request says so. */
  readonly next?: number
  /** Calls since the last step that is finished, the oldest first. */
  readonly since: readonly Made[]
}

/** A step that failed so often is passed over: a model does not try forever. */
const TRIES = 2

/** Works out the next step from the newest evidence in the request. */
export function evidenceOf(request: ModelRequest): Evidence {
  const made = madeCalls(request)
  const failures = new Map<number, number>()
  for (let i = made.length - 1; i >= 0; i--) {
    const { call, result } = made[i] as Made
    const step = stepOfCall(call.name, call.input)
    if (step === undefined) continue
    if (step === 'progress') return { next: afterProgress(result.text, request), since: made.slice(i + 1) }
    if (!failed(result)) return { next: step + 1, since: made.slice(i + 1) }
    failures.set(step, (failures.get(step) ?? 0) + 1)
    if ((failures.get(step) ?? 0) >= TRIES) return { next: step + 1, since: [] }
  }
  const [open] = [...failures.keys()]
  return { ...(open === undefined ? {} : { next: open }), since: made }
}

function madeCalls({ messages }: ModelRequest): Made[] {
  const parts = messages.flatMap(({ parts }) => parts)
  const results = new Map(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.id, part] as const] : [])))
  return parts.flatMap((call) => {
    const result = call.type === 'tool-call' ? results.get(call.id) : undefined
    return call.type === 'tool-call' && result !== undefined ? [{ call, result }] : []
  })
}

/** Only what changes files can fail; that a test fails is a result. Not every protocol says that a result is an error. */
function failed({ name, text, isError }: ResultPart): boolean {
  return (
    name !== 'bash' &&
    (isError ||
      /^(error|cannot|could not|refused|denied)\b|read it first|nothing was done|not found|no such file/i.test(
        text.slice(0, 300),
      ))
  )
}

/** The progress file has the commands only: files that the record names were read and written by the steps after them. */
function afterProgress(text: string, request: ModelRequest): number {
  const last = [...text.matchAll(/step (\d+)/g)].at(-1)?.[1]
  const said = request.messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
  let next = last === undefined ? 1 : Number(last) + 1
  while (next <= STEPS && isNamed(next, said.join('\n'))) next++
  return next
}

function isNamed(step: number, record: string): boolean {
  const calls = stepOf(step).calls(() => '')
  const names = calls.map(({ name, input }) =>
    name === 'read' || name === 'write' ? String(input.path).split('/').at(-1) : undefined,
  )
  return names.every((name) => name !== undefined && record.includes(name))
}
