import { changeText, redoText, type UndoableChange, undoText } from '../../engine/report/change-text.ts'
import { callTarget } from '../../engine/report/item-names.ts'
import { counted } from '../../engine/report/numbers.ts'
import { unusedFocusText } from '../../engine/report/outcome.ts'
import { makerText } from '../../engine/report/progress-text.ts'
import { beforeLogText, providerReductionText } from '../../engine/report/provider-context-text.ts'
import { shortenedText } from '../../engine/report/shortened-text.ts'
import { attachedPath, FILES_SET_BACK, isProgramNote, JOB_REPORT } from '../../model/text.ts'
import {
  type Entry,
  type EntryOf,
  outputText,
  partsOf,
  type Squeeze,
  type Todo,
  type ToolCallPart,
  type ToolResultPart,
} from '../../model/types.ts'
import type { Line, Span } from '../port/port.ts'
import { firstLine, firstWholeWords, safeText } from '../port/safe-text.ts'
import type { Block, CompactionBlock, NoteBlock, ToolBlock } from './state.ts'

/** The transcript of a log: the same whether its entries come one by one or all at once. */
export function blocksOf(entries: readonly Entry[]): Block[] {
  const blocks: Block[] = []
  for (const entry of entries) applyEntry(blocks, entry)
  return blocks
}

/** Adds the blocks of an entry. */
export function applyEntry(blocks: Block[], entry: Entry): void {
  switch (entry.type) {
    case 'message':
      return addMessage(blocks, entry)
    case 'compaction':
      return void blocks.push(compactionBlock(blocks, entry))
    case 'mask':
      return void blocks.push(maskBlock(entry))
    case 'squeeze':
      return note(blocks, entry.seq, squeezeText(blocks, entry.squeezes), {
        change: { type: 'squeeze', targets: entry.squeezes.map(({ target }) => target) },
      })
    case 'edit':
      return note(blocks, entry.seq, changeText(entry), { change: { type: 'edit', of: entry.of } })
    case 'undo':
      return addUndo(blocks, entry)
    case 'redact':
      return redact(blocks, entry)
    case 'pin':
      return note(blocks, entry.seq, changeText(entry), {
        change: entry.back && { type: 'put-back', target: entry.target },
      })
    case 'leave-out':
      return note(blocks, entry.seq, safeText(changeText(entry)), {
        change: { type: 'leave-out', targets: entry.targets, what: entry.what },
      })
    case 'put-back':
      return note(blocks, entry.seq, changeText(entry), {
        change: { type: 'put-back', target: entry.leaveOuts[0] ?? entry.seq },
      })
    case 'repair':
      return note(blocks, entry.seq, changeText({ type: 'repair', changes: entry.changes.length }))
    case 'checkpoint':
      if (entry.rewind === undefined) return
      return note(blocks, entry.seq, changeText({ type: 'rewind', to: entry.rewind.to, files: pathsIn(entry) }))
    case 'settings':
      if (entry.planning !== undefined) note(blocks, entry.seq, entry.planning ? PLAN_ON : PLAN_OFF)
      if (entry.beforeLog !== undefined) note(blocks, entry.seq, safeText(beforeLogText(entry.beforeLog)))
      if (entry.compact !== undefined)
        note(blocks, entry.seq, safeText(changeText({ type: 'compact-request', focus: entry.compact.focus })), {
          change: { type: 'compact-request' },
        })
      return
    case 'attempt':
    case 'void':
      return
    case 'todo':
      return void blocks.push({ kind: 'panel', lines: entry.items.map(todoLine) })
  }
}

const PLAN_ON = 'Plan mode: the agent only reads, until you accept its plan. /plan off ends it'
const PLAN_OFF = 'Plan mode is over'

const BOXES: Readonly<Record<Todo['status'], Span>> = {
  pending: ['☐', 'plain'],
  'in-progress': ['▶', 'accent'],
  done: ['☑', 'success'],
  cancelled: ['☒', 'muted'],
}

/** A line of the to-do list. */
export function todoLine({ text, status }: Todo): Line {
  return [BOXES[status], [` ${safeText(text)}`, status === 'done' || status === 'cancelled' ? 'muted' : 'plain']]
}

function addMessage(blocks: Block[], { message, seq, shown, reduced, userWords }: EntryOf<'message'>): void {
  const byProvider = providerReductionText(reduced)
  if (byProvider !== undefined) note(blocks, seq, safeText(byProvider))
  for (const [i, part] of partsOf(message).entries()) {
    const attached = message.role === 'user' && part.type === 'text' ? attachedPath(part.text) : undefined
    if (userWords?.length === 0 && part.type === 'text' && REPORTS.some((start) => part.text.startsWith(start)))
      note(blocks, seq, `For the agent: ${safeText(part.text.split('\n', 1)[0] ?? '')}`)
    else if (attached !== undefined) note(blocks, seq, `Attached ${safeText(attached)}`)
    else if (message.role === 'user' && i > 0 && part.type === 'text' && isProgramNote(part.text))
      note(
        blocks,
        seq,
        `With a note to the model: ${firstWholeWords(part.text.slice(part.text.indexOf('\n') + 1), NOTE_CHARACTERS)}`,
      )
    else if (part.type === 'text' && part.text.trim() !== '') {
      blocks.push({ kind: message.role === 'user' ? 'user' : 'assistant', seq, text: safeText(part.text) })
    } else if (part.type === 'reasoning' && part.text.trim() !== '') {
      blocks.push({ kind: 'reasoning', seq, text: safeText(part.text) })
    } else if (part.type === 'tool-call') blocks.push(callBlock(part, seq))
    else if (part.type === 'tool-result') finish(blocks, part, seq, shown)
    else if ((part.type === 'image' || part.type === 'file') && !isAttached(blocks, seq))
      note(blocks, seq, `[${part.type}]`)
  }
}

