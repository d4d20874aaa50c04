import type { Format, PromptCounter, TypedPrompt } from '../shared/format.ts'
import { fields } from '../shared/json.ts'
import { COMPACTED } from '../shared/view-parts.ts'
import { readCodex } from './read.ts'
import { writeCodex } from './write.ts'

const LINE_TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])

export const codex = {
  name: 'codex',
  label: 'Codex',
  detect: {
    line(line) {
      if (fields(line.payload) !== undefined && LINE_TYPES.has(line.type)) return true
      // The first versions wrote a line about the session, then bare items.
      return line.record_type === 'state' || ('instructions' in line && 'id' in line && 'timestamp' in line)
    },
    head: /^\s*\{\s*"type"\s*:\s*"(?:session_meta|response_item)"|^\s*\{\s*"timestamp"\s*:\s*"[^"]*",\s*"type"\s*:\s*"session_meta"/,
  },
  read: readCodex,
  prompts: countCodex,
  write: writeCodex,
  resume: { folder: '~/.codex', command: ({ sessionId }) => ['codex', 'resume', sessionId] },
  places: {
    folders: ['~/.codex/sessions', '~/.codex/archived_sessions'],
    variables: [{ name: 'CODEX_HOME', replaces: ['~/.codex'] }],
    file: /(?:^|\/)(?:rollout-[^/]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/]*|(rollout-[^/]+))\.jsonl?$/,
  },
} as const satisfies Format

/** Counts the typed prompts from the events for the screen. The log is read from the items that were sent, so this is an independent check. */
function countCodex(): PromptCounter {
  let prompts: TypedPrompt[] = []
  let isAfterRecord = false
  return {
    line(line, number) {
      const event = line.type === 'event_msg' ? fields(line.payload) : undefined
      const text = event?.type === 'user_message' && typeof event.message === 'string' ? event.message : ''
      // The title that `write.ts` puts after a record for the list of sessions: nobody typed it.
      const isTitle = isAfterRecord && text.startsWith(COMPACTED)
      isAfterRecord = line.type === 'compacted'
      if (text.trim() !== '' && !isTitle) prompts.push({ line: number, text })
      if (event?.type === 'thread_rolled_back') prompts = prompts.slice(0, -Number(event.num_turns) || prompts.length)
    },
    prompts: () => prompts,
  }
}
