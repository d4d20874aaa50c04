import { someOf } from '../../engine/report/change-text.ts'
import { counted } from '../../engine/report/numbers.ts'
import { unchangedText } from '../../engine/report/outcome.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { partsOf, type UserMessage } from '../../model/types.ts'
import { type Line, line, type OpenedSession, type PortEvent, type Tone } from '../port/port.ts'
import { firstLine, safeText } from '../port/safe-text.ts'
import { applyEntry, blocksOf } from './apply-entry.ts'
import { type Activity, type Block, START, type State, type ToolBlock, withNote } from './state.ts'

/** Actions of the user that change the screen. */
export type ScreenEvent =
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'compact-asked' }
  | { readonly type: 'queue'; readonly queue: readonly string[] }
  | { readonly type: 'steering'; readonly steering: readonly string[] }
  | { readonly type: 'fold' }

/** The next state of the screen. `at` is the time of the event. */
export function reduce(state: State, event: PortEvent | ScreenEvent, at: number): State {
  switch (event.type) {
    case 'opened':
      return openedState(state, event.opened)
    case 'turn-started':
      return turnStarted(state, at)
    case 'text':
    case 'reasoning':
      return withLiveText(state, event.type, event.text)
    case 'tool-input':
      return replying(state, `writing a call of ${event.toolName}`)
    case 'shell-started':
      return {
        ...state,
        inTurn: true,
        activity: { kind: 'replying', since: at, detail: `running ${firstLine(event.command, 60)}`, isCommand: true },
      }
    case 'answer-void':
      return { ...replying(state, `asked again: ${event.reason}`), live: NOTHING }
    case 'retry':
      return waiting(state, event, at)
    case 'entry':
      return withEntry(state, event.entry)
    case 'tool-started':
      return changeTool(state, event.toolCallId, (block) => ({ ...block, diff: safeText(event.text) }))
    case 'tool-output':
      return changeTool(state, event.toolCallId, (block) => ({
        ...block,
        // After a reconnection, only this shows that the call still runs.
        state: 'running',
        output: tail(block.output, event.text),
      }))
    case 'compact-asked':
      return { ...state, activity: { kind: 'compacting', since: at, automatic: false } }
    case 'compaction':
      return compactionProgress(state, event, at)
    case 'compaction-ended':
      return compactionEnded(state, event, at)
    case 'status': {
      const { status, suggestPercent, cost, knownCost } = event
      const now = { ...state, status, suggestPercent, cost, knownCost }
      return state.cost !== undefined && cost === undefined ? withNote(now, UNPRICED, 'muted') : now
    }
    case 'model':
      return { ...state, model: event.model, noModel: event.noModel }
    case 'permissions':
      return { ...state, permissions: event.mode }
    case 'thinking':
      return { ...state, thinking: event.level }
    case 'title':
      return state.session === undefined
        ? state
        : { ...state, session: { ...state.session, title: safeText(event.title) } }
    case 'notice':
      return withNote(state, event.text, event.tone ?? 'muted')
    case 'jobs':
      return { ...state, jobs: event.running }
    case 'question':
      return { ...state, questions: [...state.questions, event.question] }
    case 'question-closed':
      return { ...state, questions: state.questions.filter(({ id }) => id !== event.id) }
    case 'turn-ended':
      return turnEnded(state, event)
    case 'block':
      return { ...state, blocks: [...state.blocks, event.block] }
    case 'queue':
      return { ...state, queue: event.queue }
    case 'steering':
      return { ...state, steering: event.steering }
    case 'fold':
      return { ...state, unfolded: !state.unfolded }
    default:
      return unreachable(event)
  }
}

const UNPRICED =
  'The price of a model is not known, so its cost is not counted: `price` under `models` in the configuration sets it'

const NOTHING = { text: '', reasoning: '' }

type Of<T extends PortEvent['type']> = Extract<PortEvent, { type: T }>

function turnStarted(state: State, at: number): State {
  // Without a model there is no answer, and the invitation to the example is still on the screen.
  const firstRun = state.firstRun && state.noModel !== undefined
  return { ...state, inTurn: true, firstRun, activity: { kind: 'replying', since: at }, live: NOTHING }
}

function withLiveText(state: State, kind: 'text' | 'reasoning', text: string): State {
  const live = { ...state.live, [kind]: state.live[kind] + safeText(text) }
  return { ...replying(state), live }
}

function replying(state: State, detail?: string): State {
  const { activity } = state
  if (activity.kind !== 'replying' || (activity.detail === detail && activity.waiting === undefined)) return state
  return { ...state, activity: { kind: 'replying', since: activity.since, detail } }
}

function waiting(state: State, { inMs, reason, attempt }: Of<'retry'>, at: number): State {
  const { activity } = state
  if (activity.kind !== 'replying') return state
  const { kind, since } = activity
  return { ...state, activity: { kind, since, waiting: { until: at + inMs, reason, attempt } } }
}

function withEntry(state: State, entry: Of<'entry'>['entry']): State {
  const blocks = [...state.blocks]
  applyEntry(blocks, entry)
  const typed = entry.type === 'message' && entry.message.role === 'user' ? typedText(entry.message) : undefined
  const taken = typed === undefined ? -1 : state.steering.indexOf(typed)
  const steering = taken === -1 ? state.steering : state.steering.toSpliced(taken, 1)
  const isAnswer = entry.type === 'message' && entry.message.role === 'assistant'
  return { ...replying(state), blocks, steering, live: isAnswer ? NOTHING : state.live }
}

