import { changesView } from '../../engine/context/view/changes-view.ts'
import { jsonLines } from '../shared/agent-file.ts'
import type { AgentFile, WriteDeps, WriteInput } from '../shared/format.ts'

/** Writes our own export: a row of the session, then its whole log. */
export function writePith({ entries, workspace, title, startedAt }: WriteInput, { ids }: WriteDeps): AgentFile {
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
