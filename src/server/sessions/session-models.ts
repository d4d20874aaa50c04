import type { Settings } from '../../config/tables/settings.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL } from '../../llm/choose-model.ts'
import { withLocalWindow } from '../../llm/local-window.ts'
import { noModel } from '../../llm/no-model.ts'
import { type OpenModelDeps, openModel } from '../../llm/open-model.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import { resolveModel } from '../../models/resolve.ts'
import type { KnownModels } from '../../session/import/origin.ts'

/** The model of a session, and whether it can be used. */
export type SessionModel = {
  readonly name?: string
  readonly info?: ModelInfo
  readonly chat: ChatModel
  /** Why it cannot be used: one line that says what to set. */
  readonly missing?: string
}

/** Opens the models of sessions. A model without a key still has a known window. */
export class SessionModels {
  readonly deps: OpenModelDeps
  readonly known: KnownModels
  readonly #named: string | undefined
  #chosen: Promise<string | undefined> | undefined
  readonly #open = new Map<string, SessionModel>()

  constructor(deps: OpenModelDeps, { model, models }: Pick<Settings, 'model' | 'models'>) {
    this.deps = deps
    this.known = { registry: deps.registry, own: models }
    this.#named = model
  }

  /** The model that a session names, else the one of the configuration, else the best that can be used. */
  async of(name: string | undefined): Promise<SessionModel> {
    const wanted = name ?? this.#named ?? (await this.#choose())
    if (wanted === undefined) return { chat: noModel(NO_MODEL), missing: NO_MODEL }
    const known = this.#open.get(wanted) ?? (await this.#opened(wanted))
    if (this.#open.size < 1_000) this.#open.set(wanted, known)
    return known
  }

  /** Refuses a name that no model can have. */
  check(name: string): void {
    resolveModel(this.deps.registry, name)
  }

  async #opened(wanted: string): Promise<SessionModel> {
    const opened = openModel(wanted, await withLocalWindow(wanted, this.deps))
    if (!('unusable' in opened)) return { name: opened.name, info: opened.info, chat: opened }
    const missing = opened.text
    try {
      const info = resolveModel(this.deps.registry, wanted)
      return { chat: noModel(missing, info), missing, name: wanted, info }
    } catch (error) {
      if (error instanceof PithError) return { chat: noModel(missing), missing }
      throw error
    }
  }

  /** Looks for local model servers once, so that no request waits for each of them. */
  #choose(): Promise<string | undefined> {
    this.#chosen ??= chooseModel(this.deps)
    return this.#chosen
  }
}
