import { type Config, configFolder, dataFolder, type FlagKey, loadConfig } from '../config/index.ts'
import type { ChatModel } from '../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL } from '../llm/choose-model.ts'
import { noModel } from '../llm/no-model.ts'
import { type OpenModelDeps, openModel } from '../llm/open-model.ts'
import { loadRegistry, withModels } from '../models/registry.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { noteConfig } from './note-config.ts'

/** All that a command which works with sessions needs: settings, models and the store. */
export type Workspace = {
  readonly config: Config
  readonly models: OpenModelDeps
  readonly store: Store
  readonly folders: { readonly config: string; readonly data: string }
}

/** Reads the configuration and opens the store. */
export async function openWorkspace(flags: Partial<Record<FlagKey, string>>): Promise<Workspace> {
  const config = loadConfig({ flags })
  noteConfig(config)
  const { settings } = config
  const models = {
    registry: withModels(loadRegistry(), settings.models),
    providers: settings.providers,
    env: process.env,
  }
  const store = await openStore(settings.store)
  return { config, models, store, folders: { config: configFolder(), data: dataFolder() } }
}

/** The model that was named, or the best that can be used without naming one. `missing` says what to set. */
export async function openNamedModel(
  name: string | undefined,
  models: OpenModelDeps,
): Promise<{ readonly model: ChatModel; readonly missing?: string }> {
  const wanted = name ?? (await chooseModel(models))
  if (wanted === undefined) return { model: noModel(NO_MODEL), missing: NO_MODEL }
  const opened = openModel(wanted, models)
  if ('unusable' in opened) return { model: noModel(opened.text), missing: opened.text }
  return { model: opened }
}
