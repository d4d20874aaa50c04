import { dropPrepared } from '../../agent/compaction/prepared-compaction.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { EntryDraft } from '../../model/entry.ts'
import { SpentMeter } from '../../session/spent-meter.ts'
import type { SessionId } from '../../store/store.ts'
import type { Done, Opened, PortEvent, SessionRow } from '../port-data.ts'
import { firstLine } from '../safe-text.ts'
import { type LocalSession, openLocalSession } from './open-session.ts'
import { openedReport } from './opened.ts'
import type { Questions } from './questions.ts'
import type { LocalOptions, LocalSetup } from './setup.ts'
import { namedSession, OWNER, whichSession } from './which-session.ts'

export type SessionsDeps = {
  readonly questions: Questions
  readonly onEvent: (event: AgentEvent) => void
  readonly emit: (event: PortEvent) => void
}

const TITLE_CHARACTERS = 60

/** The sessions of this machine, one of which is open. One in which nothing was ever said leaves no trace. */
export class LocalSessions {
  readonly #setup: LocalSetup
  readonly #deps: SessionsDeps
  #current: LocalSession
  #spent: SpentMeter

  private constructor(setup: LocalSetup, deps: SessionsDeps, current: LocalSession) {
    this.#setup = setup
    this.#deps = deps
    this.#current = current
    this.#spent = this.#meter()
  }

  static async open(setup: LocalSetup, open: LocalOptions['open'], deps: SessionsDeps): Promise<LocalSessions> {
    const id = await whichSession(setup.store, setup.config.workspace, open)
    return new LocalSessions(setup, deps, await openLocalSession(setup, id, deps.questions, deps.onEvent))
  }

  get current(): LocalSession {
    return this.#current
  }

  get spent(): SpentMeter {
    return this.#spent
  }

  opened(): Promise<Opened> {
    return openedReport(this.#setup, this.#current, this.#spent)
  }

  /** The one number, and what it has cost so far. */
  status(): PortEvent {
    const { agent } = this.#current
    const { cost } = this.#spent.report
    const { suggestPercent } = agent.policy
    return { type: 'status', status: agent.status(), suggestPercent, ...(cost === undefined ? {} : { cost }) }
  }

  async list(): Promise<SessionRow[]> {
    const { sessions } = await this.#setup.store.sessions({ limit: 500 })
    return sessions
      .filter(({ lastSeq }) => lastSeq > 0)
      .map(({ id, title, workspace, updatedAt, lastSeq, parent }) => ({
        id,
        ...(title === undefined ? {} : { title: firstLine(title, TITLE_CHARACTERS) }),
        workspace,
        updatedAt,
        entries: lastSeq,
        fork: parent !== undefined,
      }))
  }

  async switchTo(id: SessionId): Promise<Done> {
    return this.#open((await namedSession(this.#setup.store, id)).id)
  }

  async create(): Promise<Done> {
    return this.#open(await this.#create({}))
  }

  async fork(before?: number): Promise<Done> {
    const { session } = this.#current.agent.live
    const seq = before === undefined ? session.lastSeq : before - 1
    const title = `${session.title ?? 'session'} (fork)`
    return this.#open(await this.#create({ title, parent: { id: session.id, seq } }))
  }

  async example(): Promise<Done> {
    const example = await this.#setup.example?.()
    if (example === undefined) return { ok: false, text: 'There is no example' }
    const id = await this.#create({ title: example.title })
    const messages = example.messages.map((message): EntryDraft => ({ type: 'message', message }))
    await this.#setup.store.append(id, [{ type: 'settings', model: example.model }, ...messages])
    return this.#open(id)
  }

  async rename(title: string): Promise<Done> {
    const { live } = this.#current.agent
    await this.#setup.store.renameSession(live.id, title)
    await live.refresh()
    this.#deps.emit({ type: 'title', title })
    return { ok: true, text: '' }
  }

  /** A session is called after what was first said in it, until it gets a name. */
  async nameAfter(text: string): Promise<void> {
    if (this.#current.agent.live.session.title !== undefined) return
    await this.rename(firstLine(text, TITLE_CHARACTERS) || 'session')
  }

  async close(): Promise<void> {
    await this.#leave()
    await this.#forgetEmpty()
    await this.#setup.store.close()
  }

  async #create(draft: { title?: string; parent?: { id: SessionId; seq: number } }): Promise<SessionId> {
    const { store, config } = this.#setup
    return (await store.createSession({ owner: OWNER, workspace: config.workspace, ...draft })).id
  }

  async #open(id: SessionId): Promise<Done> {
    const { questions, onEvent, emit } = this.#deps
    await this.#leave()
    if (id !== this.#current.agent.live.id) await this.#forgetEmpty()
    this.#current = await openLocalSession(this.#setup, id, questions, onEvent)
    this.#spent = this.#meter()
    emit({ type: 'opened', opened: await this.opened() })
    return { ok: true, text: '' }
  }

  /** What is being prepared for it is given up. */
  #leave(): Promise<void> {
    return dropPrepared(this.#current.agent, 'the session was closed')
  }

  async #forgetEmpty(): Promise<void> {
    const { id, session } = this.#current.agent.live
    if (session.lastSeq === 0 && session.parent === undefined) await this.#setup.store.deleteSession(id)
  }

  /** What was spent is read beside: a long session opens at once, its price follows. */
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
