import { useEffect, useMemo, useState } from 'preact/hooks'
import type { WireEntryPage } from '../../src/contract/shapes/shapes.ts'
import { type ApiClient, sessionPath } from '../api/api-client.ts'
import { type LoadEntries, LogPages } from '../state/log-pages.ts'
import { SessionFeed, type SessionSnapshot } from '../state/session-feed.ts'
import { useApp } from './app-context.ts'

/** A session as the parts see it. */
export type PageSession = SessionSnapshot & { readonly id: string; readonly log: LogPages }

const NOTHING: SessionSnapshot = { lastSeq: 0, version: 0, redactions: 0, live: false }

/** Loads a session and keeps it up to date with its events. */
export function useSession(id: string): PageSession {
  const { client } = useApp()
  const [known, setKnown] = useState(NOTHING)
  const [, redraw] = useState(0)
  const log = useMemo(() => new LogPages(entryLoader(client, id), () => redraw((n) => n + 1)), [client, id])
  useEffect(() => {
    const feed = new SessionFeed(client, id, log, setKnown)
    void feed.start()
    return () => feed.stop()
  }, [client, id, log])
  return { ...known, id, log }
}

function entryLoader(client: ApiClient, id: string): LoadEntries {
  return async (after, limit) => {
    const path = sessionPath(id, `/messages?only=all&after=${after}&limit=${limit}`)
    const page = await client.ask<WireEntryPage>(path)
    return page.ok ? page.value.entries : undefined
  }
}
