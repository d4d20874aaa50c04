import { WorkspaceFiles } from '../../../agent/workspace-files.ts'
import * as contract from '../../../contract/routes/context-routes.ts'
import { toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import { usableModels } from '../../../llm/usable-models.ts'
import { SpentMeter } from '../../../session/account/spent-meter.ts'
import { recall, searchSession } from '../../../session/search/search-session.ts'
import { unpin } from '../../../session/user-changes.ts'
import { HttpError } from '../../http/http-error.ts'
import { measureOf } from '../../sessions/measure.ts'
import { workspaceOf } from '../../sessions/server-agent.ts'
import { wireChange } from '../../sessions/wire-change.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { contextHistory } from './context-history.ts'
import { getContextHandler } from './get-context-handler.ts'
import { getViewHandler } from './get-view-handler.ts'
import { pinEntryHandler } from './pin-entry-handler.ts'
import { previewUndoHandler, redoHandler, undoHandler } from './undo-handlers.ts'

const getHistory = sessionHandler(contract.getContextHistoryRoute, async ({ query: { points } }, served, services) =>
  contextHistory(services.store, served, await measureOf(services, served), points),
)

const getSpent = sessionHandler(contract.getSpentRoute, async ({ query: { turns } }, served, { store, models }) => {
  served.spent ??= new SpentMeter(models.deps.registry)
  await served.spent.read(store, served.id)
  const { report } = served.spent
  return toWire(turns === 0 ? report : { ...report, turns: served.spent.turns(turns) })
})

const listRequests = sessionHandler(contract.listRequestsRoute, async (_, { id }, { gatewayRequests }) => {
  const records = (await gatewayRequests?.(id)) ?? []
  return { requests: records.map(({ session: _, face: __, ...record }) => toWire(record)) }
})

const findFiles = sessionHandler(contract.findFilesRoute, async ({ query: { q } }, served, services) => {
  const workspace = workspaceOf(services, served)
  if (workspace === undefined) return { paths: [] }
  served.files ??= new WorkspaceFiles(workspace.path)
  return { paths: [...(await served.files.find(q))] }
})

const recallEntries = sessionHandler(contract.recallRoute, async ({ query }, { id }, { store }) => {
  const { q, handles, limit } = query
  if (q === undefined && handles === undefined)
    throw new HttpError(400, 'bad-request', 'the query does not say what to look for: send q or handles')
  const hits = q === undefined ? [] : await searchSession(store, id, q, limit)
  const entries = handles === undefined ? [] : await recall(store, id, handles)
  return {
    hits: hits.map(({ session, ...hit }) => ({ session_id: session, ...hit })),
    entries: entries.slice(0, limit).map(wireEntry),
  }
})

const unpinEntry = sessionHandler(contract.unpinEntryRoute, async ({ params: { seq } }, served, services) =>
  wireChange(services, served, await unpin(services.store, served.id, seq)),
)

const listModels = handler(contract.listModelsRoute, async (_, { models }) => ({
  models: usableModels(models.deps).models.map((model) => ({
    name: model.name,
    context_window: model.info.contextWindow,
    usable: model.usable,
    why: model.usable ? undefined : model.why,
  })),
}))

/** The context: how full and with what, the messages to send, recall, undo, pins; and the models. */
export const contextHandlers: readonly Handler[] = [
  getContextHandler,
  getHistory,
  getSpent,
  listRequests,
  findFiles,
  getViewHandler,
  recallEntries,
  previewUndoHandler,
  undoHandler,
  redoHandler,
  pinEntryHandler,
  unpinEntry,
  listModels,
]
