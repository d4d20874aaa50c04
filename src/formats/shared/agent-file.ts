import type { AgentFile, WriteDeps } from './format.ts'
import { LAST_TIME } from './json.ts'

/** A file that no agent looks for: it has a new id and is named after it. */
export function fileWithNewId(text: string, { ids }: WriteDeps, extension: string): AgentFile {
  const sessionId = ids()
  return { text, sessionId, place: `${sessionId}.${extension}` }
}

/** One JSON object a line. */
export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A time as agents write it. */
export function isoTime(at: number): string {
  return new Date(Math.abs(at) <= LAST_TIME ? at : 0).toISOString()
}
