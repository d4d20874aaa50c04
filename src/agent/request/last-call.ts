import type { Agent } from '../agent.ts'
import { requestMessages } from './model-call.ts'

/**
 * The last request of a session that another process held, as its log tells it: the provider may still have it in its
 * cache. Undefined when the view has changed since, or when another model answered.
 */
export function lastCallOf(agent: Agent): Agent['lastCall'] {
  const { live, model } = agent
  const { anchor, items } = live.view
  if (anchor === undefined || anchor.model !== model.name) return undefined
  const answer = items.at(anchor.items - 1)
  const entry = live.log.findLast(({ seq }) => seq === answer?.seq)
  if (entry?.type !== 'message' || entry.usage === undefined) return undefined
  return { at: entry.at, sentMessages: requestMessages(agent, items.slice(0, anchor.items - 1)).length }
}
