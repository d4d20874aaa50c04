import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, configFolder, dataFolder, type FlagKey, loadConfig } from '../../config/index.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL, withLocalWindow } from '../../llm/choose-model.ts'
import { noModel, type OpenModelDeps, openModel } from '../../llm/open-model.ts'
import { printable } from '../../model/text.ts'
import { isPostgresUrl } from '../../model/values.ts'
import { loadRegistry, withModels } from '../../models/registry.ts'
import type { KnownModels } from '../../session/import/origin.ts'
import { openStore } from '../../store/open-store.ts'
import type { Session, SessionQuery, Store } from '../../store/store.ts'
import { EXAMPLE_MODEL } from '../example/example-session.ts'
import { note } from '../output/show.ts'
import { UsageError } from '../process/exit-codes.ts'

/** The configuration and the models that a command works with. The store is opened only by commands that need our own sessions. */
export type Setup = {
  readonly config: Config
  readonly models: OpenModelDeps
  readonly folders: { readonly config: string; readonly data: string }
}

/** Reads the configuration and the models. A model that only the settings name is looked for when it is asked. */
export function loadSetup(flags: Partial<Record<FlagKey, string>>): Setup {
  const config = loadConfig({ flags })
  noteConfig(config)
  const { models, providers } = config.settings
  const folders = { config: configFolder(), data: dataFolder() }
  const registry = withModels(loadRegistry(), [EXAMPLE_MODEL, ...models])
  const setup: Setup = { config, models: { registry, providers, env: process.env }, folders }
  refuseUnknownModel(flags.model, setup.models)
  return setup
}

/** The models that a session of any agent may name. */
export function knownModels({ config, models }: Pick<Setup, 'config' | 'models'>): KnownModels {
  return { registry: models.registry, own: config.settings.models }
}

/** Prints the notices about the configuration files. */
export function noteConfig({ notices }: Config): void {
  for (const notice of notices) note(printable(notice))
}

/** Works with the store and closes it. */
export function withStore<T>({ config }: Setup, work: (store: Store) => Promise<T>): Promise<T> {
  return closing(openStore(config.settings.store), work)
}

/** The same for work that only reads, which a store that may not be written allows too. */
export function withStoreToRead<T>({ config }: Setup, work: (store: Store) => Promise<T>): Promise<T> {
  return closing(openStore(config.settings.store, { unwritable: 'read' }), work)
}

async function closing<T>(opening: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await opening
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** True when a store exists. Commands that only read must not create one. */
export function hasStore({ config, folders }: Setup): boolean {
  const { store } = config.settings
  return store === undefined ? existsSync(join(folders.data, 'pith.db')) : isPostgresUrl(store) || existsSync(store)
}

/** Refuses a model that a flag names and that nothing here knows. A known one without a key is not an error of the command line. */
export function refuseUnknownModel(name: string | undefined, models: OpenModelDeps): void {
  const unknown = name === undefined ? undefined : unknownModel(name, models)
  if (unknown !== undefined) throw new UsageError('unknown-model', unknown)
}

/** One line about a model that nothing here knows. */
export function unknownModel(name: string, models: OpenModelDeps): string | undefined {
  const opened = openModel(name, models)
  const isUnknown =
    'unusable' in opened && (opened.unusable === 'unknown-model' || opened.unusable === 'unknown-provider')
  return isUnknown ? opened.text : undefined
}

/** The named model, or the first usable one when none is named. `missing` says what to set. */
export async function openNamedModel(
  name: string | undefined,
  models: OpenModelDeps,
): Promise<{ readonly model: ChatModel; readonly missing?: string }> {
  const wanted = name ?? (await chooseModel(models))
  if (wanted === undefined) return { model: noModel(NO_MODEL), missing: NO_MODEL }
  const opened = openModel(wanted, await withLocalWindow(wanted, models))
  if ('unusable' in opened) return { model: noModel(opened.text), missing: opened.text }
  return { model: opened }
}

/** The sessions of a store page by page, the most recently changed first. */
export async function* sessionsIn(store: Store, query: SessionQuery = {}): AsyncGenerator<Session, void> {
  for (let before: string | undefined; ; ) {
    const page = await store.sessions({ limit: 500, before, ...query })
    yield* page.sessions
    if (page.next === undefined) return
    before = page.next
  }
}
