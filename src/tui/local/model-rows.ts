import { findLocalServers } from '../../llm/local-servers.ts'
import { type ModelUsability, usableModels } from '../../llm/usable-models.ts'
import type { ModelRow } from '../port-data.ts'
import type { LocalSetup } from './setup.ts'

// A port where nothing listens says no at once; only a server that hangs takes this long.
const LOCAL_TIMEOUT_MS = 2_000

/** Every model that is known, those that can be used first. */
export async function modelRows({ models, config }: LocalSetup): Promise<ModelRow[]> {
  const { providers } = config.settings
  const local = await findLocalServers({ providers, timeoutMs: LOCAL_TIMEOUT_MS })
  const uses = usableModels({ ...models, local }).models
  return uses.map(rowOf).toSorted((a, b) => Number(b.usable) - Number(a.usable))
}

function rowOf(use: ModelUsability): ModelRow {
  const { contextWindow, prices } = use.info
  return {
    name: use.name,
    ...(contextWindow === undefined ? {} : { window: contextWindow }),
    ...(prices === undefined ? {} : { inputPrice: prices.input, outputPrice: prices.output }),
    usable: use.usable,
    ...(use.usable ? {} : { why: use.why }),
  }
}
