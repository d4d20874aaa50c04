import type { Entry, Message } from '../../../src/model/types.ts'
import {
  memoryOf,
  type ProjectMemory,
  type ProjectNow,
  type ProjectSession,
} from '../../../src/study/memory/project-memory.ts'
import { type NotedSession, sessionNotes } from '../../../src/study/memory/session-notes.ts'
import { assistant, user } from '../../support/messages.ts'

/** The messages of something that happened in a session. */
export type Happening = readonly Message[]

let calls = 0

/** A tool ran and answered. */
export function used(toolName: string, input: object, value: string, isError = false): Happening {
  const toolCallId = `call-${++calls}`
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
}

export function said(text: string): Happening {
  return [user(text)]
}

export function answered(text: string): Happening {
  return [assistant(text)]
}

export function ran(command: string, output = 'ok'): Happening {
  return used('Bash', { command }, output)
}

export function failed(command: string, output = 'Error: it does not work'): Happening {
  return used('Bash', { command }, `Exit code 1\n${output}`, true)
}

export function read(path: string, text = 'const one = 1'): Happening {
  return used('Read', { file_path: path }, `     1→${text}`)
}

export function edited(path: string): Happening {
  const input = { file_path: path, old_string: 'const one = 1', new_string: 'const one = 2' }
  return used('Edit', input, `The file ${path} has been updated.`)
}

/** Work on something else, which takes a while. */
export function otherWork(): Happening {
  return Array.from({ length: 10 }, (_, i) => ran(`ls folder-${i}`)).flat()
}

export const DAY = 86_400_000
const START = Date.parse('2026-03-02T08:00:00Z')

/** A session on a day of the project, as its notes. */
export function session(
  id: string,
  day: number,
  happenings: readonly Happening[],
  more: Omit<NotedSession, 'entries'> = {},
): ProjectSession {
  const entries = happenings.flat().map((message, i): Entry => {
    const seq = i + 1
    return { id: `${id}-${seq}`, seq, at: START + day * DAY + seq * 1_000, type: 'message', message }
  })
  return { id, notes: sessionNotes({ workspace: '/p', ...more, entries }) }
}

/** The lines of one section of the memory of these sessions. */
export function linesOf(
  section: ProjectMemory['lines'][number]['section'],
  sessions: readonly ProjectSession[],
  now?: ProjectNow,
): string[] {
  return memoryOf(sessions, now).lines.flatMap((line) => (line.section === section ? [line.text] : []))
}
