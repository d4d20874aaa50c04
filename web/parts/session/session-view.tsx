import { useState } from 'preact/hooks'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import type { SessionData } from '../../state/load-session.ts'
import { go, type PageRoute } from '../../state/page-route.ts'
import { Chart } from './chart.tsx'
import { Log } from './log.tsx'
import { SearchHits } from './search-hits.tsx'

/** The chart of a session over its log; a search takes the place of the log. */
export function SessionView(props: {
  session: PageSession
  data: SessionData
  spent: PageSpent | undefined
  route: PageRoute
}) {
  const { session, data, spent, route } = props
  const [words, setWords] = useState('')
  const openEntry = (seq: number) => go({ ...route, entry: seq }, route.entry === undefined ? 'push' : 'replace')
  const openMark = (seq: number) =>
    data.compactions.some((compaction) => compaction.seq === seq)
      ? go({ session: session.id, compaction: seq })
      : openEntry(seq)
  return (
    <div class="main-column">
      <Chart history={data.history} onEntry={openEntry} onMark={openMark} />
      <section class="log-box" aria-label="Log">
        <header class="section-head">
          <h2>Log</h2>
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search all that was ever said"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </header>
        {words.trim() === '' ? (
          <Log session={session} spent={spent} selected={route.entry} onEntry={openEntry} onCompaction={openMark} />
        ) : (
          <SearchHits session={session} words={words.trim()} onEntry={openEntry} />
        )}
      </section>
    </div>
  )
}
