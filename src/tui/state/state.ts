import type { Rung } from '../../model/policy/policy.ts'
import type { Status } from '../../tokens/status.ts'
import type { Question, SessionInfo, Tone } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import type { Block } from './blocks.ts'

/** The program's current work. `since` is in milliseconds since 1970. */
export type Activity =
  | { readonly kind: 'idle' }
  | { readonly kind: 'replying'; readonly since: number; readonly detail?: string; readonly waiting?: RetryPause }
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

/** All that the screen shows, except the text in the input. */
export type State = {
  readonly session?: SessionInfo
  readonly model: string
  readonly noModel?: string
  readonly permissions: string
  /** How much the model thinks. If absent, the provider's default applies. */
  readonly thinking?: string
  readonly status?: Status
  readonly suggestPercent: number
  readonly cost?: number
  readonly knownCost?: number
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
  readonly earlier: number
  readonly firstRun: boolean
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
  earlier: 0,
  firstRun: false,
  unfolded: false,
}

/** The state with one more line in the transcript. */
export function withNote(state: State, text: string, tone: Tone): State {
  return { ...state, blocks: [...state.blocks, { kind: 'note', text: safeText(text), tone }] }
}