/** How the program's own messages to the agent begin. */
const REPORTS = [JOB_REPORT, FILES_SET_BACK]

/** The most of a note to the model that is shown. */
const NOTE_CHARACTERS = 60

/** True if the note before already names the image. */
function isAttached(blocks: readonly Block[], seq: number): boolean {
  const last = blocks.at(-1)
  return last?.kind === 'note' && last.seq === seq
}

const TARGET_CHARACTERS = 200

function callBlock({ toolCallId, toolName, input }: ToolCallPart, seq: number): ToolBlock {
  const about = callTarget(input)
  const target = firstLine(about, TARGET_CHARACTERS)
  const whole = safeText(about).trim()
  return {
    kind: 'tool',
    seq,
    callSeq: seq,
    toolCallId,
    name: toolName,
    target,
    wholeTarget: whole === target ? undefined : whole,
    state: 'running',
    output: '',
  }
}

function finish(
  blocks: Block[],
  { toolCallId, output }: ToolResultPart,
  seq: number,
  shown: EntryOf<'message'>['shown'],
): void {
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
    shownCharacters: shown && shown.head + shown.tail < text.length ? shown.head + shown.tail : undefined,
    diff,
  }
}

function compactionBlock(blocks: readonly Block[], entry: EntryOf<'compaction'>): CompactionBlock {
  const {
    seq,
    messages,
    rung,
    tokensBefore,
    tokensAfter,
    model,
    summary,
    cost,
    flagged,
    refusal,
    squeezes = [],
  } = entry
  return {
    kind: 'compaction',
    seq,
    rung,
    messagesRemoved: messages,
    tokensBefore,
    tokensAfter,
    how: makerText(rung, model),
    summary: safeText(summary),
    cost,
    flagged,
    refusal,
    unusedFocus: unusedFocusText(entry),
    ...(squeezes.length === 0 ? {} : { shortened: squeezeText(blocks, squeezes) }),
  }
}

function maskBlock({ seq, targets, tokensBefore, tokensAfter }: EntryOf<'mask'>): CompactionBlock {
  const how = `${counted(targets.length, 'tool result')}, without a model`
  return {
    kind: 'compaction',
    seq,
    rung: 'mask',
    messagesRemoved: 0,
    tokensBefore,
    tokensAfter,
    how,
    summary: '',
  }
}

/** Adds a note about the change that was undone or, for an undo of an undo, redone. */
function addUndo(blocks: Block[], { seq, of }: EntryOf<'undo'>): void {
  const target = blocks.findLast((block) => 'seq' in block && block.seq === of && block.kind !== 'tool')
  const undone = target?.kind === 'note' ? target.undone : undefined
  if (undone !== undefined) return note(blocks, seq, redoText(undone.seq, undone.change))
  const change = target === undefined ? undefined : changeOf(target)
  note(blocks, seq, undoText(of, change), { undone: { seq: of, change } })
}

function changeOf(block: Block): UndoableChange | undefined {
  if (block.kind === 'note') return block.change
  if (block.kind !== 'compaction') return undefined
  const { rung, messagesRemoved } = block
  return { type: 'reduction', rung, messagesRemoved }
}

/** The sentence about shortened messages, with the sizes of one that has a single text and is on the screen. */
function squeezeText(blocks: readonly Block[], squeezes: readonly Squeeze[]): string {
  return shortenedText(
    squeezes.map(({ target, head, tail, pieces }) => ({
      seq: target,
      shownCharacters: head + tail,
      characters: pieces === undefined || pieces.length === 1 ? charactersOf(blocks, target) : undefined,
    })),
  )
}

function charactersOf(blocks: readonly Block[], seq: number): number | undefined {
  const [block, ...others] = blocks.filter((each) => 'seq' in each && each.seq === seq)
  if (others.length > 0) return undefined
  if (block?.kind === 'user' || block?.kind === 'assistant') return block.text.length
  return block?.kind === 'tool' ? block.output.length : undefined
}

function redact(blocks: Block[], { seq, target }: EntryOf<'redact'>): void {
  blocks.forEach((block, i) => {
    if (block.kind === 'panel' || block.kind === 'note') return
    if (block.kind === 'tool' && block.callSeq === target) blocks[i] = { ...block, ...NO_TARGET }
    if (block.seq !== target) return
    if (block.kind === 'tool') blocks[i] = { ...block, ...NO_TARGET, output: REDACTED }
    else if (block.kind === 'compaction') blocks[i] = { ...block, summary: REDACTED }
    else blocks[i] = { ...block, text: REDACTED }
  })
  note(blocks, seq, changeText({ type: 'redact', target }))
}

function pathsIn({ files }: EntryOf<'checkpoint'>): string[] {
  return files.map(({ path }) => safeText(path))
}

const REDACTED = '[redacted]'
const NO_TARGET = { target: '', wholeTarget: undefined, diff: undefined }

function note(blocks: Block[], seq: number, text: string, about: Pick<NoteBlock, 'change' | 'undone'> = {}): void {
  blocks.push({ kind: 'note', seq, text, tone: 'muted', ...about })
}
