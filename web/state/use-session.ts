import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, type Client, sessionPath } from '../api/client.ts'
import { follow } from '../api/follow.ts'
import type { ServerEvent } from '../api/sse.ts'
import type { Compaction, Context, ContextHistory, EntryPage, SessionDetail } from '../api/types.ts'
import { useApp } from './app-context.ts'
import { LogPages } from './log-pages.ts'

/** All that the page knows of a session, as of the last event. */
export type SessionData = {
  readonly detail: SessionDetail
  readonly context: Context
  readonly history: ContextHistory
  readonly compactions: readonly Compaction[]
}

export type SessionState = {
  readonly id: string
  readonly data?: SessionData
  readonly log: LogPages
  readonly lastSeq: number
  /** Counts up with every change: what is loaded aside is loaded again. */
  readonly version: number
  readonly live: boolean
  readonly error?: string
}

const SETTLE_MS = 150

/** A session, live: loaded once, then kept up with its events. */
export function useSession(id: string): SessionState {
  const { client } = useApp()
  const [data, setData] = useState<SessionData>()
  const [lastSeq, setLastSeq] = useState(0)
  const [version, setVersion] = useState(0)
  const [, redraw] = useState(0)
  const [live, setLive] = useState(false)
  const [error, setError] = useState<string>()
  const log = useMemo(() => new LogPages(load, () => redraw((n) => n + 1)), [client, id])

  async function load(after: number, limit: number) {
    const path = sessionPath(id, `/messages?only=all&after=${after}&limit=${limit}`)
    const page = await client.ask<EntryPage>(path)
    return page.ok ? page.value.entries : undefined
  }

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop: (() => void) | undefined
    let gone = false
    let isChanged = false

    async function refresh(): Promise<SessionData | undefined> {
      isChanged = false
      const loaded = await loadSession(client, id)
      if (gone) return undefined
      if (!loaded.ok) {
        setError(loaded.message)
        return undefined
      }
      setError(undefined)
      setData(loaded.value)
      setLastSeq((seq) => Math.max(seq, loaded.value.detail.last_seq))
      setVersion((n) => n + 1)
      return loaded.value
    }

    /** One refresh for a burst of events. */
    const settle = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void (isChanged ? refresh() : extend()), SETTLE_MS)
    }

    /** Messages alone add a point to what is known: the whole history is not asked for again. */
    async function extend(): Promise<void> {
      const [detail, context] = await loadStatus(client, id)
      if (gone || !detail.ok || !context.ok) return
      setData((known) => known && withPoint(known, detail.value, context.value))
      setVersion((n) => n + 1)
    }

    const onEvent = (event: ServerEvent) => {
      if (event.name === 'session.deleted') return setError('This session was deleted')
      if (event.name !== 'entry') return
      const { seq, entry } = JSON.parse(event.data) as { seq: number; entry: { type: string } }
      setLastSeq((known) => Math.max(known, seq))
      // A message is added at the end; anything else may change the place of every entry.
      isChanged ||= entry.type !== 'message'
      log.expire(entry.type === 'message' ? seq : 1)
      settle()
    }

    void refresh().then((first) => {
      if (gone || first === undefined) return
      const path = sessionPath(id, `/events?after=${first.detail.last_seq}`)
      stop = follow(client, { path, onEvent, onLive: setLive })
    })
    return () => {
      gone = true
      clearTimeout(timer)
      stop?.()
    }
  }, [client, id, log])

  return {
    id,
    log,
    lastSeq,
    version,
    live,
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error }),
  }
}

type Loaded = { ok: true; value: SessionData } | { ok: false; message: string }

function loadStatus(client: Client, id: string): Promise<[Answer<SessionDetail>, Answer<Context>]> {
  return Promise.all([client.ask<SessionDetail>(sessionPath(id)), client.ask<Context>(sessionPath(id, '/context'))])
}

function withPoint(known: SessionData, detail: SessionDetail, context: Context): SessionData {
  const { history } = known
  const point = { seq: detail.last_seq, at: detail.updated_at, tokens: context.status.tokens, parts: context.parts }
  const points = [...history.points.filter(({ seq }) => seq < point.seq), point]
  return { ...known, detail, context, history: { ...history, points } }
}

async function loadSession(client: Client, id: string): Promise<Loaded> {
  const [[detail, context], history, compactions] = await Promise.all([
    loadStatus(client, id),
    client.ask<ContextHistory>(sessionPath(id, '/context/history?points=800')),
    client.ask<{ compactions: Compaction[] }>(sessionPath(id, '/compactions')),
  ])
  if (!detail.ok) return detail
  if (!context.ok) return context
  if (!history.ok) return history
  if (!compactions.ok) return compactions
  return {
    ok: true,
    value: {
      detail: detail.value,
      context: context.value,
      history: history.value,
      compactions: compactions.value.compactions,
    },
  }
}
