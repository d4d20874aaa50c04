import type { Tone } from '../parts/line.ts'
import { safeText } from '../parts/safe-text.ts'
import type { State } from './state.ts'

/** The state with one more line in the transcript. */
export function withNote(state: State, text: string, tone: Tone): State {
  return { ...state, blocks: [...state.blocks, { kind: 'note', text: safeText(text), tone }] }
}