/** The typed text of a message. The files that it names come after it. */
function typedText(message: UserMessage): string | undefined {
  return partsOf(message).find((part) => part.type === 'text')?.text
}

function compactionProgress(state: State, { event, automatic }: Of<'compaction'>, at: number): State {
  const { activity } = state
  if (event.type === 'start') {
    const since = activity.kind === 'compacting' ? activity.since : at
    return { ...state, activity: { kind: 'compacting', since, automatic, tokens: event.tokens } }
  }
  if (activity.kind !== 'compacting') return state
  switch (event.type) {
    case 'rung': {
      // Another rung or model begins at its own first chunk.
      const { kind, since, tokens } = activity
      return { ...state, activity: { kind, since, automatic, tokens, rung: event.rung, model: event.model } }
    }
    case 'chunk':
      return { ...state, activity: { ...activity, chunk: event.chunk, of: event.of, waiting: undefined } }
    case 'retry':
      return { ...state, activity: { ...activity, waiting: { until: at + event.inMs, reason: event.reason } } }
    case 'text':
    case 'refused':
    case 'done':
      return state
    default:
      return unreachable(event)
  }
}

/** The state after a compaction, with a note if it did not succeed. The entry of a successful compaction shows its result. */
function compactionEnded(state: State, { result, automatic }: Of<'compaction-ended'>, at: number): State {
  const activity: Activity = state.inTurn ? { kind: 'replying', since: at } : { kind: 'idle' }
  const now = { ...state, activity }
  switch (result.outcome) {
    case 'compacted':
      return now
    case 'skipped':
    case 'busy':
      // Nobody asked for an automatic one, so there is no note.
      return automatic ? now : withNote(now, unchangedText(result), 'muted')
    case 'cancelled':
    case 'refused':
      return withNote(now, unchangedText(result), 'muted')
    case 'failed':
    case 'no-model':
      return withNote(now, unchangedText(result), 'error')
    default:
      return unreachable(result)
  }
}

function turnEnded(state: State, { reason, text }: Of<'turn-ended'>): State {
  const now: State = {
    ...state,
    inTurn: false,
    activity: { kind: 'idle' },
    questions: [],
    // Messages that the turn did not take go to the next one. After `lost`, the turn may still take them.
    queue: reason === 'lost' ? state.queue : [...state.steering, ...state.queue],
    steering: [],
    live: NOTHING,
  }
  if (reason === 'aborted') return withNote(now, INTERRUPTED, 'warning')
  if (text === '') return now
  return withNote(now, text, reason === 'done' ? 'muted' : 'error')
}

const INTERRUPTED = 'Interrupted...what should the agent do instead?'

function changeTool(state: State, toolCallId: string, change: (block: ToolBlock) => ToolBlock): State {
  const at = state.blocks.findLastIndex((block) => block.kind === 'tool' && block.toolCallId === toolCallId)
  const block = state.blocks[at]
  if (block?.kind !== 'tool') return state
  return { ...state, blocks: state.blocks.with(at, change(block)) }
}

/** The end of a running tool's output; the screen shows no more. */
function tail(before: string, text: string): string {
  return (before + safeText(text)).slice(-4_000)
}

/** The state of a screen that shows this session from now on. The queued messages of the user stay. */
function openedState({ unfolded, queue }: State, opened: OpenedSession): State {
  const { session, status, suggestPercent, model, noModel, thinking, permissions, cost, knownCost, firstRun, jobs } =
    opened
  const settings = { model, noModel, thinking, permissions, suggestPercent }
  const blocks = firstBlocks(opened)
  return { ...START, ...settings, session, status, cost, knownCost, firstRun, blocks, queue, unfolded, jobs }
}

/** The transcript of a session that has just been opened: the workspace, the messages, and the notices. */
function firstBlocks(opened: OpenedSession): Block[] {
  const { entries, noModel, firstRun, earlier, notices = [] } = opened
  const warnings = [...notices, ...(noModel === undefined ? [] : [noModel])]
  return [
    { kind: 'panel', lines: header(opened) },
    ...(earlier === 0 ? [] : [noteBlock(`… ${counted(earlier, 'earlier entry')}: /recall <text> finds them`, 'muted')]),
    ...blocksOf(entries).map(withoutResult),
    ...warnings.map((text) => noteBlock(text, 'warning')),
    ...(firstRun ? [{ kind: 'panel', lines: INVITATION } as const] : []),
  ]
}

/** A call that was left without a result, by a kill for example, does not run. If it runs elsewhere, its output says so. */
function withoutResult(block: Block): Block {
  return block.kind === 'tool' && block.state === 'running' ? { ...block, state: 'open' } : block
}

function header({ session, reads = [], readsThere = [] }: OpenedSession): Line[] {
  return [
    [
      ['Pith', 'bold'],
      [` · ${session.workspace}`, 'muted'],
    ],
    ...(reads.length === 0 ? [] : [line(`Reads ${reads.map(safeText).join(', ')}`, 'muted')]),
    ...(readsThere.length === 0
      ? []
      : [line(`Reads when it works there: ${someOf(readsThere.map(safeText))}`, 'muted')]),
    line('/help lists the commands · @ completes files · Ctrl+C interrupts, twice quits', 'muted'),
  ]
}

const INVITATION: readonly Line[] = [
  [
    ['Press Tab', 'accent'],
    [' for an example session: try /compact, /context and /undo on it.', 'plain'],
  ],
  line('It is long and nearly full, and needs no model and no network.'),
]

function noteBlock(text: string, tone: Tone): Block {
  return { kind: 'note', text, tone }
}
