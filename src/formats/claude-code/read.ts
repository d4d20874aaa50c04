import { CLIENTS } from '../../engine/extract/text/clients.ts'
import {
  type AssistantPart,
  type Message,
  resultsOf,
  type SeenFile,
  type Seq,
  type ToolCallPart,
  type Usage,
} from '../../model/types.ts'
import { assistantParts, contentBlocks, markedBlocks, userMessages } from '../anthropic/read.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, list, parsed, text, time, wholeNumber } from '../shared/json.ts'
import { LogBuilder, type MessageFacts, SessionBuilder, type Sidechain } from '../shared/log-builder.ts'
import { parentChain } from '../shared/parent-chain.ts'
import { subAgentFiles } from '../shared/sub-agent-files.ts'
import { claudeRefusal, NOT_OF_USER, reminder } from '../shared/user-words.ts'
import { compactionsByKept, keptMessages, nodeOf, type TreeNode } from './nodes.ts'
import { PromptQueue } from './prompt-queue.ts'
import { readWindow, withoutWindow } from './read-window.ts'

/** Reads a Claude Code session: a tree of lines, of which the branch that ends last is the conversation. */
export const readClaudeCode: FormatReader = { lines: treeLines }

function treeLines(): LineReader {
  const session = new SessionBuilder(CLIENTS.claudeCode)
  const nodes: TreeNode[] = []
  const byId = new Map<string, TreeNode>()
  const queue = new PromptQueue()
  let lastMessage: string | undefined
  return {
    parse: parseLine,
    read(line, number) {
      readFacts(session, line)
      readWindow(session, line)
      if (line.type === 'queue-operation') return queue.read(line, number, lastMessage)
      const node = nodeOf(line, number)
      if (node === undefined) return
      if (byId.has(node.id)) return session.log.issue(number, `the id ${node.id} is used twice; the first one counts`)
      byId.set(node.id, node)
      nodes.push(node)
      if (line.type !== 'user' && line.type !== 'assistant') return
      session.log.recordedMessages++
      session.log.recordedCalls += node.calls.length
      if (node.agent === undefined && !node.isHidden) lastMessage = node.id
    },
    finish() {
      const queued = queue.missingFrom(nodes)
      nodes.push(...queued)
      nodes.sort((a, b) => a.line - b.line)
      const main = nodes.filter((node) => node.agent === undefined)
      // The file of a sub-agent has no main line: its own line is used instead.
      const isMain = main.some((node) => node.kind === 'user' || node.kind === 'assistant')
      const all = isMain ? main : nodes
      const active = activeBranch(all, byId, session.log)
      session.leaveOut(all, active)
      if (isMain) addSidechains(session, nodes, byId)
      writeLog(session.log, active, byId, session.sidechains)
      return session
    },
  }
}

const COPY = ',"toolUseResult":'

/** The field that names who denied a call comes after the copy, among the last short members of a line. */
const DENIAL = '"toolDenialKind":'
const END_CHARACTERS = 1_000

/**
 * Parses a line of Claude Code without the copy of a tool's result that only its user interface needs: half of a file is such
 * copies. Usually they come after all fields that we read. If not, this returns undefined and the caller parses the whole line.
 */
function parseLine(text: string): unknown {
  const copy = text.indexOf(COPY)
  if (copy === -1 || text.slice(-END_CHARACTERS).includes(DENIAL)) return undefined
  const line = fields(parsed(`${text.slice(0, copy)}}`))
  return line !== undefined && 'uuid' in line && 'message' in line && 'timestamp' in line ? line : undefined
}

function readFacts({ facts, log }: SessionBuilder, line: Fields): void {
  facts.sessionId ??= text(line.sessionId)
  facts.workspace ??= text(line.cwd)
  facts.version = text(line.version) ?? facts.version
  facts.startedAt ??= time(line.timestamp)
  facts.forkedFrom ??= text(fields(line.forkedFrom)?.sessionId)
  // `claude -p` and the SDK: a program wrote the prompts.
  if (text(line.entrypoint) !== undefined) facts.isDelegated ??= /^sdk\b/.test(String(line.entrypoint))
  if (facts.isDelegated === true) log.client = CLIENTS.claudeCodeDriven
  facts.title = text(line.customTitle) ?? facts.title ?? text(line.aiTitle)
  if (line.type === 'summary') facts.title ??= text(line.summary)
}

