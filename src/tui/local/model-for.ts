import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL, withLocalWindow } from '../../llm/choose-model.ts'
import { noModel, openModel } from '../../llm/open-model.ts'
import type { ModelInfo } from '../../model/types.ts'
import { resolveModel } from '../../models/registry.ts'
import type { LocalSetup } from './local-setup.ts'

/**
 * A model to work with. If it cannot be used, `why` says in one line what to set, and `needsKey` names the provider if a key is
 * missing. Its window is used in any case.
 */
export type ChosenModel = { readonly model: ChatModel; readonly why?: string; readonly needsKey?: string }

/** The named model, or the first usable one when none is named. */
export async function modelFor(setup: LocalSetup, name: string | undefined): Promise<ChosenModel> {
  const wanted = name ?? (await chooseModel(setup.models))
  if (wanted === undefined) return { model: noModel(NO_MODEL), why: `${sentence(NO_MODEL)}; /model takes a key` }
  const example = wanted.startsWith('example/') ? await setup.example?.() : undefined
  if (example !== undefined) {
    const info = { ...splitName(example.model), contextWindow: example.window }
    return { model: noModel(EXAMPLE_ANSWER, info), why: EXAMPLE_TEXT }
  }
  const opened = openModel(wanted, await withLocalWindow(wanted, setup.models))
  if (!('unusable' in opened)) return { model: opened }
  const without = unusable(sentence(opened.text), infoOf(setup, wanted))
  return opened.unusable === 'no-key' ? { ...without, needsKey: splitName(opened.name).provider } : without
}

const EXAMPLE_TEXT =
  'An example without a model: try /compact, /context, /undo and /recall <text>; /new starts a session of your own'

const EXAMPLE_ANSWER =
  'The example has no model that could answer: /new starts a session of your own, /model chooses a model for this one'

function unusable(why: string, info: ModelInfo | undefined): ChosenModel {
  const none = noModel(why)
  return { model: info === undefined ? none : { ...none, info }, why }
}

function infoOf({ models }: LocalSetup, name: string): ModelInfo | undefined {
  try {
    return resolveModel(models.registry, name)
  } catch {
    return undefined
  }
}

function splitName(name: string): { provider: string; model: string } {
  const [provider = '', model = ''] = name.split('/')
  return { provider, model }
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
