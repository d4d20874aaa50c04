import { previewUndoRoute, redoRoute, undoRoute } from '../../../contract/routes/context-routes.ts'
import type { Entry } from '../../../model/entry.ts'
import { redo, type UndoResult, undo, undoPreview } from '../../../session/undo.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { measureOf } from '../../sessions/measure.ts'
import { wireChange } from '../../sessions/wire-change.ts'
import { sessionHandler } from '../handler.ts'

/** Takes back the newest change of the view, once for a key. */
export const undoHandler = sessionHandler(undoRoute, async ({ headers, caller }, served, services) => {
  const result = await undo(services.store, served.id, requestKey(caller, 'undo', headers))
  return wireChange(services, served, entryOf(result, 'undo'))
})

/** What an undo would take back. */
export const previewUndoHandler = sessionHandler(previewUndoRoute, async (_, served, services) => {
  const { agent } = await measureOf(services, served)
  const preview = await undoPreview(services.store, served.id)
  return { seq: preview?.entry.seq, status: agent.status(preview?.view) }
})

/** Takes back the newest undo, once for a key. */
export const redoHandler = sessionHandler(redoRoute, async ({ headers, caller }, served, services) => {
  const result = await redo(services.store, served.id, requestKey(caller, 'redo', headers))
  return wireChange(services, served, entryOf(result, 'redo'))
})

function entryOf(result: UndoResult, which: 'undo' | 'redo'): Entry {
  if (result.ok) return result.entry
  throw new HttpError(409, `nothing-to-${which}`, result.reason)
}
