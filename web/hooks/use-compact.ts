import { useState } from 'preact/hooks'
import type { WirePreview } from '../../src/contract/shapes/compaction-shapes.ts'
import type { WireEvent } from '../../src/contract/shapes/wire-events.ts'
import { sessionPath } from '../api/api-client.ts'
import { afterEvent, afterStream, begunAt, type CompactRun } from '../state/compact-run.ts'
import { useApp } from './app-context.ts'
import { useLoaded } from './use-loaded.ts'

/** The fields of the dialog; an empty one leaves the choice to the policy of the session. */
export type CompactFields = {
  readonly focus: string
  readonly preserve: string
  readonly policy: string
  readonly model: string
}

const SETTLE_MS = 300

/** The preview of a compaction, and the compaction itself with its progress. */
export function useCompact(id: string, wanted: CompactFields) {
  const { client } = useApp()
  const [run, setRun] = useState<CompactRun>({ state: 'idle' })
  const path = sessionPath(id, '/compact')
  const body = { ...bodyOf(wanted), dry_run: true }
  const { value, failure } = useLoaded<WirePreview>(path, { body, settleMs: SETTLE_MS })

  async function start(): Promise<void> {
    setRun(begunAt(Date.now()))
    const onEvent = (event: WireEvent) => setRun((now) => afterEvent(now, event, Date.now()))
    const answer = await client.stream(path, onEvent, { method: 'POST', body: bodyOf(wanted) })
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

function bodyOf({ focus, preserve, policy, model }: CompactFields): Record<string, unknown> {
  return {
    ...(focus.trim() === '' ? {} : { focus: focus.trim() }),
    ...(preserve === '' ? {} : { preserve_count: Number(preserve) }),
    ...(policy === '' ? {} : { policy }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
  }
}
