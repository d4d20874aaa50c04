import type { Hono } from 'hono'
import { WorkspaceFiles } from '../../../agent/workspace-files.ts'
import * as contract from '../../../contract/context.ts'
import { toWire, wireEntry } from '../../../contract/wire.ts'
import { requestOf } from '../../../engine/view/request.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../../formats/index.ts'
import { usableModels } from '../../../llm/usable-models.ts'
import type { Entry } from '../../../model/entry.ts'
import { unreachable } from '../../../model/errors.ts'
import type { Message } from '../../../model/message.ts'
import { pin, unpin } from '../../../session/pin.ts'
import { recall, searchSession } from '../../../session/recall.ts'
import { SpentMeter } from '../../../session/spent-meter.ts'
import { redo, type UndoResult, undo } from '../../../session/undo.ts'
import type { Caller, Env } from '../../http/env.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { measureOf, statusFor } from '../../sessions/measure.ts'
import { workspaceOf } from '../../sessions/server-agent.ts'
import type { Services } from '../../sessions/services.ts'
import { handle } from '../route-handler.ts'
import { contextHistory } from './context-history.ts'
import { contextReport } from './context-report.ts'

/** The context: how full, with what, the messages to send; and what changes it besides compactions. */
export function contextRoutes(app: Hono<Env>, services: Services): void {
  const { store, sessions } = services

  handle(app, contract.getContext, async ({ params: { id }, caller }) => {
    const served = await sessions.open(id, caller.owner)
    return contextReport(served, await measureOf(services, served))
  })

  handle(app, contract.getContextHistory, async ({ params: { id }, query: { points }, caller }) => {
    const served = await sessions.open(id, caller.owner)
    return contextHistory(store, served, await measureOf(services, served), points)
  })

  handle(app, contract.getSpent, async ({ params: { id }, caller }) => {
    const served = await sessions.open(id, caller.owner)
    served.spent ??= new SpentMeter(services.models.deps.registry)
    await served.spent.read(store, id)
    return toWire(served.spent.report)
  })

  handle(app, contract.findFiles, async ({ params: { id }, query: { q }, caller }) => {
    const served = await sessions.open(id, caller.owner)
    const workspace = workspaceOf(services, served)
    if (workspace === undefined) return { paths: [] }
    served.files ??= new WorkspaceFiles(workspace.path)
    return { paths: [...(await served.files.find(q))] }
  })

  handle(app, contract.getView, async ({ params: { id }, query: { shape }, caller }) => {
    const served = await sessions.open(id, caller.owner)
    const { view } = served.live
    const { system, messages } = requestOf(view)
    const status = statusFor(served, await measureOf(services, served))
    return { shape, revision: view.revision, system: [...system], messages: shaped(shape, messages), status }
  })

  handle(app, contract.recall, async ({ params: { id }, query: { q, handles, limit }, caller }) => {
    await sessions.open(id, caller.owner)
    if (q === undefined && handles === undefined)
      throw new HttpError(400, 'bad-request', 'query: q or handles says what to look for')
    const hits = q === undefined ? [] : await searchSession(store, id, q, limit)
    const entries = handles === undefined ? [] : await recall(store, id, handles)
    return {
      hits: hits.map(({ session, seq, turn, type, snippet }) => ({ session_id: session, seq, turn, type, snippet })),
      entries: entries.slice(0, limit).map(wireEntry),
    }
  })

  handle(app, contract.undo, async ({ params: { id }, headers, caller }) => {
    await sessions.open(id, caller.owner)
    return changed(id, caller, entryOf(await undo(store, id, requestKey(caller, 'undo', headers)), 'undo'))
  })

  handle(app, contract.redo, async ({ params: { id }, headers, caller }) => {
    await sessions.open(id, caller.owner)
    return changed(id, caller, entryOf(await redo(store, id, requestKey(caller, 'redo', headers)), 'redo'))
  })

  handle(app, contract.pinEntry, async ({ params: { id, seq }, caller }) => {
    await sessions.open(id, caller.owner)
    return changed(id, caller, await pin(store, id, seq))
  })

  handle(app, contract.unpinEntry, async ({ params: { id, seq }, caller }) => {
    await sessions.open(id, caller.owner)
    return changed(id, caller, await unpin(store, id, seq))
  })

  handle(app, contract.listModels, async () => ({
    models: usableModels(services.models.deps).models.map((model) => ({
      name: model.name,
      context_window: model.info.contextWindow,
      usable: model.usable,
      why: model.usable ? undefined : model.why,
    })),
  }))

  async function changed(id: string, { owner }: Caller, entry: Entry) {
    const served = await sessions.open(id, owner)
    return { entry: wireEntry(entry), status: statusFor(served, await measureOf(services, served)) }
  }
}

function entryOf(result: UndoResult, which: 'undo' | 'redo'): Entry {
  if (result.ok) return result.entry
  throw new HttpError(409, `nothing-to-${which}`, result.reason)
}

function shaped(shape: (typeof contract.SHAPES)[number], messages: readonly Message[]): unknown[] {
  switch (shape) {
    case 'ai-sdk':
      return [...messages]
    case 'openai':
      return toOpenAIChat(messages)
    case 'openai-responses':
      return toOpenAIResponses(messages)
    case 'anthropic':
      return toAnthropic(messages).messages
    default:
      return unreachable(shape)
  }
}
