import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { exportSessionRoute } from '../../../contract/session-routes.ts'
import { answerOpenCalls, encode, type WritableFormat } from '../../../formats/index.ts'
import { exportSession } from '../../../session/export-session.ts'
import type { Session, Store } from '../../../store/store.ts'
import { sessionHandler } from '../handler.ts'

/** Exports the whole log in our own format, or the current view in the format of another agent. */
export const exportSessionHandler = sessionHandler(
  exportSessionRoute,
  async ({ query: { format } }, { id, live }, { store }) => {
    if (format !== 'pith') return exportedView(store, live.session, format)
    return new Response(linesOf(exportSession(store, id)), { headers: { 'content-type': 'application/x-ndjson' } })
  },
)

async function exportedView(store: Store, session: Session, format: WritableFormat): Promise<Response> {
  const { entries } = await store.entries(session.id)
  const { text, place } = encode({ ...session, entries: answerOpenCalls(entries) }, format, {
    ids: randomUUID,
    clock: Date.now,
  })
  return new Response(text, { headers: { 'content-type': MEDIA_TYPES[extname(place)] ?? 'application/json' } })
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.jsonl': 'application/x-ndjson',
  '.md': 'text/markdown; charset=utf-8',
}

/** A stream that makes each line when it is read. */
function linesOf(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = lines[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(`${next.value}\n`))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
