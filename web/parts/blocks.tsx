import type { Block } from '../text/entry-text.ts'
import { oneLine } from '../text/visible.ts'
import { Text } from './text.tsx'

/** What an entry or a message says, block by block. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div class="blocks">
      {blocks.map(({ label, text, tone }, i) => (
        <section key={i} class={tone === undefined ? 'block' : `block ${tone}`}>
          <h4>{oneLine(label, 80)}</h4>
          {text !== '' && <Text text={text} />}
        </section>
      ))}
    </div>
  )
}
