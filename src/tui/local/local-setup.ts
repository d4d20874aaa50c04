import { type Config, configFolder, dataFolder, loadConfig } from '../../config/index.ts'
import type { FlagKey } from '../../config/tables/shortcuts.ts'
import { setUserValue } from '../../config/write/set-user-value.ts'
import { LearnedLimits, type OpenModelDeps } from '../../llm/open-model.ts'
import type { Message } from '../../model/types.ts'
import { loadRegistry, withModels } from '../../models/registry.ts'
import type { Here } from '../../session/session-folder.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'

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
  /** The version of the program. */
  readonly version?: string
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
}

/** Reads the configuration and opens the store. */
export async function localSetup(options: LocalOptions): Promise<LocalSetup> {
  const { flags, cwd, env, home, example, clock = Date.now, version = '0.0.0' } = options
  const config = loadConfig({ flags, cwd, env, home })
  const { settings } = config
  const folders = { config: configFolder(env), data: dataFolder(env) }
  let { providers } = settings
  const store = await openStore(settings.store ?? `${folders.data}/pith.db`)
  return {
    config,
    store,
    models: {
      registry: withModels(loadRegistry(), settings.models),
      get providers() {
        return providers
      },
      env,
      learned: new LearnedLimits(folders.data),
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
  }
}

/** The folder that the user works in. Sessions compare it with their own. */
export function hereOf({ config, home }: LocalSetup): Here {
  return { workspace: config.workspace, home }
}
