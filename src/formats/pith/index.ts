import { changesView } from '../../engine/context/view/activity.ts'
import type { AgentFile, Format, WriteDeps, WriteInput } from '../shared/format.ts'
import { jsonLines } from '../shared/view-parts.ts'
import { readPith } from './read.ts'

export const pith = {
  name: 'pith',
  label: 'Pith',
  detect: {
    line: (line) => line.type === 'session' && 'workspace' in line && 'lastSeq' in line,
  },
  read: readPith,
  write: writePith,
  advice: (file) => `pith import ${file}`,
} as const satisfies Format

/** Writes our own export: a row of the session, then its whole log. */
function writePith({ entries, workspace, title, startedAt }: WriteInput, { ids }: WriteDeps): AgentFile {
  const sessionId = ids()
  const last = entries.at(-1)
  const row = {
    type: 'session',
    id: sessionId,
    owner: 'local',
    workspace: workspace ?? '',
    title,
    createdAt: startedAt ?? entries[0]?.at ?? 0,
    updatedAt: last?.at ?? 0,
    lastSeq: last?.seq ?? 0,
    revision: entries.findLast(changesView)?.seq ?? 0,
  }
  return { text: jsonLines([row, ...entries]), sessionId, place: `${sessionId}.jsonl` }
}
