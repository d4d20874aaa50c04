import type { ChangeResult } from './port.ts'

/** The answer to a change that the screen shows by itself. */
export const DONE: ChangeResult = { ok: true, text: '' }

/** The answer to a change that was refused. */
export function refusal(text: string): ChangeResult {
  return { ok: false, text }
}

/** The answer to a change that names a message which the session does not have. */
export function noEntry(seq: number): ChangeResult {
  return refusal(`This session has no entry #${seq}`)
}

/** The first line of an error, for the user. */
export function firstErrorLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
