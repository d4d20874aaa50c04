import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, dataFolder, type FlagKey, loadConfig } from '../config/index.ts'
import type { OpenModelDeps } from '../llm/open-model.ts'
import type { ModelInfo } from '../model/model-info.ts'
import { loadRegistry, withModels } from '../models/registry.ts'
import { resolveModel } from '../models/resolve.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { noteConfig } from './note-config.ts'

/** What a command needs that may not need our own sessions: these are opened only when asked for. */
export type Setup = { readonly config: Config; readonly models: OpenModelDeps }

/** Reads the configuration and the models. */
export function loadSetup(flags: Partial<Record<FlagKey, string>>): Setup {
  const config = loadConfig({ flags })
  noteConfig(config)
  const { models, providers } = config.settings
  return { config, models: { registry: withModels(loadRegistry(), models), providers, env: process.env } }
}

/** Works with the store and closes it. */
export async function withStore<T>({ config }: Setup, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config.settings.store)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** True when there is a store to look into: reading alone makes none. */
export function hasStore({ config }: Setup): boolean {
  const { store } = config.settings
  return store === undefined ? existsSync(join(dataFolder(), 'pith.db')) : /^postgres/.test(store) || existsSync(store)
}

/** What is known of a model by the name that a session has for it; a name alone where it is in no list. */
export function modelNamed({ models }: Setup, name: string | undefined): Partial<ModelInfo> {
  if (name === undefined) return {}
  try {
    return resolveModel(models.registry, name)
  } catch {
    return { model: name }
  }
}
