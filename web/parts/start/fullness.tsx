import type { WireStatus } from '../../../src/contract/shapes/shapes.ts'
import { count } from '../../../src/engine/report/numbers.ts'

type Props = { tokens: number; percent: number | undefined; level: keyof typeof LEVEL_WORDS; text: string }

/** How full a context is: a bar and the number. */
export function Fullness({ tokens, percent = 0, level, text }: Props) {
  return (
    <span class="fullness" title={`${LEVEL_WORDS[level]}: ${count(tokens)} tokens`}>
      <span class="bar">
        <i class={`fill level-${level}`} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span class="number">{text}</span>
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
