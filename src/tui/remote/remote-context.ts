import * as compact from '../../contract/routes/compact-routes.ts'
import * as contract from '../../contract/routes/context-routes.ts'
import { listModelsRoute } from '../../contract/routes/context-routes.ts'
import * as leaveOuts from '../../contract/routes/leave-out-routes.ts'
import { changeSessionRoute, redactEntryRoute } from '../../contract/routes/session-routes.ts'
import type { WirePreview } from '../../contract/shapes/compaction-shapes.ts'
import type { WireContext } from '../../contract/shapes/shapes.ts'
import { fromWire } from '../../contract/shapes/wire.ts'
import type { PreviewFacts } from '../../engine/report/outcome.ts'
import { CONTEXT_PARTS } from '../../engine/report/part-names.ts'
import { namedHandles } from '../../search/handles.ts'
import type {
  ContextPort,
  ContextReport,
  PolicyReport,
  PortEvent,
  RecallHit,
  SettingsPort,
  SummaryReport,
} from '../port/port.ts'
import { entryHits, foundHit, isHandle, rawHandles, SHOWN_HITS } from '../port/recall-hits.ts'
import { safeText } from '../port/safe-text.ts'
import { refusal, settingText, settingValue } from '../port/shared.ts'
import type { RemoteClient } from './remote-client.ts'
import { knownEntries, NO_MODEL_NAME, type RemoteSession } from './remote-session.ts'
import type { RemoteSessions } from './remote-sessions.ts'

/** The context of the open session on a server. */
export function remoteContext(client: RemoteClient, sessions: RemoteSessions): ContextPort {
  const params = () => sessions.current.params
  return {
    context: async () => {
      const tools = fromWire(await client.ask(contract.getToolsRoute, { params: params() }))
      return { ...contextReport(await sessions.current.context()), ...(tools.tokens === 0 ? {} : { tools }) }
    },
    preview: async () => {
      const answer = await client.ask(compact.compactSessionRoute, { params: params(), body: { dry_run: true } })
      if (!('dry_run' in answer)) throw new Error('unreachable: a dry run answers with a preview')
      return previewFacts(answer)
    },
    summary: () => summaryReport(client, sessions.current),
    recall: (text) => findInLog(client, sessions.current, text),
    todos: async () => (await sessions.current.detail()).todos,
    // A session on a server begins without one.
    memory: async () => '',
    spent: () => sessions.current.spent(),
    undoPreview: async () => {
      const { seq, status } = await client.ask(contract.previewUndoRoute, { params: params() })
      return seq === undefined ? undefined : status
    },
    undo: () => sessions.change(contract.undoRoute),
    redo: () => sessions.change(contract.redoRoute),
    editSummary: (seq, text) => sessions.change(compact.editSummaryRoute, { seq, body: { summary: text } }),
    pin: (seq) => sessions.change(contract.pinEntryRoute, { seq, query: { back: 'true' } }),
    leaveOutChoices: async () => (await client.ask(leaveOuts.listLeaveOutChoicesRoute, { params: params() })).choices,
    leaveOut: (what, when) =>
      sessions.changeWith(
        async (params) => (await client.ask(leaveOuts.leaveOutRoute, { params, body: { what, when } })).text,
      ),
    putBack: (seq) => sessions.change(leaveOuts.putBackRoute, { body: { seq } }),
    unpin: (seq) => sessions.change(contract.unpinEntryRoute, { seq }),
    sameText: async (seq) => {
      const body = { seq, dry_run: true }
      return (await client.ask(redactEntryRoute, { params: params(), body })).same_text
    },
    redact: ([seq, ...also]) => sessions.change(redactEntryRoute, { body: { seq, also } }),
  }
}

function contextReport({ model, status, parts, budget, largest, next, policy }: WireContext): ContextReport {
  return {
    model: model ?? NO_MODEL_NAME,
    status,
    parts: CONTEXT_PARTS.map((name) => ({ name, tokens: parts[name] })),
    reserve: budget.reserve,
    largest: largest.map(({ seq, name, tokens }) => ({ name: `#${seq} ${safeText(name)}`, tokens })),
    preset: policy.preset,
    next,
  }
}

