import type { UndoableChange } from '../../engine/report/change-text.ts'
import type { Rung } from '../../model/policy/policy.ts'
import type { EntryOf } from '../../model/types.ts'
import type { Status } from '../../tokens/status.ts'
import type { Line, OpenedSession, Question, SessionInfo, Tone } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'

/** The program's current work. `since` is in milliseconds since 1970. */
export type Activity =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'replying'
      readonly since: number
      readonly detail?: string
      readonly waiting?: RetryPause
      /** A command that the user typed. */
      readonly isCommand?: true
    }
  | {
      readonly kind: 'compacting'
      readonly since: number
      readonly automatic: boolean
      readonly tokens?: number
      readonly rung?: Rung
      readonly model?: string
      readonly chunk?: number
      readonly of?: number
      readonly waiting?: RetryPause
    }

/** A pause before a failed request is sent again. */
export type RetryPause = { readonly until: number; readonly reason: string; readonly attempt?: number }

type ShownSettings = Pick<
  OpenedSession,
  'model' | 'noModel' | 'permissions' | 'thinking' | 'suggestPercent' | 'cost' | 'knownCost' | 'firstRun' | 'jobs'
>

/** All that the screen shows, except the text in the input. */
export type State = ShownSettings & {
  readonly session?: SessionInfo
  readonly status?: Status
  readonly blocks: readonly Block[]
  /** The answer that the model is writing. */
  readonly live: { readonly text: string; readonly reasoning: string }
  readonly activity: Activity
  /** True during a turn, also while it compacts. */
  readonly inTurn: boolean
  readonly queue: readonly string[]
  /** Messages for the running turn that it has not taken yet. */
  readonly steering: readonly string[]
  readonly questions: readonly Question[]
  /** True when tool output, reasoning and summaries are shown whole. */
  readonly unfolded: boolean
}

export const START: State = {
  model: '',
  permissions: '',
  suggestPercent: 0,
  blocks: [],
  live: { text: '', reasoning: '' },
  activity: { kind: 'idle' },
  inTurn: false,
  queue: [],
  steering: [],
  questions: [],
  firstRun: false,
  unfolded: false,
}

/**
 * True during a compaction that the user asked for: nothing is sent, no suggestions open, and the typed text stays (K14). During
 * an automatic one the input works as during a turn, because the user did not ask to wait.
 */
export function isInputLocked({ activity }: State): boolean {
  return activity.kind === 'compacting' && !activity.automatic
}

/** True while a command runs that can go to the background: a call of the agent, or the user's own. */
export function runsCommand({ activity, blocks, jobs }: State): boolean {
  if (activity.kind !== 'replying' || jobs === undefined) return false
  return activity.isCommand === true || blocks.some(isRunningCommand)
}

function isRunningCommand(block: Block): boolean {
  return block.kind === 'tool' && block.state === 'running' && block.name === 'bash'
}

/** The state with one more line in the transcript. */
export function withNote(state: State, text: string, tone: Tone): State {
  return { ...state, blocks: [...state.blocks, { kind: 'note', text: safeText(text), tone }] }
}

/** One piece of the transcript. A block never changes: a change replaces it by another block. */
export type Block =
  | { readonly kind: 'user' | 'assistant' | 'reasoning'; readonly seq: number; readonly text: string }
  | ToolBlock
  | CompactionBlock
  | NoteBlock
  | PanelBlock

/** Lines of a command or of the program. `rows`: the most rows that are shown until the user unfolds them. */
export type PanelBlock = { readonly kind: 'panel'; readonly lines: readonly Line[]; readonly rows?: number }

export type NoteBlock = {
  readonly kind: 'note'
  readonly seq?: number
  readonly text: string
  readonly tone: Tone
  /** The change that the note describes, for an undo of it. */
  readonly change?: UndoableChange
  /** The undone change that the note describes, for a redo of it. */
  readonly undone?: { readonly seq: number; readonly change?: UndoableChange }
}

export type ToolBlock = {
  readonly kind: 'tool'
  /** The entry of its result, or of its call if there is no result yet. */
  readonly seq: number
  readonly callSeq: number
  readonly toolCallId: string
  readonly name: string
  /** The first line of the call's target, such as a path or a command. */
  readonly target: string
  /** The whole target, if it has more than the first line: a command of several lines. */
  readonly wholeTarget?: string
  /** `open`: there is no result, and nothing runs here. */
  readonly state: 'running' | 'open' | 'done' | 'failed'
  /** The output so far, or all of it at the end. */
  readonly output: string
  /** How many characters of the output the model sees, if that is not all of it. */
  readonly shownCharacters?: number
  readonly diff?: string
}

export type CompactionBlock = {
  readonly kind: 'compaction'
  readonly seq: number
  readonly rung: Rung
  readonly messagesRemoved: number
  readonly how: string
  readonly summary: string
  /** A sentence about other messages that were shortened. */
  readonly shortened?: string
  /** A sentence that the focus had no effect, if so. */
  readonly unusedFocus?: string | undefined
} & Pick<EntryOf<'compaction'>, 'tokensBefore' | 'tokensAfter'> &
  Partial<Pick<EntryOf<'compaction'>, 'cost' | 'flagged' | 'refusal'>>
