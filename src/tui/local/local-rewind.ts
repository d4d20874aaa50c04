import { keptContents } from '../../agent/checkpoints/open-keeper.ts'
import {
  type FileReturn,
  type FileSpan,
  fileSpans,
  type RewindResult,
  rewindFiles,
  rewindPlan,
} from '../../agent/checkpoints/rewind-files.ts'
import { undoTargets } from '../../engine/context/view/activity.ts'
import { rewoundForModel, rewoundText, someOf, takenBackText } from '../../engine/report/change-text.ts'
import type { EntryOf } from '../../model/types.ts'
import { firstEntryHere } from '../../session/session-folder.ts'
import type { ChangeResult, RewindPort } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { refusal } from '../port/shared.ts'
import { hereOf, type LocalSessions, type LocalSetup } from './local-sessions.ts'

/** Goes back in a session on this machine: its conversation, the files that its calls changed, or both. */
export class LocalRewind implements RewindPort {
  readonly #setup: LocalSetup
  readonly #sessions: LocalSessions

  constructor(setup: LocalSetup, sessions: LocalSessions) {
    this.#setup = setup
    this.#sessions = sessions
  }

  readonly rewindReport: RewindPort['rewindReport'] = async (to) => {
    const { files, lost } = await rewindPlan(this.#place, await this.#spansFrom(to))
    return {
      files: files.map(({ path, change, changedSince, diff }) => ({
        path,
        change,
        changedSince,
        diff: safeText(diff),
      })),
      lost,
    }
  }

  readonly rewind: RewindPort['rewind'] = async ({ to, files, conversation }) => {
    const plan = files === 'none' ? [] : (await rewindPlan(this.#place, await this.#spansFrom(to))).files
    const wanted = plan.filter(({ changedSince }) => files === 'all' || !changedSince)
    const forked = conversation ? this.#live.id : undefined
    if (conversation) {
      const opened = await this.#sessions.fork(to)
      if (!opened.ok || files === 'none') return opened
    }
    const result = await this.#setBack(wanted, { to, forked })
    if (!conversation && result.done.length > 0) await this.#informModel(result, to)
    return { ok: true, text: rewoundText(result) }
  }

  /** Undoes a rewind of files, if nothing else happened since. Undefined if there is none. */
  async takeBack(): Promise<ChangeResult | undefined> {
    const last = await this.#lastRewind()
    if (last?.rewind === undefined || last.seq < (await this.#firstHere())) return undefined
    const { forked } = last.rewind
    const spans = last.files.map(({ path, before, after, mode }): FileSpan => ({ path, before, after, mode }))
    const plan = await rewindPlan(this.#place, spans)
    const changed = plan.files.filter(({ changedSince }) => changedSince).map(({ path }) => path)
    if (changed.length > 0)
      return refusal(`Changed since by you or another program: ${someOf(changed)}. /rewind asks about them`)
    const result = await this.#setBack(plan.files, { to: last.seq })
    if (forked !== undefined) await this.#sessions.switchTo(forked)
    else if (result.done.length > 0) await this.#informModel(result, last.seq)
    return { ok: true, text: takenBackText([...plan.lost, ...result.left]) }
  }

  get #live() {
    return this.#sessions.current.agent.live
  }

  get #place() {
    const { folders, config } = this.#setup
    const { workspace } = this.#sessions.current.agent.deps
    return { workspace, contents: keptContents(folders.data, config.settings) }
  }

  /** The files that were changed in this folder. Files of another folder, which a fork inherits from its parent, are left out. */
  async #spansFrom(to: number): Promise<FileSpan[]> {
    const from = Math.max(to, await this.#firstHere())
    // An empty session has no entries.
    if (from === Number.POSITIVE_INFINITY) return []
    const { entries } = await this.#setup.store.entries(this.#live.id, { from, light: true })
    return fileSpans(entries)
  }

  async #firstHere(): Promise<number> {
    const first = await firstEntryHere(this.#setup.store, this.#live.session, hereOf(this.#setup))
    return first ?? Number.POSITIVE_INFINITY
  }

  #setBack(files: readonly FileReturn[], rewind: { to: number; forked?: string }): Promise<RewindResult> {
    const live = this.#live
    return rewindFiles({
      ...this.#place,
      session: live.id,
      rewind,
      files,
      append: async (draft) => this.#sessions.emitChanges(await live.append([draft])),
    })
  }

  /** Adds a message about the rewind for the model. Its files have no hash, so that the agent has to read them before it edits. */
  async #informModel(result: RewindResult, to: number): Promise<void> {
    const files = result.done.map(({ path, change }) => ({
      path,
      access: change === 'delete' ? ('deleted' as const) : ('modified' as const),
    }))
    const message = { role: 'user' as const, content: rewoundForModel(result, to) }
    await this.#sessions.emitChanges(await this.#live.append([{ type: 'message', message, files, userWords: [] }]))
  }

  /** The newest rewind, unless the model has answered or the context was changed after it. */
  async #lastRewind(): Promise<EntryOf<'checkpoint'> | undefined> {
    const { store } = this.#setup
    const { entries } = await store.entries(this.#live.id, { only: 'changes', light: true })
    const last = entries.findLast((entry) => entry.type === 'checkpoint' && entry.rewind !== undefined)
    if (last?.type !== 'checkpoint' || (undoTargets(entries).undo ?? 0) > last.seq) return undefined
    const later = await store.entries(this.#live.id, { from: last.seq, only: 'messages' })
    const isAnswered = later.entries.some((entry) => entry.type === 'message' && entry.message.role === 'assistant')
    return isAnswered ? undefined : last
  }
}
