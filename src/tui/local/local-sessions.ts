import { rmSync } from 'node:fs'
import type { AgentEvent } from '../../agent/agent.ts'
import { dropPrepared } from '../../agent/compaction/compact-now.ts'
import type { Jobs } from '../../agent/processes/jobs.ts'
import { type Config, configFolder, dataFolder, loadConfig } from '../../config/index.ts'
import type { Settings } from '../../config/tables/settings.ts'
import type { FlagKey } from '../../config/tables/shortcuts.ts'
import { setUserValue } from '../../config/write/set-user-value.ts'
import { changesView } from '../../engine/context/view/activity.ts'
import { typedIn } from '../../engine/extract/text/typed-words.ts'
import { isNoModel, type OpenModelDeps } from '../../llm/open-model.ts'
import type { Entry, EntryDraft, Message, Seq } from '../../model/types.ts'
import { loadRegistry, withModels } from '../../models/registry.ts'
import { SpentMeter } from '../../session/account/spent-meter.ts'
import { sessionSettings } from '../../session/open-session.ts'
import { type CurrentFolder, forkInto, otherFolder } from '../../session/session-folder.ts'
import { forkTitle, isGreeting, shortTitle, titleFrom, untitledWords } from '../../session/session-title.ts'
import { sessionPage, startPage } from '../../store/memory-pages.ts'
import { openStore } from '../../store/open-store.ts'
import { isUnknownSession, LOCAL_OWNER, type Session, type SessionId, type Store } from '../../store/store.ts'
import type { ChangeResult, OpenedSession, OpenResult, PortEvent, SessionRow } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { DONE, noEntry, refusal, type SessionList, sessionWithId } from '../port/shared.ts'
import { isModeOfStart, type LocalSession, modelFor, openedSession, openLocalSession } from './local-session.ts'
import type { OpenQuestions } from './open-questions.ts'
import { withUnsavedSessions } from './unsaved-sessions.ts'

/** The session to open. `elsewhere`: the named session, if it works in another folder. Then a new session is opened and the user is asked. */
type SessionChoice = { readonly id: SessionId; readonly elsewhere?: SessionId }

/** The session to open: a new one, the workspace's latest, or the named one. */
async function whichSession(store: Store, here: CurrentFolder, open: LocalOptions['open']): Promise<SessionChoice> {
  const { workspace } = here
  const named = open.kind === 'id' ? await namedSession(store, open.id, 'pith --resume') : undefined
  if (named !== undefined && otherFolder(named, here) === undefined) return { id: named.id }
  const latest = open.kind === 'continue' ? await latestSession(store, workspace) : undefined
  const { id } = latest ?? (await store.createSession({ owner: LOCAL_OWNER, workspace }))
  return named === undefined ? { id } : { id, elsewhere: named.id }
}

async function latestSession(store: Store, workspace: string): Promise<Session | undefined> {
  const { sessions } = await store.sessions({ workspace, limit: 20 })
  return sessions.find(({ lastSeq }) => lastSeq > 0)
}

/** A session by its id or the beginning of its id. */
async function namedSession(store: Store, id: string, list?: SessionList): Promise<Session> {
  const exact = await store.session(id)
  if (exact !== undefined) return exact
  const { sessions } = await store.sessions({ limit: 1_000 })
  return sessionWithId(sessions, id, list)
}

/** The sessions with messages, of one workspace or of all, the newest first. */
export async function sessionRows(store: Store, workspace?: string): Promise<SessionRow[]> {
  const { sessions } = await store.sessions({ limit: 500, workspace })
  return Promise.all(
    sessions
      .filter(({ lastSeq }) => lastSeq > 0)
      .map(async (session) => ({
        id: session.id,
        title: session.title === undefined ? await untitledWords(store, session) : shortTitle(session.title),
        workspace: session.workspace,
        updatedAt: session.updatedAt,
        entries: session.lastSeq,
        fork: session.parent !== undefined,
      })),
  )
}

export type SessionsDeps = {
  readonly questions: OpenQuestions
  readonly emit: (event: PortEvent) => void
  readonly onEvent: (event: AgentEvent) => void
  readonly jobs: Jobs
}

/** How far Ctrl+R looks back. */
const TYPED_SESSIONS = 30
const TYPED_ENTRIES = 400

const NOT_SHOWN = { redaction: 0, done: Promise.resolve() }

/** The sessions of this machine, one of which is open. A session without entries is deleted when it is left. */
export class LocalSessions {
  readonly #setup: LocalSetup
  readonly #deps: SessionsDeps
  #current: LocalSession
  #spent: SpentMeter
  /** The last redaction after which the session was shown again. */
  #shown: { readonly redaction: Seq; readonly done: Promise<void> } = NOT_SHOWN

  /** The session that was asked for at the start, if it works in another folder. */
  readonly elsewhere: SessionId | undefined

  private constructor(setup: LocalSetup, deps: SessionsDeps, current: LocalSession, elsewhere?: SessionId) {
    this.elsewhere = elsewhere
    this.#setup = setup
    this.#deps = deps
    this.#current = current
    this.#spent = this.#meter()
  }

