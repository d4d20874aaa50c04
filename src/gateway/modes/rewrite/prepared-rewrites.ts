import type { CompactInput } from '../../../engine/compact/compact.ts'
import { prepare, unreadIn } from '../../../engine/compact/compact-state.ts'
import { RecentMap } from '../../../model/values.ts'
import type { CompactSessionInput } from '../../../session/compaction/compact-session.ts'
import {
  dropPreparation,
  isTimeForDigest,
  isTimeToPrepare,
  type PreparedCompaction,
  type PutCompaction,
  prepareCompaction,
  putPrepared,
} from '../../../session/compaction/prepared-compaction.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { settingsIn } from '../../../session/open-session.ts'
import type { SessionId, Store } from '../../../store/store.ts'

/** The compactions that are made before their time, at most one for each session. */
export class PreparedRewrites {
  readonly #prepared = new Map<SessionId, { readonly live: LiveSession; readonly made: PreparedCompaction }>()

  /** True when the policy wants a session's compaction to be prepared now, and it is not being prepared yet. */
  isTime(live: LiveSession, input: Omit<CompactInput, 'log' | 'view'>): boolean {
    if (this.#prepared.has(live.id)) return false
    const { policy, fullness } = fullnessOf(live, input)
    return policy.mode === 'auto' && isTimeToPrepare(policy.preparePercent, fullness)
  }

  /** Prepares the digest of a session, if its compaction comes near. */
  prepareDigest(live: LiveSession, input: Omit<CompactInput, 'log' | 'view'>): void {
    const { policy, fullness } = fullnessOf(live, input)
    if (isTimeForDigest(policy, fullness)) void live.prepareDigest(input)
  }

  begin(live: LiveSession, input: CompactSessionInput): void {
    const { fullness } = fullnessOf(live, input)
    const made = prepareCompaction(live, input, fullness)
    this.#prepared.set(live.id, { live, made })
    // There was nothing to prepare yet: a later request looks again.
    void made.result.then((result) => {
      if (result?.outcome === 'skipped' && this.#prepared.get(live.id)?.made === made) this.#prepared.delete(live.id)
    })
  }

  /** Applies the compaction that was prepared for a session; undefined when there is none that fits. */
  async take(
    live: LiveSession,
    taker: { readonly holder: string; readonly signal: AbortSignal },
  ): Promise<Extract<PutCompaction, { kind: 'put' }>['result'] | undefined> {
    await this.dropOutdated(live)
    const made = this.#prepared.get(live.id)?.made
    const onTaken = () => this.#prepared.delete(live.id)
    const put = made === undefined ? undefined : await putPrepared(live, made, { ...taker, onTaken })
    return put?.kind === 'put' ? put.result : undefined
  }

  /** Drops the prepared compaction of a session whose view has changed since. */
  async dropOutdated(live: LiveSession): Promise<void> {
    const revision = this.#prepared.get(live.id)?.made.open.session.revision
    if (revision !== undefined && revision !== live.view.revision)
      await this.drop(live.id, 'the view has changed meanwhile')
  }

  /** Drops the prepared compaction of a session. Its cost stays in the log. */
  async drop(id: SessionId, why: string): Promise<void> {
    const known = this.#prepared.get(id)
    this.#prepared.delete(id)
    if (known !== undefined) await dropPreparation(known.live, known.made, why)
  }
}

function fullnessOf(live: LiveSession, input: Omit<CompactInput, 'log' | 'view'>) {
  const state = prepare(live.context(settingsIn(input)), input)
  return { policy: state.policy, fullness: { ...state.budget, tokens: state.tokens - unreadIn(state).tokens } }
}

/** Sessions that stay open. */
const MOST_SESSIONS = 50

/** The sessions that are open: those that were asked for last, each as the store has it now. */
export class LiveViews {
  readonly #store: Store
  readonly #sessions = new RecentMap<SessionId, LiveSession>(MOST_SESSIONS)

  constructor(store: Store) {
    this.#store = store
  }

  /** True for a session that is open. */
  has(id: SessionId): boolean {
    return this.#sessions.has(id)
  }

  async get(id: SessionId): Promise<LiveSession> {
    const known = this.#sessions.get(id)
    const live = known ?? (await LiveSession.open(this.#store, id))
    if (known !== undefined) await live.refresh()
    this.#sessions.set(id, live)
    return live
  }
}
