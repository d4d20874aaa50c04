import { useEffect, useMemo, useState } from 'preact/hooks'
import type { WireEntryPage } from '../../src/contract/shapes.ts'
import type { WireEvent } from '../../src/contract/wire-events.ts'
import { sessionPath } from '../api/client.ts'
import { follow } from '../api/follow.ts'
import { useApp } from './app-context.ts'
import { loadSession, loadStatus, type SessionData, withPoint } from './load-session.ts'
import { LogPages } from './log-pages.ts'
import { refresher } from './refresher.ts'

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
    const page = await client.ask<WireEntryPage>(path)
    return page.ok ? page.value.entries : undefined
  }

  useEffect(() => {
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

    const upkeep = refresher(() => (isChanged ? refresh() : extend()), SETTLE_MS)

    /** Messages alone add a point to what is known: the whole history is not asked for again. */
    async function extend(): Promise<void> {
      const [detail, context] = await loadStatus(client, id)
      if (gone || !detail.ok || !context.ok) return
      setData((known) => known && withPoint(known, detail.value, context.value))
      setVersion((n) => n + 1)
    }

    const onEvent = (event: WireEvent) => {
      if (event.event !== 'entry') return
      const { seq, entry } = event.data
      setLastSeq((known) => Math.max(known, seq))
      // A message is added at the end; anything else may change the place of every entry.
      isChanged ||= entry.type !== 'message'
      log.expire(entry.type === 'message' ? seq : 1)
      upkeep.again()
    }

    /** After a disconnect: what failed meanwhile is asked for again. */
    const reload = () => {
      isChanged = true
      log.expire()
      upkeep.again()
    }

    void refresh().then((first) => {
      if (gone || first === undefined) return
      const path = sessionPath(id, `/events?after=${first.detail.last_seq}`)
      let wasAway = false
      const onLive = (isLive: boolean) => {
        setLive(isLive)
        if (isLive && wasAway) reload()
        wasAway = !isLive
      }
      stop = follow(client, { path, onEvent, onLive, onRefused: setError })
    })
    return () => {
      gone = true
      upkeep.stop()
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
