import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { exportSessionRoute } from '../../../contract/routes/session-routes.ts'
import { answerOpenCalls, encode, type WritableFormat } from '../../../formats/index.ts'
import { exportSession } from '../../../session/export-session.ts'
import type { Session, Store } from '../../../store/store.ts'
import { sessionHandler } from '../handler.ts'

/** Exports the whole log in our own format, or the current view in the format of another agent. */
export const exportSessionHandler = sessionHandler(
  exportSessionRoute,
  async ({ query: { format } }, { id, live }, { store }) => {
    if (format !== 'pith') return exportedView(store, live.session, format)
    const lines = ReadableStream.from(bytesOf(exportSession(store, id, 'leave-out')))
    return new Response(lines, { headers: fileHeaders('application/x-ndjson', `${id}.jsonl`) })
  },
)

async function exportedView(store: Store, session: Session, format: WritableFormat): Promise<Response> {
  const { Redaction } = await import('../../../secrets/redacted-log.ts')
  const { entries } = await store.entries(session.id)
  const redacted = entries.map(new Redaction().entry)
  const { text, place } = encode({ ...session, entries: answerOpenCalls(redacted) }, format, {
    ids: randomUUID,
    clock: Date.now,
  })
  const type = extname(place)
  return new Response(text, { headers: fileHeaders(MEDIA_TYPES[type] ?? 'application/json', `${session.id}${type}`) })
}

/** A browser saves it under this name. */
function fileHeaders(type: string, name: string): Record<string, string> {
  return { 'content-type': type, 'content-disposition': `attachment; filename="pith-${name.replace(/[^\w.-]/g, '-')}"` }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.jsonl': 'application/x-ndjson',
  '.md': 'text/markdown; charset=utf-8',
}

const encoder = new TextEncoder()

/** The bytes of the lines; each line is made when it is read. */
async function* bytesOf(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  for await (const line of lines) yield encoder.encode(`${line}\n`)
}
