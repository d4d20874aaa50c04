import { sizesAfter, sizesOf } from '../../engine/measure/reduction-sizes.ts'
import { changeText } from '../../engine/report/change-text.ts'
import { callTarget } from '../../engine/report/item-names.ts'
import { counted } from '../../engine/report/numbers.ts'
import { reductionText } from '../../engine/report/outcome.ts'
import type { Entry, EntryOf } from '../../model/entry.ts'
import { type Message, outputText, partsOf, type ToolCallPart, type ToolResultPart } from '../../model/message.ts'
import { firstLine, safeText } from '../port/safe-text.ts'
import type { Block, CompactionBlock, ToolBlock } from './blocks.ts'

/** The transcript of a log: the same whether its entries come one by one or all at once. */
export function blocksOf(entries: readonly Entry[]): Block[] {
  const blocks: Block[] = []
  for (const entry of entries) applyEntry(blocks, entry)
  return blocks
}

/** Adds the blocks of an entry. */
export function applyEntry(blocks: Block[], entry: Entry): void {
  recount(blocks, entry)
  switch (entry.type) {
    case 'message':
      return addMessage(blocks, entry.message, entry.seq)
    case 'compaction':
      return void blocks.push(compactionBlock(entry))
    case 'mask':
      return void blocks.push(maskBlock(entry))
    case 'squeeze':
      return note(
        blocks,
        entry.seq,
        `${reductionText({ rung: 'squeeze', messagesRemoved: 0 })}: ${counted(entry.squeezes.length, 'message')}.`,
      )
    case 'edit':
      return note(blocks, entry.seq, changeText(entry))
    case 'undo':
      return note(blocks, entry.seq, undoText(blocks, entry.of))
    case 'redact':
      return redact(blocks, entry)
    case 'pin':
      return note(blocks, entry.seq, changeText(entry))
    case 'repair':
      return note(blocks, entry.seq, changeText({ type: 'repair', changes: entry.changes.length }))
    case 'attempt':
    case 'void':
    case 'settings':
    case 'todo':
      return
  }
}

/** The report that follows a compaction says how large the context has really become. */
function recount(blocks: Block[], entry: Entry): void {
  const at = blocks.findLastIndex(({ kind }) => kind === 'compaction')
  const block = blocks[at]
  if (block?.kind !== 'compaction') return
  const sizes = sizesAfter(block.sizes, entry)
  if (sizes !== block.sizes) blocks[at] = { ...block, sizes }
}

function addMessage(blocks: Block[], message: Message, seq: number): void {
  for (const part of partsOf(message)) {
    if (part.type === 'text' && part.text.trim() !== '') {
      blocks.push({ kind: message.role === 'user' ? 'user' : 'assistant', seq, text: safeText(part.text) })
    } else if (part.type === 'reasoning' && part.text.trim() !== '') {
      blocks.push({ kind: 'reasoning', seq, text: safeText(part.text) })
    } else if (part.type === 'tool-call') blocks.push(callBlock(part, seq))
    else if (part.type === 'tool-result') finish(blocks, part, seq)
    else if (part.type === 'image' || part.type === 'file') note(blocks, seq, `[${part.type}]`)
  }
}

const TARGET_CHARACTERS = 200

function callBlock({ toolCallId, toolName, input }: ToolCallPart, seq: number): ToolBlock {
  const target = firstLine(callTarget(input), TARGET_CHARACTERS)
  return { kind: 'tool', seq, toolCallId, name: toolName, target, state: 'running', output: '' }
}

function finish(blocks: Block[], { toolCallId, output }: ToolResultPart, seq: number): void {
  const at = blocks.findLastIndex((block) => block.kind === 'tool' && block.toolCallId === toolCallId)
  const block = blocks[at]
  if (block?.kind !== 'tool') return
  const failed = output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
  const text = safeText(outputText(output))
  const diff = block.name === 'edit' ? /^(?:[^\n]*:\n)(@@[\s\S]*)$/.exec(text)?.[1] : block.diff
  blocks[at] = {
    ...block,
    seq,
    state: failed ? 'failed' : 'done',
    output: text,
    diff,
  }
}

function compactionBlock(entry: EntryOf<'compaction'>): CompactionBlock {
  const { seq, messages, rung, model, summary, cost, flagged, refusal } = entry
  return {
    kind: 'compaction',
    seq,
    rung,
    messagesRemoved: messages,
    sizes: sizesOf(entry),
    how: model === undefined ? `${rung}, without a model` : `summary by ${model}`,
    summary: safeText(summary),
    cost,
    flagged,
    refusal,
  }
}

function maskBlock(entry: EntryOf<'mask'>): CompactionBlock {
  const { seq, targets } = entry
  const how = `${counted(targets.length, 'tool result')}, without a model`
  return {
    kind: 'compaction',
    seq,
    rung: 'mask',
    messagesRemoved: 0,
    sizes: sizesOf(entry),
    how,
    summary: '',
  }
}

function undoText(blocks: readonly Block[], of: number): string {
  const undone = blocks.find((block) => block.kind === 'note' && block.seq === of)
  return undone?.kind === 'note' && undone.text.startsWith('Undone')
    ? 'Redone: the last undo is taken back.'
    : `Undone: the context is as it was before #${of}. /redo takes this back.`
}

function redact(blocks: Block[], { seq, target }: EntryOf<'redact'>): void {
  blocks.forEach((block, i) => {
    if (block.kind === 'panel' || block.kind === 'note' || block.seq !== target) return
    if (block.kind === 'tool') blocks[i] = { ...block, output: REDACTED, target: '' }
    else if (block.kind === 'compaction') blocks[i] = { ...block, summary: REDACTED }
    else blocks[i] = { ...block, text: REDACTED }
  })
  note(blocks, seq, changeText({ type: 'redact', target }))
}

const REDACTED = '[redacted]'

function note(blocks: Block[], seq: number, text: string): void {
  blocks.push({ kind: 'note', seq, text, tone: 'muted' })
}