function addSidechains(session: SessionBuilder, nodes: readonly TreeNode[], byId: ReadonlyMap<string, TreeNode>): void {
  const side = nodes.filter((node) => node.agent !== undefined)
  for (const [id, chain] of Map.groupBy(side, (node) => node.agent || rootOf(node, byId))) {
    const log = new LogBuilder(session.log.client)
    writeLog(log, chain, byId)
    const call = chain.find(({ startedBy }) => startedBy !== undefined)?.startedBy
    if (log.entries.length > 0) session.sidechains.push({ id, call, entries: log.entries })
  }
}

function rootOf(node: TreeNode, byId: ReadonlyMap<string, TreeNode>): string {
  const seen = new Set<TreeNode>()
  let root = node
  for (
    let next: TreeNode | undefined = node;
    next?.agent !== undefined && !seen.has(next);
    next = byId.get(next.parent ?? '')
  ) {
    seen.add(next)
    root = next
  }
  return root.id
}

function writeLog(
  log: LogBuilder,
  nodes: readonly TreeNode[],
  byId: ReadonlyMap<string, TreeNode>,
  sidechains: readonly Sidechain[] = [],
): void {
  const writer = new BranchWriter(log, byId, sidechains)
  for (const node of nodes) writer.add(node)
  writer.finish()
}

/**
 * The nodes that the agent would continue from, in the order of the file: the chain from the last message to the root, the
 * other lines of the same answers, and the results of their calls (parallel calls are side branches of the tree).
 */
function activeBranch(nodes: readonly TreeNode[], all: ReadonlyMap<string, TreeNode>, log: LogBuilder): TreeNode[] {
  const leaf = nodes.findLast((node) => (node.kind === 'user' || node.kind === 'assistant') && !node.isHidden)
  if (leaf === undefined) return []
  const chain = keptChain(leaf, nodes, all, log)
  const answers = new Set<unknown>()
  for (const node of chain) if (node.kind === 'assistant') answers.add(node.message?.id)
  answers.delete(undefined)
  const isActive = (node: TreeNode) => chain.has(node) || (node.kind === 'assistant' && answers.has(node.message?.id))
  const calls = new Set<string>()
  for (const node of nodes) if (isActive(node)) for (const id of node.calls) calls.add(id)
  const active = new Set(nodes.filter((node) => isActive(node) || node.answers.some((id) => calls.has(id))))
  return nodes.filter((node) => active.has(node) || (node.kind === 'queued' && isAfter(node, active, all)))
}

/** A queued prompt is not in the tree: it belongs to the branch of the message before it. */
function isAfter(node: TreeNode, active: ReadonlySet<TreeNode>, all: ReadonlyMap<string, TreeNode>): boolean {
  const before = node.parent === undefined ? undefined : all.get(node.parent)
  return before === undefined || active.has(before)
}

/** The chain of parents, and the compactions that keep one of them. */
function keptChain(
  leaf: TreeNode,
  nodes: readonly TreeNode[],
  all: ReadonlyMap<string, TreeNode>,
  log: LogBuilder,
): Set<TreeNode> {
  const chain = parentChain(leaf, nodes, all, log)
  const compactions = compactionsByKept(nodes, all)
  for (const node of [...chain]) {
    const compaction = node.parent === undefined ? undefined : compactions.get(node.parent)
    if (compaction !== undefined && compaction.line < node.line) addCompaction(compaction, nodes, chain)
  }
  return chain
}

/** The line of a compaction and those of its summary, which hang on it. */
function addCompaction(boundary: TreeNode, nodes: readonly TreeNode[], chain: Set<TreeNode>): void {
  if (chain.has(boundary)) return
  chain.add(boundary)
  for (const node of nodes) if (node.isSummary && node.parent === boundary.id) chain.add(node)
}

/** Turns the lines of one branch into messages and compactions. */
class BranchWriter {
  readonly #log: LogBuilder
  readonly #byId: ReadonlyMap<string, TreeNode>
  readonly #sidechains: readonly Sidechain[]
  readonly #calls = new Map<string, ToolCallPart>()
  readonly #seqs = new Map<string, readonly Seq[]>()
  readonly #results = new Map<string, Seq>()
  /** Prompts that came during an answer: they follow the answer and its results. */
  #queued: TreeNode[] = []
  #boundary: TreeNode | undefined
  #answer: { id: string; content: AssistantPart[] } | undefined

