import { PithError } from '../model/problems/errors.ts'
import { nearest } from '../model/problems/nearest.ts'
import { type ModelInfo, modelName } from '../model/provider/model-info.ts'
import { MAKERS } from './makers.ts'
import { namesToTry } from './model-names.ts'
import { findModel, type Registry } from './registry.ts'

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

/** What the registry says of a model that a session names; the name alone where it does not know it. */
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
