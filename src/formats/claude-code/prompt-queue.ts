import { isMachineText } from '../../engine/extract/text/typed-words.ts'
import { contentBlocks } from '../anthropic/read.ts'
import { type Fields, text, time } from '../shared/json.ts'
import { PLAIN, type TreeNode } from './nodes.ts'

/** A prompt that was typed while Claude Code worked. `line` is where it left the queue, or entered it if it never left. */
type QueuedPrompt = {
  readonly words: string
  readonly queuedAt: number
  readonly line: number
  readonly at: number | undefined
  /** The message before it in the file. */
  readonly parent: string | undefined
}

/**
 * The prompts that a user typed while Claude Code worked. Claude Code writes a line for each prompt that enters or leaves its
 * queue. Many versions give a prompt to the model in the middle of a turn (`remove`) and write it nowhere else.
 */
export class PromptQueue {
  #waiting: QueuedPrompt[] = []
  readonly #delivered: QueuedPrompt[] = []

  /** Follows a line of the queue. `parent` is the message before it. */
  read(line: Fields, number: number, parent: string | undefined): void {
    const words = text(line.content)
    switch (line.operation) {
      case 'enqueue':
        if (words !== undefined && isPrompt(words))
          this.#waiting.push({ words, queuedAt: number, line: number, at: time(line.timestamp), parent })
        return
      case 'popAll':
        this.#waiting = words === undefined ? [] : this.#waiting.filter((prompt) => !words.includes(prompt.words))
        return
      case 'popOne':
        this.#take(words ?? this.#waiting.at(-1)?.words)
        return
      case 'remove':
      case 'dequeue': {
        const prompt = this.#take(words)
        if (prompt !== undefined && !DISCARDED.has(line.reason))
          this.#delivered.push({ ...prompt, line: number, parent: parent ?? prompt.parent })
      }
    }
  }

  /** The prompts that no other line of the file has, as lines of the user. */
  missingFrom(nodes: readonly TreeNode[]): TreeNode[] {
    const prompts = [...this.#delivered, ...this.#waiting].toSorted((a, b) => a.queuedAt - b.queuedAt)
    if (prompts.length === 0) return []
    const texts = nodes.flatMap(textsIn)
    return prompts.filter((prompt) => !isInTexts(prompt, texts)).map(nodeOfPrompt)
  }

  /** Takes a prompt out of the queue: the one with these words, or the oldest. */
  #take(words: string | undefined): QueuedPrompt | undefined {
    const place = words === undefined ? 0 : this.#waiting.findIndex((prompt) => prompt.words === words)
    return place === -1 ? undefined : this.#waiting.splice(place, 1)[0]
  }
}

/** Claude Code's reasons for removing a prompt from the queue that the model never sees. */
const DISCARDED: ReadonlySet<unknown> = new Set(['cleared_on_cancel', 'dropped_by_hook'])

/** Programs queue notices about their tasks; commands are for Claude Code itself, or come again as a message. */
function isPrompt(words: string): boolean {
  return words.trim() !== '' && !isMachineText(words) && !/^\s*(?:\{"task_id"|\/[a-z][\w:-]*(?:\s|$))/.test(words)
}

/** A text of a line in the user's role. A prompt that is found in it is removed, because each line has a prompt once. */
type UserText = { readonly line: number; words: string }

function textsIn(node: TreeNode): UserText[] {
  if (node.isSummary || (node.kind !== 'user' && node.kind !== 'attachment')) return []
  const content = node.kind === 'user' ? node.message?.content : node.message?.prompt
  return contentBlocks(content).flatMap((block) =>
    typeof block.text === 'string' ? [{ line: node.line, words: block.text }] : [],
  )
}

/** True when a later line has the prompt, alone or among others that left the queue with it. */
function isInTexts({ words, queuedAt }: QueuedPrompt, texts: readonly UserText[]): boolean {
  const wanted = `\n${words.trim()}\n`
  for (const each of texts) {
    if (each.line < queuedAt) continue
    const place = `\n${each.words.trim()}\n`.indexOf(wanted)
    if (place === -1) continue
    each.words = each.words.trim().slice(0, place) + each.words.trim().slice(place + words.trim().length)
    return true
  }
  return false
}

function nodeOfPrompt({ words, line, at, parent, queuedAt }: QueuedPrompt): TreeNode {
  return {
    line,
    queuedAt,
    id: `queued-${queuedAt}`,
    parent,
    kind: 'queued',
    at,
    agent: undefined,
    message: { content: words },
    ...PLAIN,
  }
}
