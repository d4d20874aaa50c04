import type { Seq } from '../../model/ids.ts'
import { type AssistantPart, type Message, resultsOf } from '../../model/message/message.ts'
import type { Usage } from '../../model/provider/usage.ts'
import { assistantParts, contentBlocks, userMessages } from '../anthropic/read.ts'
import { type Fields, fields, list, text, wholeNumber } from '../shared/json.ts'
import type { LogBuilder, MessageFacts } from '../shared/log-builder.ts'
import { reminder } from '../shared/reminder.ts'
import { claudeRefusal, NOT_OF_USER } from '../shared/user-words.ts'
import { keptMessages } from './kept-messages.ts'
import type { TreeNode } from './nodes.ts'

/** Turns the lines of one branch into messages and compactions. */
export class BranchWriter {
  readonly #log: LogBuilder
  readonly #byId: ReadonlyMap<string, TreeNode>
  readonly #names = new Map<string, string>()
  readonly #seqs = new Map<string, Seq[]>()
  readonly #results = new Map<string, Seq>()
  /** Prompts that came while an answer was on its way: they follow the answer and its results. */
  #queued: TreeNode[] = []
  #boundary: TreeNode | undefined
  #answer: { id: string; content: AssistantPart[] } | undefined

  constructor(log: LogBuilder, byId: ReadonlyMap<string, TreeNode>) {
    this.#log = log
    this.#byId = byId
  }

  add(node: TreeNode): void {
    if (node.isHidden) return
    if (node.kind === 'queued') {
      this.#queued.push(node)
      return
    }
    if (!this.#isSameAnswer(node) && node.answers.length === 0) this.finish()
    if (node.kind === 'boundary') this.#boundary = node
    else if (node.kind === 'microcompact') this.#mask(node)
    else if (node.isSummary) this.#compact(node)
    else if (node.kind === 'assistant') this.#assistant(node)
    else if (node.kind === 'attachment') this.#user(node, attachmentContent(node))
    else if (node.kind === 'user') this.#user(node, node.isMeta ? marked(node.message?.content) : node.message?.content)
  }

  /** Tells the prompts that still wait for the end of an answer. */
  finish(): void {
    for (const node of this.#queued.splice(0)) this.#user(node, node.message?.content)
  }

  #isSameAnswer({ kind, message }: TreeNode): boolean {
    return kind === 'other' || (kind === 'assistant' && this.#answer !== undefined && message?.id === this.#answer.id)
  }

  #assistant(node: TreeNode): void {
    const parts = assistantParts(node.message?.content)
    for (const part of parts) if (part.type === 'tool-call') this.#names.set(part.toolCallId, part.toolName)
    const id = text(node.message?.id)
    const usage = usageOf(node.message)
    if (id !== undefined && this.#answer?.id === id) {
      this.#answer.content.push(...parts)
      if (usage !== undefined) this.#log.reportUsage(usage)
      return
    }
    const model = modelName(text(node.message?.model))
    const message: Message = { role: 'assistant', content: parts }
    const seq = this.#log.say(message, { at: node.at, model, usage: model === undefined ? undefined : usage })
    this.#note(node, seq)
    this.#answer = id === undefined || seq === undefined ? undefined : { id, content: parts }
  }

  #user(node: TreeNode, content: unknown): void {
    for (const message of userMessages(content, (id) => this.#names.get(id) ?? 'unknown')) {
      const seq = this.#log.say(message, { at: node.at, ...userWordsIn(message, node) })
      this.#note(node, seq)
      if (message.role === 'user') this.#answer = undefined
      else if (message.role === 'tool' && seq !== undefined) {
        for (const part of message.content) if (part.type === 'tool-result') this.#results.set(part.toolCallId, seq)
      }
    }
  }

  #compact(node: TreeNode): void {
    const metadata = this.#boundary?.metadata
    const trigger = metadata?.trigger === 'auto' || metadata?.trigger === 'manual' ? metadata.trigger : undefined
    const summary = contentBlocks(node.message?.content)
      .map((block) => text(block.text) ?? '')
      .join('\n')
    this.#log.compact({
      summary,
      field: node.record,
      keep: this.#boundary === undefined ? [] : this.#kept(this.#boundary),
      trigger,
      tokensBefore: wholeNumber(metadata?.preTokens),
      at: node.at,
    })
    this.#boundary = undefined
    this.#answer = undefined
  }

  #kept(boundary: TreeNode): Seq[] {
    return keptMessages(boundary, this.#byId).flatMap((id) => this.#seqs.get(id) ?? [])
  }

  #mask({ metadata }: TreeNode): void {
    this.#log.mask(list(metadata?.compactedToolIds).flatMap((id) => this.#results.get(String(id)) ?? []))
  }

  #note(node: TreeNode, seq: Seq | undefined): void {
    if (seq === undefined) return
    const others = this.#seqs.get(node.id)
    if (others === undefined) this.#seqs.set(node.id, [seq])
    else others.push(seq)
  }
}

/** What the line's structure says of the user's words in a message of it. */
function userWordsIn(
  message: Message,
  { kind, isMeta, message: line, denial, answers }: TreeNode,
): Pick<MessageFacts, 'userWords'> {
  if (message.role === 'user') {
    const isTyped = !isMeta && (kind !== 'attachment' || line?.type === 'queued_command')
    return isTyped ? {} : NOT_OF_USER
  }
  const words = resultsOf(message).flatMap((result) => claudeRefusal(result, answers.length === 1 ? denial : undefined))
  return words.length === 0 ? {} : { userWords: words }
}

/** Marks what the program says in the user's role: texts of skills, notes about images, … */
function marked(content: unknown): unknown {
  return contentBlocks(content).map((block) =>
    typeof block.text === 'string' ? { ...block, text: reminder(block.text) } : block,
  )
}

/** The model reads what the user typed meanwhile or gave along; other attachments are the program's own. */
function attachmentContent({ message: attachment, isMeta }: TreeNode): unknown {
  switch (attachment?.type) {
    case 'queued_command':
      return isMeta ? marked(attachment.prompt) : attachment.prompt
    case 'file': {
      const file = fields(fields(attachment.content)?.file)
      const name = text(attachment.filename) ?? text(file?.filePath)
      return name && reminder(`The user attached ${name}:\n${text(file?.content) ?? ''}`)
    }
    case 'edited_text_file':
      return reminder(
        `${text(attachment.filename) ?? 'A file'} was changed by the user or a program:\n${text(attachment.snippet) ?? ''}`,
      )
    default:
      return undefined
  }
}

/** Models behind other providers have names of their own. Messages of the program itself are from no model. */
function modelName(model: string | undefined): string | undefined {
  if (model === undefined || model === '<synthetic>') return undefined
  return model.startsWith('claude') ? `anthropic/${model}` : model
}

/** The API counts what it read from and wrote to the cache apart; we count it all as input. */
function usageOf(message: Fields | undefined): Usage | undefined {
  const usage = fields(message?.usage)
  const input = wholeNumber(usage?.input_tokens)
  if (usage === undefined || input === undefined || message?.model === '<synthetic>') return undefined
  const cacheReadTokens = wholeNumber(usage.cache_read_input_tokens) ?? 0
  const cacheWriteTokens = wholeNumber(usage.cache_creation_input_tokens) ?? 0
  const hour = wholeNumber(fields(usage.cache_creation)?.ephemeral_1h_input_tokens) ?? 0
  return {
    inputTokens: input + cacheReadTokens + cacheWriteTokens,
    outputTokens: wholeNumber(usage.output_tokens) ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
  }
}
