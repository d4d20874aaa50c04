import { requestOf } from '../../engine/context/view/request.ts'
import type { ModelCall } from '../../llm/call/chat-model.ts'
import { Items } from '../../model/items.ts'
import { handle } from '../../model/text.ts'
import {
  type Entry,
  type InputKind,
  type Item,
  type Message,
  type ModelInfo,
  modelName,
  type Seq,
  type ToolPart,
  type ToolResultContent,
  type UserPart,
  type View,
} from '../../model/types.ts'
import { sessionSettings } from '../../session/open-session.ts'
import { roomForAnswer } from '../../tokens/windows.ts'
import type { Agent } from '../agent.ts'
import { changeMessage, type FixedChange } from '../fixed/fixed-parts.ts'

/** The next request to the model. The same log gives the same request, so that the provider's cache is used. */
export function modelCallOf(agent: Agent, withoutImages: ReadonlySet<Seq> = NONE): ModelCall {
  const { live, deps, info } = agent
  const { system, messages } = requestWith(agent, live.view.items.slice(), withoutImages)
  const maxOutputTokens = roomForAnswer(info, agent.status().tokens)
  return {
    system: [...deps.fixed.blocks(), ...system],
    messages: joinedResults(messages),
    ...(agent.sentTools.length === 0 ? {} : { tools: agent.sentTools }),
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

const NONE: ReadonlySet<Seq> = new Set()

function requestWith({ live, deps, info }: Agent, items: readonly Item[], withoutImages = NONE) {
  const refused = new Set([...refusedBy(live.log, info), ...withoutImages])
  const shown = withChanges(items, deps.fixed.changes).map((item) => suitable(item, info, refused))
  const view: View = { ...live.view, items: Items.of(shown) }
  return requestOf(view)
}

/**
 * The messages whose images may be why the model refuses a request: first those that it has not answered yet, and if it also refuses
 * the request without them (`left`), all. Undefined if there are no more.
 */
export function suspectedImages({ live, info }: Agent, left?: ReadonlySet<Seq>): ReadonlySet<Seq> | undefined {
  const name = modelName(info)
  const answered = live.log.findLast(
    (entry) => entry.type === 'message' && entry.message.role === 'assistant' && entry.model === name,
  )
  const refused = refusedBy(live.log, info)
  const items = live.view.items.slice().filter((item) => hasImage(suitable(item, info, refused)))
  const all = items.map(({ seq }) => seq)
  const unanswered = all.filter((seq) => seq > (answered?.seq ?? 0))
  const next = left === undefined && unanswered.length > 0 ? unanswered : all
  return next.length > (left?.size ?? 0) ? new Set(next) : undefined
}

function refusedBy(log: readonly Entry[], info: ModelInfo): ReadonlySet<Seq> {
  return sessionSettings(log).refusedImages.get(modelName(info)) ?? NONE
}

/** Inserts the messages about changed files at the position where they were first sent, but never between a call and its result. */
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

/** Joins the results of one answer: they are stored one by one, but providers want them together. */
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

/**
 * The item without parts that the model is not known to accept, or whose images it refused. The log still has them, and a text
 * names what is missing.
 */
export function suitable(item: Item, info: ModelInfo, refusedImages = NONE): Item {
  if (item.kind !== 'message') return item
  const takes = new Set<InputKind>(info.input ?? ['text'])
  const keep = <P extends UserPart | ToolResultContent>(part: P): P | TextInstead => {
    const kind = kindOf(part)
    const isRefused = kind === 'image' && refusedImages.has(item.seq)
    if (kind === undefined || (takes.has(kind) && !isRefused)) return part
    const why = isRefused && takes.has(kind) ? 'refused it' : 'takes none'
    return { type: 'text', text: `[${kind} left out, as ${modelName(info)} ${why}: recall ${handle(item.seq)}]` }
  }
  const message = suitableMessage(item.message, keep)
  return message === item.message ? item : { ...item, message }
}

function hasImage({ message }: Item): boolean {
  let isFound = false
  suitableMessage(message, (part) => {
    isFound ||= kindOf(part) === 'image'
    return part
  })
  return isFound
}

type TextInstead = { type: 'text'; text: string }
type Keep = <P extends UserPart | ToolResultContent>(part: P) => P | TextInstead

function suitableMessage(message: Message, keep: Keep): Message {
  if (message.role === 'user' && typeof message.content !== 'string') {
    const content = changed(message.content, (part): UserPart => keep(part))
    return content === message.content ? message : { ...message, content }
  }
  if (message.role === 'tool') {
    const content = changed(message.content, (part) => suitableResult(part, keep))
    return content === message.content ? message : { ...message, content }
  }
  return message
}

function suitableResult(part: ToolPart, keep: Keep): ToolPart {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const value = changed(part.output.value, (content): ToolResultContent => keep(content))
  return value === part.output.value ? part : { ...part, output: { ...part.output, value } }
}

/** The changed list, or the same object if nothing changed. */
function changed<T>(list: T[], change: (each: T) => T): T[] {
  const next = list.map(change)
  return next.every((each, i) => each === list[i]) ? list : next
}

function kindOf(part: UserPart | ToolResultContent): InputKind | undefined {
  if (part.type.startsWith('image')) return 'image'
  const { mediaType } = part as { mediaType?: unknown }
  if (part.type === 'text' || typeof mediaType !== 'string') return undefined
  if (mediaType.startsWith('image')) return 'image'
  if (mediaType === 'application/pdf') return 'pdf'
  if (mediaType.startsWith('audio/')) return 'audio'
  return mediaType.startsWith('video/') ? 'video' : undefined
}
