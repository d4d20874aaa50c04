import { requestOf } from '../../engine/context/view/request.ts'
import type { ModelCall } from '../../llm/call/chat-model.ts'
import { Items } from '../../model/items.ts'
import type { Message } from '../../model/message/message.ts'
import type { Item, View } from '../../model/view.ts'
import { roomForAnswer } from '../../tokens/room-for-answer.ts'
import type { Agent } from '../agent.ts'
import type { FixedChange } from '../fixed/fixed-parts.ts'
import { changeMessage } from '../fixed/late-changes.ts'
import { suitable } from './suitable-parts.ts'

/** The request that the model gets now. The same log gives the same request, so that the provider's cache is hit. */
export function modelCallOf(agent: Agent): ModelCall {
  const { live, deps, info } = agent
  const { system, messages } = requestWith(agent, live.view.items.slice())
  const maxOutputTokens = roomForAnswer(info, agent.status().tokens)
  return {
    system: [...deps.fixed.blocks(), ...system],
    messages: joinedResults(messages),
    ...(agent.toldTools.length === 0 ? {} : { tools: agent.toldTools }),
    maxOutputTokens,
    reasoning: agent.reasoning === 'off' ? 'none' : agent.reasoning,
    cachedMessages: agent.lastCall?.sentMessages,
    cacheKey: live.id,
  }
}

/** The messages of a request with these items. */
export function requestMessages(agent: Agent, items: readonly Item[]): readonly Message[] {
  return joinedResults(requestWith(agent, items).messages)
}

function requestWith({ live, deps, info }: Agent, items: readonly Item[]) {
  const shown = withChanges(items, deps.fixed.changes).map((item) => suitable(item, info))
  const view: View = { ...live.view, items: Items.of(shown) }
  return requestOf(view)
}

/** Tells of files that have changed where the model was first told, never between a call and its result. */
function withChanges(items: readonly Item[], changes: readonly FixedChange[]): Item[] {
  const all = [...items]
  for (const change of changes) {
    const { after } = change
    let at = all.findIndex((item) => item.place > after)
    if (at === -1) at = all.length
    while (at < all.length && all[at]?.message.role !== 'assistant') at++
    const message = changeMessage(change)
    all.splice(at, 0, { kind: 'message', seq: after, place: after, message, pinned: false })
  }
  return all
}

/** Results are stored one by one as they come in; providers want those of one answer together. */
function joinedResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') {
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] }
    } else joined.push(message)
  }
  return joined
}
