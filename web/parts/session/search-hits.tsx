import { useEffect, useState } from 'preact/hooks'
import type { WireHit } from '../../../src/contract/shapes/shapes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import { visibleLine } from '../../text/visible.ts'
import { Highlight } from '../highlight.tsx'

const MOST = 200
const SETTLE_MS = 200

type Props = { session: PageSession; words: string; onEntry: (seq: number) => void }

/** The entries that contain the searched words, masked and compacted ones too. */
export function SearchHits({ session, words, onEntry }: Props) {
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
