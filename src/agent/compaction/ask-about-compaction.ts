import type { PreviewResult } from '../../engine/compact/preview.ts'
import type { Agent, CompactionAnswer } from '../agent.ts'
import { untilAborted } from '../until-aborted.ts'

/** Asks the user about a compaction. The answer `off` is stored for the session. Undefined if nobody can be asked. */
export async function askAboutCompaction(
  agent: Agent,
  planned: PreviewResult,
  signal: AbortSignal,
): Promise<CompactionAnswer | undefined> {
  const { askCompaction } = agent.deps
  if (askCompaction === undefined) return undefined
  const answer = await untilAborted(askCompaction(planned, signal), signal)
  if (answer === undefined) return { kind: 'later' }
  if (answer.kind === 'off') {
    const entries = await agent.live.append([{ type: 'settings', policy: { mode: 'off' } }])
    for (const entry of entries) agent.emit({ type: 'entry', entry })
  }
  return answer
}
