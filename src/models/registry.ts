import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { ENTRY_KEYS, registryEntrySchema, toModelInfo } from '../model/model-info-schema.ts'
import { PithError } from '../model/problems/errors.ts'
import { parse } from '../model/problems/parse.ts'
import { nearest } from '../model/problems/problem-text.ts'
import { type ModelInfo, modelName } from '../model/types.ts'
import bundledModels from './bundled-models.json' with { type: 'json' }
import { MAKERS, namesToTry, resoldModel } from './resold-model.ts'

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
function findModel(registry: Registry, wanted: Pick<ModelInfo, 'provider' | 'model'>): ModelInfo | undefined {
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
  bundled ??= registryOf(bundledModels as readonly ModelInfo[])
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

/**
 * The facts about the model that a user named, as `provider/model` or, where only one provider has it, as `model`. The
 * name stays as the user wrote it. A model that is not in the registry has no window; only an unknown name without a
 * provider is an error.
 *
 * @example
 * ```ts
 * import { compactMessages, loadRegistry, resolveModel } from 'pith'
 *
 * const model = resolveModel(loadRegistry(), 'anthropic/claude-sonnet-4-5')
 * await compactMessages(messages, { model })
 * ```
 */
export function resolveModel(registry: Registry, name: string): ModelInfo {
  const wanted = splitName(name) ?? { provider: providerOf(registry, name), model: name }
  return { ...findModel(registry, wanted), ...wanted }
}

/** The registry's facts about a model that a session names; only the name if it is not known. */
export function modelNamed(registry: Registry, name: string | undefined): Partial<ModelInfo> {
  if (name === undefined) return {}
  try {
    return resolveModel(registry, name)
  } catch {
    return { model: name }
  }
}

/** True when the registry has the model, under its own name or the name that it is a snapshot of. */
export function isKnown(registry: Registry, info: Pick<ModelInfo, 'provider' | 'model'>): boolean {
  return findModel(registry, info) !== undefined
}

function splitName(name: string): Pick<ModelInfo, 'provider' | 'model'> | undefined {
  const slash = name.indexOf('/')
  if (slash === -1) return undefined
  const wanted = { provider: name.slice(0, slash), model: name.slice(slash + 1) }
  if (wanted.provider === '' || wanted.model === '')
    throw new PithError('unknown-model', `\`${name}\` is not a model name: write provider/model`)
  return wanted
}

function providerOf(registry: Registry, model: string): string {
  for (const name of namesToTry(model)) {
    const providers = [...registry.values()].filter((info) => info.model === name).map((info) => info.provider)
    if (providers.length > 0) return onlyProvider(providers, name)
  }
  const meant = nearest(
    model,
    [...registry.values()].map((info) => info.model),
  )
  const hint = meant === undefined ? 'write provider/model' : `did you mean \`${meant}\`? If not, write provider/model`
  throw new PithError('unknown-model', `Unknown model \`${model}\`: ${hint}`)
}

function onlyProvider(providers: readonly string[], model: string): string {
  const firstParty = providers.filter((provider) => MAKERS.has(provider))
  const [only, another] = firstParty.length > 0 ? firstParty : providers
  if (only !== undefined && another === undefined) return only
  const names = providers.map((provider) => modelName({ provider, model })).join(', ')
  throw new PithError('unknown-model', `\`${model}\` is offered by several providers, name one: ${names}`)
}
