import { useState } from 'preact/hooks'
import type { WireCompactionDetail } from '../../../src/contract/shapes/compaction-shapes.ts'
import type { WireMessage, WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { count, counted } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import { go, type PageRoute } from '../../state/page-route.ts'
import { messageBlocks } from '../../text/entry-text.ts'
import { Blocks, LogRow } from '../session/log.tsx'

const PAGE = 200

type Props = { session: PageSession; detail: WireCompactionDetail; route: PageRoute }

/** Side by side: the messages before the compaction, and the messages that the model reads instead of them. */
export function BeforeAfter({ session, detail, route }: Props) {
  const { client, notify } = useApp()
  const [further, setFurther] = useState<readonly WirePlacedEntry[]>([])
  const before = [...detail.before, ...further]
  const rest = detail.before_total - before.length
  const more = async () => {
    const path = sessionPath(session.id, `/compactions/${detail.seq}?after=${before.at(-1)?.seq ?? 0}&limit=${PAGE}`)
    const answer = await client.ask<WireCompactionDetail>(path)
    if (answer.ok) setFurther([...further, ...answer.value.before])
    else notify(answer.message, 'error')
  }
  const open = (seq: number) => go({ ...route, entry: seq }, route.entry === undefined ? 'push' : 'replace')
  const step = (by: 1 | -1) => () => {
    const at = before.findIndex((entry) => entry.seq === route.entry)
    const to = before[at < 0 ? 0 : at + by]
    if (to === undefined) return
    open(to.seq)
    document.querySelector(`.before-after [data-seq="${to.seq}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useKeys({ ArrowDown: step(1), j: step(1), ArrowUp: step(-1), k: step(-1) })
  return (
    <div class="pair before-after">
      <section class="side" aria-label="Before">
        <header class="section-head">
          <h2>Before</h2>
          <span class="soft small">
            {counted(detail.before_total, 'message')} · #{detail.from}–#{detail.up_to}
          </span>
        </header>
        <div class="scroll">
          <div role="listbox" aria-label="Messages before" tabIndex={0}>
            {before.map((entry) => (
              <LogRow
                key={entry.seq}
                seq={entry.seq}
                entry={entry}
                isMissing={false}
                isSelected={route.entry === entry.seq}
                onOpen={() => open(entry.seq)}
              />
            ))}
          </div>
          {rest > 0 && (
            <button type="button" class="more" onClick={more}>
              {count(rest)} more: show {count(Math.min(rest, PAGE))}
            </button>
          )}
        </div>
      </section>
      <section class="side" aria-label="After">
        <header class="section-head">
          <h2>After</h2>
          <span class="soft small">{counted(detail.after.length, 'message')} as the model reads them</span>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it. */}
        <div class="scroll" tabIndex={0}>
          {detail.after.map((message: WireMessage, i) => (
            <Blocks key={i} blocks={messageBlocks(message)} />
          ))}
        </div>
      </section>
    </div>
  )
}
