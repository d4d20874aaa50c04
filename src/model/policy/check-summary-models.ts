import { PithError } from '../problems/errors.ts'

/** Throws one line about a list that holds something else than models that write summaries. */
export function checkSummaryModels(models: unknown): void {
  for (const [i, model] of checkedList(models).entries())
    if (typeof fieldOf(model, 'stream') !== 'function')
      throw new PithError('bad-argument', `summaryModels.${i}: is not { name, stream }${whoseModel(model)}`)
}

/** The list as it came; nothing where there is none. */
export function checkedList<T>(models: readonly T[] | undefined): readonly T[]
export function checkedList(models: unknown): readonly unknown[]
export function checkedList(models: unknown): readonly unknown[] {
  if (models === undefined) return []
  if (Array.isArray(models)) return models
  throw new PithError('bad-argument', 'summaryModels: is not a list: write [model], or [] for digests without a model')
}

/** Models of frameworks, and who makes writers of summaries of them. */
function whoseModel(model: unknown): string {
  const room = fieldOf(model, 'doStream') !== undefined ? 'ai-sdk' : fieldOf(model, 'invoke') && 'langchain'
  return room ? `: summaryModelOf() of pith/${room} makes one of it` : ''
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
}
