import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { parse } from '../model/problems/parse.ts'
import { type ModelInfo, modelName } from '../model/provider/model-info.ts'
import { ENTRY_KEYS, registryEntrySchema, toModelInfo } from '../model/provider/registry-entry.ts'
import { BUNDLED_MODELS } from './bundled-models.ts'
import { namesToTry } from './model-names.ts'
import { resoldModel } from './resold-model.ts'

/** The known models, by the name that users write: `provider/model`. */
export type Registry = ReadonlyMap<string, ModelInfo>

const fileSchema = z.strictObject({ source: z.string().optional(), models: z.array(registryEntrySchema) })
const FILE_KEYS: readonly string[] = [...Object.keys(fileSchema.shape), ...ENTRY_KEYS]

/** The models of a registry file's text; `source` names the file in errors. */
export function parseRegistry(yamlText: string, source: string): ModelInfo[] {
  const { models } = parse(fileSchema, readYaml(yamlText, source), {
    what: source,
    code: 'bad-registry',
    keys: FILE_KEYS,
  })
  refuseDuplicates(models.map(modelName), source)
  return models.map(toModelInfo)
}

/** A registry of these models; of two with the same name, the later one counts. */
export function registryOf(models: readonly ModelInfo[]): Registry {
  return new Map(models.map((info) => [modelName(info), info]))
}

/** The registry with a user's own models: new ones are added, known ones changed field by field (prices are one field). */
export function withModels(registry: Registry, models: readonly ModelInfo[]): Registry {
  const merged = new Map(registry)
  for (const own of models) merged.set(modelName(own), { ...findModel(merged, own), ...definedFields(own) })
  return merged
}

/**
 * The registry's facts about a model, under its own name or the name that it is a snapshot of. A model of a reseller is the
 * one of its maker.
 */
export function findModel(registry: Registry, wanted: Pick<ModelInfo, 'provider' | 'model'>): ModelInfo | undefined {
  for (const model of namesToTry(wanted.model)) {
    const info = registry.get(modelName({ provider: wanted.provider, model }))
    if (info !== undefined) return info
  }
  return resoldModel(registry, wanted)
}

let bundled: Registry | undefined

/**
 * The registry that comes with the package: `registry.yaml`, as `npm run registry` compiled it. Made once.
 *
 * @example
 * ```ts
 * import { loadRegistry } from 'pith'
 *
 * console.log(loadRegistry().get('anthropic/claude-sonnet-4-5')?.contextWindow)
 * ```
 */
export function loadRegistry(): Registry {
  bundled ??= registryOf(BUNDLED_MODELS)
  return bundled
}

function readYaml(text: string, source: string): unknown {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    const [line = ''] = error.message.split('\n')
    throw new PithError('bad-registry', `${source}: ${line.replace(/:$/, '')}`, { cause: error })
  }
}

function refuseDuplicates(names: readonly string[], source: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new PithError('bad-registry', `${source}: \`${twice}\` is listed twice`)
}

function definedFields(info: ModelInfo): ModelInfo {
  const { provider, model, ...facts } = info
  return { provider, model, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) }
}
