import { useState } from 'preact/hooks'
import type { WireHit } from '../../../src/contract/shapes/shapes.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import { go, type PageRoute } from '../../state/page-route.ts'
import type { SessionData } from '../../state/session-feed.ts'
import { type Found, foundText } from '../../text/found.ts'
import { HitLines } from '../text.tsx'
import { Chart } from './chart.tsx'
import { Log } from './log.tsx'

/** As in the style sheet. */
const SMALL = '(max-width: 980px)'

/** The chart of a session above its log; a search replaces the log. */
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
  // On a small screen the entry covers the search.
  const uncover = () => {
    if (route.entry !== undefined && matchMedia(SMALL).matches) go({ ...route, entry: undefined })
  }
  return (
    <div class="main-column">
      <Chart history={data.history} onEntry={openEntry} onMark={openMark} />
      <section class="log-box" aria-label="Log">
        <header class="section-head">
          <h2>Log</h2>
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search the whole log"
            value={words}
            onFocus={uncover}
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

const MOST = 200
const SETTLE_MS = 200

type Props = { session: PageSession; words: string; onEntry: (seq: number) => void }

/** The entries that contain the searched words, masked and compacted ones too. */
function SearchHits({ session, words, onEntry }: Props) {
  const path = sessionPath(session.id, `/recall?q=${encodeURIComponent(words)}&limit=${MOST}`)
  const { value, failure } = useLoaded<Found<WireHit>>(path, { version: session.version, settleMs: SETTLE_MS })
  if (failure !== undefined) return <p class="bad pad">{failure.message}</p>
  if (value === undefined) return <p class="soft pad">Searching…</p>
  return (
    <div class="hits">
      <p class="soft small pad" role="status">
        {foundText(value)}
      </p>
      {value.hits.map((hit) => (
        <button type="button" class="hit" key={hit.seq} onClick={() => onEntry(hit.seq)}>
          <span class="seq">
            #{hit.seq} <span class="soft">{hit.tool ?? hit.role ?? hit.type}</span>
          </span>
          <span class="said-text" dir="auto">
            <HitLines text={hit.snippet} words={words} />
          </span>
        </button>
      ))}
    </div>
  )
}