function previewFacts(preview: WirePreview): PreviewFacts {
  const { would_compact, reason, tokens, messages = 0, span_tokens = 0, kept = [], estimated_cost } = preview
  if (!would_compact) return { kind: 'keep', reason }
  const keptMessages = kept.length
  return { kind: 'compact', tokens, messages, spanTokens: span_tokens, keptMessages, estimatedCost: estimated_cost }
}

async function summaryReport(client: RemoteClient, { params }: RemoteSession): Promise<SummaryReport | undefined> {
  const { compactions } = await client.ask(compact.listCompactionsRoute, { params })
  const last = compactions.findLast(({ undone }) => !undone)
  if (last === undefined) return undefined
  const call = { params: { ...params, seq: last.seq }, query: { limit: 1 } }
  const detail = await client.ask(compact.getCompactionRoute, call)
  const { seq, summary, stands_for: standsFor = detail.before_total, record } = detail
  return { seq, text: safeText(summary), record: safeText(record), standsFor }
}

async function findInLog(client: RemoteClient, { params }: RemoteSession, text: string): Promise<RecallHit[]> {
  const ask = (query: { handles: string } | { q: string; limit: number }) =>
    client.ask(contract.recallRoute, { params, query })
  if (rawHandles(text) !== undefined)
    throw new Error('Raw output is not shown over a server: pith recall --raw on its machine reads it')
  const { session: task, handles } = namedHandles(text) ?? { session: '', handles: text }
  if (isHandle(handles)) {
    const read = async (some: string) => {
      const { entries, bad_rows: damaged = [] } = await ask({ handles: `${task}${some}` })
      return { entries: knownEntries(entries), damaged }
    }
    return (await entryHits(handles.trim(), read)).map((hit) => ({ ...hit, task }))
  }
  return (await ask({ q: text, limit: SHOWN_HITS })).hits.map(foundHit)
}

/** The settings of the open session on a server. */
export function remoteSettings(
  client: RemoteClient,
  sessions: RemoteSessions,
  emit: (event: PortEvent) => void,
): SettingsPort {
  return {
    models: async () => {
      const { models } = await client.ask(listModelsRoute, {})
      return models.map(({ name, context_window: window, usable, why }) => ({ name, usable, window, why }))
    },
    setModel: async (name) => {
      const result = await sessions.change(changeSessionRoute, { body: { model: name } })
      if (!result.ok) return result
      const { model = name, no_model: noModel } = await sessions.current.detail()
      emit({ type: 'model', model, noModel })
      return noModel === undefined ? { ok: true, text: `The model is ${model} now.` } : refusal(noModel)
    },
    setKey: async () => refusal('The server has its own keys'),
    think: async () => refusal('How much models think is set on the server: `reasoning` in its configuration'),
    permissions: async () => refusal(PERMISSIONS_ELSEWHERE),
    plan: async () => refusal('Plan mode works only in a session on this machine: leave out --server'),
    rules: async () => [],
    removeRule: async () => refusal(PERMISSIONS_ELSEWHERE),
    policy: async () => policyReportOf((await sessions.current.context()).policy),
    setPolicy: async (key, value) => {
      const result = await sessions.change(changeSessionRoute, { body: { policy: { [key]: settingValue(value) } } })
      return result.ok ? { ok: true, text: `${key} is ${value} in this session.` } : result
    },
  }
}

const PERMISSIONS_ELSEWHERE = 'Permissions of tools are set on the server: server.workspaces'

/** The policy of the session on the server. */
function policyReportOf({ preset, ...values }: WireContext['policy']): PolicyReport {
  return {
    preset,
    values: Object.entries(values).map(([key, value]) => ({ key, value: settingText(value), source: 'server' })),
  }
}
