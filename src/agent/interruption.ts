import { callsOf, type EntryDraft, resultsOf, type Seq, type ToolCallPart, type View } from '../model/types.ts'
import type { Task } from '../session/tasks.ts'

/**
 * The reason of an abort that the user did not cause, as a clause: "the run took longer than 60 s (--max-time)", "the server
 * shut down". Its name is `AbortError`, so that a tool that throws it counts as aborted and not as failed.
 */
export class AbortReason extends DOMException {
  constructor(clause: string) {
    super(clause, 'AbortError')
  }
}

/** The cause of an abort, to go after a verb: "by the user", or "because" and the reason. */
export function abortCause({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `because ${reason.message}` : 'by the user'
}

/** The end of a turn by an aborted signal, for people. */
export function abortText({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `Stopped: ${reason.message}` : 'Interrupted'
}

/** The value of a promise, or undefined as soon as the signal fires, even if the promise ignores the signal. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const stop = () => resolve(undefined)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  // A rejection after the abort is ignored.
  work.catch(() => undefined)
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Why a command or a search was ended early. */
export type Interruption = 'timed-out' | 'aborted'

/** A promise for the timeout or the abort signal, whichever comes first. Call `forget` when it is no longer needed. */
export function interruptionOf({ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal }): {
  readonly happened: Promise<Interruption>
  readonly forget: () => void
} {
  const { promise, resolve } = Promise.withResolvers<Interruption>()
  const abort = () => resolve('aborted')
  const timer = setTimeout(resolve, timeoutMs, 'timed-out')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return {
    happened: promise,
    forget: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** The calls at the end of a view that have no result. */
export function openCallsOf(view: View): ToolCallPart[] {
  const answered = new Set<string>()
  for (let i = view.items.length - 1; i >= 0; i--) {
    const message = view.items.at(i)?.message
    if (message === undefined || message.role === 'user' || message.role === 'system') return []
    if (message.role === 'tool') for (const { toolCallId } of resultsOf(message)) answered.add(toolCallId)
    if (message.role === 'assistant')
      return callsOf(message).filter((call) => !call.providerExecuted && !answered.has(call.toolCallId))
  }
  return []
}

/** Results for calls that were stored and perhaps begun, but whose end was not seen. Such calls are never run again without asking the model. */
export function interruptedResults(
  calls: readonly ToolCallPart[],
  text: string | ((call: ToolCallPart) => string),
): EntryDraft[] {
  if (calls.length === 0) return []
  return [
    {
      type: 'message',
      message: {
        role: 'tool',
        content: calls.map((call) => ({
          type: 'tool-result',
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          output: { type: 'error-text', value: typeof text === 'string' ? text : text(call) },
        })),
      },
    },
  ]
}

export const LOST_TRACK =
  'Interrupted: this call was begun, but the program ended before its result was known. It may have taken effect. Check before you do it again.'

/** The same for a call that started a sub-agent, whose log has what it did until then. */
export function lostTask({ name }: Task, upTo: Seq): string {
  return `Interrupted: the program ended while the sub-agent ${name} worked. What it did until then has taken effect.\n\n[sub-agent ${name}; transcript ${name}#1-#${upTo}]`
}

/** The result of a call that did not run because of an abort. */
export function notRun(signal: AbortSignal): string {
  return `Interrupted ${abortCause(signal)}: this call was not run.`
}
