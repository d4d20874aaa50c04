import type { ChangeResult } from './port-data.ts'

/** The answer to a change that the screen shows by itself. */
export const DONE: ChangeResult = { ok: true, text: '' }

/** The answer to a change that was refused. */
export function refusal(text: string): ChangeResult {
  return { ok: false, text }
}

/** The first line of an error, for the user. */
export function firstErrorLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
