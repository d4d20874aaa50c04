import type { WireStatus } from '../../../src/contract/shapes/shapes.ts'
import { count } from '../../../src/engine/report/numbers.ts'
import { windowText } from '../../../src/engine/report/status-text.ts'

type Props = Pick<WireStatus, 'tokens' | 'window' | 'assumed' | 'percent' | 'level'> & { text: string }

/** How full a context is: a bar and the number, with a mark if the window is assumed. */
export function Fullness({ text, ...status }: Props) {
  const { tokens, window, assumed, percent = 0, level } = status
  const size = window === undefined ? `${count(tokens)} tokens` : `${count(tokens)} of ${windowText(status)}`
  return (
    <span class="fullness" title={`${LEVEL_WORDS[level]}: ${size}`}>
      <span class="bar">
        <i class={`fill level-${level}`} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span class="number">
        {assumed === true && '~'}
        {text}
      </span>
    </span>
  )
}

/** How full a context is, in words. */
export const LEVEL_WORDS: Readonly<Record<WireStatus['level'], string>> = {
  normal: 'Room left',
  warning: 'Getting full',
  critical: 'Nearly full',
  unknown: 'Size not known',
}
