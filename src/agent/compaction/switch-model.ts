import { statusIn } from '../../engine/context/context.ts'
import { count } from '../../engine/report/numbers.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import type { Agent } from '../agent.ts'
import { abortText } from '../interruption.ts'
import { askAboutCompaction, compactNow, dropPrepared, plannedCompaction } from './compact-now.ts'

/** The result of a change of the model: whether the session was compacted first, or why the model stayed. */
export type SwitchResult =
  | { readonly ok: true; readonly compacted: boolean }
  | { readonly ok: false; readonly reason: string }

/** Changes the session's model. If the context is too large for the new model, the old one compacts it first. */
export async function switchModel(agent: Agent, next: ChatModel, signal: AbortSignal): Promise<SwitchResult> {
  const { trigger, window } = agent.budget(next.info)
  const { tokens } = statusIn(agent.context(next.info), agent.pending)
  let compacted = false
  if (window !== undefined && tokens >= (trigger ?? window)) {
    const done = await makeRoom(agent, window, signal)
    if (signal.aborted) return { ok: false, reason: abortText(signal) }
    if (!done.compacted && tokens >= window)
      return {
        ok: false,
        reason: `The context has ${count(tokens)} tokens, but the window of ${next.name} has ${count(window)}: ${done.reason}`,
      }
    compacted = done.compacted
  }
  await dropPrepared(agent, 'the model was changed')
  agent.model = next
  agent.learnedWindow = undefined
  agent.lastCall = undefined
  await agent.append([{ type: 'settings', model: next.name }])
  agent.emit({ type: 'status', status: agent.status() })
  return { ok: true, compacted }
}

type RoomResult = { readonly compacted: boolean; readonly reason: string }

/** Compacts the session for another window, if the mode allows it. */
async function makeRoom(agent: Agent, window: number, signal: AbortSignal): Promise<RoomResult> {
  const { mode } = agent.policy
  if (mode === 'off') return { compacted: false, reason: 'compact it first, automatic compaction is off' }
  const before = agent.learnedWindow
  agent.learnedWindow = window
  try {
    if (mode === 'auto') return await compactNow(agent, { reason: 'limit', signal })
    const answer = await askAboutCompaction(agent, plannedCompaction(agent, { reason: 'limit' }), signal)
    if (answer?.kind !== 'compact') return { compacted: false, reason: 'compact it first' }
    return await compactNow(agent, { reason: 'limit', signal, focus: answer.focus })
  } finally {
    agent.learnedWindow = before
  }
}
