import { useState } from 'preact/hooks'
import type { WirePreview } from '../../src/contract/shapes/compaction-shapes.ts'
import type { WireEvent } from '../../src/contract/shapes/wire-events.ts'
import { sessionPath } from '../api/api-client.ts'
import { afterEvent, afterStream, begunAt, type CompactRun } from '../state/compact-run.ts'
import { useApp } from './app-context.ts'
import { useLoaded } from './use-loaded.ts'

const SETTLE_MS = 300

/** The preview of a compaction, and the compaction itself with its progress. */
export function useCompact(id: string, typed: string) {
  const { client } = useApp()
  const [run, setRun] = useState<CompactRun>({ state: 'idle' })
  const path = sessionPath(id, '/compact')
  const focus = typed.trim() || undefined
  const { value, failure } = useLoaded<WirePreview>(path, { body: { focus, dry_run: true }, settleMs: SETTLE_MS })

  async function start(): Promise<void> {
    setRun(begunAt(Date.now()))
    const onEvent = (event: WireEvent) => setRun((now) => afterEvent(now, event, Date.now()))
    const answer = await client.stream(path, onEvent, { method: 'POST', body: { focus } })
    setRun((now) => afterStream(now, answer))
  }

  const cancel = () => void client.ask(path, { method: 'DELETE' })
  return {
    preview: failure === undefined ? value : undefined,
    refused: failure?.message,
    run,
    start: () => void start(),
    cancel,
  }
}