  constructor(log: LogBuilder, byId: ReadonlyMap<string, TreeNode>, sidechains: readonly Sidechain[]) {
    this.#log = log
    this.#sidechains = sidechains
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
    else if (node.kind === 'user')
      this.#user(node, node.isMeta ? markedBlocks(node.message?.content) : node.message?.content)
  }

  /** Writes the prompts that still wait for the end of an answer. */
  finish(): void {
    for (const node of this.#queued.splice(0)) this.#user(node, node.message?.content)
  }

  #isSameAnswer({ kind, message }: TreeNode): boolean {
    return kind === 'other' || (kind === 'assistant' && this.#answer !== undefined && message?.id === this.#answer.id)
  }

  #assistant(node: TreeNode): void {
    const parts = assistantParts(node.message?.content)
    for (const part of parts) if (part.type === 'tool-call') this.#calls.set(part.toolCallId, part)
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
    for (const message of userMessages(content, (id) => this.#calls.get(id)?.toolName ?? 'unknown')) {
      const seq = this.#log.say(message, { at: node.at, files: this.#filesOf(message), ...userWordsIn(message, node) })
      this.#note(node, seq)
      if (message.role === 'user') this.#answer = undefined
      else if (message.role === 'tool' && seq !== undefined) {
        for (const part of message.content) if (part.type === 'tool-result') this.#results.set(part.toolCallId, seq)
      }
    }
  }

  #filesOf(message: Message): SeenFile[] {
    if (this.#sidechains.length === 0) return []
    return resultsOf(message).flatMap(({ toolCallId }) => {
      const call = this.#calls.get(toolCallId)
      return call === undefined ? [] : subAgentFiles(call, this.#sidechains)
    })
  }

  #compact(node: TreeNode): void {
    const metadata = this.#boundary?.metadata
    const kept = this.#boundary === undefined ? [] : keptMessages(this.#boundary, this.#byId)
    const trigger = metadata?.trigger === 'auto' || metadata?.trigger === 'manual' ? metadata.trigger : undefined
    const summary = contentBlocks(node.message?.content)
      .map((block) => text(block.text) ?? '')
      .join('\n')
    this.#log.compact({
      by: 'Claude Code',
      summary,
      field: node.record,
      keep: kept.flatMap((id) => this.#seqs.get(id) ?? []),
      trigger,
      tokensBefore: wholeNumber(metadata?.preTokens),
      at: node.at,
    })
    this.#boundary = undefined
    this.#answer = undefined
  }

  #mask({ metadata }: TreeNode): void {
    this.#log.mask(list(metadata?.compactedToolIds).flatMap((id) => this.#results.get(String(id)) ?? []))
  }

  #note(node: TreeNode, seq: Seq | undefined): void {
    if (seq === undefined) return
    this.#seqs.set(node.id, [...(this.#seqs.get(node.id) ?? []), seq])
  }
}

/** The user's words in a message, if the structure of its line shows them. */
function userWordsIn(
  message: Message,
  { kind, isMeta, isPlan, message: line, denial, answers }: TreeNode,
): Pick<MessageFacts, 'userWords'> {
  if (message.role === 'user') {
    const isTyped = !isMeta && !isPlan && (kind !== 'attachment' || line?.type === 'queued_command')
    return isTyped ? {} : NOT_OF_USER
  }
  const words = resultsOf(message).flatMap((result) =>
    claudeRefusal(result, answers.length === 1 ? denial : denial && ''),
  )
  return words.length === 0 ? {} : { userWords: words }
}

/** The attachments that the model reads: prompts that the user typed meanwhile, and files. Other attachments are the program's own. */
function attachmentContent({ message: attachment, isMeta }: TreeNode): unknown {
  switch (attachment?.type) {
    case 'queued_command':
      return isMeta ? markedBlocks(attachment.prompt) : attachment.prompt
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

/** Models of other providers keep their names. Messages of the program itself have no model. */
function modelName(model: string | undefined): string | undefined {
  if (model === undefined || model === '<synthetic>') return undefined
  const name = withoutWindow(model)
  return name.startsWith('claude') ? `anthropic/${name}` : name
}

/** The API counts cache reads and writes separately from the input; we count all of them as input. */
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
