import { keptContents } from '../../agent/checkpoints/open-keeper.ts'
import {
  type FileReturn,
  type FileSpan,
  fileSpans,
  type RewindResult,
  rewindFiles,
  rewindPlan,
} from '../../agent/checkpoints/rewind-files.ts'
import { storeLostResults } from '../../agent/loop/run-turn.ts'
import { undoTargets } from '../../engine/context/view/activity.ts'
import { rewoundForModel, rewoundText, someOf, takenBackText } from '../../engine/report/change-text.ts'
import type { Entry, EntryOf } from '../../model/types.ts'
import { firstEntryHere } from '../../session/session-folder.ts'
import type { ChangeResult, RewindPort } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { refusal } from '../port/shared.ts'
import { hereOf, type LocalSessions, type LocalSetup } from './local-sessions.ts'

/** Goes back in a session on this machine: its conversation, the files that its calls changed, or both. */
export class LocalRewind implements RewindPort {
  readonly #setup: LocalSetup
  readonly #sessions: LocalSessions
  /** The fork that the last undo of a rewind left, and the session that it went back to. */
  #left: { readonly fork: string; readonly at: string; readonly lastSeq: number } | undefined

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
    if (last === undefined || last.isUndo) return undefined
    const { id } = this.#live
    const { forked } = last.entry.rewind
    const done = await this.#reverse(last.entry)
    if ('refused' in done) return done.refused
    if (forked !== undefined) {
      await this.#sessions.switchTo(forked)
      this.#left = { fork: id, at: forked, lastSeq: this.#live.session.lastSeq }
    }
    return { ok: true, text: takenBackText(done.left) }
  }

  /** Rewinds again after `takeBack`, if nothing else happened since. Undefined if there is nothing to do again. */
  async redo(): Promise<ChangeResult | undefined> {
    const { id, session } = this.#live
    const left = this.#left?.at === id && this.#left.lastSeq === session.lastSeq ? this.#left : undefined
    if (left !== undefined) await this.#sessions.switchTo(left.fork)
    const last = await this.#lastRewind()
    if (last?.isUndo !== true) return undefined
    const done = await this.#reverse(last.entry, left?.at)
    if ('refused' in done) {
      if (left !== undefined) await this.#sessions.switchTo(left.at)
      return done.refused
    }
    this.#left = undefined
    return { ok: true, text: rewoundText(done.result) }
  }

  /** Sets the files back to before a rewind. Refused if one of them was changed since. */
  async #reverse(
    { seq, files, rewind }: Rewind,
    forked?: string,
  ): Promise<{ refused: ChangeResult } | { result: RewindResult; left: RewindResult['left'] }> {
    const spans = files.map(({ path, before, after, mode }): FileSpan => ({ path, before, after, mode }))
    const plan = await rewindPlan(this.#place, spans)
    const changed = plan.files.filter(({ changedSince }) => changedSince).map(({ path }) => path)
    if (changed.length > 0)
      return {
        refused: refusal(`Changed since by you or another program: ${someOf(changed)}. /rewind asks about them`),
      }
    const result = await this.#setBack(plan.files, { to: seq, forked })
    const isFork = forked !== undefined || rewind.forked !== undefined
    if (!isFork && result.done.length > 0) await this.#informModel(result, seq)
    return { result, left: [...plan.lost, ...result.left] }
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

  #setBack(files: readonly FileReturn[], rewind: { to: number; forked?: string | undefined }): Promise<RewindResult> {
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
    await storeLostResults(this.#sessions.current.agent)
    await this.#sessions.emitChanges(await this.#live.append([{ type: 'message', message, files, userWords: [] }]))
  }

  /** The newest rewind in this folder, unless the model has answered or the context was changed after it. */
  async #lastRewind(): Promise<{ readonly entry: Rewind; readonly isUndo: boolean } | undefined> {
    const { store } = this.#setup
    const { entries } = await store.entries(this.#live.id, { only: 'changes', light: true })
    const rewinds = entries.filter(isRewind)
    const last = rewinds.at(-1)
    if (last === undefined || (undoTargets(entries).undo ?? 0) > last.seq) return undefined
    if (last.seq < (await this.#firstHere())) return undefined
    const later = await store.entries(this.#live.id, { from: last.seq, only: 'messages' })
    const isAnswered = later.entries.some((entry) => entry.type === 'message' && entry.message.role === 'assistant')
    return isAnswered ? undefined : { entry: last, isUndo: isUndo(last, rewinds) }
  }
}

type Rewind = EntryOf<'checkpoint'> & { readonly rewind: NonNullable<EntryOf<'checkpoint'>['rewind']> }

function isRewind(entry: Entry): entry is Rewind {
  return entry.type === 'checkpoint' && entry.rewind !== undefined
}

/** True for a rewind to before another rewind, unless that one was such an undo itself. */
function isUndo({ seq: own, rewind }: Rewind, all: readonly Rewind[]): boolean {
  // In a fork, a rewind may have the number of the message that it goes back to: that one is only in the parent.
  const target = all.find(({ seq }) => seq === rewind.to && seq < own)
  return target !== undefined && !isUndo(target, all)
}