  static async open(setup: LocalSetup, open: LocalOptions['open'], deps: SessionsDeps): Promise<LocalSessions> {
    const { id, elsewhere } = await whichSession(setup.store, hereOf(setup), open)
    return new LocalSessions(setup, deps, await openLocalSession(setup, id, deps), elsewhere)
  }

  get current(): LocalSession {
    return this.#current
  }

  get spent(): SpentMeter {
    return this.#spent
  }

  opened(): Promise<OpenedSession> {
    return openedSession(this.#setup, this.#current, this.#spent)
  }

  /** How full the context is, and the cost so far. */
  status(): PortEvent {
    const { agent } = this.#current
    const { cost, knownCost } = this.#spent.report
    return { type: 'status', status: agent.status(), suggestPercent: agent.policy.suggestPercent, cost, knownCost }
  }

  /** Emits entries that were appended outside of a turn. */
  async emitChanges(entries: readonly Entry[]): Promise<void> {
    const { emit } = this.#deps
    const { agent } = this.#current
    await agent.live.refresh()
    if (entries.some(changesView)) agent.lastCall = undefined
    const redaction = entries.findLast(({ type }) => type === 'redact')
    if (redaction !== undefined) return this.#showAgain(redaction.seq)
    for (const entry of entries) {
      if (entry.type === 'settings' && entry.title !== undefined) emit({ type: 'title', title: entry.title })
      emit({ type: 'entry', entry })
    }
    emit(this.status())
  }

  async list(): Promise<SessionRow[]> {
    return sessionRows(this.#setup.store)
  }

  /** The messages that the user typed in the last sessions, the newest first. */
  async typed(): Promise<string[]> {
    const { store } = this.#setup
    const { sessions } = await store.sessions({ limit: TYPED_SESSIONS })
    const texts: string[] = []
    for (const { id } of sessions) {
      const { entries } = await store.entries(id, { order: 'newest', limit: TYPED_ENTRIES, only: 'messages' })
      for (const entry of entries.toReversed()) if (entry.type === 'message') texts.push(safeText(typedIn(entry)))
    }
    return texts.filter((text) => text !== '')
  }

  /** Opens a session that the user names, unless it works in another folder. */
  async openNamed(name: string): Promise<OpenResult> {
    const session = await namedSession(this.#setup.store, name)
    const other = otherFolder(session, hereOf(this.#setup))
    if (other === undefined) return this.#open(session.id)
    const { folder, exists: canMove } = other
    return { ok: false, text: '', elsewhere: { id: session.id, folder, canMove } }
  }

  async forkHere(id: SessionId): Promise<ChangeResult> {
    const { store } = this.#setup
    return this.#open((await forkInto(store, await namedSession(store, id), hereOf(this.#setup))).id)
  }

  async switchTo(id: SessionId): Promise<ChangeResult> {
    return this.#open(id)
  }

  async create(): Promise<ChangeResult> {
    return this.#open(await this.#create({}))
  }

  async fork(before?: number): Promise<ChangeResult> {
    const { session } = this.#current.agent.live
    if (before !== undefined && (before < 1 || before > session.lastSeq)) return noEntry(before)
    const seq = before === undefined ? session.lastSeq : before - 1
    const title = forkTitle(session.title)
    return this.#open(await this.#create({ title, parent: { id: session.id, seq } }))
  }

  async example(): Promise<ChangeResult> {
    const example = await this.#setup.example?.()
    if (example === undefined) return refusal('There is no example')
    const id = await this.#create({ title: example.title })
    // The messages come first, so that their handles are those of `pith inspect example`.
    const messages = example.messages.map((message): EntryDraft => ({ type: 'message', message }))
    await this.#setup.store.append(id, [...messages, { type: 'settings', model: example.model }])
    return this.#open(id)
  }

  async rename(title: string): Promise<ChangeResult> {
    const { live } = this.#current.agent
    await this.#setup.store.renameSession(live.id, title)
    await live.refresh()
    this.#deps.emit({ type: 'title', title })
    return DONE
  }

  /** Notes the permission mode if the user chose one that is not in a file: a later start will not know it. */
  async noteMode(): Promise<void> {
    const { agent, gate } = this.#current
    const { config } = this.#setup
    const usual = isModeOfStart(config) ? 'ask' : config.settings.permissions
    if (gate.mode === (sessionSettings(agent.live.log).permissions ?? usual)) return
    await agent.append([{ type: 'settings', permissions: gate.mode }])
  }

  /** Gives an untitled session a title from its first message that is not a greeting. */
  async nameAfter(text: string): Promise<void> {
    if (this.#current.agent.live.session.title !== undefined || isGreeting(text)) return
    await this.rename(titleFrom(text))
  }

  /** Updates the window of the model: a local server may report it only after it has loaded the model for the first answer. */
  async learnWindow(): Promise<void> {
    const { agent } = this.#current
    if (agent.info.contextWindow !== undefined || isNoModel(agent.model)) return
    const { model } = await modelFor(this.#setup, agent.model.name)
    if (model.info.contextWindow === undefined || model.name !== agent.model.name) return
    agent.model = model
    this.#deps.emit(this.status())
  }

  async close(): Promise<void> {
    await this.#leave()
    await this.#forgetEmpty()
    await this.#setup.store.close()
  }

  async #create(draft: { title?: string; parent?: { id: SessionId; seq: number } }): Promise<SessionId> {
    const { store, config } = this.#setup
    return (await store.createSession({ owner: LOCAL_OWNER, workspace: config.workspace, ...draft })).id
  }

  /** A redacted text may be anywhere on the screen, so the whole session is shown again, once for each redaction. */
  async #showAgain(redaction: Seq): Promise<void> {
    if (redaction > this.#shown.redaction) {
      const done = this.opened().then((opened) => this.#deps.emit({ type: 'opened', opened, redacted: true }))
      this.#shown = { redaction, done }
    }
    await this.#shown.done
  }

  async #open(id: SessionId): Promise<ChangeResult> {
    const { emit } = this.#deps
    await this.#leave()
    if (id !== this.#current.agent.live.id) await this.#forgetEmpty()
    this.#current = await openLocalSession(this.#setup, id, this.#deps, this.#current.gate.mode)
    this.#spent = this.#meter()
    this.#shown = NOT_SHOWN
    emit({ type: 'opened', opened: await this.opened() })
    return DONE
  }

  #leave(): Promise<void> {
    return dropPrepared(this.#current.agent, 'the session was closed')
  }

  async #forgetEmpty(): Promise<void> {
    const { id, session } = this.#current.agent.live
    if (session.lastSeq > 0 || session.parent !== undefined) return
    const { data } = this.#setup.folders
    for (const page of [sessionPage(data, id), startPage(data, id)]) rmSync(page, { force: true })
    await this.#setup.store.deleteSession(id).catch((error: unknown) => {
      // Another process has already deleted it.
      if (!isUnknownSession(error)) throw error
    })
  }

  /** The cost is read in the background, so that a long session opens at once. */
  #meter(): SpentMeter {
    const meter = new SpentMeter(this.#setup.models.registry)
    const { id } = this.#current.agent.live
    void meter.read(this.#setup.store, id).then(
      () => this.#spent === meter && meter.report.calls > 0 && this.#deps.emit(this.status()),
      () => undefined,
    )
    return meter
  }
}

/** The example that comes with Pith. Its model cannot be used, but its window counts. */
export type Example = {
  readonly title: string
  readonly model: string
  readonly window: number
  readonly messages: readonly Message[]
}

export type LocalOptions = {
  readonly flags: Readonly<Partial<Record<FlagKey, string>>>
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly home?: string
  /** Which session to open; a new one by default. */
  readonly open: { readonly kind: 'new' | 'continue' } | { readonly kind: 'id'; readonly id: string }
  readonly example?: () => Promise<Example>
  readonly clock?: () => number
  /** The version of Pith, which is sent to MCP servers. */
  readonly version: string
  /** MCP servers in addition to those of the configuration. */
  readonly mcp?: Settings['mcp']
  /** The memory of the project, for a session that begins. */
  readonly memory?: (setup: Pick<LocalSetup, 'config' | 'folders'>) => string | undefined
}

/** The configuration, the store and the models for sessions on this machine. */
export type LocalSetup = {
  readonly config: Config
  readonly store: Store
  readonly models: OpenModelDeps
  /** Stores the key of a provider in the user's file, and uses it from now on. */
  readonly addKey: (provider: string, key: string) => void
  readonly folders: { readonly config: string; readonly data: string }
  readonly env: NodeJS.ProcessEnv
  readonly home?: string | undefined
  /** The model that the command line names. */
  readonly askedModel?: string
  readonly example?: () => Promise<Example>
  readonly clock: () => number
  readonly version: string
  readonly memory?: LocalOptions['memory']
  readonly mcp?: LocalOptions['mcp']
}

/** Reads the configuration and opens the store. */
export async function localSetup(options: LocalOptions): Promise<LocalSetup> {
  const { flags, cwd, env, home, example, clock = Date.now, version, memory, mcp } = options
  const config = loadConfig({ flags, cwd, env, home })
  const { settings } = config
  const folders = { config: configFolder(env), data: dataFolder(env) }
  let { providers } = settings
  const store = withUnsavedSessions(await openStore(settings.store ?? `${folders.data}/pith.db`))
  return {
    config,
    store,
    models: {
      registry: withModels(loadRegistry(), settings.models),
      get providers() {
        return providers
      },
      env,
    },
    addKey: (provider, apiKey) => {
      setUserValue(`providers.${provider}.api_key`, apiKey, env)
      providers = { ...providers, [provider]: { ...providers[provider], apiKey } }
    },
    folders,
    env,
    home,
    askedModel: flags.model,
    example,
    clock,
    version,
    memory,
    mcp,
  }
}

/** The folder that the user works in. Sessions compare it with their own. */
export function hereOf({ config, home }: LocalSetup): CurrentFolder {
  return { workspace: config.workspace, home }
}
