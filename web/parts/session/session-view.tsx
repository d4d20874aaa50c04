import { useEffect, useState } from 'preact/hooks'
import type { WireHit } from '../../../src/contract/shapes/shapes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import type { SessionData } from '../../state/load-session.ts'
import { go, type PageRoute } from '../../state/page-route.ts'
import { visibleLine } from '../../text/visible.ts'
import { Highlight } from '../highlight.tsx'
import { Chart } from './chart.tsx'
import { Log } from './log.tsx'

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
  const { client } = useApp()
  const [hits, setHits] = useState<readonly WireHit[]>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const path = sessionPath(session.id, `/recall?q=${encodeURIComponent(words)}&limit=${MOST}`)
      const answer = await client.ask<{ hits: WireHit[] }>(path, { signal: stop.signal })
      if (stop.signal.aborted) return
      setError(answer.ok ? undefined : answer.message)
      if (answer.ok) setHits(answer.value.hits)
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, session.id, session.version, words])
  if (error !== undefined) return <p class="bad pad">{error}</p>
  if (hits === undefined) return <p class="soft pad">Searching…</p>
  return (
    <div class="hits">
      <p class="soft small pad" role="status">
        {hits.length === 0
          ? `Nothing in this session says “${visibleLine(words, 60)}”.`
          : `${counted(hits.length, 'entry')}${hits.length === MOST ? ', the best ones' : ''}`}
      </p>
      {hits.map((hit) => (
        <button type="button" class="hit" key={hit.seq} onClick={() => onEntry(hit.seq)}>
          <span class="seq">#{hit.seq}</span>
          <span class="said-text" dir="auto">
            <Highlight text={visibleLine(hit.snippet)} words={words} />
          </span>
        </button>
      ))}
    </div>
  )
}
