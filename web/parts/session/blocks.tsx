import type { TextBlock } from '../../text/entry-text.ts'
import { visibleLine } from '../../text/visible.ts'
import { Text } from '../text.tsx'

/** The blocks of an entry or a message. */
export function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return (
    <div class="blocks">
      {blocks.map(({ label, text, tone }, i) => (
        <section key={i} class={tone === undefined ? 'block' : `block ${tone}`}>
          <h3>{visibleLine(label, 160)}</h3>
          {text !== '' && <Text text={text} />}
        </section>
      ))}
    </div>
  )
}
